import CacheSyncSystem

/// The tasks of all files, changed by the intents in force at a moment (feeds.md: intents).
struct TaskOverlay {
  private let feed: TasksFeed?
  /// The tasks of the whole cache, among which ids are told apart, also for a widget that shows only some files.
  private let whole: TasksFeed?
  private let calendar: CivilCalendar
  private let intents: [IntentsFeed.InForce]
  private(set) var days: TaskDays
  /// Whether an intent in force adds a task.
  private(set) var addsTasks = false
  private var acting: [RecordKey: ActingIntents] = [:]

  /// The indices of the intents that act on one task.
  private struct ActingIntents {
    /// At most one, because the task's id contains the intent's.
    var adding: Int?
    /// The last one that completes it; earlier ones do not count.
    var completing: Int?
  }

  init(_ feeds: FeedSet, _ moment: Moment, _ options: OptionValues) {
    calendar = moment.calendar
    feed = feeds[TasksFeed.self]
    whole = feeds.whole(TasksFeed.self)
    feed?.whole = whole
    let counting = feeds.intents(on: TasksFeed.self, at: moment.instant)
    intents = feeds.from.map { from in counting.filter { $0.intent.adds(below: from) } } ?? counting
    // Only tasks with this label count; nil: all.
    let label = options[TaskKinds.label].string
    days = feed.map { feed in label.map { feed.days(labelled: $0) } ?? feed.days } ?? TaskDays()
    // The steps of the tasks that an intent completes. They are not due any more.
    var over: Set<RecordKey> = []
    for (place, item) in intents.enumerated() {
      let key = key(of: item.intent)
      switch item.intent.action as? TaskIntent {
      case .add:
        acting[key, default: ActingIntents()].adding = place
        addsTasks = true
      case .complete(let id, let file):
        acting[key, default: ActingIntents()].completing = place
        if whole?.union.named(id, in: file)?.isOfCalendar ?? false { over.formUnion(feed?.steps(below: id) ?? []) }
      case nil: break
      }
    }
    for key in over.union(acting.keys) {
      let stored = feed?.shown(key)
      let changed = overlaid(key) ?? stored
      if let stored, label.map(stored.carries) ?? true { days.remove(stored, calendar) }
      guard let changed, label.map(changed.carries) ?? true, changed.completed || !over.contains(key) else { continue }
      days.insert(changed, calendar)
    }
  }

  /// The task that an intent acts on: that of a file if there is one, which an added task replaces.
  private func key(of intent: StoredIntent) -> RecordKey {
    switch intent.action as? TaskIntent {
    case .complete(let id, let file):
      named(id, in: file)?.key ?? RecordKey(id: id, path: .root)
    case .add, nil: named(intent.addedID, in: nil)?.key ?? RecordKey(id: intent.addedID, path: .root)
    }
  }

  /// The task of the files that an id means.
  private func named(_ id: RecordID, in file: CachePath?) -> TasksSession.Item? {
    whole?.union.named(id, in: file).flatMap { feed?.union.version(of: $0, in: calendar) }
  }

  /// A task at the moment.
  func task(_ key: RecordKey) -> TasksSession.Item? { overlaid(key) ?? feed?.union[key] }

  /// Whether several tasks have an id, so that their files tell them apart.
  func isShared(_ id: RecordID) -> Bool { whole?.union.isShared(id) ?? false }

  /// A task as changed by the intents; nil: they do not change it.
  private func overlaid(_ key: RecordKey) -> TasksSession.Item? {
    guard let acting = acting[key] else { return nil }
    let task = acting.adding.map { intents[$0].intent.addedTask } ?? feed?.union[key]
    // A task that was completed before an intent adds one with the same id is a task of the files, which the added one
    // replaces.
    guard let completing = acting.completing, completing >= acting.adding ?? 0 else {
      return acting.adding == nil ? nil : task
    }
    // An intent that completes an unknown task has no effect; the feed reports it as a problem of the intent's file.
    guard var task else { return nil }
    (task.completed, task.completedAt) = (true, intents[completing].intent.at)
    return task
  }

  /// The intents that have an effect.
  var effective: [IntentsFeed.InForce] {
    intents.indices.filter { place in
      switch intents[place].intent.action as? TaskIntent {
      case .add: true
      case .complete(let id, let file):
        named(id, in: file) != nil || acting[key(of: intents[place].intent)]?.adding.map { $0 < place } ?? false
      case nil: false
      }
    }.map { intents[$0] }
  }
}

extension StoredIntent {
  /// Whether it adds a task below a path, or adds none.
  fileprivate func adds(below from: CachePath) -> Bool {
    guard case .add(_, _, let to) = action as? TaskIntent else { return true }
    return to?.isWithin(from) ?? false
  }

  /// The task that an `add-task` adds; nil for other intents.
  fileprivate var addedTask: TasksSession.Item? {
    guard case .add(let title, let due, _) = action as? TaskIntent else { return nil }
    return TasksSession.Item(id: addedID, title: title, dueDate: due, createdAt: at)
  }
}
