import CacheSyncSystem

/// The events of a cache's calendars. Series are expanded week by week, as far as timelines, the day index and `next`
/// need.
final class CalendarEvents {
  /// The occurrences of the series in one week.
  private struct Week {
    /// The events that start in the week, in order.
    var starting: [StoredEvent] = []
    /// Events that began before the week and continue in it, in order.
    var continuing: [StoredEvent] = []
    /// For each day, how many more events start on it than are kept.
    var leftOut: [LocalDay: Int] = [:]
    /// The problems of series that exceed the limits and are left out of the week.
    var excess: [Problem] = []
  }

  private var union = CalendarUnion()
  /// The union's series that count, and its warnings; nil after a change.
  private var known: (counting: [[CalendarSeries]], problems: [Problem])?
  /// Nil after a change.
  private var knownPlaces: [RecordID: RecordOrigin]?
  /// Whose events these are; what they declined is left out.
  private(set) var me: Set<ExactText> = []
  /// By their number since 1970, in UTC.
  private var weeks: [Int: Week] = [:]
  private var calendar: CivilCalendar?

  private static let secondsPerWeek = 7 * Gregorian.secondsPerDay
  /// How many weeks are kept. Readers need four of them, and `next` may search years.
  private static let maximumWeeks = 64
  /// How many events the kept weeks may have together: about 200 MB, and more than six full weeks have.
  private static let maximumKept = 500_000
  private var keptCount = 0

  /// The work of all searches so far; see ``CalendarLimits/stepsOfFile``.
  private(set) var steps = 0

  private let limits: CalendarLimits

  init(limits: CalendarLimits = .init()) { self.limits = limits }

  var isEmpty: Bool { union.isEmpty }

  func put(_ file: CalendarFile, from path: CachePath) {
    union.put(file, from: path)
    (known, knownPlaces) = (nil, nil)
    removeAll()
  }

  /// Removes a file; a missing one is not an error.
  func remove(_ path: CachePath) {
    guard union.remove(path) else { return }
    (known, knownPlaces) = (nil, nil)
    removeAll()
  }

  /// Leaves out what one of these addresses declined.
  func adopt(me: Set<ExactText>) {
    guard self.me != me else { return }
    self.me = me
    removeAll()
  }

  private var merged: (counting: [[CalendarSeries]], problems: [Problem]) {
    let merged = known ?? union.merged
    known = merged
    return merged
  }

  /// The warnings of files that use UIDs for different events.
  var sharedUIDs: [Problem] { merged.problems }

  /// The places of the single events. An occurrence of a series has an id of its own.
  var places: [RecordID: RecordOrigin] {
    if let knownPlaces { return knownPlaces }
    var places: [RecordID: RecordOrigin] = [:]
    for series in merged.counting.joined() {
      guard let entry = series.master, !entry.repeats else { continue }
      places[RecordID(series.id)] = RecordOrigin(
        path: series.path, line: Int32(clamping: entry.line), list: entry.pointer)
    }
    knownPlaces = places
    return places
  }

