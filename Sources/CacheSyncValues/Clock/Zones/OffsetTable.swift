/// A zone's offsets as periods of time, each with one offset, for the whole time line.
///
/// A rule that repeats every year without end is expanded once for 400 years, after which the calendar, and so the
/// rule, repeats exactly. A lookup of a later moment goes back by whole cycles. So a table is a few kilobytes, never
/// changes, and a lookup is a binary search for any year.
struct OffsetTable: Equatable, Sendable {
  /// Seconds since 1970 at which the offset changes, strictly ascending.
  private(set) var times: [Int64]
  /// Seconds east: `offsets[i]` applies before `times[i]`, the last one after all of them.
  private(set) var offsets: [Int]
  /// The 400 years that repeat after their end; nil if nothing repeats.
  private(set) var cycle: Range<Int64>?
  /// Whether they also repeat before their beginning, as for a rule without history.
  private(set) var repeatsBefore: Bool
  /// The greatest of `offsets`.
  private(set) var maximumOffset: Int

  private static let cycleSeconds = Int64(Gregorian.daysPerCycle) * Gregorian.secondsPerDay
  /// Years expanded on either side of a cycle, so that walking a few periods from a moment inside stays in the table.
  /// Up to eight years are between two leap years, the rarest event that a rule can depend on.
  private static let margin = 10
  /// The years 1...9999 and 500 more on either side, so that a cycle that begins with the first year is complete.
  private static let span: ClosedRange<Int64> = {
    let years = Instant.validRange
    let more: Int64 = 500 * 366 * 86_400
    return (years.lowerBound.seconds - more)...(years.upperBound.seconds + more)
  }()

  /// One offset for all time.
  init(offset: Int) {
    times = []
    offsets = [offset]
    cycle = nil
    repeatsBefore = false
    maximumOffset = offset
  }

  /// A rule for all time.
  init(rule: PosixZone) {
    self.init(offset: rule.standardOffset)
    append(rule, firstYear: 2000, from: nil)
    repeatsBefore = cycle != nil
  }

  /// Past and planned changes, and the rule for the time after them.
  init(_ file: TZifFile) {
    let footer = file.footer.flatMap { PosixZone($0) }
    guard let last = file.times.last else {
      // RFC 9636, 3.2: with no transitions the footer applies to all time.
      if let footer { self.init(rule: footer) } else { self.init(offset: file.initialOffset) }
      return
    }
    self.init(offset: file.initialOffset)
    for (time, offset) in zip(file.times, file.offsets) { append(time: time, offset: offset) }

    // If the last change is beyond the years of this library, the rule never applies.
    guard let footer, last <= Instant.validRange.upperBound.seconds else { return }
    let lastDay = Gregorian.floorDivide(last, Gregorian.secondsPerDay)
    let year = max(0, Gregorian.date(ordinal: Int(lastDay)).year)
    append(footer, firstYear: year + 2, from: last)
  }

  /// Changes in ascending order and none after them, as calendars define zones. Of several at one second the last
  /// counts.
  init(initialOffset: Int, changes: [(time: Int64, offset: Int)]) {
    self.init(offset: initialOffset)
    for change in changes { append(time: change.time, offset: change.offset) }
  }

  /// Continues the table with a rule from a moment, or from the table's beginning if nil, and sets the cycle's first
  /// year.
  private mutating func append(_ rule: PosixZone, firstYear: Int, from start: Int64?) {
    let steps = rule.steps(years: (firstYear - OffsetTable.margin)...(firstYear + 400 + OffsetTable.margin))
    // A single daylight time in all these years is one without end.
    let isConstant = steps.count <= 2
    let offset = isConstant ? steps.first?.offset : steps.last { $0.time <= start ?? .min }?.offset
    // The file must agree with its footer here (RFC 8536, 3.3); if it does not, the footer counts, as in glibc.
    append(time: start ?? .min, offset: offset ?? rule.standardOffset)
    if isConstant { return }
    for step in steps where step.time > start ?? .min { append(time: step.time, offset: step.offset) }
    let first = Int64(Gregorian.ordinal(year: firstYear, month: 1, day: 1)) * Gregorian.secondsPerDay
    cycle = first..<(first + OffsetTable.cycleSeconds)
  }

