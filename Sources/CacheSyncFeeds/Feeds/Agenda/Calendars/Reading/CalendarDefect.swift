package import CacheSyncSystem

/// A defect of a calendar with its place: of the whole file, or of one of its events.
package struct CalendarDefect: Error, Sendable, Equatable {
  /// The physical line, from 1; for a folded property the line on which it begins.
  package var line: Int
  /// From 1, in bytes.
  package var column: Int
  /// `/VEVENT/2/DTSTART`, counted from 0; "" for the whole file.
  package var pointer: String
  /// One line of plain English that is safe to print on a terminal.
  package var message: String
  /// What it concerns; nil: the whole file.
  package var component: CalendarComponent?
  /// Whether it is a rule in another calendar than the Gregorian one. The component counts without it.
  var isRuleOfOtherCalendar = false

  package init(
    line: Int, column: Int = 1, pointer: String = "", component: CalendarComponent? = nil, _ message: String
  ) {
    self.line = line
    self.column = column
    self.pointer = pointer
    self.component = component
    self.message = message
  }

  /// - Parameter entry: the entry that it concerns, with whose title the message begins.
  init(_ message: String, at entry: CalendarEntry) {
    let message = entry.title.isEmpty ? message : "\(JSONMessage.quoted(entry.title)): \(message)"
    self.init(line: entry.line, pointer: entry.pointer, component: entry.component, message)
  }
}

/// The problems of a calendar while it is read: the first of events, of to-dos and of the file itself. A file of 16 MiB
/// can have millions.
struct CalendarProblems {
  /// How many of each component are kept: more than are listed, because a problem may be found after those behind it.
  static let capacity = 1_000

  private(set) var first: [CalendarDefect] = []
  /// How many more of each component there are.
  private(set) var further: [CalendarComponent?: Int] = [:]
  private var counts: [CalendarComponent?: Int] = [:]

  /// Whether any further problem is kept.
  var hasRoom: Bool { first.count < Self.capacity }

  mutating func append(_ problem: CalendarDefect) {
    if counts[problem.component, default: 0] < Self.capacity {
      counts[problem.component, default: 0] += 1
      first.append(problem)
    } else {
      further[problem.component, default: 0] += 1
    }
  }

  /// Names the record that they concern.
  mutating func name(_ title: String) {
    for index in first.indices { first[index].message = "\(JSONMessage.quoted(title)): \(first[index].message)" }
  }

  mutating func append(_ problems: some Sequence<CalendarDefect>) {
    for problem in problems { append(problem) }
  }

  mutating func append(_ others: CalendarProblems) {
    append(others.first)
    further.merge(others.further, uniquingKeysWith: +)
  }
}

extension Problem {
  package init(_ severity: Severity = .error, path: CachePath, _ defect: CalendarDefect) {
    self.init(
      severity, path: path, line: defect.line, column: defect.column, pointer: defect.pointer, message: defect.message)
  }
}

extension JSONDefect {
  init(_ defect: CalendarDefect) {
    let place = JSONPlace(line: defect.line, column: defect.column, pointer: defect.pointer)
    self.init(offset: 0, message: defect.message, place: .at(place))
    scope = defect.component?.feed
  }
}

/// The limits of calendars (definitions.md section 5). Steps are those of rules, see
/// ``RecurrenceRule/Occurrences/steps``.
package struct CalendarLimits: Sendable {
  /// VEVENTs of a file; they take about 50 MB of memory.
  package var events = 50_000
  /// RRULEs of an event, and of an observance of a zone. One is usual; eight leave room, and limit the work.
  package var rules = 8
  /// Steps for all VTIMEZONEs of a file. 100 zones with rules since 1601 take 4 million.
  package var stepsOfZones = 5_000_000
  /// Steps to find the last occurrences of a file's rules with COUNT, so that later searches need not count.
  package var stepsToCount = 5_000_000
  /// Occurrences of one UID in the days of one search.
  package var occurrences = 500
  /// Steps of the rules of one UID for such a search.
  package var steps = 100_000
  /// Steps of all rules of a file for a week; each occurrence counts as some more. 10,000 events that repeat every day
  /// take most of it.
  package var stepsOfFile = 1_000_000
  package var stepsOfOccurrence = 8
  /// The same for all calendars of a cache together.
  package var stepsOfCalendars = 2_000_000
  /// Events that start on one day, in all calendars of a cache together; they take about 2 MB of memory a day.
  package var eventsOfDay = 10_000
  /// Whether to keep what only exported calendars have, such as alarms.
  package var keepsDetails = false
  /// By which LAST-MODIFIED is judged; nil: it counts as it is.
  package var times: FileTimes?

  package init() {}
}
