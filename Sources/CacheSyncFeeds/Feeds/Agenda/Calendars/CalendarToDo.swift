/// A task of a calendar: a VTODO, or the occurrence of a repeating one that is next to be done (feeds.md: tasks of
/// calendars).
package struct CalendarToDo: Sendable {
  /// The UID. An override adds `#` and its RECURRENCE-ID as written; without UID it is `path:n`.
  package var id: String
  package var title = ""
  /// DESCRIPTION, if the reader wants it.
  package var description: String?
  package var isCompleted = false
  package var completedAt: CalendarMoment?
  package var start: CalendarMoment?
  package var due: CalendarMoment?
  /// CREATED, or else DTSTAMP.
  package var createdAt: CalendarMoment?
  package var lastModified: CalendarMoment?
  /// DTSTAMP.
  package var stamp: CalendarMoment?
  /// Each once.
  package var labels: [String] = []
  /// The UID, if it is a step of another to-do.
  package var step: RecordID?

  /// What the VTODOs of one UID in a file say together, also if they give no task.
  package struct Version: Identifiable, Sendable {
    /// The UID; without one `path:n`.
    package let id: RecordID
    /// The greatest LAST-MODIFIED.
    let lastModified: CalendarMoment?
    /// Whether one has no LAST-MODIFIED, so that the file's date counts too.
    let isUndated: Bool
    var origin = RecordOrigin()
    /// The place of its first VTODO.
    let line: Int
    let pointer: String
    let title: String
    /// DTSTART, or else DUE.
    let first: CalendarMoment?
    /// CREATED.
    let created: CalendarMoment?
    /// RELATED-TO: the UID of the to-do of which it is a step.
    let parent: RecordID?
    /// Whether it has further occurrences when one is completed.
    let repeats: Bool
    /// Whether it was read and none of its tasks is open: it is completed or cancelled.
    var isOver = false
    /// Of its open task.
    var start: CalendarMoment?
    var due: CalendarMoment?

    /// What tells it from another to-do with its UID.
    var mark: CalendarMark {
      CalendarMark(title: title, start: first?.key, created: created?.second(in: CivilCalendar(.utc)))
    }

    /// - Parameter modified: the file's date.
    func date(_ calendar: CivilCalendar, modified: Instant) -> Instant {
      guard let written = lastModified?.instant(in: calendar) else { return modified }
      return isUndated ? max(written, modified) : written
    }
  }

  /// The task in a cache's zone.
  ///
  /// - Parameter modified: the file's date, which stands in for missing ones.
  package func task(_ calendar: CivilCalendar, modified: Instant) -> TasksSession.Item {
    var task = TasksSession.Item(
      id: RecordID(id), title: title, description: description, completed: isCompleted,
      dueDate: due?.reference(in: calendar), createdAt: createdAt?.instant(in: calendar) ?? modified,
      completedAt: isCompleted ? (completedAt ?? lastModified)?.instant(in: calendar) : nil,
      labels: labels.isEmpty ? nil : labels.map { TasksSession.Label(id: RecordID($0), name: $0) })
    task.startDate = start?.reference(in: calendar)
    task.isOfCalendar = true
    task.step = step
    return task
  }

  /// When the task was last written.
  func version(_ calendar: CivilCalendar, modified: Instant) -> Instant {
    lastModified?.instant(in: calendar) ?? modified
  }
}

extension CalendarToDo.Version: UnionRecord {
  func mark(in calendar: CivilCalendar) -> RecordMark { .calendar }
}

extension CalendarMoment {
  func instant(in calendar: CivilCalendar) -> Instant { Instant(seconds: second(in: calendar)).clamped }

  func reference(in calendar: CivilCalendar) -> DayReference {
    isDay ? .day(wall.day) : .instant(instant(in: calendar))
  }

  /// The date some days and seconds later: days on the wall clock, then exact seconds.
  package func advanced(days: Int, seconds: Int) -> CalendarMoment {
    let wall = wall.advanced(byDays: days)
    switch zone {
    case .day: return CalendarMoment(wall.day)
    case .floating: return CalendarMoment(floating: wall.advanced(bySeconds: Int64(seconds)))
    case .known(let rules):
      return CalendarMoment(second: rules.second(atWall: wall) + Int64(seconds), in: rules)
    }
  }

  /// The date moved on the wall clock of another date's zone, if both have one, and else on its own.
  func shifted(by seconds: Int64, in other: Zone) -> CalendarMoment {
    switch (zone, other) {
    case (.day, _): return CalendarMoment(wall.advanced(bySeconds: seconds).day)
    case (.floating, _): return CalendarMoment(floating: wall.advanced(bySeconds: seconds))
    case (.known, .known(let rules)):
      let wall = wall(in: other, CivilCalendar(.utc))
      return seconds == 0 ? self : CalendarMoment(wall.advanced(bySeconds: seconds), in: rules)
    case (.known(let rules), _):
      return seconds == 0 ? self : CalendarMoment(wall.advanced(bySeconds: seconds), in: rules)
    }
  }
}
