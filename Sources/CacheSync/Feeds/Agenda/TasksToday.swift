/// The tasks as of a moment: what the files say, with what intents in force make of it (FEEDS: tasks and events; intents).
///
/// It costs what is shown and the intents in force, however many tasks there are: the records are counted by day, and only
/// those that an intent has touched are looked at again.
struct TasksToday {
  /// How many tasks readers show.
  static let maximumShown = 5

  private(set) var dueCount = 0
  /// The first ``maximumShown`` of those due, in order.
  private(set) var firstDue: [OpenTask] = []
  private(set) var completedCount = 0
  /// Whether there is a session; a task that an intent in force adds counts as one.
  private(set) var hasSession = false
  private(set) var overlay = TaskOverlay()

  init(_ feeds: FeedSet, _ moment: Moment) {
    let tasks = feeds[TasksFeed.self] ?? TasksFeed()
    let day = moment.day
    overlay = TaskOverlay(on: tasks, feeds.intents(on: TasksFeed.self, at: moment.instant))
    hasSession = !tasks.files.isEmpty || overlay.addsTasks

    dueCount = tasks.dueCount(on: day)
    completedCount = tasks.completedCount(on: day)
    let touched = overlay.tasks
    firstDue = tasks.firstDue(Self.maximumShown, on: day) { touched[$0.id] == nil }
    for (id, task) in touched {
      if let record = tasks.union[id] {
        let place = TaskPlace(record, moment.calendar)
        if place.isDue(on: day) != nil { dueCount -= 1 }
        if place.isCompleted(on: day) { completedCount -= 1 }
      }
      let place = TaskPlace(task, moment.calendar)
      if let due = place.isDue(on: day) {
        dueCount += 1
        firstDue.append(due)
      }
      if place.isCompleted(on: day) { completedCount += 1 }
    }
    if !touched.isEmpty { firstDue = Array(firstDue.sorted().prefix(Self.maximumShown)) }
  }
}

/// What intents in force make of tasks.
struct TaskOverlay {
  /// The tasks that an intent has added or completed, as they are after the last intent.
  private(set) var tasks: [RecordID: StoredTask] = [:]
  private(set) var addsTasks = false
  /// The files of the intents that have an effect.
  private(set) var paths: [CachePath] = []
  private(set) var showsUnusable = false

  init() {}

  /// - Parameter intents: in the order in which they act.
  init(on feed: TasksFeed, _ intents: [IntentsFeed.InForce]) {
    for inForce in intents {
      switch inForce.intent.action {
      case .addTask(let title, let due):
        let id = inForce.intent.taskID
        tasks[id] = StoredTask(id: id, title: title, due: due, labels: [])
        addsTasks = true
      case .completeTask(let id):
        // A task that nobody knows is a problem of the intent's file, without effect.
        guard var task = tasks[id] ?? feed.union[id] else { continue }
        task.completed = inForce.intent.at
        tasks[id] = task
      case .logFood, .startSession, .endSession:
        continue
      }
      paths.append(inForce.path)
      if inForce.isUnusable { showsUnusable = true }
    }
  }
}

extension StoredIntent {
  /// The id of the task that an `add-task` makes (FEEDS: intents).
  var taskID: RecordID { RecordID("intent:" + id) }
}
