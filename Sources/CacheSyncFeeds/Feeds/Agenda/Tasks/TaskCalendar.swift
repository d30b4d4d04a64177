import CacheSyncSystem

extension TasksFeed {
  /// The open tasks, and those completed today or in the 7 days before, as to-dos (calendars.md).
  package static let calendar: FeedCalendar? = { feeds, moment in
    let overlay = TaskOverlay(feeds, since: moment.instant, in: moment.calendar, OptionValues())
    overlay.move(to: moment.instant)
    let first = moment.calendar.start(of: moment.day.advanced(by: -7))
    let recent = first..<max(first, moment.calendar.interval(of: moment.day).upperBound)
    let stamps = feeds[TasksFeed.self]?.stampsOfCalendars(in: moment.calendar) ?? [:]
    let tasks = overlay.days.open + overlay.days.completed(in: recent).compactMap { overlay.task($0) }
    return tasks.map { task in
      ExportedComponent(task, stamp: stamps[task.key], isShared: overlay.isShared(task.id), in: moment.calendar)
    }
  }

  /// When the tasks of calendars were last written, by their own words.
  private func stampsOfCalendars(in calendar: CivilCalendar) -> [RecordKey: Instant] {
    var stamps: [RecordKey: Instant] = [:]
    for (path, held) in calendars {
      for toDo in held.toDos {
        let stamp = toDo.lastModified ?? toDo.stamp ?? toDo.createdAt ?? toDo.start ?? toDo.due
        stamps[RecordKey(id: RecordID(toDo.id), path: path)] = stamp?.instant(in: calendar) ?? .referenceDate
      }
    }
    return stamps
  }
}

extension ExportedComponent {
  /// - Parameter stamp: when the task's calendar wrote it; nil for a task of an app or an intent.
  fileprivate init(_ task: TasksSession.Item, stamp: Instant?, isShared: Bool, in calendar: CivilCalendar) {
    let completion = task.completed ? task.completedAt ?? stamp ?? task.createdAt : nil
    self.init(
      form: .toDo, id: isShared ? task.key.exported : task.id.text, order: task.dueDate?.instant(in: calendar),
      // An intent may have completed it after its calendar was written.
      stamp: [stamp, completion].compactMap(\.self).max() ?? task.createdAt ?? task.dueDate?.instant(in: calendar)
        ?? .referenceDate,
      properties: [.escaped("SUMMARY", task.title)])
    if let description = task.description, !description.isEmpty {
      properties.append(.escaped("DESCRIPTION", description))
    }
    switch task.dueDate {
    case .day(let day): properties.append(.day("DUE", day))
    case .instant(let moment): properties.append(.moment("DUE", moment))
    case nil: break
    }
    properties.append(.plain("STATUS", task.completed ? "COMPLETED" : "NEEDS-ACTION"))
    if let completion { properties.append(.moment("COMPLETED", completion)) }
    let labels = (task.labels ?? []).map(\.name).filter { !$0.isEmpty }
    if !labels.isEmpty { properties.append(.list("CATEGORIES", labels)) }
  }
}
