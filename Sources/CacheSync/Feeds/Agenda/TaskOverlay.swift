/// The tasks of all files with what intents in force make of them, at one moment of a timeline after another (feeds.md:
/// intents).
///
/// From moment to moment only the tasks are looked at whose intents ended between, because a thousand intents in force are a
/// thousand moments at which one of them ends.
final class TaskOverlay: TimelineCache {
  let since: Instant
  private let feed: TasksFeed?
  private let calendar: CivilCalendar
  private var window: IntentWindow
  /// From where on the intents are in force at the moment.
  private var start = 0
  /// The tasks as of the moment.
  private(set) var days: TaskDays
  private var acting: [RecordID: ActingIntents] = [:]
  /// The place of the last intent that adds a task.
  private var lastAdding: Int?

  /// The intents that act on one task, by their places.
  private struct ActingIntents {
    /// There is one at most, because the task is named after it.
    var adding: Int?
    /// The last that completes it; the ones before do not count beside it.
    var completing: Int?
  }

  init(_ feeds: FeedSet, since: Instant, in calendar: CivilCalendar) {
    self.since = since
    self.calendar = calendar
    feed = feeds[TasksFeed.self]
    window = IntentWindow(feeds.intents(on: TasksFeed.self, at: since))
    days = feed.map { TaskDays(changing: $0.days) } ?? TaskDays()
    for (place, item) in window.intents.enumerated() {
      switch item.intent.action as? TaskIntent {
      case .add:
        acting[item.intent.addedID, default: ActingIntents()].adding = place
        lastAdding = place
      case .complete(let id): acting[id, default: ActingIntents()].completing = place
      case nil: break
      }
    }
    for id in acting.keys { change(id, to: overlaid(id, from: 0), from: nil) }
  }

  /// Whether an intent in force adds a task.
  var addsTasks: Bool { lastAdding.map { $0 >= start } ?? false }

  /// Goes to another moment, not before ``since``.
  func move(to moment: Instant) {
    let goal = window.start(at: moment)
    while start != goal {
      let next = start < goal ? start + 1 : start - 1
      if let id = window.intents[min(start, next)].intent.taskActedOn {
        change(id, to: overlaid(id, from: next), from: overlaid(id, from: start))
      }
      start = next
    }
  }

  /// A task as the intents from a place on make it; nil: they do not touch it.
  private func overlaid(_ id: RecordID, from start: Int) -> TasksSession.Item? {
    guard let intents = acting[id] else { return nil }
    let adding = intents.adding.flatMap { $0 >= start ? $0 : nil }
    let task = adding.map { window.intents[$0].intent.addedTask } ?? feed?.union[id]
    // What an intent completes before another adds it is a task of the files, in whose place the added one comes.
    guard let completing = intents.completing, completing >= max(start, adding ?? 0) else {
      return adding == nil ? nil : task
    }
    // An intent that completes an unknown task has no effect; the feed reports a problem of its file.
    guard var task else { return nil }
    (task.completed, task.completedAt) = (true, window.intents[completing].intent.at)
    return task
  }

  private func change(_ id: RecordID, to new: TasksSession.Item?, from old: TasksSession.Item?) {
    guard new != nil || old != nil else { return }
    let stored = feed?.union[id]
    if let old = old ?? stored { days.remove(old, calendar) }
    if let new = new ?? stored { days.insert(new, calendar) }
  }

  /// Tells a projection of the files of the intents that have an effect at the moment.
  func describe(in projection: inout Projection) {
    let intents = window.intents
    window.describe(from: start, in: &projection) { place in
      switch intents[place].intent.action as? TaskIntent {
      case .add: true
      case .complete(let id):
        feed?.union[id] != nil || acting[id]?.adding.map { start <= $0 && $0 < place } ?? false
      case nil: false
      }
    }
  }
}

extension StoredIntent {
  fileprivate var taskActedOn: RecordID? {
    switch action as? TaskIntent {
    case .add: addedID
    case .complete(let id): id
    case nil: nil
    }
  }

  /// The task that an `add-task` makes; nil for other intents.
  fileprivate var addedTask: TasksSession.Item? {
    guard case .add(let title, let due) = action as? TaskIntent else { return nil }
    return TasksSession.Item(id: addedID, title: title, dueDate: due, createdAt: at)
  }
}
