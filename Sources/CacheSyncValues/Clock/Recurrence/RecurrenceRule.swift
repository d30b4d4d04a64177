/// A recurrence rule of RFC 5545, section 3.3.10: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO".
///
/// The rule has no zone. It gives wall times; the caller decides which moments they are, and how to treat those that a
/// zone skips or repeats.
package struct RecurrenceRule: Sendable, Hashable {
  /// A defect of a rule's text.
  package struct Defect: Error, Sendable, Equatable {
    /// The byte of the text at which it is.
    package var offset: Int
    /// What is wrong and what would be right, in one line.
    package var message: String
    /// Whether the rule counts in another calendar than the Gregorian one (RSCALE), and so can be right.
    package var isOtherCalendar = false
  }

  /// What becomes of a date that a month or a year does not have (SKIP of RFC 7529), such as 31 February.
  package enum Skip: String, CaseIterable, Sendable {
    case omit = "OMIT"
    /// The last day before it.
    case backward = "BACKWARD"
    /// The first day after it.
    case forward = "FORWARD"
  }

  /// How often; a longer period compares greater.
  package enum Frequency: Int, CaseIterable, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// The word of a rule, "WEEKLY".
    package var word: String {
      switch self {
      case .secondly: "SECONDLY"
      case .minutely: "MINUTELY"
      case .hourly: "HOURLY"
      case .daily: "DAILY"
      case .weekly: "WEEKLY"
      case .monthly: "MONTHLY"
      case .yearly: "YEARLY"
      }
    }

    package static func < (a: Frequency, b: Frequency) -> Bool { a.rawValue < b.rawValue }
  }

  /// COUNT or UNTIL; a rule has at most one of them.
  package enum End: Hashable, Sendable {
    case never
    /// That many occurrences, at least 1, from the start.
    case count(Int)
    /// Including all of that day.
    case untilDay(LocalDay)
    /// Including that wall time.
    case untilWall(WallTime)
    /// Including that moment. A rule has no zone, so its occurrences continue: the caller compares each as a moment.
    case untilInstant(Instant)
  }

  package var frequency: Frequency
  /// At least 1. A greater interval than ``greatestNumber`` counts as that, which is longer than all years together.
  package var interval = 1
  package var end = End.never
  /// The first day of a week (WKST).
  package var firstWeekday = Weekday.monday

  // The BY parts. An empty one is a part that the rule does not have.

  /// 0...59; a leap second counts as 59 (RFC 5545, section 3.3.12).
  package var seconds = NumberSet()
  package var minutes = NumberSet()
  package var hours = NumberSet()
  /// Weekdays without an ordinal, by ``Weekday/rawValue``.
  package var weekdays = NumberSet()
  /// The ordinals of each weekday, by ``Weekday/rawValue`` ("2MO", "-1MO"); empty if no weekday has one.
  package var weekdayOrdinals: [SignedNumberSet] = []
  package var monthDays = SignedNumberSet()
  /// 1...366 and -366 ... -1, ascending, each once.
  package var yearDays: [Int] = []
  package var weekNumbers = SignedNumberSet()
  /// 1...12
  package var months = NumberSet()
  /// BYSETPOS: 1...366 and -366 ... -1, ascending, each once.
  package var positions: [Int] = []

  /// Nil: the rule does not say, which means ``Skip/omit``.
  package var skip: Skip?

  /// Whether the rule gives whole days, each once; see ``ofDays``.
  package private(set) var isOfDays = false

  package init(_ frequency: Frequency) { self.frequency = frequency }

  /// Reads a rule in upper or lower case, without "RRULE:". Blanks around its parts and an extra ";" are allowed, and
  /// parts whose names begin with "X-" are ignored. Throws the first defect.
  package init(_ text: String) throws(Defect) {
    var reader = RecurrenceRuleReader(text)
    self = try reader.read()
  }

  /// Reads a rule in the same way, without the parts and entries that have no value ("BYMONTHDAY=,24", "INTERVAL=").
  ///
  /// - Parameter emptyParts: receives the names of the parts of which something is left out, each once.
  package init(_ text: String, leavingOut emptyParts: inout [String]) throws(Defect) {
    var reader = RecurrenceRuleReader(text, leavingOutEmpty: true)
    self = try reader.read()
    emptyParts = reader.emptyParts.map(\.rawValue)
  }

  /// The rule for something that lasts whole days. BYHOUR, BYMINUTE and BYSECOND do not count for days (RFC 5545, section
  /// 3.3.10), nor does a BYSETPOS that chooses among them alone. A rule of hours, minutes or seconds gives each day in
  /// which one of its periods begins.
  package var ofDays: RecurrenceRule {
    var rule = self
    rule.isOfDays = true
    (rule.hours, rule.minutes, rule.seconds) = (NumberSet(), NumberSet(), NumberSet())
    if rule.months.isEmpty, rule.weekNumbers.isEmpty, !rule.hasDayParts { rule.positions = [] }
    return rule
  }

  /// Nothing of the rule but how often it comes and on which weekdays.
  package var onlyWeekdays: RecurrenceRule {
    var rule = RecurrenceRule(frequency)
    (rule.interval, rule.end, rule.firstWeekday, rule.weekdays) = (interval, end, firstWeekday, weekdays)
    return rule
  }

  /// Whether the rule has a part that chooses days by more than the period, the month and the week.
  var hasDayParts: Bool {
    !weekdays.isEmpty || !weekdayOrdinals.isEmpty || !monthDays.isEmpty || !yearDays.isEmpty
  }

  /// 10^12, the limit of counts and intervals: the years 1...9999 have fewer seconds.
  package static let greatestNumber = 1_000_000_000_000
}

