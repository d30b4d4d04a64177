/// What a rule gives in some days, or why it gives nothing.
enum Expansion {
  case occurrences([Range<Instant>])
  /// More than ``maximumCount`` of them.
  case tooMany
  /// The rule was walked for ``RecurrenceRule/Occurrences/maximumSteps`` without an end.
  case tooLong
  /// It was not looked at, because of what the rules of the items before it took. See ``DayOccurrences``.
  case tooMuchTogether

  /// OWNFEEDS section 5.
  static let maximumCount = 500
}

extension ResolvedItem {
  /// The occurrences that overlap a window, ascending by start, each start once; of an item without rule itself.
  ///
  /// A rule counts on the wall of the item's zone, so starts keep their wall time where clocks change; each start is then the
  /// first moment that shows it.
  func occurrences(overlapping window: Range<Instant>) -> Expansion {
    occurrences(overlapping: window, atMost: Expansion.maximumCount).expansion
  }

  /// - Returns: also the steps that it took; see ``RecurrenceRule/Occurrences/steps``.
  func occurrences(overlapping window: Range<Instant>, atMost maximumCount: Int) -> (expansion: Expansion, steps: Int) {
    guard let start, let end else { return (.occurrences([]), 0) }
    guard let rule = item.rule, let first = item.start?.wall(in: calendar) else {
      return (.occurrences(window.overlaps(itemFrom: start, to: end) ? [start..<end] : []), 0)
    }
    let length = OccurrenceLength(of: item, first: first, end: end, in: calendar)
    // Two days make up for every change of clocks and for a zone that leaves a date out.
    let earliest = calendar.wall(at: window.lowerBound).advanced(byDays: -2).advanced(bySeconds: -length.atMost)
    let latest = calendar.wall(at: window.upperBound).advanced(byDays: 2)
    var walls = rule.occurrences(from: first, notBefore: earliest, notAfter: latest)
    var found: [Range<Instant>] = []
    while let wall = walls.next() {
      // The first keeps the exact moment that the file gives.
      let occurrence = wall == first ? start..<end : length.occurrence(at: wall, in: calendar)
      guard rule.reaches(occurrence.lowerBound) else { break }
      guard window.overlaps(itemFrom: occurrence.lowerBound, to: occurrence.upperBound) else { continue }
      if item.excludes(occurrence.lowerBound, in: calendar) { continue }
      // What the wall skips counts where the skipped time ends: there two are one, the longer of them. Only the exact moment
      // of the first can be later than the next.
      if let last = found.last, occurrence.lowerBound <= last.lowerBound {
        if occurrence.lowerBound == last.lowerBound, occurrence.upperBound > last.upperBound {
          found[found.count - 1] = occurrence
        }
        continue
      }
      guard found.count < maximumCount else { return (.tooMany, walls.steps) }
      found.append(occurrence)
    }
    return (walls.isExhausted ? .tooLong : .occurrences(found), walls.steps)
  }

  /// The id of the occurrence that starts at a moment, or of the item itself.
  func id(ofOccurrenceAt start: Instant) -> String? {
    guard let id = item.id, item.repeats else { return item.id }
    if item.start?.hasTime == false {
      return id + "#" + calendar.day(of: start).description.filter { $0 != "-" }
    }
    return id + "#" + start.description.filter { $0 != "-" && $0 != ":" }
  }

  /// Whether an id is that of one of the item's occurrences.
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

/// How long each occurrence of an item lasts.
private enum OccurrenceLength {
  /// Days on the wall, then exact time.
  case exact(days: Int, seconds: Int)
  /// As far on the wall as the end of the item itself.
  case wall(seconds: Int)
  /// The day of its start.
  case day

  init(of item: DefinedItem, first: WallTime, end: Instant, in calendar: CivilCalendar) {
    switch item.end {
    case .lasts(let days, let seconds): self = .exact(days: days, seconds: seconds)
    case .unstated: self = item.start?.hasTime == false ? .day : .wall(seconds: 0)
    case .time(let time) where !time.hasTime:
      self = .wall(seconds: max(0, WallTime(time.day(in: calendar)).advanced(byDays: 1).seconds(since: first)))
    case .time(let time): self = .wall(seconds: max(0, time.wall(in: calendar).seconds(since: first)))
    case .next: self = .wall(seconds: max(0, calendar.wall(at: end).seconds(since: first)))
    }
  }

  /// In seconds on the wall.
  var atMost: Int {
    switch self {
    case .exact(let days, let seconds):
      // Longer than the calendar is as good as without end.
      min(max(days, 0), 4_000_000) * Int(Gregorian.secondsPerDay)
        + min(max(seconds, 0), 4_000_000 * Int(Gregorian.secondsPerDay))
    case .wall(let seconds): seconds
    case .day: Int(Gregorian.secondsPerDay)
    }
  }

  func occurrence(at wall: WallTime, in calendar: CivilCalendar) -> Range<Instant> {
    let start = calendar.firstInstant(at: wall)
    let end: Instant =
      switch self {
      case .exact(0, let seconds): (start + .seconds(seconds)).clamped
      case .exact(let days, let seconds):
        (calendar.firstInstant(at: wall.advanced(byDays: days)) + .seconds(seconds)).clamped
      case .wall(0): start
      case .wall(let seconds): calendar.firstInstant(at: wall.advanced(bySeconds: seconds))
      case .day: calendar.interval(of: wall.day).upperBound
      }
    return start..<max(start, end)
  }
}

extension Range<Instant> {
  /// Whether something is in force in these moments. What has no length overlaps where it starts.
  func overlaps(itemFrom start: Instant, to end: Instant) -> Bool {
    start < upperBound && (end > lowerBound || start >= lowerBound)
  }
}

extension RecurrenceRule {
  /// Whether a UNTIL that is a moment lets the rule come as far as this one.
  fileprivate func reaches(_ moment: Instant) -> Bool {
    if case .untilInstant(let last) = end { moment <= last } else { true }
  }
}
