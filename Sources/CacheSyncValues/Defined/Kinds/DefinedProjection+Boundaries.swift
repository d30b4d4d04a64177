extension DefinedProjection {
  /// The moments in a range at which a kind's content may change, besides midnights and the kind's hours. They are in
  /// any order, and each has a reason for a person. The content need not change at all of them.
  package func boundaries(
    of kind: DefinedKind, in range: Range<Instant>, calendar: CivilCalendar, firstWeekday: Weekday = .monday
  ) -> [(date: Instant, reason: String)] {
    let shows = Set(kind.shows)
    let endsCount = !shows.isDisjoint(with: [.now, .coming, .nextDay])
    let startsCount = !shows.isDisjoint(with: [.now, .next])
    let entriesCount = !shows.isDisjoint(with: [.next, .coming, .nextDay])
    guard endsCount || startsCount, !range.isEmpty else { return [] }

    var boundaries: [(date: Instant, reason: String)] = []
    var day = calendar.day(of: range.lowerBound)
    while true {
      let kindDay = kindDay(kind, day, calendar, firstWeekday)
      let stretch = range.clamped(to: kindDay.interval)
      for candidate in kindDay.candidates {
        guard let times = candidate.times else { continue }
        if startsCount, stretch.contains(times.lowerBound) {
          boundaries.append((times.lowerBound, "\(words(for: candidate)) starts"))
        }
        if endsCount, stretch.contains(times.upperBound) {
          boundaries.append((times.upperBound, "\(words(for: candidate)) ends"))
        }
      }
      if entriesCount { boundaries += entries(kind, kindDay, stretch) }
      guard kindDay.interval.upperBound < range.upperBound, calendar.day(after: day) > day else { return boundaries }
      day = calendar.day(after: day)
    }
  }

  /// The moments in a stretch of one day at which an item comes within `within`.
  private func entries(_ kind: DefinedKind, _ kindDay: KindDay, _ stretch: Range<Instant>)
    -> [(date: Instant, reason: String)]
  {
    let calendar = kindDay.calendar
    // An item that comes within reach at a moment starts `within` dates later. Clock changes may move its start, and
    // one more day on either side is enough for every change.
    let soonest = calendar.sameWallTime(as: stretch.lowerBound, addingDays: kind.within - 1)
    let latest = calendar.sameWallTime(as: stretch.upperBound, addingDays: kind.within + 1)
    let first = calendar.sameWallTime(as: stretch.lowerBound, addingDays: -1)
    let changes = ClockChange.all(in: first..<max(first, latest), calendar)
    let days = counted(kind.within, "day")
    var entries: [(date: Instant, reason: String)] = []
    for candidate in kindDay.candidates {
      guard let start = candidate.times?.lowerBound, start >= soonest, start < latest else { continue }
      for date in ClockChange.moments(showing: start, daysBefore: kind.within, changes, calendar)
      where stretch.contains(date) {
        entries.append((date, "\(words(for: candidate)) comes within \(days)"))
      }
    }
    // The end of the window jumps when the clock changes; see ``UpcomingEvents``.
    for change in changes {
      let before = ClockChange.moments(
        showing: change.lastInstantBefore, daysBefore: kind.within, changes, calendar)
      for date in [change.date] + before.map({ Instant(microseconds: $0.microseconds + 1) })
      where stretch.contains(date) {
        entries.append((date, "the clock changes"))
      }
    }
    return entries
  }
}
