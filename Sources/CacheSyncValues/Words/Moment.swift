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
  /// The first day of a week, if a setting names one.
  private let ownFirstWeekday: Weekday?
  /// How texts are written.
  package let locale: CacheLocale

  /// The first day of the weeks over which numbers are summed, unless a feed's own goals override it. No language
  /// changes it.
  package var firstWeekday: Weekday { ownFirstWeekday ?? .monday }

  /// The first day of the weeks that people see.
  package var shownFirstWeekday: Weekday { ownFirstWeekday ?? locale.firstWeekday }

  /// The language of all texts that readers receive.
  package var language: Language { locale.language }

  /// - Parameter firstWeekday: nil: the usual one.
  package init(_ instant: Instant, calendar: CivilCalendar, firstWeekday: Weekday?, locale: CacheLocale = .english) {
    self.init(instant, day: calendar.day(of: instant), calendar: calendar, firstWeekday: firstWeekday, locale: locale)
  }

  private init(
    _ instant: Instant, day: LocalDay, today: LocalDay? = nil, calendar: CivilCalendar, firstWeekday: Weekday?,
    locale: CacheLocale
  ) {
    self.instant = instant
    self.day = day
    self.today = today ?? day
    self.calendar = calendar
    ownFirstWeekday = firstWeekday
    self.locale = locale
  }

  /// The same calendar and settings at another time.
  package func at(_ other: Instant) -> Moment {
    Moment(other, calendar: calendar, firstWeekday: ownFirstWeekday, locale: locale)
  }

  /// The start of a day of the day index, in the computation of ``today``.
  package func starting(_ day: LocalDay, at start: Instant) -> Moment {
    Moment(start, day: day, today: today, calendar: calendar, firstWeekday: ownFirstWeekday, locale: locale)
  }

  /// The wall time, such as "09:30".
  package func clock(_ instant: Instant) -> String { locale.clock(instant, in: calendar) }
}