extension RecurrenceRule {
  /// Whether the rule gives nothing from any start, such as one of 30 February. INTERVAL, COUNT and UNTIL do not count.
  /// If the answer would take long, it assumes that the rule gives something.
  ///
  /// - Parameter steps: grows by the work, see ``Occurrences/steps``.
  package func givesNothing(countingIn steps: inout Int) -> Bool {
    var rule = self
    rule.interval = 1
    rule.end = .never
    // The 28 years from 2000 contain every kind of year, and every date on every weekday. The start provides what the
    // rule omits, so the test begins on each weekday.
    let first = Gregorian.ordinal(year: 2000, month: 1, day: 1)
    for start in first..<(first + 7) {
      var occurrences = rule.occurrences(
        from: WallTime(LocalDay(ordinal: start)), notAfter: WallTime(LocalDay(ordinal: start + 28 * 1461 / 4)))
      let isFound = occurrences.next() != nil
      steps += occurrences.steps
      if isFound || occurrences.isExhausted { return false }
    }
    return true
  }
}

extension RecurrenceRule {
  /// The rule as RFC 5545 writes it, without "RRULE:".
  ///
  /// - Parameter until: the value of UNTIL, for a rule that ends on a day or at a time.
  package func text(until: String) -> String {
    var parts = ["FREQ=\(frequency.word)"]
    func add(_ name: String, _ values: [Int]) {
      if !values.isEmpty { parts.append("\(name)=\(values.map(String.init).joined(separator: ","))") }
    }
    // SKIP needs RSCALE (RFC 7529).
    if let skip, skip != .omit { parts = ["RSCALE=GREGORIAN", parts[0], "SKIP=\(skip.rawValue)"] }
    switch end {
    case .never: break
    case .count(let count): add("COUNT", [count])
    case .untilDay, .untilWall, .untilInstant: parts.append("UNTIL=\(until)")
    }
    if interval != 1 { add("INTERVAL", [interval]) }
    add("BYMONTH", months.members)
    add("BYWEEKNO", weekNumbers.members)
    add("BYYEARDAY", yearDays)
    add("BYMONTHDAY", monthDays.members)
    let days = Weekday.allCases.flatMap { weekday -> [String] in
      let ordinals = weekdayOrdinals.isEmpty ? [] : weekdayOrdinals[weekday.rawValue].members
      return (weekdays.contains(weekday.rawValue) ? [weekday.letters] : []) + ordinals.map { "\($0)\(weekday.letters)" }
    }
    if !days.isEmpty { parts.append("BYDAY=\(days.joined(separator: ","))") }
    add("BYHOUR", hours.members)
    add("BYMINUTE", minutes.members)
    add("BYSECOND", seconds.members)
    add("BYSETPOS", positions)
    if firstWeekday != .monday { parts.append("WKST=\(firstWeekday.letters)") }
    return parts.joined(separator: ";")
  }
}

extension Weekday {
  /// The two letters of a rule, "MO".
  package var letters: String { name.prefix(2).uppercased() }
}
