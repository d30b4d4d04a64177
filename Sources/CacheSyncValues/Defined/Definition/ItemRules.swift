/// Where items are in a session file, which fields each has, and when each is in force (definitions.md: items).
package struct ItemRules: Sendable, Equatable {
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
/// `less`, `per`, `scale`, `plus`, `round` and `else`, in this order.
package struct FieldRule: Sendable, Equatable {
  package enum Conversion: String, Sendable, Equatable, CaseIterable {
    case number, text
    /// A text without tags and entities, in one line.
    case plain
  }

  @ExactText package var name: String
  package var from: [ItemPath]
  package var conversion: Conversion?
  /// Keyed by the value's text; "*" matches every other value.
  package var map: TextMap<ItemValue>?
  /// Where the number is that is subtracted; empty: none.
  package var less: [ItemPath] = []
  /// Where the number is that the value is divided by; empty: none.
  package var per: [ItemPath] = []
  package var scale: Double?
  package var plus: Double?
  /// How many decimals, 0...6.
  package var round: Int?
  package var otherwise: ItemValue?

  package init(_ name: String, from: [ItemPath]) {
    self.name = name
    self.from = from
  }
}

/// A moment, a local time or a day that a definition finds in a session file (definitions.md: time).
package struct TimeRule: Sendable, Equatable {
  /// Whether the date means whole days.
  package enum AllDay: Sendable, Equatable {
    case always
    /// A flag in the file. It is set unless it is missing, null, false, 0, or the text "", "0", "false" or "no".
    case flag([ItemPath])
    case condition([Condition])
  }

  /// Where it is, and how it is written.
  package var date: DayRule
  /// Whether it is `{ day, as, time, timeAs, plus }`; otherwise paths, or `{ at, as }`.
  package var isDay: Bool
  /// Where the file has the zone of the local time; empty: the definition's zone counts.
  package var timeZone: [ItemPath] = []
  package var allDay: AllDay?
  /// The times to try, in their order, where this one finds no date.
  package var otherwise: [TimeRule] = []

  package static func at(_ paths: [ItemPath], _ form: TimeForm?) -> TimeRule {
    var date = DayRule(.paths(paths))
    date.form = form
    return TimeRule(date: date, isDay: false)
  }

  package static func day(_ rule: DayRule) -> TimeRule { TimeRule(date: rule, isDay: true) }

  /// What the file has somewhere, or the definition itself.
  package enum Given<Value: Sendable & Equatable>: Sendable, Equatable {
    case paths([ItemPath])
    case fixed(Value)
  }

  package struct DayRule: Sendable, Equatable {
    package var day: Given<LocalDay>
    package var form: TimeForm?
    /// Seconds after midnight on the wall clock.
    package var time: Given<Int>?
    package var timeForm: TimeForm?
    /// An ISO 8601 duration in weeks and days.
    package var plus: TextTemplate?

    package init(_ day: Given<LocalDay>) { self.day = day }
  }
}

package enum TimeForm: Sendable, Equatable {
  /// Seconds since 1970; digits in a string count too.
  case unix
  case unixMilliseconds
  /// Seconds since 2001.
  case apple
  /// "Tue, 24 Nov 2026 09:00:00 +0100", as in mail and RSS (RFC 822, RFC 5322).
  case rfc822
  case pattern(TimePattern)
}

/// A pattern of `yyyy MM M MMM MMMM dd d do EEE EEEE HH H hh h a mm m ss Z XXX`; other letters are quoted as `'…'`.
package struct TimePattern: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    /// The digits of a unit, and how few and how many they may be.
    case digits(Unit, ClosedRange<Int>)
    /// An English word, in any case, by the letters of the pattern.
    case word(Word)
    case literal(ExactText)
  }

  /// By its letter.
  package enum Unit: String, Sendable, Equatable {
    case year = "y"
    case month = "M"
    case day = "d"
    case hour = "H"
    case minute = "m"
    case second = "s"
    /// The hour on a clock face, 1...12.
    case clockHour = "h"
  }

  package enum Word: String, Sendable, Equatable, CaseIterable {
    case shortMonth = "MMM"
    case month = "MMMM"
    /// It is not compared with the date.
    case shortWeekday = "EEE"
    case weekday = "EEEE"
    /// The day as "24th".
    case ordinalDay = "do"
    /// "am" or "pm".
    case halfDay = "a"
    /// The offset from UTC as "+0100", "+01:00", "Z" or "GMT".
    case offset = "Z"
    case isoOffset = "XXX"
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }
}
