extension RecurrenceRule {
  /// Whether the rule gives nothing from any start, such as one of 30 February. INTERVAL, COUNT and UNTIL do not count. A rule
  /// that would take long to judge is taken for one that gives something.
  ///
  /// - Parameter steps: grows by the work, see ``Occurrences/steps``.
  package func givesNothing(countingIn steps: inout Int) -> Bool {
    var rule = self
    rule.interval = 1
    rule.end = .never
    // In the 28 years from 2000 on every kind of year comes, and every date on every weekday. The rule takes from its start
    // what it does not say itself, so it begins on each weekday.
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
