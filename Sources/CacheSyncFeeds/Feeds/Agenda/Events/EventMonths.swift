import CacheSyncSystem

/// How many events the days of a month's grid have (feeds.md: calendar). All moments of a timeline share the counts.
final class EventMonths: TimelineCache {
  let since: Instant
  private let feed: EventsFeed?
  private let calendar: CivilCalendar
  private var months: [LocalDay: [[Int]]] = [:]

  init(_ feeds: FeedSet, since: Instant, in calendar: CivilCalendar, _ options: OptionValues) {
    self.since = since
    self.calendar = calendar
    feed = feeds[EventsFeed.self]
  }

  /// The rows of the grid of a day's month: whole weeks from the first weekday on or before the month's first day.
  func grid(around day: LocalDay, firstWeekday: Weekday) -> (first: LocalDay, counts: [[Int]]) {
    let firstOfMonth = day.advanced(by: 1 - day.day)
    let first = firstOfMonth.advanced(by: -((firstOfMonth.weekday.rawValue - firstWeekday.rawValue + 7) % 7))
    if let counts = months[first] { return (first, counts) }
    let days = Gregorian.dayCount(year: day.year, month: day.month)
    let rows = (first.distance(to: firstOfMonth) + days + 6) / 7
    var counts = Array(repeating: Array(repeating: 0, count: 7), count: rows)
    let last = first.advanced(by: 7 * rows - 1)
    for covered in feed?.days(ofEventsFrom: first, through: last, calendar) ?? [] {
      for place in first.distance(
        to: max(covered.lowerBound, first))...first.distance(to: min(covered.upperBound, last))
      where calendar.exists(first.advanced(by: place)) {
        counts[place / 7][place % 7] += 1
      }
    }
    months[first] = counts
    return (first, counts)
  }
}
