/// The events of a cache's calendars. Series are expanded week by week, as far as timelines, the day index and `next` look.
final class CalendarEvents {
  /// What the series give in one week.
  private struct Week {
    /// The events that start in the week, in order.
    var starting: [StoredEvent] = []
    /// Those that began before it and reach into it, in order.
    var continuing: [StoredEvent] = []
    /// The series that are beyond the limits, and are left out of the week.
    var excess: [Problem] = []
  }

  private var union = CalendarUnion()
  /// By their number since 1970, in UTC.
  private var weeks: [Int: Week] = [:]
  private var calendar: CivilCalendar?

  private static let secondsPerWeek = 7 * Gregorian.secondsPerDay
  /// How many weeks are kept. A judgement: what readers see lies in four, and `next` may look at years.
  private static let maximumWeeks = 64

  init() {}

  /// Whether there is no calendar.
  var isEmpty: Bool { union.count == 0 }

  func put(_ file: CalendarFile, from path: CachePath) {
    union.put(file, from: path)
    weeks = [:]
  }

  /// Forgets a file; one that is not there is not an error.
  func remove(_ path: CachePath) {
    if !union.remove(path).isEmpty { weeks = [:] }
  }

  /// The events that start in a range, in order.
  func starting(in range: Range<Instant>, _ calendar: CivilCalendar) -> [StoredEvent] {
    parts(startingIn: range, calendar).flatMap(\.self)
  }

  /// How many events start in a range, and the first of them.
  func starting(in range: Range<Instant>, first maximum: Int, _ calendar: CivilCalendar) -> (
    count: Int, first: [StoredEvent]
  ) {
    let parts = parts(startingIn: range, calendar)
    return (parts.reduce(0) { $0 + $1.count }, Array(parts.joined().prefix(maximum)))
  }

  /// The events that start in a range, week by week.
  private func parts(startingIn range: Range<Instant>, _ calendar: CivilCalendar) -> [ArraySlice<StoredEvent>] {
    if union.count == 0 || range.isEmpty { return [] }
    return numbers(of: range).map { number in
      let events = week(number, calendar).starting
      let start = events.partitioningIndex { $0.start >= range.lowerBound }
      return events[start..<events.partitioningIndex { $0.start >= range.upperBound }]
    }
  }

  /// The events that overlap a range, in order; one without length that starts in it too.
  ///
  /// - Parameter wholeDays: whether only events of whole days are wanted.
  func overlapping(_ range: Range<Instant>, wholeDays: Bool = false, _ calendar: CivilCalendar) -> [StoredEvent] {
    if union.count == 0 || range.isEmpty { return [] }
    var found: [StoredEvent] = []
    func add(_ events: [StoredEvent]) {
      // By their indices: an event that is not wanted is not copied.
      for index in events[..<events.partitioningIndex { $0.start >= range.upperBound }].indices
      where (events[index].end > range.lowerBound || events[index].start >= range.lowerBound)
        && (events[index].isAllDay || !wholeDays)
      {
        found.append(events[index])
      }
    }
    let numbers = numbers(of: range)
    add(week(numbers.lowerBound, calendar).continuing)
    for number in numbers { add(week(number, calendar).starting) }
    return found
  }

  /// The events that the limits leave out of the weeks of a range.
  func problems(in range: Range<Instant>, _ calendar: CivilCalendar) -> [Problem] {
    if union.count == 0 || range.isEmpty { return [] }
    var excess: [Problem] = []
    for problem in numbers(of: range).flatMap({ week($0, calendar).excess }) where !excess.contains(problem) {
      excess.append(problem)
    }
    return excess
  }

  private func numbers(of range: Range<Instant>) -> ClosedRange<Int> {
    let first = Gregorian.floorDivide(range.lowerBound.seconds, Self.secondsPerWeek)
    let last = Gregorian.floorDivide(
      Instant(microseconds: range.upperBound.microseconds - 1).seconds, Self.secondsPerWeek)
    return Int(first)...Int(max(first, last))
  }

  private func week(_ number: Int, _ calendar: CivilCalendar) -> Week {
    if self.calendar != calendar { (self.calendar, weeks) = (calendar, [:]) }
    if let week = weeks[number] { return week }
    let start = Instant(seconds: Int64(number) * Self.secondsPerWeek)
    var week = Week()
    let range = start..<Instant(seconds: start.seconds + Self.secondsPerWeek)
    for path in union.paths { add(union.series(from: path), in: range, calendar, to: &week) }
    week.starting.sort()
    week.continuing.sort()
    week.excess.sort { ($0.path ?? .root, $0.line) < ($1.path ?? .root, $1.line) }
    if weeks.count >= Self.maximumWeeks { weeks = [:] }
    weeks[number] = week
    return week
  }

  private func add(
    _ file: some Sequence<CalendarSeries>, in range: Range<Instant>, _ calendar: CivilCalendar, to week: inout Week
  ) {
    let limits = CalendarLimits()
    var steps = 0
    for series in file {
      guard steps <= limits.stepsOfFile else {
        let message = "the rules of the file take too many steps: this event and those after it are left out"
        if let entry = series.master {
          week.excess.append(Problem(.warning, path: series.path, CalendarDefect(message, at: entry)))
        }
        return
      }
      let found = series.occurrences(overlappingOrStartingIn: range, calendar: calendar)
      steps += found.steps + limits.stepsOfOccurrence * found.events.count
      for event in found.events.map({ StoredEvent($0) }) {
        if event.start < range.lowerBound { week.continuing.append(event) } else { week.starting.append(event) }
      }
      if let excess = found.excess { week.excess.append(Problem(.warning, path: series.path, excess)) }
    }
  }
}

extension StoredEvent {
  fileprivate init(_ event: CalendarEvent) {
    self.init(
      id: RecordID(event.id), title: event.title, start: event.start, end: event.end, location: event.location,
      isAllDay: event.isAllDay)
  }
}
