import CacheSyncSystem

/// The snapshots of tasks; intents change them (feeds.md: tasks and events).
enum TaskKinds {
  /// Whether what was due before today counts.
  static let overdue = KindOption("overdue", .flag(true))
  /// Only tasks that carry this label.
  static let label = KindOption("label", .text)

  static let all = [todaysTasks, taskCount, taskProgress, completedToday]

  private static let todaysTasks = kind(
    "todays-tasks", displayName: .todaysTasks, summary: .todaysTasksKindSummary,
    options: [overdue, label], widgetKind: "TodaysTasksWidget",
    families: ["systemSmall", "systemMedium", "systemLarge", "accessoryRectangular", "accessoryInline"],
    deepLink: .tasks, reach: .sevenDays, view: todaysTasksView
  ) { json, today, language in
    let (count, overdue) = (today.dueCount, today.overdueCount)
    json.member("allDone", count == 0 && overdue == 0)
    json.member("completedToday", today.completedCount)
    json.member("count", count)
    json.member("inline", inline(today, language))
    json.member("more", count - today.firstDue.count)
    json.array("overdue") { json in for task in today.firstOverdue { write(task, today, to: &json) } }
    json.member("overdueCount", overdue)
    json.member(
      "rectangular", (today.firstOverdue.first ?? today.firstDue.first)?.task.title ?? language(.noTasks))
    json.array("tasks") { json in for task in today.firstDue { write(task, today, to: &json) } }
    json.member("text", text(today, language))
    json.member("title", language(.todaysTasksShort))
  }

  private static func text(_ today: TasksToday, _ language: Language) -> String {
    if today.dueCount > 0 { return language(.tasks, [.count: "\(today.dueCount)"]) }
    if today.overdueCount > 0 { return language(.overdueTasks, [.count: "\(today.overdueCount)"]) }
    return language(today.completedCount > 0 ? .allDone : .noTasks)
  }

  private static func inline(_ today: TasksToday, _ language: Language) -> String {
    let (due, overdue) = ("\(today.dueCount)", "\(today.overdueCount)")
    if today.overdueCount == 0 { return language(.tasksToday, [.count: due]) }
    if today.dueCount == 0 { return language(.overdueTasks, [.count: overdue]) }
    return language(.tasksTodayAndOverdue, [.count: due, .overdue: overdue])
  }

  private static let taskCount = kind(
    "task-count", displayName: .taskCountKindName, summary: .taskCountKindSummary,
    options: [overdue, label], widgetKind: "TaskCountWidget", families: ["accessoryCircular"], reach: .sevenDays,
    view: countView
  ) { json, today, language in
    json.member("count", today.dueCount)
    json.member("overdueCount", today.overdueCount)
    let isOnlyOverdue = today.dueCount == 0 && today.overdueCount > 0
    let (phrase, shown) = isOnlyOverdue ? (Phrase.overdueTasks, today.overdueCount) : (.tasks, today.dueCount)
    json.member("text", language(phrase, [.count: "\(shown)"]))
  }

  private static let taskProgress = kind(
    "task-progress", displayName: .taskProgressKindName, summary: .taskProgressKindSummary,
    options: [overdue, label], widgetKind: "TaskProgressWidget", families: ["accessoryCircular"], reach: .sevenDays,
    view: progressView, progressKey: "progress"
  ) { json, today, _ in
    let total = today.completedCount + today.dueCount + today.overdueCount
    json.member("completed", today.completedCount)
    json.member("progress", total == 0 ? 1 : Double(today.completedCount) / Double(total))
    json.member("total", total)
  }

  private static let completedToday = kind(
    "completed-today", displayName: .completedTodayKindName, summary: .completedTodayKindSummary,
    options: [label], widgetKind: "CompletedTodayWidget", families: ["accessoryInline"], reach: .midnight,
    view: completedView
  ) { json, today, language in
    json.member("count", today.completedCount)
    json.member("text", language(.completedToday, [.count: "\(today.completedCount)"]))
  }

  /// How many of a task's labels readers show.
  private static let maximumLabels = 2

  private static func write(_ due: OpenTask, _ today: TasksToday, to json: inout JSONWriter) {
    json.object { json in
      json.member("deepLink", "cafe://task/" + PercentEncoding.segment(due.task.id.text))
      json.member("dueDate", due.due)
      if today.isShared(due.task.id) { json.member("file", due.task.origin.path.description) }
      json.member("id", due.task.id)
      json.objects("labels", due.task.labels?.prefix(maximumLabels) ?? []) { json, label in
        json.member("color", label.color)
        json.member("name", label.name)
      }
      json.member("title", due.task.title)
    }
  }

  private static func kind(
    _ name: KindName, displayName: Phrase, summary: Phrase, options: [KindOption] = [], widgetKind: String,
    families: [String], deepLink: DeepLink = .tasksDashboard, reach: Kind.Reach, view: @escaping KindView,
    progressKey: String? = nil, members: @escaping @Sendable (inout JSONWriter, TasksToday, Language) -> Void
  ) -> Kind {
    Kind(
      name, displayName: .phrase(displayName), summary: .phrase(summary), options: options, widgetKind: widgetKind,
      families: families, link: deepLink.description, feeds: [TasksFeed.name, IntentsFeed.name], reach: reach,
      view: view, progressKey: progressKey, boundaries: boundaries
    ) { feeds, moment, projection in
      let today = TasksToday(feeds, moment, for: &projection)
      projection.json.object { json in members(&json, today, moment.language) }
    }
  }

  private static let boundaries: @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary] = { feeds, _, range in
    feeds.intentEnds(on: TasksFeed.self, in: range)
  }
}
