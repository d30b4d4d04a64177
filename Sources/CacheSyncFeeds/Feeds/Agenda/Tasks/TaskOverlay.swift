import CacheSyncSystem

/// The tasks of all files, changed by the intents in force, at one moment of a timeline after another (feeds.md:
/// intents).
///
/// From one moment to the next it visits only the tasks whose intents ended in between. A hundred intents in force, which
/// are 14 taps a day, mean a hundred moments at which one of them ends. Computed anew at each, a tap took 54 ms
/// instead of 3.
final class TaskOverlay: TimelineCache {
  let since: Instant
  private let feed: TasksFeed?
  /// The tasks of the whole cache, among which ids are told apart, also for a widget that shows only some files.
  private let whole: TasksFeed?
  private let calendar: CivilCalendar
  /// Only tasks with this label count; nil: all.
  private let label: String?
  private var window: IntentWindow
  /// The index from which the intents are in force at the moment.
  private var start = 0
  /// The tasks at the moment.
  private(set) var days: TaskDays
  private var acting: [RecordKey: ActingIntents] = [:]
  /// The steps of each task that an intent completes, and for each step those tasks.
  private var below: [RecordKey: [RecordKey]] = [:]
  private var above: [RecordKey: [RecordKey]] = [:]
  /// The index of the last intent that adds a task.
  private var lastAdding: Int?

  /// The indices of the intents that act on one task.
  private struct ActingIntents {
    /// At most one, because the task's id contains the intent's.
    var adding: Int?
    /// The last one that completes it; earlier ones do not count.
    var completing: Int?
  }

  init(_ feeds: FeedSet, since: Instant, in calendar: CivilCalendar, _ options: OptionValues) {
    self.since = since
    self.calendar = calendar
    feed = feeds[TasksFeed.self]
    whole = feeds.whole(TasksFeed.self)
    feed?.whole = whole
    let intents = feeds.intents(on: TasksFeed.self, at: since)
    window = IntentWindow(feeds.from.map { from in intents.filter { $0.intent.adds(below: from) } } ?? intents)
    let label = options[TaskKinds.label].string
    self.label = label
    days = feed.map { feed in label.map { feed.days(labelled: $0) } ?? feed.days } ?? TaskDays()
    for (place, item) in window.intents.enumerated() {
      switch item.intent.action as? TaskIntent {
      case .add:
        acting[key(of: item.intent), default: ActingIntents()].adding = place
        lastAdding = place
      case .complete(let id, let file):
        let key = key(of: item.intent)
        acting[key, default: ActingIntents()].completing = place
        if below[key] == nil, whole?.union.named(id, in: file)?.isOfCalendar ?? false {
          below[key] = feed?.steps(below: id)
        }
      case nil: break
      }
    }
    for (key, steps) in below {
      for step in steps { above[step, default: []].append(key) }
    }
    for key in Set(acting.keys).union(above.keys) { change(key, from: nil, to: 0) }
  }

  /// Whether an intent in force adds a task.
  var addsTasks: Bool { lastAdding.map { $0 >= start } ?? false }

  /// Moves to another moment, not before ``since``.
  func move(to moment: Instant) {
    let goal = window.start(at: moment)
    while start != goal {
      let next = start < goal ? start + 1 : start - 1
      let key = key(of: window.intents[min(start, next)].intent)
      if acting[key] != nil {
        change(key, from: start, to: next)
        for step in below[key] ?? [] { change(step, from: start, to: next) }
      }
      start = next
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
  func task(_ key: RecordKey) -> TasksSession.Item? { overlaid(key, from: start) ?? feed?.union[key] }

  /// Whether an intent in force changes a task.
  func changes(_ key: RecordKey) -> Bool { overlaid(key, from: start) != nil }

  /// Whether several tasks have an id, so that their files tell them apart.
  func isShared(_ id: RecordID) -> Bool { whole?.union.isShared(id) ?? false }

  /// A task as changed by the intents from an index on; nil: they do not change it.
  private func overlaid(_ key: RecordKey, from start: Int) -> TasksSession.Item? {
    guard let intents = acting[key] else { return nil }
    let adding = intents.adding.flatMap { $0 >= start ? $0 : nil }
    let task = adding.map { window.intents[$0].intent.addedTask } ?? feed?.union[key]
    // A task that was completed before an intent adds one with the same id is a task of the files, which the added one
    // replaces.
    guard let completing = intents.completing, completing >= max(start, adding ?? 0) else {
      return adding == nil ? nil : task
    }
    // An intent that completes an unknown task has no effect; the feed reports it as a problem of the intent's file.
    guard var task else { return nil }
    (task.completed, task.completedAt) = (true, window.intents[completing].intent.at)
    return task
  }

  /// A task as it counts with the intents from an index on, or without any; nil: it does not. A step does not count
  /// while an intent completes its parent.
  private func counted(_ key: RecordKey, from start: Int?) -> TasksSession.Item? {
    let stored = feed?.shown(key)
    guard let start else { return stored }
    let task = overlaid(key, from: start) ?? stored
    let isOver = above[key]?.contains { acting[$0]?.completing.map { $0 >= start } ?? false } ?? false
    return isOver && task?.completed == false ? nil : task
  }

  private func change(_ key: RecordKey, from old: Int?, to new: Int?) {
    func counts(_ task: TasksSession.Item) -> Bool { label.map(task.carries) ?? true }
    if let task = counted(key, from: old), counts(task) { days.remove(task, calendar) }
    if let task = counted(key, from: new), counts(task) { days.insert(task, calendar) }
  }

  /// Reports to a projection the files of the intents that have an effect at the moment.
  func describe(in projection: inout Projection) {
    let intents = window.intents
    window.describe(from: start, in: &projection) { place in
      switch intents[place].intent.action as? TaskIntent {
      case .add: true
      case .complete(let id, let file):
        named(id, in: file) != nil
          || acting[key(of: intents[place].intent)]?.adding.map { start <= $0 && $0 < place } ?? false
      case nil: false
      }
    }
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