  /// Adds a change that is not earlier than the last one. It replaces one at the same moment, and is ignored if the
  /// offset stays the same. Changes far outside the years 1...9999 (old files begin with one at the Big Bang) are
  /// dropped; the earlier ones only determine the first offset.
  private mutating func append(time: Int64, offset: Int) {
    if time < OffsetTable.span.lowerBound {
      offsets = [offset]
      maximumOffset = offset
      return
    }
    guard time <= OffsetTable.span.upperBound else { return }
    if times.last == time {
      times.removeLast()
      offsets.removeLast()
    }
    guard offset != offsets[offsets.count - 1] else { return }
    times.append(time)
    offsets.append(offset)
    maximumOffset = max(maximumOffset, offset)
  }

  /// Seconds to add to a moment so that the table covers it: 0, or whole cycles.
  @inline(__always)
  private func shift(_ second: Int64) -> Int64 {
    guard let cycle, second >= cycle.upperBound || (repeatsBefore && second < cycle.lowerBound) else { return 0 }
    return 0 &- Gregorian.floorDivide(second &- cycle.lowerBound, OffsetTable.cycleSeconds) &* OffsetTable.cycleSeconds
  }

  /// The number of changes up to and including a second: the index of its offset.
  @inline(__always)
  private func index(_ second: Int64) -> Int {
    times.withUnsafeBufferPointer { times in times.partitioningIndex { $0 > second } }
  }

  /// Seconds east at a second since 1970.
  func offset(at second: Int64) -> Int { offsets[index(second &+ shift(second))] }

  /// The next second after this one at which the offset changes.
  func nextChange(after second: Int64) -> Int64? {
    let shift = shift(second)
    let next = index(second &+ shift)
    return next < times.count ? times[next] &- shift : nil
  }

  /// The offsets from a second on.
  func offsets(from second: Int64) -> Set<Int> { Set(offsets[index(second &+ shift(second))...]) }

  /// Whether both have the same offsets from a second on, without end.
  func isSame(as other: OffsetTable, from second: Int64) -> Bool {
    // From then on neither changes, or both repeat every 400 years.
    let settled = [self, other].compactMap { $0.cycle?.lowerBound ?? $0.times.last }.max() ?? second
    let end = max(second, settled) &+ OffsetTable.cycleSeconds
    var second = second
    while offset(at: second) == other.offset(at: second) {
      let next = [self, other].compactMap { $0.nextChange(after: second) }.min()
      guard let next, next <= end else { return true }
      second = next
    }
    return false
  }

  /// The first second at which the wall clock, in seconds since its 1970-01-01T00:00, shows `wall` or more:
  /// min { t : t + offset(t) >= wall }.
  func firstSecond(wall: Int64) -> Int64 {
    // No earlier second can show it.
    let earliest = wall &- Int64(maximumOffset)
    let shift = shift(earliest)
    let wall = wall &+ shift
    var index = index(earliest &+ shift)
    while true {
      // A period that begins later than its own clock would have shown `wall`: the time was skipped and counts there.
      var second = wall &- Int64(offsets[index])
      if index > 0 { second = max(second, times[index &- 1]) }
      if index == times.count || second < times[index] { return second &- shift }
      index &+= 1
    }
  }

  /// The latest time that the wall clock has shown up to and including a second: max { u + offset(u) : u <= t }.
  func furthestWall(upTo second: Int64) -> Int64 {
    let shift = shift(second)
    let second = second &+ shift
    var index = index(second)
    var furthest = second &+ Int64(offsets[index])
    while index > 0 {
      // The period before ended at `end`; nothing before that showed more than `end` plus the greatest offset.
      let end = times[index &- 1] &- 1
      if end &+ Int64(maximumOffset) <= furthest { break }
      index &-= 1
      furthest = max(furthest, end &+ Int64(offsets[index]))
    }
    return furthest &- shift
  }
}
