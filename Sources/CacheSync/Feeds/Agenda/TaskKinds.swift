/// The snapshots of tasks; intents change them (feeds.md: tasks and events).
enum TaskKinds {
  /// Whether what was due before today counts.
  static let overdue = KindOption("overdue", .flag(true))
  /// Only tasks that carry this label.
  static let label = KindOption("label", .text)

  static let all = [todaysTasks, taskCount, taskProgress, completedToday]

  private static let todaysTasks = kind(
    "todays-tasks", displayName: "Today's Tasks", summary: "View your tasks for today",
    options: [overdue, label], widgetKind: "TodaysTasksWidget",
    families: ["systemSmall", "systemMedium", "systemLarge", "accessoryRectangular", "accessoryInline"],
    deepLink: .tasks, reach: .sevenDays, view: todaysTasksView
  ) { json, today in
    let (count, overdue) = (today.dueCount, today.overdueCount)
    json.member("allDone", count == 0 && overdue == 0)
    json.member("completedToday", today.completedCount)
    json.member("count", count)
    json.member("inline", inline(today))
    json.member("more", count - today.firstDue.count)
    json.member("overdue", array: { json in for task in today.firstOverdue { write(task, to: &json) } })
    json.member("overdueCount", overdue)
    json.member(
      "rectangular", (today.firstOverdue.first ?? today.firstDue.first)?.task.title ?? "No tasks")
    json.member("tasks", array: { json in for task in today.firstDue { write(task, to: &json) } })
    json.member("text", text(today))
    json.member("title", "Today")
  }

  private static func text(_ today: TasksToday) -> String {
    if today.dueCount > 0 { return tasks(today.dueCount) }
    if today.overdueCount > 0 { return "\(today.overdueCount) overdue" }
    return today.completedCount > 0 ? "All done!" : "No tasks"
  }

  private static func inline(_ today: TasksToday) -> String {
    let overdue = "\(today.overdueCount) overdue"
    if today.overdueCount == 0 { return "\(tasks(today.dueCount)) today" }
    return today.dueCount == 0 ? overdue : "\(tasks(today.dueCount)) today, \(overdue)"
  }

  private static let taskCount = kind(
    "task-count", displayName: "Task Count", summary: "See how many tasks are due today.",
    options: [overdue, label], widgetKind: "TaskCountWidget", families: ["accessoryCircular"], reach: .sevenDays,
    view: countView
  ) { json, today in
    json.member("count", today.dueCount)
    json.member("overdueCount", today.overdueCount)
    let isOnlyOverdue = today.dueCount == 0 && today.overdueCount > 0
    json.member("text", isOnlyOverdue ? "\(today.overdueCount) overdue" : tasks(today.dueCount))
  }

  private static let taskProgress = kind(
    "task-progress", displayName: "Task Progress", summary: "See how far you are with today's tasks.",
    options: [overdue, label], widgetKind: "TaskProgressWidget", families: ["accessoryCircular"], reach: .sevenDays,
    view: progressView, progressKey: "progress"
  ) { json, today in
    let total = today.completedCount + today.dueCount + today.overdueCount
    json.member("completed", today.completedCount)
    json.member("progress", total == 0 ? 1 : Double(today.completedCount) / Double(total))
    json.member("total", total)
  }

  private static let completedToday = kind(
    "completed-today", displayName: "Completed Today", summary: "See how many tasks you completed today.",
    options: [label], widgetKind: "CompletedTodayWidget", families: ["accessoryInline"], reach: .midnight,
    view: completedView
  ) { json, today in
    json.member("count", today.completedCount)
    json.member("text", "\(today.completedCount) completed today")
  }

  /// "1 task", "3 tasks", "0 tasks".
  private static func tasks(_ count: Int) -> String { count == 1 ? "1 task" : "\(count) tasks" }

  /// How many of a task's labels readers show.
  private static let maximumLabels = 2

  private static func write(_ due: OpenTask, to json: inout JSONWriter) {
    json.object { json in
      json.member("deepLink", "cafe://task/" + PercentEncoding.segment(due.task.id.text))
      json.member("dueDate", due.due)
      json.member("id", due.task.id)
      json.member(
        "labels",
        array: { json in
          for label in due.task.labels?.prefix(maximumLabels) ?? [] {
            json.object { json in
              json.member("color", label.color)
              json.member("name", label.name)
            }
          }
        })
      json.member("title", due.task.title)
    }
  }

  private static func kind(
    _ name: KindName, displayName: String, summary: String, options: [KindOption] = [], widgetKind: String,
    families: [String], deepLink: DeepLink = .tasksDashboard, reach: Kind.Reach, view: @escaping KindView,
    progressKey: String? = nil, members: @escaping @Sendable (inout JSONWriter, TasksToday) -> Void
  ) -> Kind {
    Kind(
      name, displayName: displayName, summary: summary, options: options, widgetKind: widgetKind, families: families,
      deepLink: deepLink, feeds: [TasksFeed.name, IntentsFeed.name], reach: reach, view: view,
      progressKey: progressKey, boundaries: boundaries
    ) { feeds, moment, projection in
      let today = TasksToday(feeds, moment, for: &projection)
      projection.json.object { json in members(&json, today) }
    }
  }

  private static let boundaries: @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary] = { feeds, _, range in
    feeds.intentEnds(on: TasksFeed.self, in: range)
  }
}
