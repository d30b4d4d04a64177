/// The upcoming events: those with now < startTime <= now + 7 local days at the same wall time (feeds.md: tasks and
/// events), and those of whole days that have not ended.
struct UpcomingEvents {
  /// How many dates after today the window ends.
  static let days = 7
  /// How many events readers show.
  static let maximumShown = 5

  let count: Int
  /// The first ``maximumShown``, in order.
  let first: [StoredEvent]
  /// The first event that starts at a time of day; if there is none in the window, the first of whole days.
  let next: StoredEvent?
  /// The events that have begun and not ended, those with times first, then in order.
  let underWay: [StoredEvent]
  /// Whether several events have an id.
  let isShared: (RecordID) -> Bool

  init(_ feed: EventsFeed, at moment: Moment) {
    isShared = feed.isShared
    let now = moment.instant
    let last = moment.calendar.sameWallTime(as: now, addingDays: Self.days)
    let start = feed.ordered.position { $0.start <= now }
    let end = feed.ordered.position { $0.start <= last }
    let own = feed.ordered.elements(from: start, to: end).prefix(Self.maximumShown)
    let others = feed.upcomingOfCalendars(after: now, through: last, first: Self.maximumShown, moment.calendar)
    count = feed.ordered.distance(from: start, to: end) + others.count
    first = Array((Array(own) + others.first).sorted().prefix(Self.maximumShown))
    let underWay = feed.underWay(at: now, moment.calendar)
    self.underWay = underWay.filter { !$0.isAllDay } + underWay.filter(\.isAllDay)
    next = (Array(own.prefix(1)) + [others.timed].compactMap(\.self)).min() ?? first.first
  }

  private static let clockChanges = Boundary.Reason.perhaps("the clock changes")

  /// The moments in a range at which an event starts, ends or enters the window. Some further moments may change nothing or
  /// be outside the range.
  ///
  /// - Parameter onlyFirst: whether only the first upcoming event is shown. An event that enters the window after
  ///   another one then gives no moment.
  static func boundaries(
    _ feed: EventsFeed, _ moment: Moment, _ range: Range<Instant>, onlyFirst: Bool
  ) -> [Boundary] {
    let calendar = moment.calendar
    // An event that enters the window at a moment in the range starts about seven dates later. One more day on either
    // side covers every change of clocks.
    let soonest = calendar.sameWallTime(as: range.lowerBound, addingDays: days - 1)
    let latest = calendar.sameWallTime(as: range.upperBound, addingDays: days + 1)
    let changes = ClockChange.all(in: calendar.sameWallTime(as: range.lowerBound, addingDays: -1)..<latest, calendar)
    var boundaries: [Boundary] = []
    for (start, ids) in feed.starts(in: range, calendar) {
      boundaries.append(Boundary(start, .records("event", ids, "starts")))
    }
    for (start, ids) in feed.starts(in: soonest..<latest, calendar) {
      for date in ClockChange.moments(showing: start, daysBefore: days, changes, calendar) {
        if onlyFirst, !feed.hasCalendars, feed.firstStart(after: date) != start { continue }
        boundaries.append(Boundary(date, .records("event", ids, "comes within 7 days")))
      }
    }
    for (end, ids) in feed.ends(in: range, calendar) {
      boundaries.append(Boundary(end, .records("event", ids, "ends")))
    }
    // The window's end jumps together with the clock. If the clock is set back now, an hour of events leaves the window
    // and enters it again. Events that start within or right after a change enter it with the last wall time before it.
    for change in changes {
      boundaries.append(Boundary(change.date, clockChanges))
      for date in ClockChange.moments(showing: change.lastInstantBefore, daysBefore: days, changes, calendar) {
        boundaries.append(Boundary(Instant(microseconds: date.microseconds + 1), clockChanges))
      }
    }
    return boundaries
  }
}
