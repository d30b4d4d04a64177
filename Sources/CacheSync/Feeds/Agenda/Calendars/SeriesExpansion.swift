/// One look at a series: what it gives in a stretch of time.
///
/// An occurrence is known by its original start, the one that DTSTART, a rule or RDATE gives it: overrides, EXDATE and ids
/// name that, wherever the occurrence is moved.
struct SeriesExpansion {
  private struct Original {
    /// Seconds since 1970.
    var second: Int64
    /// In the series' zone.
    var wall: WallTime
    /// A PERIOD's own length.
    var length: CalendarEntry.Length?
    var isFirst = false
  }

  /// What the look has to do with the occurrences from one override with THISANDFUTURE up to the next, and with those
  /// before the first.
  private struct Segment {
    /// The original starts of its occurrences.
    var originals: Range<Int64>
    /// Whose title, place and length they have.
    var entry: CalendarEntry
    /// How far they are moved on the wall clock, in seconds.
    var shift: Int64 = 0
    var zone: CalendarMoment.Zone
    var length: CalendarEntry.Length
  }

  /// Clocks are never set further: Samoa had no 2011-12-30.
  private static let greatestStep: Int64 = 26 * 3_600

  private let series: CalendarSeries
  private let window: Range<Int64>
  private let calendar: CivilCalendar
  private let limits: CalendarLimits
  private var result = CalendarOccurrences()
  /// The original starts that overrides replace, ascending.
  private var replaced: [Int64] = []
  /// The days of which they replace every occurrence, ascending.
  private var replacedDays: [LocalDay] = []
  /// The original starts of what was found. Two at one instant are one, but days are days, also where a zone skips one.
  private var seen: Set<Int64> = []
  private var steps = 0

  /// - Parameter window: not empty.
  init(_ series: CalendarSeries, _ window: Range<Int64>, _ calendar: CivilCalendar, _ limits: CalendarLimits) {
    self.series = series
    self.window = window
    self.calendar = calendar
    self.limits = limits
  }

  mutating func run() -> CalendarOccurrences {
    steps += series.overrides.count
    for override in series.overrides {
      guard let original = override.original else { continue }
      let second = original.second(in: calendar)
      replaced.append(second)
      if let day = override.originalDay { replacedDays.append(day) }
      if override.isCancelled { continue }
      let (start, end) = override.span(calendar)
      if isInWindow(start, end) {
        // An id has the form of its series, however RECURRENCE-ID is written.
        let isOfDays = series.master?.start.isDay ?? original.isDay
        append(override, start, end, id: id(second, original.wall.day, isDay: isOfDays), of: override)
      }
    }
    replaced.sort()
    replacedDays.sort()
    if let master = series.master, !master.isCancelled {
      let segments = segments(master)
      // Each range looks at all rules once more.
      steps += (segments.count - 1) * (1 + master.rules.count)
      for segment in segments where result.excess == nil { expand(master, segment) }
    }
    // Those that are left out were found, too.
    result.steps = steps + limits.stepsOfOccurrence * result.events.count
    if result.excess != nil { result.events = [] }
    return result
  }

  private func segments(_ master: CalendarEntry) -> [Segment] {
    var segments = [
      Segment(originals: .min ..< .max, entry: master, zone: master.start.zone, length: master.length(calendar))
    ]
    if series.ranges.isEmpty { return segments }
    let ranges = series.ranges.compactMap { range in
      range.original.map { (second: $0.second(in: calendar), original: $0, entry: range) }
    }
    for (second, original, range) in ranges.sorted(by: { $0.second < $1.second }) {
      let last = segments.count - 1
      segments[last].originals = segments[last].originals.lowerBound..<second
      // The series ends here, whatever later ones say.
      if range.isCancelled { break }
      // Where either is a day, the override says whether the moved ones are days or times of a zone.
      let zone = master.start.isDay || range.start.isDay ? range.start.zone : master.start.zone
      let shift =
        range.start.wall(in: zone, calendar).seconds - original.wall(in: master.start.zone, calendar).seconds
      segments.append(
        Segment(originals: second ..< .max, entry: range, shift: shift, zone: zone, length: range.length(calendar)))
    }
    return segments
  }

  private mutating func expand(_ master: CalendarEntry, _ segment: Segment) {
    let zone = master.start.zone
    if !endsBeforeStart(master) {
      take(
        Original(second: master.start.second(in: calendar), wall: master.start.wall, isFirst: true), master, segment)
    }
    // Each is looked at, as what a rule gives.
    steps += master.extras.count
    if steps > limits.steps { return exceed("the series takes more than \(limits.steps) steps", master) }
    for extra in master.extras where result.excess == nil {
      take(original(extra, master), master, segment)
    }
    if master.rules.isEmpty { return }
    // The wall times from which the moved starts can be in the window.
    let rules = segment.zone.rules(calendar)
    let length = segment.length.longestSeconds
    var first = rules.wall(atSecond: window.lowerBound).seconds - segment.shift
    first -= length > 0 || segment.shift != 0 ? length + Self.greatestStep : margin(around: window.lowerBound, rules)
    var last = rules.wall(atSecond: window.upperBound).seconds - segment.shift
    last += segment.shift != 0 ? Self.greatestStep : margin(around: window.upperBound, rules)
    // And those that belong to the segment.
    if segment.originals.lowerBound > .min {
      first = max(first, zone.wall(atSecond: segment.originals.lowerBound, calendar).seconds - Self.greatestStep)
    }
    if segment.originals.upperBound < .max {
      last = min(last, zone.wall(atSecond: segment.originals.upperBound, calendar).seconds + Self.greatestStep)
    }
    if first > last { return }
    for rule in master.rules where result.excess == nil {
      expand(rule, WallTime(seconds: first)...WallTime(seconds: last), master, segment)
    }
  }

