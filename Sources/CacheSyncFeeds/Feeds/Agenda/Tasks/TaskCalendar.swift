import CacheSyncSystem

extension TasksFeed {
  /// The open tasks, and those completed today or in the 7 days before, as to-dos; those of calendars as their files have
  /// them (calendars.md).
  package static let calendar: FeedCalendar? = { feeds, moment in
    let calendar = moment.calendar
    let overlay = TaskOverlay(feeds, since: moment.instant, in: calendar, OptionValues())
    overlay.move(to: moment.instant)
    let first = calendar.start(of: moment.day.advanced(by: -7))
    let recent = first..<max(first, calendar.interval(of: moment.day).upperBound)
    let feed = feeds[TasksFeed.self]
    let stamps = feed?.stampsOfCalendars(in: calendar) ?? [:]
    let tasks = overlay.days.open + overlay.days.completed(in: recent).compactMap { overlay.task($0) }
    var written: Set<RecordKey> = []
    return tasks.flatMap { task -> [ExportedComponent] in
      let series = feed?.series(of: task)
      if let series, series.repeats, !series.tasks.contains(where: overlay.changes),
        let components = series.series.exported(in: calendar, modified: series.modified)
      {
        let key = RecordKey(id: RecordID(series.series.id), path: task.origin.path)
        return written.insert(key).inserted ? components : []
      }
      let single = series.flatMap { $0.repeats ? nil : $0.series.master }
      return [
        ExportedComponent(
          task, as: single, stamp: stamps[task.key], isShared: overlay.isShared(task.id), in: calendar)
      ]
    }
  }

  /// When the tasks of calendars were last written, by their own words.
  private func stampsOfCalendars(in calendar: CivilCalendar) -> [RecordKey: Instant] {
    var stamps: [RecordKey: Instant] = [:]
    for (path, held) in calendars {
      for toDo in held.toDos { stamps[RecordKey(id: RecordID(toDo.id), path: path)] = toDo.written(in: calendar) }
    }
    return stamps
  }

  /// The VTODOs of a task's UID, if its file was read for export and counts for the UID.
  private func series(of task: TasksSession.Item) -> (
    series: ToDoSeries, repeats: Bool, tasks: [RecordKey], modified: Instant
  )? {
    let path = task.origin.path
    guard task.isOfCalendar, let held = calendars[path] else { return nil }
    guard let id = task.id.ofSeries.first(where: { held.series[$0] != nil }), let series = held.series[id],
      let uid = (series.master ?? series.overrides.first)?.entry.details?.uid, isSameText(uid, series.id),
      versions.things(id).first?.origin.path == path
    else { return nil }
    let tasks = held.toDos.filter { $0.id == series.id || $0.id.hasPrefix("\(series.id)#") }
    return (
      series, !series.overrides.isEmpty || series.master?.entry.repeats ?? false,
      tasks.map { RecordKey(id: RecordID($0.id), path: path) }, held.modified
    )
  }
}

extension CalendarToDo {
  fileprivate func written(in calendar: CivilCalendar) -> Instant {
    (lastModified ?? stamp ?? createdAt ?? start ?? due)?.instant(in: calendar) ?? .referenceDate
  }
}

extension ToDoSeries {
  /// The to-do and its changed occurrences; nil if programs would not read the same from it.
  ///
  /// - Parameter modified: the file's date.
  fileprivate func exported(in calendar: CivilCalendar, modified: Instant) -> [ExportedComponent]? {
    let changes = master.map(placed) ?? overrides
    let shown = changes.filter { !$0.entry.isCancelled }
    func component(_ toDo: WrittenToDo) -> ExportedComponent {
      ExportedComponent(
        toDo.task.task(calendar, modified: modified), as: toDo, stamp: toDo.task.written(in: calendar), isShared: false,
        in: calendar)
    }
    var components: [ExportedComponent] = []
    if let master {
      guard !master.entry.isCancelled, let details = master.entry.details else { return nil }
      var whole = component(master)
      if master.entry.repeats {
        guard master.isDated else { return nil }
        var series = master.entry.series(calendar)
        series.isStartSure = true
        let hidden = changes.filter { $0.entry.isCancelled }.map(\.entry)
        series.exceptions.insert(
          seconds: hidden.compactMap { $0.original?.second(in: calendar) },
          days: changes.compactMap(\.entry.originalDay))
        let changed = shown.compactMap { $0.entry.original?.second(in: calendar) }
        guard
          let recurrence = master.entry.recurrence(
            of: series, details, except: Set(changed), in: calendar, CalendarLimits())
        else { return nil }
        whole.properties += recurrence
      }
      components.append(whole)
    }
    for var change in shown {
      guard change.entry.details != nil, let original = change.entry.original else { return nil }
      if change.entry.title.isEmpty, let master { change.task.title = master.task.title }
      let zone = master?.entry.start.zone ?? original.zone
      let named =
        zone.isDay
        ? CalendarMoment(original.wall.day)
        : CalendarMoment(second: original.second(in: calendar), in: zone.rules(calendar))
      var component = component(change)
      component.properties.append(.date("RECURRENCE-ID", named))
      components.append(component)
    }
    return components
  }
}

extension ExportedComponent {
  /// - Parameters:
  ///   - written: the VTODO of a calendar, whose dates, priority and alarms it has; nil for another task.
  ///   - stamp: when the task's calendar wrote it; nil for a task of an app or an intent.
  fileprivate init(
    _ task: TasksSession.Item, as written: WrittenToDo?, stamp: Instant?, isShared: Bool, in calendar: CivilCalendar
  ) {
    let details = written?.entry.details
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
    if let written, let details {
      uid = details.uid
      if let start = written.task.start { properties.append(.date("DTSTART", start.placed(in: calendar))) }
      if written.task.start != nil, let duration = details.duration {
        properties.append(.plain("DURATION", duration.description))
      } else if let due = written.task.due {
        properties.append(.date("DUE", due.placed(in: calendar)))
      }
    } else {
      switch task.dueDate {
      case .day(let day): properties.append(.day("DUE", day))
      case .instant(let moment): properties.append(.moment("DUE", moment))
      case nil: break
      }
    }
    properties.append(.plain("STATUS", task.completed ? "COMPLETED" : details?.status ?? "NEEDS-ACTION"))
    if let completion { properties.append(.moment("COMPLETED", completion)) }
    let labels = (task.labels ?? []).map(\.name).filter { !$0.isEmpty }
    if !labels.isEmpty { properties.append(.list("CATEGORIES", labels)) }
    guard let details else { return }
    if let percent = details.percent, !task.completed { properties.append(.plain("PERCENT-COMPLETE", "\(percent)")) }
    properties += details.properties
    alarms = details.alarms.compactMap { $0.properties(titled: task.title) }
  }
}
