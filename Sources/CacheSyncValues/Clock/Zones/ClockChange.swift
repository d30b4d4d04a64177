/// A moment at which the clocks of a zone are set to another offset.
package struct ClockChange {
  package var date: Instant
  /// How far the clocks are set forward, in microseconds; negative: back.
  var step: Int64

  /// The last microsecond before it.
  package var lastInstantBefore: Instant { Instant(microseconds: date.microseconds - 1) }

  package static func all(in range: Range<Instant>, _ calendar: CivilCalendar) -> [ClockChange] {
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

  /// The moments at which the wall shows the time of a moment, that many dates earlier: the first, and the second if a
  /// clock that is set back shows the time again.
  package static func moments(
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
