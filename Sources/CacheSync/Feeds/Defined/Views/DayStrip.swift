/// Values along a line of time. If all items are within one day, its hours; otherwise the items one after another.
struct DayStrip {
  /// The share of the greatest value at each place, 0...1; nil at a place without a value.
  private(set) var shares: [Double?]
  /// The place of the entry's moment.
  private(set) var current: Int?
  /// The labels below the beginning, perhaps the middle, and the end.
  private(set) var labels: [String]

  init(_ items: [DefinedItemView], _ entry: DefinedEntry) {
    let values: [Double?]
    if let day = Self.day(of: items, entry) {
      values = Self.hourly(items, day)
      current = day.contains(entry.input.moment) ? Self.hour(entry.input.moment, day) : nil
      let middle = day.lowerBound.advanced(by: .seconds(Int64(values.count / 2) * 3_600))
      labels = [entry.input.clock(day.lowerBound), entry.input.clock(middle), "24:00"]
    } else {
      values = items.map(\.value)
      let moment = entry.input.moment
      current = items.lastIndex { ($0.start ?? .distantFuture) <= moment && moment < ($0.end ?? .distantPast) }
      labels = [items.first, items.last].compactMap { $0?.start }.map { entry.input.time($0) }
    }
    shares = Self.shares(of: values)
  }

  /// The local day that contains all items; nil if there is none.
  private static func day(of items: [DefinedItemView], _ entry: DefinedEntry) -> Range<Instant>? {
    guard let first = items.first?.start else { return nil }
    let calendar = entry.input.calendar
    let day = calendar.interval(of: calendar.day(of: first))
    let isWithin = items.allSatisfy { item in
      guard let start = item.start, day.contains(start) else { return false }
      return (item.end ?? start) <= day.upperBound
    }
    return isWithin && !day.isEmpty ? day : nil
  }

  /// The greatest value of each hour.
  private static func hourly(_ items: [DefinedItemView], _ day: Range<Instant>) -> [Double?] {
    var values = [Double?](repeating: nil, count: hour(day.upperBound.advanced(by: .microseconds(-1)), day) + 1)
    for item in items {
      guard let start = item.start, let value = item.value else { continue }
      let first = hour(start, day)
      let last = hour(max(start, (item.end ?? start).advanced(by: .microseconds(-1))), day)
      for hour in first...max(first, last) where values.indices.contains(hour) {
        values[hour] = values[hour].map { max($0, value) } ?? value
      }
    }
    return values
  }

  /// Hours since the day's start; a day has 23 to 25.
  private static func hour(_ moment: Instant, _ day: Range<Instant>) -> Int {
    Int(clamping: (moment.seconds - day.lowerBound.seconds) / 3_600)
  }

  /// Shares of the distance from the least value, or 0, to the greatest.
  private static func shares(of values: [Double?]) -> [Double?] {
    // Halves, because the difference of two doubles may be more than a double holds.
    let halves = values.map { $0.map { $0 / 2 } }
    let known = halves.compactMap(\.self)
    let (least, greatest) = (min(0, known.min() ?? 0), max(0, known.max() ?? 0))
    return halves.map { half in
      half.map { greatest > least ? ($0 - least) / (greatest - least) : 0 }
    }
  }

  /// The shares as characters for a terminal.
  var signs: String {
    let signs: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return String(shares.map { $0.map { signs[min(7, max(0, Int($0 * 7.999)))] } ?? " " })
  }
}

extension Instant {
  fileprivate static let distantPast = validRange.lowerBound
  fileprivate static let distantFuture = validRange.upperBound
}
