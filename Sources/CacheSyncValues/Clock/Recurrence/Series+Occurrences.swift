extension Series {
  /// The occurrences of a series in a period.
  package struct Found {
    package enum Excess { case occurrences, steps }

    /// Ordered by their original starts, each once. Incomplete if a limit was reached.
    package var occurrences: [Occurrence] = []
    /// The work: each date is a step, others are those of ``RecurrenceRule/Occurrences/steps``.
    package var steps = 0
    /// The limit that was reached.
    package var excess: Excess?
  }

  /// The occurrences that overlap a period or start in it, searched no further than it needs.
  ///
  /// - Parameter window: seconds since 1970.
  package func occurrences(in window: Range<Int64>, mostOccurrences: Int, mostSteps: Int) -> Found {
    var look = SeriesLook(
      series: self, window: window, mostOccurrences: mostOccurrences, mostSteps: mostSteps, exceptions: exceptions)
    look.run()
    return look.found
  }

  /// The key that distinguishes occurrences: two at one moment are one. But two days are two, even if the zone skips
  /// one.
  fileprivate func key(of occurrence: Occurrence) -> Int64 {
    clock.isOfDays ? occurrence.original.wall.seconds : occurrence.original.second
  }
}

private struct SeriesLook {
  let series: Series
  let window: Range<Int64>
  let mostOccurrences: Int
  let mostSteps: Int
  var exceptions: SeriesExceptions
  var found = Series.Found()

  /// The largest step of a clock: Samoa had no 2011-12-30.
  private static let greatestStep: Int64 = 26 * 3_600

  mutating func run() {
    if series.isStartSure { addIfInWindow(series.start) }
    found.steps += series.dates.count
    if found.steps > mostSteps { found.excess = .steps }
    for date in series.dates where found.excess == nil { addIfInWindow(date.original, length: date.length) }
    if series.rules.isEmpty { return }
    exceptions.insert(seconds: series.dates.filter { $0.length != nil }.map(\.original.second))
    let walls = walls()
    for rule in series.rules where found.excess == nil && !walls.isEmpty { follow(rule, walls) }
  }

  /// The range of wall times at which an occurrence in the window can have its original start.
  private func walls() -> Range<Int64> {
    let length = series.length.longestSeconds
    let clocks = (series.movedClock ?? series.clock).rules
    var first = clocks.wall(atSecond: window.lowerBound).seconds - series.shift
    first -= length > 0 || series.shift != 0 ? length + Self.greatestStep : margin(around: window.lowerBound, clocks)
    var last = clocks.wall(atSecond: window.upperBound).seconds - series.shift
    last += series.shift != 0 ? Self.greatestStep : margin(around: window.upperBound, clocks)
    let originals = series.originals
    if originals.lowerBound > .min {
      first = max(first, series.clock.wall(atSecond: originals.lowerBound).seconds - Self.greatestStep)
    }
    if originals.upperBound < .max {
      last = min(last, series.clock.wall(atSecond: originals.upperBound).seconds + Self.greatestStep)
    }
    return first..<max(first, last + 1)
  }

  /// How many seconds a wall time can be away from a moment and still belong to it: 0, unless clocks change near it.
  private func margin(around second: Int64, _ clocks: TimeZoneRules) -> Int64 {
    let next = clocks.nextTransition(after: Instant(seconds: second - Self.greatestStep))
    return next.map { $0.seconds <= second + Self.greatestStep } == true ? Self.greatestStep : 0
  }

  private mutating func follow(_ rule: RecurrenceRule, _ walls: Range<Int64>) {
    var last = walls.upperBound - 1
    var lastSecond = Int64.max
    switch rule.end {
    case .never, .count: break
    case .untilDay(let day): last = min(last, WallTime(day).advanced(byDays: 1).seconds - 1)
    case .untilWall(let wall): last = min(last, wall.seconds)
    case .untilInstant(let moment):
      lastSecond = moment.seconds
      let clocks = series.clock.rules
      last = min(last, clocks.wall(atSecond: lastSecond).seconds + margin(around: lastSecond, clocks))
    }
    // Most series of a calendar have ended.
    if last < walls.lowerBound { return }
    var occurrences = rule.occurrences(
      from: series.start.wall, notBefore: WallTime(seconds: walls.lowerBound), notAfter: WallTime(seconds: last),
      mostSteps: mostSteps - found.steps)
    while found.excess == nil, let wall = occurrences.next() {
      let second = wall == series.start.wall ? series.start.second : series.clock.second(atWall: wall)
      if second <= lastSecond { addIfInWindow(Series.Original(wall: wall, second: second)) }
    }
    found.steps += occurrences.steps
    if occurrences.isExhausted { found.excess = .steps }
  }

  /// Adds one occurrence, if it is in the window and no exception removes it.
  ///
  /// - Parameter length: its own length; nil: that of the series.
  private mutating func addIfInWindow(_ original: Series.Original, length: OccurrenceLength? = nil) {
    guard series.originals.contains(original.second) else { return }
    let clock = series.movedClock ?? series.clock
    var (wall, start) = (original.wall, original.second)
    if series.shift != 0 || clock.isOfDays != series.clock.isOfDays {
      wall = wall.advanced(bySeconds: series.shift)
      start = clock.second(atWall: wall)
    }
    let exactEnd = length == nil && original.wall == series.start.wall ? series.end : nil
    let end = exactEnd ?? (length ?? series.length).end(after: wall, second: start, by: clock)
    guard window.overlaps(itemFrom: start, to: end), !exceptions.contain(original, of: series.clock) else { return }
    add(Series.Occurrence(original: original, start: start, end: end), hasOwnLength: length != nil)
  }

  /// Of two that are the same occurrence the longer one counts. A date with its own length does not replace the start.
  private mutating func add(_ occurrence: Series.Occurrence, hasOwnLength: Bool) {
    let key = series.key(of: occurrence)
    var place = found.occurrences.count
    // Usually each is later than those before it.
    if let last = found.occurrences.last, series.key(of: last) >= key {
      place = found.occurrences.partitioningIndex { series.key(of: $0) >= key }
      if series.key(of: found.occurrences[place]) == key {
        if !hasOwnLength, occurrence.end > found.occurrences[place].end { found.occurrences[place] = occurrence }
        return
      }
    }
    found.occurrences.insert(occurrence, at: place)
    if found.occurrences.count > mostOccurrences { found.excess = .occurrences }
  }
}

extension Range {
  /// Whether an item overlaps this range. A zero-length item overlaps the range that contains its start.
  package func overlaps(itemFrom start: Bound, to end: Bound) -> Bool {
    start < upperBound && (end > lowerBound || start >= lowerBound)
  }
}

extension Range<Instant> {
  /// Seconds since 1970; its bounds are whole seconds.
  package var seconds: Range<Int64> { lowerBound.seconds..<upperBound.seconds }
}
