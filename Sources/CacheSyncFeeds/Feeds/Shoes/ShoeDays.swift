/// Sessions by local day. The sums are kept up to date, so that a day's numbers cost nothing and those of a fortnight
/// cost fourteen look-ups.
struct ShoeDays {
  /// When a session began, and with which shoes.
  struct Start: Hashable {
    var shoe: RecordKey
    var part: ShoePart
  }

  struct Day {
    /// How many sessions overlap the day, without the long ones.
    var count = 0
    var amount = ShoeAmount.zero
    /// Closed sessions with a length that overlap the day, without the long ones.
    var spans: [RecordKey: Range<Instant>] = [:]
    /// How many sessions began on the day, including the long ones.
    var starts: [Start: Int] = [:]
  }

  /// Sessions over more days are in a list of their own, which every query checks, because one line in a file may claim
  /// to last for millennia. Shoes are worn for a week at most, so that list stays short.
  private static let mostDays = 8

  private var days: [LocalDay: Day] = [:]
  private var long: [RecordKey: ShoesSession.Wearing] = [:]

  subscript(day: LocalDay) -> Day? { days[day] }

  mutating func insert(_ session: ShoesSession.Wearing, in calendar: CivilCalendar) {
    let first = enterStart(session, by: 1, in: calendar)
    guard let touched = Self.days(of: session, from: first, in: calendar) else {
      long[session.key] = session
      return
    }
    for (day, stretch) in touched {
      days[day, default: Day()].count += 1
      days[day, default: Day()].amount += session.amount(within: stretch)
      if let span = session.span { days[day, default: Day()].spans[session.key] = span }
    }
  }

  /// Removes a session that was inserted with the same values and calendar.
  mutating func remove(_ session: ShoesSession.Wearing, in calendar: CivilCalendar) {
    let first = enterStart(session, by: -1, in: calendar)
    guard let touched = Self.days(of: session, from: first, in: calendar) else {
      long[session.key] = nil
      return dropIfEmpty(first)
    }
    for (day, stretch) in touched {
      days[day]?.count -= 1
      days[day]?.amount -= session.amount(within: stretch)
      days[day]?.spans[session.key] = nil
      dropIfEmpty(day)
    }
  }

  private mutating func enterStart(
    _ session: ShoesSession.Wearing, by change: Int, in calendar: CivilCalendar
  ) -> LocalDay {
    let day = calendar.day(of: session.start)
    let start = Start(shoe: session.shoe, part: ShoePart(of: session.start, on: day, in: calendar))
    let count = days[day, default: Day()].starts[start, default: 0] + change
    days[day, default: Day()].starts[start] = count == 0 ? nil : count
    return day
  }

  private mutating func dropIfEmpty(_ day: LocalDay) {
    if let entry = days[day], entry.count == 0, entry.starts.isEmpty { days[day] = nil }
  }

  /// The days of a session with their periods; nil if there are too many.
  private static func days(of session: ShoesSession.Wearing, from first: LocalDay, in calendar: CivilCalendar)
    -> [(day: LocalDay, stretch: Range<Instant>)]?
  {
    var touched = [(first, calendar.interval(of: first))]
    guard let span = session.duration else { return touched }
    while let last = touched.last, last.1.upperBound < span.upperBound {
      // At the end of the calendar there is no further day.
      let next = calendar.day(after: last.0)
      guard next > last.0 else { break }
      if touched.count == mostDays { return nil }
      touched.append((next, calendar.interval(of: next)))
    }
    return touched
  }

  /// How many sessions overlap a day.
  func count(on day: LocalDay, in calendar: CivilCalendar) -> Int {
    let count = days[day]?.count ?? 0
    if long.isEmpty { return count }
    let stretch = calendar.interval(of: day)
    return count + long.values.count { $0.overlaps(stretch) }
  }

  /// The steps and kilometres of some days, which together are `stretch`.
  func amount(on dates: ClosedRange<LocalDay>, filling stretch: Range<Instant>) -> ShoeAmount {
    var sum = ShoeAmount.zero
    for ordinal in dates.lowerBound.ordinal...dates.upperBound.ordinal {
      if let day = days[LocalDay(ordinal: ordinal)] { sum += day.amount }
    }
    for session in long.values { sum += session.amount(within: stretch) }
    return sum
  }

  /// The times of closed sessions that overlap a day, in no order.
  func spans(on day: LocalDay, filling stretch: Range<Instant>) -> [Range<Instant>] {
    Array((days[day]?.spans ?? [:]).values) + long.values.compactMap(\.span).filter { $0.overlaps(stretch) }
  }
}
