import CacheSync

/// Recurrence rules and time zones.
enum ClockTargets {
  /// Occurrences ascend from the start. A search that begins at a later occurrence finds the same ones as a walk to it.
  /// A rule without empty entries is the same, whether these are left out or not.
  static func rules(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let strict = try? RecurrenceRule(text)
    var emptyParts: [String] = []
    guard let rule = try? RecurrenceRule(text, leavingOut: &emptyParts) else {
      return require(strict == nil, "leaving out empty entries makes a rule invalid")
    }
    require(strict == nil || (strict == rule && emptyParts.isEmpty), "a rule without empty entries differs")
    let start = WallTime(LocalDay(ordinal: 20_778), secondOfDay: 34_200)
    var occurrences = rule.occurrences(from: start)
    var found: [WallTime] = []
    while found.count < 20, let next = occurrences.next() { found.append(next) }
    require(found.first.map { $0 >= start } ?? true, "an occurrence before the start")
    require(zip(found, found.dropFirst()).allSatisfy { $0 < $1 }, "occurrences do not ascend")
    guard found.count > 5 else { return }
    var later = rule.occurrences(from: start, notBefore: isSeeded("later") ? found[4] : found[3])
    for expected in found[3...] {
      guard let next = later.next() else {
        require(later.isExhausted, "a later look ends before")
        return
      }
      require(next == expected, "a later look finds \(next), not \(expected)")
    }
  }

  static func tzif(_ bytes: [UInt8]) {
    if let rules = TimeZoneRules(name: "x", tzif: bytes) { check(rules) }
  }

  static func posix(_ bytes: [UInt8]) {
    if let rules = TimeZoneRules(posix: String(decoding: bytes, as: UTF8.self), name: "x") { check(rules) }
  }

  /// Transitions ascend, and the offset between two of them is constant.
  private static func check(_ rules: TimeZoneRules) {
    for start in [Instant(seconds: 0), Instant(seconds: 1_795_255_200)] {
      var moment = start
      for _ in 0..<8 {
        guard let next = rules.nextTransition(after: moment) else { break }
        require(next > moment, "transitions do not ascend")
        let before = next.advanced(by: .seconds(isSeeded("offset") ? 0 : -1))
        require(rules.offset(at: moment) == rules.offset(at: max(moment, before)), "the offset changes in between")
        moment = next
      }
    }
    let calendar = CivilCalendar(rules)
    let day = calendar.day(of: Instant(seconds: 1_795_255_200))
    let interval = calendar.interval(of: day)
    require(interval.contains(Instant(seconds: 1_795_255_200)), "a moment is not in its own day")
  }
}
