/// Where items are in a session file, which fields each has, and when each is in force (definitions.md: items).
package struct ItemRules: Sendable, Equatable {
  /// When an item ends.
  package enum End: Sendable, Equatable {
    case time(TimeRule)
    /// At the next start in the file.
    case next
  }

  package var each: [ItemPath]
  /// Whether each node of ``each`` is an object whose array members are columns. Each row is then an item.
  package var hasColumns = false
  /// In the definition's order, which is also the order of an item's values.
  package var fields: [FieldRule] = []
  /// All of them must hold.
  package var condition: [Condition] = []
  package var id: TextTemplate?
  package var start: TimeRule?
  package var end: End?
  /// An ISO 8601 duration; weeks and days count on the wall clock.
  package var lasts: TextTemplate?
  /// A rule of RFC 5545, section 3.3.10.
  package var repeats: TextTemplate?
  package var except: ItemPath?

  package init(each: [ItemPath]) { self.each = each }
}

/// A field of an item. It takes the first value other than null that its paths find. Then it applies `as`, `map`,
/// `scale`, `round` and `else`, in this order.
package struct FieldRule: Sendable, Equatable {
  package enum Conversion: String, Sendable, Equatable, CaseIterable {
    case number, text
  }

  @ExactText package var name: String
  package var from: [ItemPath]
  package var conversion: Conversion?
  /// Keyed by the value's text; "*" matches every other value.
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
      /// Seconds after midnight on the wall clock.
      case fixed(Int)
    }

    package var day: Day
    package var form: TimeForm?
    package var time: Time?
    package var timeForm: TimeForm?
    /// An ISO 8601 duration in weeks and days.
    package var plus: TextTemplate?

    package init(_ day: Day) { self.day = day }
  }
}

/// How a time is written.
package enum TimeForm: Sendable, Equatable {
  /// Seconds since 1970; digits in a string count too.
  case unix
  case unixMilliseconds
  /// Seconds since 2001.
  case apple
  case pattern(TimePattern)
}

/// A pattern of `yyyy MM M dd d HH H mm m ss`; other letters are quoted as `'…'`.
package struct TimePattern: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    /// The digits of a unit, and how few and how many they may be.
    case digits(Unit, ClosedRange<Int>)
    case literal(ExactText)
  }

  package enum Unit: Sendable, Equatable {
    case year, month, day, hour, minute, second
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }
}
