extension CalendarSeries {
  /// The events that overlap a period or start in it, expanded no further than needed.
  ///
  /// - Parameters:
  ///   - calendar: the cache's, for days and for times without a zone.
  ///   - me: the addresses of the person; what they declined is left out.
  package func occurrences(
    overlappingOrStartingIn window: Range<Instant>, calendar: CivilCalendar, limits: CalendarLimits = .init(),
    without me: Set<ExactText> = []
  ) -> CalendarOccurrences {
    var look = CalendarLook(series: self, window: window.seconds, calendar: calendar, limits: limits, me: me)
    look.run()
    return look.result
  }
}

/// The occurrences of a series in a period.
package struct CalendarOccurrences: Sendable {
  /// In no order; empty if the series exceeds the limits.
  package var events: [StoredEvent] = []
  /// Why the series is left out in that period.
  package var excess: CalendarDefect?
  /// The work of following the rules, with some more for each occurrence; see ``CalendarLimits/stepsOfFile``.
  package var steps = 0
}

/// One search for the events of one UID of a file in a period.
private struct CalendarLook {
  let series: CalendarSeries
  let window: Range<Int64>
  let calendar: CivilCalendar
  let limits: CalendarLimits
  let me: Set<ExactText>
  var result = CalendarOccurrences()

  mutating func run() {
    // The original starts that overrides replace, and the days on which they replace every occurrence.
    var replaced: (seconds: [Int64], days: [LocalDay]) = ([], [])
    result.steps += series.overrides.count
    for override in series.overrides {
      guard let original = override.original else { continue }
      let second = original.second(in: calendar)
      replaced.seconds.append(second)
      if let day = override.originalDay { replaced.days.append(day) }
      let (start, end) = override.span(calendar)
      if override.isCancelled || override.isDeclined(by: me) || !window.overlaps(itemFrom: start, to: end) { continue }
      // The id has the form of its series, whatever the form of RECURRENCE-ID.
      let isOfDays = series.master?.start.isDay ?? original.isDay
      let occurrence = Series.Occurrence(
        original: Series.Original(wall: original.wall, second: second), start: start, end: end)
      append(occurrence, of: override, id: id(occurrence.original, isDay: isOfDays))
    }
    if let master = series.master, !master.isCancelled { addOccurrences(of: master, except: replaced) }
    // Occurrences that are left out took work too.
    result.steps += limits.stepsOfOccurrence * result.events.count
    if result.excess != nil { result.events = [] }
  }

  /// Adds the master's occurrences, except the replaced ones.
  private mutating func addOccurrences(
    of master: CalendarEntry, except replaced: (seconds: [Int64], days: [LocalDay])
  ) {
    guard master.extras.count <= limits.steps else {
      result.steps += master.extras.count
      return exceed(.steps, master)
    }
    var whole = master.series(calendar)
    whole.exceptions.insert(seconds: replaced.seconds, days: replaced.days)
    let parts = parts(of: whole, master)
    // Each part evaluates all rules again.
    result.steps += (parts.count - 1) * (1 + master.rules.count)
    for (part, entry) in parts where result.excess == nil && !entry.isDeclined(by: me) {
      let found = part.occurrences(
        in: window, mostOccurrences: limits.occurrences - result.events.count, mostSteps: limits.steps - result.steps)
      result.steps += found.steps
      for occurrence in found.occurrences {
        append(
          occurrence, of: entry, id: master.repeats ? id(occurrence.original, isDay: master.start.isDay) : series.id)
      }
      if let excess = found.excess { exceed(excess, master) }
    }
  }

  /// The parts of the series: up to the first override with THISANDFUTURE, and from each such override. Each part comes
  /// with the entry that gives its occurrences their title and place.
  private func parts(of whole: Series, _ master: CalendarEntry) -> [(series: Series, entry: CalendarEntry)] {
    var parts = [(series: whole, entry: master)]
    if series.ranges.isEmpty { return parts }
    let ranges = series.ranges.compactMap { range in
      range.original.map { (second: $0.second(in: calendar), original: $0, entry: range) }
    }
    for (second, original, range) in ranges.sorted(by: { $0.second < $1.second }) {
      let last = parts.count - 1
      parts[last].series.originals = parts[last].series.originals.lowerBound..<second
      // The series ends here, whatever later overrides contain.
      if range.isCancelled { break }
      // If either is a day, the override decides whether the moved occurrences are days or times of a zone.
      let zone = master.start.isDay || range.start.isDay ? range.start.zone : master.start.zone
      var later = whole
      later.originals = second ..< .max
      later.shift =
        range.start.wall(in: zone, calendar).seconds - original.wall(in: master.start.zone, calendar).seconds
      later.movedClock = zone.clock(calendar)
      later.length = range.length(calendar)
      later.end = nil
      parts.append((later, range))
    }
    return parts
  }

  private mutating func append(_ occurrence: Series.Occurrence, of entry: CalendarEntry, id: String) {
    let times = occurrence.times
    result.events.append(
      StoredEvent(
        id: RecordID(id), title: entry.title, start: times.lowerBound, end: times.upperBound, location: entry.location,
        isAllDay: entry.start.isDay, stamp: entry.written, origin: RecordOrigin(path: series.path)))
    if result.events.count > limits.occurrences { exceed(.occurrences, series.master ?? entry) }
  }

  private mutating func exceed(_ excess: Series.Found.Excess, _ entry: CalendarEntry) {
    let reason =
      switch excess {
      case .occurrences: "more than \(limits.occurrences) occurrences in the days that are looked at"
      case .steps: "the series takes more than \(limits.steps) steps"
      }
    result.excess = CalendarDefect("\(reason): the event is left out", at: entry)
  }

  /// `UID#20261123T080000Z`, for a day `UID#20261123`.
  private func id(_ original: Series.Original, isDay: Bool) -> String {
    let wall = isDay ? WallTime(original.wall.day) : TimeZoneRules.utc.wall(atSecond: original.second)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(series.id.utf8.count + 17)
    bytes.append(contentsOf: series.id.utf8)
    bytes.append(UInt8(ascii: "#"))
    wall.appendExported(isDay: isDay, to: &bytes)
    if !isDay { bytes.append(UInt8(ascii: "Z")) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
