/// Where items are in a session file, what is known of each, and when each is in force (definitions.md: items).
package struct ItemRules: Sendable, Equatable {
  /// When an item ends.
  package enum End: Sendable, Equatable {
    case time(TimeRule)
    /// The next start in the file.
    case next
  }

  package var each: [ItemPath]
  /// Whether each node of ``each`` is an object whose array members are columns, an item a row.
  package var hasColumns = false
  /// In the definition's order. An item's values stand in the same order: see ``FieldRule``.
  package var fields: [FieldRule] = []
  /// All of them must hold.
  package var condition: [Condition] = []
  package var id: TextTemplate?
  package var start: TimeRule?
  package var end: End?
  /// ISO 8601; weeks and days on the wall clock.
  package var lasts: TextTemplate?
  /// A rule of RFC 5545, section 3.3.10.
  package var repeats: TextTemplate?
  package var except: ItemPath?

  package init(each: [ItemPath]) { self.each = each }
}

/// A field of an item: the first of its paths that finds something other than null, then `as`, `map`, `scale`, `round` and
/// `else`, in this order.
package struct FieldRule: Sendable, Equatable {
  package enum Conversion: String, Sendable, Equatable, CaseIterable {
    case number, text
  }

  @ExactText package var name: String
  package var from: [ItemPath]
  package var conversion: Conversion?
  /// By the value's text; "*" stands for every other.
  package var map: TextMap<ItemValue>?
  package var scale: Double?
  /// How many decimals, 0...6.
  package var round: Int?
  package var otherwise: ItemValue?

  package init(_ name: String, from: [ItemPath]) {
    self.name = name
    self.from = from
  }
}

/// A moment, a local time or a day that a definition finds in a session file (definitions.md: time).
package enum TimeRule: Sendable, Equatable {
  /// Paths, or `{ at, as }`.
  case at([ItemPath], TimeForm?)
  /// `{ day, as, time, timeAs, plus }`
  case day(DayRule)

  package struct DayRule: Sendable, Equatable {
    package enum Day: Sendable, Equatable {
      case paths([ItemPath])
      case fixed(LocalDay)
    }

    package enum Time: Sendable, Equatable {
      case paths([ItemPath])
      /// Seconds after midnight on the wall.
      case fixed(Int)
    }

    package var day: Day
    package var form: TimeForm?
    package var time: Time?
    package var timeForm: TimeForm?
    /// ISO 8601 in weeks and days.
    package var plus: TextTemplate?

    package init(_ day: Day) { self.day = day }
  }
}

/// How a time is written.
package enum TimeForm: Sendable, Equatable {
  /// Seconds since 1970, also digits in a string.
  case unix
  case unixMilliseconds
  /// Seconds since 2001.
  case apple
  case pattern(TimePattern)
}

/// A pattern of `yyyy MM M dd d HH H mm m ss`; other letters stand in `'…'`.
package struct TimePattern: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    /// Digits of a unit, this many at least and at most.
    case digits(Unit, ClosedRange<Int>)
    case literal(ExactText)
  }

  package enum Unit: Sendable, Equatable {
    case year, month, day, hour, minute, second
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }
}
