/// The occurrences of an item in some days, or the reason why there are none.
package enum Expansion {
  case occurrences([Range<Instant>])
  /// There are more than ``maximumCount``.
  case tooMany
  /// The rule was not finished after ``RecurrenceRule/Occurrences/maximumSteps``.
  case tooLong
  /// The rule was not looked at, because the rules of earlier items took too many steps. See ``DayOccurrences``.
  case tooMuchTogether

  /// definitions.md section 5.
  static let maximumCount = 500
}

extension ResolvedItem {
  /// The occurrences that overlap a window, ascending by start, each start once. For an item without a rule, the item
  /// itself.
  ///
  /// A rule counts on the wall clock of the item's zone, so starts keep their wall time when clocks change. Each start
  /// is the first moment that shows this wall time.
  func occurrences(overlapping window: Range<Instant>) -> Expansion {
    occurrences(overlapping: window, atMost: Expansion.maximumCount).expansion
  }

  /// - Returns: the occurrences, and the steps that they took; see ``RecurrenceRule/Occurrences/steps``.
  package func occurrences(overlapping window: Range<Instant>, atMost maximumCount: Int) -> (
    expansion: Expansion, steps: Int
  ) {
    guard let start, let end else { return (.occurrences([]), 0) }
    guard let series else {
      return (.occurrences(window.overlaps(itemFrom: start, to: end) ? [start..<end] : []), 0)
    }
    let found = series.occurrences(
      in: window.seconds, mostOccurrences: maximumCount, mostSteps: RecurrenceRule.Occurrences.maximumSteps)
    switch found.excess {
    case .occurrences: return (.tooMany, found.steps)
    case .steps: return (.tooLong, found.steps)
    case nil: return (.occurrences(found.occurrences.map(\.times)), found.steps)
    }
  }

  /// The series of an item that repeats.
  private var series: Series? {
    guard let repetition = item.repetition, let original, let end else { return nil }
    return Series(
      clock: calendar.clock, start: original, end: end.seconds,
      length: item.length(from: original.wall, to: end, in: calendar),
      rules: repetition.rules(from: original.wall, isAllDay: item.isAllDay), exceptions: exceptions)
  }

  /// The id of the occurrence that starts at a moment, or of the item itself.
  package func id(ofOccurrenceAt start: Instant) -> String? {
    guard let id = item.id, item.repeats else { return item.id }
    if item.start?.hasTime == false {
      return id + "#" + calendar.day(of: start).description.filter { $0 != "-" }
    }
    return id + "#" + start.description.filter { $0 != "-" && $0 != ":" }
  }

  /// Whether an id belongs to one of the item's occurrences.
  func hasOccurrence(_ id: String) -> Bool {
    guard let own = item.id, let mark = id.utf8.lastIndex(of: UInt8(ascii: "#")), isSameText(own, String(id[..<mark]))
    else {
      return false
    }
    // "20261123T080000Z" or "20261123"
    var text = Array(id.utf8[id.utf8.index(after: mark)...])
    guard text.count == 8 || text.count == 16 else { return false }
    for place in text.count == 16 ? [13, 11] : [] { text.insert(UInt8(ascii: ":"), at: place) }
    for place in [6, 4] { text.insert(UInt8(ascii: "-"), at: place) }
    guard let start = DayReference(String(decoding: text, as: UTF8.self))?.instant(in: calendar),
      self.id(ofOccurrenceAt: start) == id,
      case .occurrences(let found) = occurrences(overlapping: start..<(start + .seconds(1)))
    else { return false }
    return found.contains { $0.lowerBound == start }
  }
}

extension DefinedItem {
  /// The length of each occurrence: as far on the wall clock as the item itself, unless a duration is given.
  fileprivate func length(from start: WallTime, to end: Instant, in calendar: CivilCalendar) -> OccurrenceLength {
    let last: WallTime
    switch self.end {
    case .lasts(let days, let seconds):
      // A length beyond the end of the calendar has the same effect as no end.
      let most = 4_000_000
      return .lasting(
        CalendarDuration(
          days: min(max(days, 0), most), seconds: min(max(seconds, 0), most * Int(Gregorian.secondsPerDay))))
    case .unstated: return self.start?.hasTime == false ? .days(1) : .wall(seconds: 0)
    case .time(let time) where !time.hasTime: last = WallTime(time.day(in: calendar)).advanced(byDays: 1)
    case .time(let time): last = time.wall(in: calendar)
    case .next: last = calendar.wall(at: end)
    }
    return .wall(seconds: max(0, last.seconds - start.seconds))
  }
}
