/// The events to come: those with now < startTime <= now + 7 local days at the same wall time (FEEDS: tasks and events).
struct UpcomingEvents {
  /// How many dates after now's the window ends.
  static let days = 7
  /// How many events readers show.
  static let maximumShown = 5

  let count: Int
  /// The first ``maximumShown``, in order.
  let first: [StoredEvent]

  init(_ feed: EventsFeed, at moment: Moment) {
    let now = moment.instant
    let last = moment.calendar.sameWallTime(as: now, addingDays: Self.days)
    let start = feed.ordered.position { $0.start <= now }
    let end = feed.ordered.position { $0.start <= last }
    count = feed.ordered.distance(from: start, to: end)
    first = Array(feed.ordered.elements(from: start, to: end).prefix(Self.maximumShown))
  }

  private static let clockChanges = Boundary.Reason.perhaps("the clock changes")

  /// The moments in a range at which an event starts or comes within the window, and perhaps others that change nothing or
  /// lie outside.
  ///
  /// - Parameter onlyFirst: whether nothing but the first event to come is shown. One that comes within the window behind
  ///   another is then none of the moments.
  static func boundaries(
    _ feed: EventsFeed, _ moment: Moment, _ range: Range<Instant>, onlyFirst: Bool
  ) -> [Boundary] {
    let calendar = moment.calendar
    // An event that comes within the window at a moment in the range starts seven dates later, or so nearly that a day
    // more on either side makes up for every change of clocks.
    let soonest = calendar.sameWallTime(as: range.lowerBound, addingDays: days - 1)
    let latest = calendar.sameWallTime(as: range.upperBound, addingDays: days + 1)
    let changes = ClockChange.all(in: calendar.sameWallTime(as: range.lowerBound, addingDays: -1)..<latest, calendar)
    var boundaries: [Boundary] = []
    for (start, ids) in feed.starts(in: range) {
      boundaries.append(Boundary(start, .records("event", ids, "starts")))
    }
    for (start, ids) in feed.starts(in: soonest..<latest) {
      for date in ClockChange.moments(showing: start, daysBefore: days, changes, calendar) {
        if onlyFirst, feed.firstStart(after: date) != start { continue }
        boundaries.append(Boundary(date, .records("event", ids, "comes within 7 days")))
      }
    }
    // The window's end jumps where the clock does: when it is set back now, an hour of events leaves the window and comes
    // again, and what starts within or right after a change comes with the last wall time before it.
    for change in changes {
      boundaries.append(Boundary(change.date, clockChanges))
      for date in ClockChange.moments(showing: change.lastInstantBefore, daysBefore: days, changes, calendar) {
        boundaries.append(Boundary(Instant(microseconds: date.microseconds + 1), clockChanges))
      }
    }
    return boundaries
  }
}

/// A moment at which the clocks of a zone are set to another offset.
private struct ClockChange {
  var date: Instant
  /// How far they are set forward in microseconds, back when negative.
  var step: Int64

  /// The last microsecond before it.
  var lastInstantBefore: Instant { Instant(microseconds: date.microseconds - 1) }

  static func all(in range: Range<Instant>, _ calendar: CivilCalendar) -> [ClockChange] {
    var changes: [ClockChange] = []
    var date = range.lowerBound
    while let next = calendar.rules.nextTransition(after: date), next < range.upperBound {
      let before = Instant(microseconds: next.microseconds - 1)
      let seconds = calendar.rules.offset(at: next) - calendar.rules.offset(at: before)
      changes.append(ClockChange(date: next, step: Int64(seconds) * 1_000_000))
      date = next
    }
    return changes
  }

  /// The moments at which the wall shows the time of a moment, so many dates before it: the first of them, and the second
  /// where a clock that is set back shows it again.
  static func moments(
    showing moment: Instant, daysBefore days: Int, _ changes: [ClockChange], _ calendar: CivilCalendar
  ) -> [Instant] {
    let first = calendar.sameWallTime(as: moment, addingDays: -days)
    var moments = [first]
    for change in changes where change.step < 0 && first < change.date {
      let again = Instant(microseconds: first.microseconds - change.step)
      if again >= change.date { moments.append(again) }
    }
    return moments
  }
}
