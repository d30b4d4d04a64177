/// The tasks as of a moment: what the files say, with what intents in force make of it (feeds.md: tasks and events; intents).
struct TasksToday {
  /// How many tasks readers show.
  static let maximumShown = 5

  let dueCount: Int
  /// The first ``maximumShown`` of those due, in order.
  let firstDue: [OpenTask]
  let completedCount: Int
  /// Whether there is a session; a task that an intent in force adds counts as one.
  let hasSession: Bool

  /// Looks at a moment, and tells the projection what it saw: the tasks of all files are one list, so what is shown is as new
  /// as the newest file, comes from every file, and is the last good version where that of one of them is.
  init(_ feeds: FeedSet, _ moment: Moment, for projection: inout Projection) {
    let overlay = projection.cache(TaskOverlay.self, feeds, moment)
    overlay.move(to: moment.instant)
    dueCount = overlay.days.dueCount(on: moment.day)
    firstDue = overlay.days.firstDue(Self.maximumShown, on: moment.day)
    completedCount = overlay.days.completedCount(on: moment.day)
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