  /// The series that count, by their ids and files.
  var series: [RecordKey: CalendarSeries] {
    let all = merged.counting.joined().map { (RecordKey(id: RecordID($0.id), path: $0.path), $0) }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
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

  /// The first event in a range that starts at a time of day.
  func firstTimed(in range: Range<Instant>, _ calendar: CivilCalendar) -> StoredEvent? {
    parts(startingIn: range, calendar).joined().first { !$0.isAllDay }
  }

  /// The events that start in a range, week by week.
  private func parts(startingIn range: Range<Instant>, _ calendar: CivilCalendar) -> [ArraySlice<StoredEvent>] {
    if union.isEmpty || range.isEmpty { return [] }
    return numbers(of: range).map { number in
      let events = week(number, calendar).starting
      let start = events.partitioningIndex { $0.start >= range.lowerBound }
      return events[start..<events.partitioningIndex { $0.start >= range.upperBound }]
    }
  }

  /// The events that overlap a range, in order. A zero-length event overlaps the range that contains its start.
  ///
  /// - Parameter wholeDays: whether to return only events of whole days.
  func overlapping(_ range: Range<Instant>, wholeDays: Bool = false, _ calendar: CivilCalendar) -> [StoredEvent] {
    if union.isEmpty || range.isEmpty { return [] }
    var found: [StoredEvent] = []
    func add(_ events: [StoredEvent]) {
      // By their indices, so that unwanted events are not copied.
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

  /// The problems of events that the limits leave out of the weeks of a range.
  func problems(in range: Range<Instant>, _ calendar: CivilCalendar) -> [Problem] {
    if union.isEmpty || range.isEmpty { return [] }
    var excess: [Problem] = []
    for problem in numbers(of: range).flatMap({ week($0, calendar).excess }) where !excess.contains(problem) {
      excess.append(problem)
    }
    return excess
  }

  /// How many events start on a day and are not kept because there are too many.
  func leftOut(on day: LocalDay, _ calendar: CivilCalendar) -> Int {
    if union.isEmpty { return 0 }
    return numbers(of: calendar.interval(of: day)).reduce(0) { $0 + (week($1, calendar).leftOut[day] ?? 0) }
  }

  private func numbers(of range: Range<Instant>) -> ClosedRange<Int> {
    let first = Gregorian.floorDivide(range.lowerBound.seconds, Self.secondsPerWeek)
    let last = Gregorian.floorDivide(
      Instant(microseconds: range.upperBound.microseconds - 1).seconds, Self.secondsPerWeek)
    return Int(first)...Int(max(first, last))
  }

  private func week(_ number: Int, _ calendar: CivilCalendar) -> Week {
    if self.calendar != calendar {
      self.calendar = calendar
      removeAll()
    }
    if let week = weeks[number] { return week }
    let start = Instant(seconds: Int64(number) * Self.secondsPerWeek)
    var week = Week()
    let range = start..<Instant(seconds: start.seconds + Self.secondsPerWeek)
    var days: [LocalDay: Int] = [:]
    var stepsLeft = limits.stepsOfCalendars
    // Files with fewer series come first, and each gets an equal share of the remaining steps, so that a large file
    // does not displace the others.
    let files = merged.counting
    for (place, file) in files.enumerated() {
      let share = min(limits.stepsOfFile, stepsLeft / (files.count - place))
      let taken = add(file, in: range, calendar, to: &week, &days, mostSteps: share)
      stepsLeft -= taken
      steps += taken
    }
    week.starting.sort()
    week.continuing.sort()
    week.excess.sort { ($0.path ?? .root, $0.line) < ($1.path ?? .root, $1.line) }
    keptCount += week.starting.count + week.continuing.count
    if weeks.count >= Self.maximumWeeks || keptCount > Self.maximumKept {
      removeAll()
      keptCount = week.starting.count + week.continuing.count
    }
    weeks[number] = week
    return week
  }

  private func removeAll() { (weeks, keptCount) = ([:], 0) }

  /// Adds the events of a file in a week.
  ///
  /// - Parameters:
  ///   - days: how many events start on each day so far; an event that began before the week counts for the day before
  ///     it.
  ///   - mostSteps: after that many steps the remaining series are left out; see ``CalendarLimits/stepsOfFile``.
  /// - Returns: the steps taken.
  private func add(
    _ file: [CalendarSeries], in range: Range<Instant>, _ calendar: CivilCalendar, to week: inout Week,
    _ days: inout [LocalDay: Int], mostSteps: Int
  ) -> Int {
    let dayBefore = calendar.day(before: calendar.day(of: range.lowerBound))
    var steps = 0
    for series in file {
      guard steps <= mostSteps else {
        leaveOut(
          series, "the rules of the calendars take too many steps: this event and those after it are left out", &week)
        break
      }
      let found = series.occurrences(
        overlappingOrStartingIn: range, calendar: calendar, limits: limits, without: me)
      steps += max(1, found.steps)
      var isFull = false
      for event in found.events {
        let isContinuing = event.start < range.lowerBound
        let day = isContinuing ? dayBefore : calendar.day(of: event.start)
        let count = days[day, default: 0] + 1
        days[day] = count
        if count > limits.eventsOfDay {
          isFull = isFull || count == limits.eventsOfDay + 1
          if !isContinuing { week.leftOut[day, default: 0] += 1 }
        } else if isContinuing {
          week.continuing.append(event)
        } else {
          week.starting.append(event)
        }
      }
      if isFull {
        leaveOut(series, "more than \(limits.eventsOfDay) events on one day: the others are left out", &week)
      }
      if let excess = found.excess { week.excess.append(Problem(.warning, path: series.path, excess)) }
    }
    return steps
  }

  private func leaveOut(_ series: CalendarSeries, _ message: String, _ week: inout Week) {
    guard let entry = series.master ?? series.overrides.first else { return }
    week.excess.append(Problem(.warning, path: series.path, CalendarDefect(message, at: entry)))
  }
}
