/// Tasks in the order in which readers show them, and when tasks were completed. A copy may be changed at a cost that
/// hardly depends on the number of tasks.
struct TaskDays {
  /// Tasks that are not completed and have a due date.
  private var dated = SortedList<OpenTask>()
  /// Tasks that are not completed and always due.
  private var undated = SortedList<OpenTask>()
  /// Tasks that are not completed and always due from a day on.
  private var starting = SortedList<StartingTask>()
  private var completed = SortedList<Completion>()

  /// When a task was completed.
  private struct Completion: Comparable {
    var at: Instant
    var key: RecordKey

    static func < (a: Completion, b: Completion) -> Bool { a.at == b.at ? a.key < b.key : a.at < b.at }
  }

  /// The list in which a task is.
  private enum Place {
    case completed(Completion)
    case starting(StartingTask)
    case dated(OpenTask)
    case undated(OpenTask)

    /// - Returns: nil for a completed task that does not say when.
    init?(of task: TasksSession.Item, _ calendar: CivilCalendar) {
      if task.completed {
        guard let at = task.completedAt ?? task.createdAt else { return nil }
        self = .completed(Completion(at: at, key: task.key))
      } else if let start = StartingTask(task, calendar) {
        self = .starting(start)
      } else {
        let open = OpenTask(task, calendar)
        self = open.due == nil ? .undated(open) : .dated(open)
      }
    }
  }

  mutating func insert(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    switch Place(of: task, calendar) {
    case .completed(let completion): completed.insert(completion)
    case .starting(let task): starting.insert(task)
    case .dated(let task): dated.insert(task)
    case .undated(let task): undated.insert(task)
    case nil: break
    }
  }

  /// Removes a task that was inserted with the same fields in the same calendar.
  mutating func remove(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    switch Place(of: task, calendar) {
    case .completed(let completion): completed.remove(completion)
    case .starting(let task): starting.remove(task)
    case .dated(let task): dated.remove(task)
    case .undated(let task): undated.remove(task)
    case nil: break
    }
  }

  /// How many tasks with a due date are due on a day.
  func datedCount(on day: Range<Instant>) -> Int {
    dated.distance(from: dated.start(of: day), to: dated.end(of: day))
  }

  /// How many tasks are due on a day, including those that are always due.
  func dueCount(on day: Range<Instant>) -> Int {
    datedCount(on: day) + undated.count + starting.distance(from: starting.start, to: starting.end(of: day))
  }

  /// Every task that is not completed, in no order.
  var open: [TasksSession.Item] { dated.all.map(\.task) + undated.all.map(\.task) + starting.all.map(\.open.task) }

  func completed(in range: Range<Instant>) -> [RecordKey] {
    completed.elements(
      from: completed.position { $0.at < range.lowerBound }, to: completed.position { $0.at < range.upperBound }
    ).map(\.key)
  }

  /// How many tasks were completed on a day.
  func completedCount(on day: Range<Instant>) -> Int {
    completed.distance(
      from: completed.position { $0.at < day.lowerBound }, to: completed.position { $0.at < day.upperBound })
  }

  /// The first tasks that are due on a day, in order; tasks without a due date come last.
  func firstDue(_ limit: Int, on day: Range<Instant>) -> [OpenTask] {
    let first = Array(dated.elements(from: dated.start(of: day), to: dated.end(of: day)).prefix(limit))
    if first.count == limit { return first }
    var rest = Array(undated.all.prefix(limit - first.count))
    for task in starting.elements(from: starting.start, to: starting.end(of: day)).lazy.map(\.open)
    where rest.count < limit - first.count || rest.last.map({ task < $0 }) ?? false {
      rest.insert(task, at: rest.partitioningIndex { task < $0 })
      if rest.count > limit - first.count { rest.removeLast() }
    }
    return first + rest
  }

  /// How many tasks were due before a day.
  func overdueCount(on day: Range<Instant>) -> Int { dated.distance(from: dated.start, to: dated.start(of: day)) }

  /// The first tasks that were due before a day, in order.
  func firstOverdue(_ limit: Int, on day: Range<Instant>) -> [OpenTask] {
    Array(dated.elements(from: dated.start, to: dated.start(of: day)).prefix(limit))
  }
}

extension SortedList<OpenTask> {
  /// The place of the first task that is due on a day or later.
  fileprivate func start(of day: Range<Instant>) -> Position {
    position { $0.due.map { $0 < day.lowerBound } ?? false }
  }

  /// The place of the first task that is due after a day.
  fileprivate func end(of day: Range<Instant>) -> Position {
    position { $0.due.map { $0 < day.upperBound } ?? false }
  }
}

extension SortedList<StartingTask> {
  /// The place of the first task that is due only after a day.
  fileprivate func end(of day: Range<Instant>) -> Position { position { $0.start < day.upperBound } }
}

/// A task that is not completed, in the order in which readers show due tasks: by due date, those without one last,
/// then title, then id, then file.
struct OpenTask: Comparable {
  /// A due day counts as its first instant.
  var due: Instant?
  var task: TasksSession.Item

  init(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    self.task = task
    due = task.dueDate?.instant(in: calendar)
    // It is due from its start's day on, or overdue.
    if let due, let start = task.startDate?.day(in: calendar), start > calendar.day(of: due) {
      self.due = calendar.start(of: start)
    }
  }

  static func < (a: OpenTask, b: OpenTask) -> Bool {
    switch (a.due, b.due) {
    case (let x?, let y?) where x != y: return x < y
    case (_?, nil): return true
    case (nil, _?): return false
    default: break
    }
    return isSameText(a.task.title, b.task.title)
      ? a.task.key < b.task.key : isOrdered(a.task.title, before: b.task.title)
  }

  /// Whether two tasks have the same position in the order.
  static func == (a: OpenTask, b: OpenTask) -> Bool {
    a.due == b.due && isSameText(a.task.title, b.task.title) && a.task.key == b.task.key
  }
}

/// A task without a due date that is due from its start's day on, in the order of those days.
private struct StartingTask: Comparable {
  /// The first instant of that day.
  var start: Instant
  var open: OpenTask

  /// - Returns: nil for a task with a due date or without a start.
  init?(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    guard task.dueDate == nil, let start = task.startDate?.day(in: calendar) else { return nil }
    (self.start, open) = (calendar.start(of: start), OpenTask(task, calendar))
  }

  static func < (a: StartingTask, b: StartingTask) -> Bool { a.start == b.start ? a.open < b.open : a.start < b.start }
}
