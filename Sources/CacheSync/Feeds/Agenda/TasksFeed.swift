package import CacheSyncSystem

/// Tasks: the due, overdue and completed ones (feeds.md: tasks and events).
package final class TasksFeed: BuiltInFeed, IntentTarget {
  package static let name: FeedName = "tasks"
  package static let heading: Phrase? = .tasksFeed

  package static let claims = CacheLayout.Claims(directories: ["tasks"], files: ["cachedTasks.json"])

  package static let kinds = TaskKinds.all + [QuickAddKind.kind]

  package static let links = DeepLink.Form.allOfTasks

  package static let intents = [IntentType.addTask, .completeTask]

  private(set) var files = DatedFiles()
  private(set) var union = RecordUnion<TasksSession.Item>()
  /// The zone of the days below; nil before the first file.
  private var calendar: CivilCalendar?
  private(set) var days = TaskDays()
  /// The same for tasks with a label, for every label that a widget asked for.
  private var daysOfLabels: TextMap<TaskDays> = [:]

  package init() {}

  package static func decode(_ json: inout JSONReader) -> TasksSession? {
    TasksSession.decode(&json, list: .tasks) { TasksSession(tasks: $0) }
  }

  package func put(_ session: TasksSession, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    let date = files.put(file, written: session.lastUpdate)
    apply(union.put(session.tasks, from: file.path, dated: date), calendar)
  }

  package func remove(_ path: CachePath) {
    files.remove(path)
    // Without a calendar there has been no file.
    if let calendar { apply(union.remove(path), calendar) }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    days = TaskDays()
    daysOfLabels = [:]
    for task in union.records { days.insert(task, calendar) }
  }

  private func apply(_ changes: [RecordUnion<TasksSession.Item>.Change], _ calendar: CivilCalendar) {
    for change in changes {
      if let before = change.before {
        days.remove(before, calendar)
        for label in before.labels ?? [] { daysOfLabels[label.name]?.remove(before, calendar) }
      }
      if let after = change.after {
        days.insert(after, calendar)
        for label in after.labels ?? [] { daysOfLabels[label.name]?.insert(after, calendar) }
      }
    }
  }

  /// The tasks that carry a label.
  func days(labelled label: String) -> TaskDays {
    if let days = daysOfLabels[label] { return days }
    var days = TaskDays()
    if let calendar { for task in union.records where task.carries(label) { days.insert(task, calendar) } }
    daysOfLabels[label] = days
    return days
  }

  /// Writes `{ due, completed }`, from the sessions' records alone (feeds.md: intents).
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let day = moment.calendar.interval(of: moment.day)
    let due = days.datedCount(on: day)
    let completed = days.completedCount(on: day)
    guard due + completed > 0 else { return false }
    json.member("completed", completed)
    json.member("due", due)
    return true
  }

  package var newestSession: Instant? { files.newest }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool {
    guard case .complete(let id) = intent.action as? TaskIntent else { return true }
    if union[id] != nil { return true }
    guard let adding = StoredIntent.id(adding: id),
      let other = feeds.intent(adding, on: TasksFeed.self, at: moment.instant), case .add = other.action as? TaskIntent
    else { return false }
    // A task that a later intent adds does not exist yet.
    return other.at == intent.at ? isOrdered(other.id, before: intent.id) : other.at < intent.at
  }
}

extension TasksSession.Item {
  /// Whether the task has a label of exactly that name.
  func carries(_ label: String) -> Bool { labels?.contains { isSameText($0.name, label) } ?? false }
}
