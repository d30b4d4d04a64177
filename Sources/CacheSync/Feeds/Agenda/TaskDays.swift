/// Tasks by the day on which they count: the due tasks, in the order in which readers show them, and how many were
/// completed.
struct TaskDays {
  private struct Day {
    /// Tasks that are not completed and due on the day.
    var due = SortedList<OpenTask>()
    /// How many tasks were completed on the day.
    var completed = 0

    var isEmpty: Bool { due.isEmpty && completed == 0 }
  }

  private var days: [LocalDay: Day] = [:]
  /// Tasks that are not completed and always due.
  private var undated = SortedList<OpenTask>()
  /// Days of the original that were not changed.
  private var unchanged: [LocalDay: Day] = [:]

  init() {}

  /// A copy for temporary changes. It costs only the days that are changed, however many there are.
  init(changing other: TaskDays) {
    unchanged = other.days
    undated = other.undated
  }

  private subscript(day: LocalDay) -> Day { days[day] ?? unchanged[day] ?? Day() }

  private mutating func change(_ day: LocalDay, _ change: (inout Day) -> Void) {
    // Removed first: a second reference to the day would force a copy of its list.
    var value = days.removeValue(forKey: day) ?? unchanged[day] ?? Day()
    change(&value)
    if !value.isEmpty || unchanged[day] != nil { days[day] = value }
  }

  mutating func insert(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    switch TaskPlace(task, calendar) {
    case .completed(let day): change(day) { $0.completed += 1 }
    case .due(let day, let task): change(day) { $0.due.insert(task) }
    case .always(let task): undated.insert(task)
    }
  }

  /// Removes a task that was inserted with the same fields in the same calendar.
  mutating func remove(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    switch TaskPlace(task, calendar) {
    case .completed(let day): change(day) { $0.completed -= 1 }
    case .due(let day, let task): change(day) { $0.due.remove(task) }
    case .always(let task): undated.remove(task)
    }
  }

  /// How many tasks with a due date are due on a day.
  func datedCount(on day: LocalDay) -> Int { self[day].due.count }

  /// How many tasks are due on a day, including those that are always due.
  func dueCount(on day: LocalDay) -> Int { datedCount(on: day) + undated.count }

  /// How many tasks were completed on a day.
  func completedCount(on day: LocalDay) -> Int { self[day].completed }

  /// The first tasks that are due on a day, in order; tasks without a due date come last.
  func firstDue(_ limit: Int, on day: LocalDay) -> [OpenTask] {
    let dated = Array(self[day].due.all.prefix(limit))
    return dated.count == limit ? dated : dated + undated.all.prefix(limit - dated.count)
  }
}

/// A task that is not completed, in the order in which readers show due tasks: by due date, those without one last,
/// then title, then id.
struct OpenTask: Comparable {
  /// A due day counts as its first instant.
  var due: Instant?
  var task: TasksSession.Item

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

  /// Whether two tasks have the same position in the order.
  static func == (a: OpenTask, b: OpenTask) -> Bool {
    a.due == b.due && isSameText(a.task.title, b.task.title) && a.task.id == b.task.id
  }
}

extension TasksSession.Item {
  /// When it was completed, or when it was created if the app does not record that; nil: not completed.
  fileprivate var completion: Instant? { completed ? completedAt ?? createdAt : nil }
}

/// Where a task counts: on a day as completed or due, or always.
private enum TaskPlace {
  case completed(LocalDay)
  case due(LocalDay, OpenTask)
  case always(OpenTask)

  init(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    if let completed = task.completion {
      self = .completed(calendar.day(of: completed))
    } else if let due = task.dueDate?.instant(in: calendar) {
      // By the instant even for a day, so that a skipped day counts where its first instant is.
      self = .due(calendar.day(of: due), OpenTask(due: due, task: task))
    } else {
      self = .always(OpenTask(due: nil, task: task))
    }
  }
}
