/// What there is to do: tasks due and completed, by day (FEEDS: tasks and events).
package final class TasksFeed: IntentTarget {
  package static let name: FeedName = "tasks"

  package static let claims = CacheLayout.Claims(directories: ["tasks"], files: ["cachedTasks.json"])

  package static let kinds = TaskKinds.all + [QuickAddKind.kind]

  private(set) var files = DatedFiles()
  private(set) var union = RecordUnion<StoredTask>()
  /// The zone of the days below; nil before the first file.
  private var calendar: CivilCalendar?
  /// Tasks that are not completed, by the day on which they are due.
  private var dueOn: [LocalDay: SortedList<OpenTask>] = [:]
  /// Tasks that are not completed and always due.
  private var undated = SortedList<OpenTask>()
  /// How many tasks were completed on a day.
  private var completedOn: [LocalDay: Int] = [:]

  package init() {}

  package static func decode(_ json: inout JSONReader) -> RecordList<StoredTask>? { .decode(&json) }

  package func put(_ session: RecordList<StoredTask>, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    let date = files.put(file, written: session.lastUpdate)
    apply(union.put(session.records, from: file.path, dated: date), calendar)
  }

  package func remove(_ path: CachePath) {
    files.remove(path)
    // Without a calendar there was no file.
    if let calendar { apply(union.remove(path), calendar) }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    (dueOn, undated, completedOn) = ([:], SortedList(), [:])
    for task in union.records { enter(task, calendar) }
  }

  private func apply(_ changes: [RecordUnion<StoredTask>.Change], _ calendar: CivilCalendar) {
    for change in changes {
      if let before = change.before { leave(before, calendar) }
      if let after = change.after { enter(after, calendar) }
    }
  }

  private func enter(_ task: StoredTask, _ calendar: CivilCalendar) {
    switch TaskPlace(task, calendar) {
    case .completed(let day): completedOn[day, default: 0] += 1
    case .due(let day, let task): dueOn[day, default: SortedList()].insert(task)
    case .always(let task): undated.insert(task)
    }
  }

  private func leave(_ task: StoredTask, _ calendar: CivilCalendar) {
    switch TaskPlace(task, calendar) {
    case .completed(let day):
      let rest = completedOn[day, default: 0] - 1
      completedOn[day] = rest > 0 ? rest : nil
    case .due(let day, let task):
      dueOn[day]?.remove(task)
      if dueOn[day]?.isEmpty == true { dueOn[day] = nil }
    case .always(let task): undated.remove(task)
    }
  }

  /// How many tasks are due on a day, those that are always due included.
  func dueCount(on day: LocalDay) -> Int { (dueOn[day]?.count ?? 0) + undated.count }

  /// How many tasks were completed on a day.
  func completedCount(on day: LocalDay) -> Int { completedOn[day] ?? 0 }

  /// The first tasks that are due on a day and that `counts` accepts, in order.
  func firstDue(_ limit: Int, on day: LocalDay, where counts: (StoredTask) -> Bool) -> [OpenTask] {
    var first: [OpenTask] = []
    for list in [dueOn[day], undated] {
      guard let list else { continue }
      for task in list.all where counts(task.task) {
        if first.count == limit { return first }
        first.append(task)
      }
    }
    return first
  }

  /// `{ due, completed }`, of the sessions' records alone (FEEDS: intents).
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let due = dueOn[moment.day]?.count ?? 0
    let completed = completedCount(on: moment.day)
    guard due + completed > 0 else { return false }
    json.member("completed", completed)
    json.member("due", due)
    return true
  }

  package var newestSession: Instant? { files.newest }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool {
    guard case .completeTask(let id) = intent.action else { return true }
    if union[id] != nil { return true }
    return feeds.intents(on: TasksFeed.self, at: moment.instant).contains { other in
      guard case .addTask = other.intent.action, id == other.intent.taskID else { return false }
      // A task that is added later is not there yet.
      return other.intent.at == intent.at
        ? isOrdered(other.intent.id, before: intent.id) : other.intent.at < intent.at
    }
  }
}

/// A task that is not completed, in the order in which readers show what is due: by due date, those without one last, then
/// title, then id.
struct OpenTask: Comparable {
  /// A due day counts as its first instant.
  var due: Instant?
  var task: StoredTask

  static func < (a: OpenTask, b: OpenTask) -> Bool {
    switch (a.due, b.due) {
    case (let x?, let y?) where x != y: return x < y
    case (_?, nil): return true
    case (nil, _?): return false
    default: break
    }
    return isSameText(a.task.title, b.task.title)
      ? a.task.id < b.task.id : isOrdered(a.task.title, before: b.task.title)
  }

  /// The same place in the order.
  static func == (a: OpenTask, b: OpenTask) -> Bool {
    a.due == b.due && isSameText(a.task.title, b.task.title) && a.task.id == b.task.id
  }
}

/// Where a task counts.
enum TaskPlace {
  case completed(LocalDay)
  case due(LocalDay, OpenTask)
  case always(OpenTask)

  init(_ task: StoredTask, _ calendar: CivilCalendar) {
    if let completed = task.completed {
      self = .completed(calendar.day(of: completed))
    } else if let due = task.due?.instant(in: calendar) {
      // By the instant also for a day, so that one that the zone skipped counts where its first instant is.
      self = .due(calendar.day(of: due), OpenTask(due: due, task: task))
    } else {
      self = .always(OpenTask(due: nil, task: task))
    }
  }

  func isDue(on day: LocalDay) -> OpenTask? {
    switch self {
    case .due(day, let task), .always(let task): task
    case .due, .completed: nil
    }
  }

  func isCompleted(on day: LocalDay) -> Bool {
    if case .completed(day) = self { true } else { false }
  }
}
