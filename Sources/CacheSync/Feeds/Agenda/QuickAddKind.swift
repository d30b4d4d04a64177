/// The `quick-add` snapshot: links to new tasks and events, whatever the files contain (feeds.md: tasks and events).
enum QuickAddKind {
  static let kind = Kind(
    "quick-add", displayName: "Quick Add", summary: "Add a task or an event, or open the chat.",
    widgetKind: "QuickAddWidget", families: ["systemSmall", "systemMedium"], deepLink: .newTask(),
    feeds: [TasksFeed.name, EventsFeed.name], reach: .noBoundaries, view: view
  ) { feeds, _, projection in
    let hasTasks = feeds[TasksFeed.self].map { !$0.files.isEmpty } ?? false
    let hasEvents = feeds[EventsFeed.self].map { !$0.files.isEmpty } ?? false
    if !hasTasks && !hasEvents { projection.state = .empty }
    projection.json.object { json in
      json.member(
        "actions",
        array: { json in
          for (title, deepLink) in actions {
            json.object { json in
              json.member("deepLink", deepLink)
              json.member("title", title)
            }
          }
        })
    }
  }

  private static let actions = [
    (title: "Add Task", deepLink: DeepLink.newTask().description),
    (title: "Add Event", deepLink: DeepLink.newEvent.description),
    (title: "AI Chat", deepLink: DeepLink.chat.description),
  ]
}
