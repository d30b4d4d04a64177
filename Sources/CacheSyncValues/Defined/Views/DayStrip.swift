/// Values along a line of time. If all items are within one day, its hours, or half or quarter hours if items are so
/// short; otherwise the items one after another.
struct DayStrip {
  /// The share of the greatest value at each place, 0...1; nil at a place without a value.
  private(set) var shares: [Double?]
  /// The tints of the items' tones; nil at a place without one.
  private(set) var tones: [ViewNode.Tint?]
  /// The place of the entry's moment.
  private(set) var current: Int?
  /// The values at the foot and the top of the bars; nil if there are none.
  let scale: (foot: Double, top: Double)?
  /// The labels below the beginning, perhaps the middle, and the end.
  private(set) var labels: [String]

  /// - Parameter isFine: whether places may be shorter than an hour.
  init(_ items: [DefinedItemView], _ entry: DefinedEntry, isFine: Bool) {
    var values: [Double?]
    let moment = entry.input.moment
    if let day = Self.day(of: items, entry) {
      // Places of equal length in a day, which has 23 to 25 hours. Each has the greatest value, and its item's tone.
      let seconds = isFine ? Self.slotSeconds(of: items) : 3_600
      func place(of moment: Instant) -> Int {
        Int(clamping: (moment.seconds - day.lowerBound.seconds) / Int64(seconds))
      }
      func lastPlace(before end: Instant) -> Int { place(of: end.advanced(by: .microseconds(-1))) }
      values = Array(repeating: nil, count: lastPlace(before: day.upperBound) + 1)
      tones = Array(repeating: nil, count: values.count)
      for item in items {
        guard let start = item.start, let value = item.value else { continue }
        let (first, last) = (place(of: start), lastPlace(before: max(start, item.end ?? start)))
        for place in first...max(first, last) where values.indices.contains(place) {
          guard values[place].map({ value > $0 }) ?? true else { continue }
          (values[place], tones[place]) = (value, item.tone)
        }
      }
      current = day.contains(moment) ? place(of: moment) : nil
      let middle = day.lowerBound.advanced(by: .seconds(Int64(values.count / 2 * seconds)))
      let end = entry.input.locale.hourCycle == .hours24 ? "24:00" : entry.input.clock(day.upperBound)
      labels = [entry.input.clock(day.lowerBound), entry.input.clock(middle), end]
    } else {
      values = items.map(\.value)
      tones = items.map { $0.value == nil ? nil : $0.tone }
      current = items.lastIndex { $0.isInForce(at: moment) }
      labels = [items.first, items.last].compactMap { $0?.start }.map { entry.input.time($0) }
    }
    let known = values.compactMap(\.self)
    let scale = known.isEmpty ? nil : (foot: min(0, known.min() ?? 0), top: max(0, known.max() ?? 0))
    self.scale = scale
    shares = values.map { Self.share(of: $0, scale) }
  }

  /// The length of a place: the greatest of an hour, half an hour and a quarter that no item is shorter than.
  private static func slotSeconds(of items: [DefinedItemView]) -> Int {
    let lengths = items.compactMap { item in
      item.start.flatMap { start in item.end.map { $0.seconds - start.seconds } }
    }
    let least = lengths.filter { $0 > 0 }.min() ?? 3_600
    return least >= 3_600 ? 3_600 : least >= 1_800 ? 1_800 : 900
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

  /// The share of the distance from the foot to the top.
  private static func share(of value: Double?, _ scale: (foot: Double, top: Double)?) -> Double? {
    guard let value, let (foot, top) = scale else { return nil }
    // Halves, because the difference of two doubles may be more than a double holds.
    return top > foot ? (value / 2 - foot / 2) / (top / 2 - foot / 2) : 0
  }

  /// The shares as characters for a terminal, that of now in brackets.
  var signs: String {
    let signs = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return shares.enumerated().map { place, share in
      let sign = share.map { signs[min(7, max(0, Int($0 * 7.999)))] } ?? " "
      return place == current ? "[\(sign)]" : sign
    }.joined()
  }
}
