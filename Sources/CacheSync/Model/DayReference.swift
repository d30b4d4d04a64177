/// A local day as a producer wrote it: the day itself, or a moment, which stands for the local day that holds it.
package enum DayReference: Sendable, Hashable {
  case day(LocalDay)
  case instant(Instant)

  package func day(in calendar: CivilCalendar) -> LocalDay {
    switch self {
    case .day(let day): day
    case .instant(let instant): calendar.day(of: instant)
    }
  }

  /// The moment itself, or the day's first instant.
  package func instant(in calendar: CivilCalendar) -> Instant {
    switch self {
    case .day(let day): calendar.start(of: day)
    case .instant(let instant): instant
    }
  }
}
