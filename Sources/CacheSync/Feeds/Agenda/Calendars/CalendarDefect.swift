package import CacheSyncSystem

/// What is wrong with a calendar, and where: with the file as a whole, or with one of its events.
package struct CalendarDefect: Error, Sendable, Equatable {
  /// The physical line, from 1: of a folded property the one on which it begins.
  package var line: Int
  /// From 1, in bytes.
  package var column: Int
  /// `/VEVENT/2/DTSTART`, counted from 0; "" for the file as a whole.
  package var pointer: String
  /// One line of plain English that is harmless on a terminal.
  package var message: String

  package init(line: Int, column: Int = 1, pointer: String = "", _ message: String) {
    self.line = line
    self.column = column
    self.pointer = pointer
    self.message = message
  }

  /// - Parameter entry: what is too much.
  init(_ message: String, at entry: CalendarEntry) {
    self.init(line: entry.line, pointer: entry.pointer, message)
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
  }
}

/// How much calendars may be (definitions.md section 5). Steps are those of rules, see ``RecurrenceRule/Occurrences/steps``.
package struct CalendarLimits: Sendable {
  /// VEVENTs of a file. A judgement: about 50 MB in memory.
  package var events = 50_000
  /// RRULEs of an event, and of an observance of a zone. One is usual; eight leave room, and bound the work.
  package var rules = 8
  /// Steps that all VTIMEZONEs of a file may take. A judgement: 100 zones with rules from 1601 on take 4 million.
  package var stepsOfZones = 5_000_000
  /// Steps for finding the last occurrences of a file's rules with COUNT, which spares later looks the counting.
  package var stepsToCount = 5_000_000
  /// Occurrences of one UID in the days that are looked at.
  package var occurrences = 500
  /// Steps that the rules of one UID may take for them.
  package var steps = 100_000
  /// Steps that all rules of a file may take for a week, where an occurrence counts for some more. A judgement: 10,000 events
  /// that repeat every day take most of it.
  package var stepsOfFile = 1_000_000
  package var stepsOfOccurrence = 8
  /// The same of all calendars of a cache together.
  package var stepsOfCalendars = 2_000_000
  /// Events that start on one day, of all calendars of a cache together. A judgement: about 2 MB a day in memory.
  package var eventsOfDay = 10_000

  package init() {}
}
