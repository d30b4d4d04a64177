/// The moment a projection computes for, with the civil time around it. Made once and passed on, so that one computation
/// never reads the clock twice.
package struct Moment: Sendable {
  /// How many days before today the day index has.
  package static let indexedDaysBefore = 6
  /// How many after it.
  package static let indexedDaysAfter = 7

  package let instant: Instant
  /// The local day that holds the instant.
  package let day: LocalDay
  /// The local day for which the whole is computed. It differs from ``day`` while the day index goes through the days around
  /// it.
  package let today: LocalDay
  package let calendar: CivilCalendar
  /// Where a week begins, unless a feed's own goals say otherwise.
  package let firstWeekday: Weekday

  package init(_ instant: Instant, calendar: CivilCalendar, firstWeekday: Weekday) {
    self.init(instant, day: calendar.day(of: instant), calendar: calendar, firstWeekday: firstWeekday)
  }

  package init(
    _ instant: Instant, day: LocalDay, today: LocalDay? = nil, calendar: CivilCalendar, firstWeekday: Weekday
  ) {
    self.instant = instant
    self.day = day
    self.today = today ?? day
    self.calendar = calendar
    self.firstWeekday = firstWeekday
  }

  /// The same calendar and settings at another time.
  package func at(_ other: Instant) -> Moment { Moment(other, calendar: calendar, firstWeekday: firstWeekday) }
}
