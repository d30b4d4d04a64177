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
