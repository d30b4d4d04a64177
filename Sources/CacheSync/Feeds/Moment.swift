/// The moment for which a projection computes, with the civil time around it. It is made once and passed on, so that
/// one computation never reads the clock twice.
package struct Moment: Sendable {
  /// How many days before today the day index has.
  package static let indexedDaysBefore = 6
  /// How many days after today it has.
  package static let indexedDaysAfter = 7

  package let instant: Instant
  /// The local day of the instant.
  package let day: LocalDay
  /// The local day of the whole computation. It differs from ``day`` while the day index goes through the days around
  /// it.
  package let today: LocalDay
  package let calendar: CivilCalendar
  /// The first day of a week, unless a feed's own goals override it.
  package let firstWeekday: Weekday

  /// The language of all texts that readers receive.
  package var language: Language { .english }

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
