/// The `quick-add` snapshot: links to new tasks and events, whatever the files contain (feeds.md: tasks and events).
enum QuickAddKind {
  static let kind = Kind(
    "quick-add", displayName: .phrase(.quickAdd), summary: .phrase(.quickAddKindSummary),
    widgetKind: "QuickAddWidget", families: ["systemSmall", "systemMedium"], link: DeepLink.newTask().description,
    feeds: [TasksFeed.name, EventsFeed.name], reach: .noBoundaries, view: view
  ) { feeds, moment, projection in
    let hasTasks = feeds[TasksFeed.self].map { !$0.files.isEmpty } ?? false
    let hasEvents = feeds[EventsFeed.self].map { !$0.files.isEmpty } ?? false
    if !hasTasks && !hasEvents { projection.state = .empty }
    projection.json.object { json in
      json.objects("actions", actions) { json, row in
        let (title, deepLink) = row
        json.member("deepLink", deepLink)
        json.member("title", moment.language(title))
      }
    }
  }

  private static let actions = [
    (title: Phrase.addTask, deepLink: DeepLink.newTask().description),
    (title: .addEvent, deepLink: DeepLink.newEvent.description),
    (title: .chat, deepLink: DeepLink.chat.description),
  ]
}
