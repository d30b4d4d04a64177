extension CalendarSeries {
  /// The events that overlap a stretch of time or start in it, expanded no further than it needs.
  ///
  /// - Parameter calendar: the cache's, in which days and times without zone count.
  package func occurrences(
    overlappingOrStartingIn window: Range<Instant>, calendar: CivilCalendar, limits: CalendarLimits = .init()
  ) -> CalendarOccurrences {
    // Events start and end at whole seconds.
    let window =
      Self.secondsUp(window.lowerBound)..<max(Self.secondsUp(window.lowerBound), Self.secondsUp(window.upperBound))
    guard !window.isEmpty, reach.lowerBound < window.upperBound, reach.upperBound >= window.lowerBound else {
      return CalendarOccurrences()
    }
    var expansion = SeriesExpansion(self, window, calendar, limits)
    return expansion.run()
  }

  /// The first whole second that is not before a moment.
  private static func secondsUp(_ moment: Instant) -> Int64 {
    let moment = moment.clamped
    return moment.fraction == 0 ? moment.seconds : moment.seconds + 1
  }
}
