/// The tasks at a moment: those of the files, changed by the intents in force (feeds.md: tasks and events; intents).
struct TasksToday {
  /// How many tasks readers show.
  static let maximumShown = 5

  let dueCount: Int
  /// The first ``maximumShown`` due tasks, in order.
  let firstDue: [OpenTask]
  /// How many tasks were due before the day; 0 if the widget does not show them.
  let overdueCount: Int
  /// The first ``maximumShown`` of them, in order.
  let firstOverdue: [OpenTask]
  let completedCount: Int
  /// Whether several tasks have an id.
  let isShared: (RecordID) -> Bool
  /// Whether there is a session; a task that an intent in force adds counts as one.
  let hasSession: Bool

  /// Collects the tasks at a moment, and reports sources and age to the projection. The tasks of all files are one
  /// list, so every file is a source, the newest gives the age, and one unusable file makes the list stale.
  init(_ feeds: FeedSet, _ moment: Moment, for projection: inout Projection) {
    let overlay = projection.cache(TaskOverlay.self, feeds, moment)
    overlay.move(to: moment.instant)
    let (days, day) = (overlay.days, moment.calendar.interval(of: moment.day))
    dueCount = days.dueCount(on: day)
    firstDue = days.firstDue(Self.maximumShown, on: day)
    completedCount = days.completedCount(on: day)
    isShared = overlay.isShared
    let showsOverdue = projection.options.isOn(TaskKinds.overdue)
    overdueCount = showsOverdue ? days.overdueCount(on: day) : 0
    firstOverdue = showsOverdue ? days.firstOverdue(Self.maximumShown, on: day) : []
    let tasks = feeds[TasksFeed.self]
    hasSession = !(tasks?.files.isEmpty ?? true) || overlay.addsTasks
    guard hasSession else {
      projection.state = .empty
      return
    }
    overlay.describe(in: &projection)
    guard let files = tasks?.files else { return }
    projection.sources.insert(all: files.paths, of: TasksFeed.name)
    projection.shows(files.newestWritten)
    if files.showsUnusable { projection.showsUnusable = true }
  }
}