  /// Whether every rule ends before the start, as programs write a series that was taken away from its first occurrence on.
  private func endsBeforeStart(_ master: CalendarEntry) -> Bool {
    let start = master.start
    return !master.rules.isEmpty
      && master.rules.allSatisfy { rule in
        switch end(of: rule, start) {
        case .never, .count: false
        case .untilDay(let day): day < start.wall.day
        case .untilWall(let wall): wall < start.wall
        case .untilInstant(let moment): moment.seconds < start.second(in: calendar)
        }
      }
  }

  /// Programs write the last day of a series of days as a time, too.
  private func end(of rule: RecurrenceRule, _ start: CalendarMoment) -> RecurrenceRule.End {
    guard start.isDay, case .untilInstant(let moment) = rule.end else { return rule.end }
    return .untilDay(TimeZoneRules.utc.wall(atSecond: moment.seconds).day)
  }

  private mutating func expand(
    _ rule: RecurrenceRule, _ walls: ClosedRange<WallTime>, _ master: CalendarEntry, _ segment: Segment
  ) {
    var rule = rule
    var last = Int64.max
    rule.end = end(of: rule, master.start)
    if case .untilInstant(let moment) = rule.end { last = moment.seconds }
    var occurrences = rule.occurrences(
      from: master.start.wall, notBefore: walls.lowerBound, notAfter: walls.upperBound)
    while result.excess == nil, let wall = occurrences.next() {
      let original = Original(second: master.start.zone.second(atWall: wall, calendar), wall: wall)
      if original.second <= last { take(original, master, segment) }
    }
    steps += occurrences.steps
    if occurrences.isExhausted || steps > limits.steps {
      exceed("the series takes more than \(limits.steps) steps", master)
    }
  }

  /// Where clocks change near a moment, wall times further away can belong to it.
  private func margin(around second: Int64, _ rules: TimeZoneRules) -> Int64 {
    let next = rules.nextTransition(after: Instant(seconds: second - Self.greatestStep))
    return next.map { $0.seconds <= second + Self.greatestStep } == true ? Self.greatestStep : 0
  }

  /// A day in a series of times has the time of DTSTART; a time in a series of days is its day.
  private func original(_ extra: CalendarEntry.Extra, _ master: CalendarEntry) -> Original {
    let zone = master.start.zone
    let length = extra.end.map { CalendarEntry.length(from: extra.start, to: $0, calendar) }
    if extra.start.isDay != master.start.isDay {
      let day = extra.start.isDay ? extra.start.wall.day : extra.start.wall(in: zone, calendar).day
      let wall = WallTime(day, secondOfDay: master.start.wall.secondOfDay)
      // A length of another kind says nothing here.
      return Original(second: zone.second(atWall: wall, calendar), wall: wall)
    }
    let second = extra.start.second(in: calendar)
    return Original(second: second, wall: extra.start.wall(in: zone, calendar), length: length)
  }

  /// Takes one occurrence in, if it is of the segment, in the window, and neither replaced nor taken out.
  private mutating func take(_ original: Original, _ master: CalendarEntry, _ segment: Segment) {
    guard segment.originals.contains(original.second) else { return }
    var wall = original.wall
    var start = original.second
    if segment.shift != 0 || segment.zone.isDay != master.start.isDay {
      wall = wall.advanced(bySeconds: segment.shift)
      start = segment.zone.second(atWall: wall, calendar)
    }
    let end =
      original.isFirst && segment.shift == 0 && segment.entry.original == nil
      ? master.span(calendar).end
      : CalendarEntry.end(
        original.length ?? segment.length, after: wall, second: start, in: segment.zone, calendar)
    let isInWindow = isInWindow(start, end)
    // A PERIOD counts before what a rule gives at the same time, also where only that would be in the window.
    guard isInWindow || original.length != nil else { return }
    guard !replaced.containsSorted(original.second), !replacedDays.containsSorted(original.wall.day),
      !master.exclusions.contain(second: original.second, wall: original.wall, of: master.start.zone, calendar),
      seen.insert(master.start.isDay ? original.wall.seconds : original.second).inserted, isInWindow
    else { return }
    let id = master.repeats ? id(original.second, original.wall.day, isDay: master.start.isDay) : series.id
    append(segment.entry, start, end, id: id, of: master)
  }

  /// One without length is in the window that holds its start.
  private func isInWindow(_ start: Int64, _ end: Int64) -> Bool {
    start < window.upperBound && (end > window.lowerBound || start >= window.lowerBound)
  }

  private mutating func append(
    _ entry: CalendarEntry, _ start: Int64, _ end: Int64, id: String, of limited: CalendarEntry
  ) {
    result.events.append(
      CalendarEvent(
        id: id, title: entry.title, start: Instant(seconds: start).clamped, end: Instant(seconds: end).clamped,
        location: entry.location, isAllDay: entry.start.isDay))
    if result.events.count > limits.occurrences {
      exceed("more than \(limits.occurrences) occurrences in the days that are looked at", series.master ?? limited)
    }
  }

  private mutating func exceed(_ reason: String, _ entry: CalendarEntry) {
    result.excess = CalendarDefect("\(reason): the event is left out", at: entry)
  }

  /// `UID#20261123T080000Z`, of a day `UID#20261123`.
  private func id(_ second: Int64, _ day: LocalDay, isDay: Bool) -> String {
    let wall = isDay ? WallTime(day) : TimeZoneRules.utc.wall(atSecond: second)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(series.id.utf8.count + 17)
    bytes.append(contentsOf: series.id.utf8)
    bytes.append(UInt8(ascii: "#"))
    CalendarText.append(wall, isDay: isDay, to: &bytes)
    if !isDay { bytes.append(UInt8(ascii: "Z")) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
