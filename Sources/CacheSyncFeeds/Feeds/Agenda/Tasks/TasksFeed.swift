package import CacheSyncSystem

/// Tasks: the due, overdue and completed ones (feeds.md: tasks and events).
package final class TasksFeed: BuiltInFeed, IntentTarget {
  package static let name: FeedName = "tasks"
  package static let heading: Phrase? = .tasksFeed

  package static let claims = CacheLayout.Claims(
    directories: ["tasks"], files: ["cachedTasks.json"], endings: [.calendar])

  package static let kinds = TaskKinds.all + [QuickAddKind.kind]

  package static let links = DeepLink.Form.allOfTasks

  package static let intents = [IntentType.addTask, .completeTask]

  private(set) var files = DatedFiles()
  private(set) var union = RecordUnion<TasksSession.Item>()
  /// The to-dos of calendars, whose days depend on the cache's zone, with their files' dates.
  private(set) var calendars:
    [CachePath: (
      toDos: [CalendarToDo], versions: [CalendarToDo.Version], series: [RecordID: ToDoSeries], modified: Instant
    )] = [:]
  /// What the to-dos of each UID say, and when they were last written.
  private(set) var versions = RecordUnion<CalendarToDo.Version>()
  /// The zone of the days below; nil before the first file.
  private var calendar: CivilCalendar?
  /// The tasks that show; those that are steps only after ``placeSteps()``.
  private var placedDays = TaskDays()
  /// The same for tasks with a label, for every label that a widget asked for.
  private var daysOfLabels: TextMap<TaskDays> = [:]
  private var steps = TaskSteps()
  /// How often tasks changed, and how often those of the whole cache had when the steps were placed.
  private var changeCount = 0
  private var placedFor = 0
  /// The tasks of the whole cache, for a widget that shows only some files: steps may have their parents anywhere.
  weak var whole: TasksFeed?
  /// The warnings of calendars that use UIDs for different to-dos; nil after a change.
  private var sharedUIDs: [Problem]?

  package init() {}

  /// The content of one file.
  package enum Session: Sendable {
    case list(TasksSession)
    case calendar(CalendarFile)
  }

  package static func decode(_ json: inout JSONReader) -> Session? {
    TasksSession.decode(&json, list: .tasks) { TasksSession(tasks: $0) }.map(Session.list)
  }

  package static var schema: JSONSchema { TasksSession.schema(listOf: TasksSession.Item.self) }

  package func put(_ session: Session, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    switch session {
    case .list(let list):
      removeToDos(of: file.path)
      let date = files.put(file, written: list.lastUpdate)
      apply(union.put(list.tasks, from: file.path, dated: date, in: calendar), calendar)
    case .calendar(let content):
      files.put(undated: file)
      calendars[file.path] = (content.toDos, content.toDoVersions, content.toDoSeries, file.modified)
      apply(putToDos(of: file.path, calendar), calendar)
    }
  }

  /// Adds the to-dos of a calendar to the records, each with the date at which it was last written.
  private func putToDos(of path: CachePath, _ calendar: CivilCalendar) -> [RecordUnion<TasksSession.Item>.Change] {
    guard let (toDos, versions, _, modified) = calendars[path] else { return [] }
    _ = self.versions.put(
      Dictionary(grouping: versions) { $0.date(calendar, modified: modified) }.map { ($1, $0) }, from: path,
      in: calendar)
    let places = Dictionary(versions.map { ($0.id, ($0.line, $0.pointer)) }, uniquingKeysWith: { first, _ in first })
    let groups = Dictionary(grouping: toDos) { $0.version(calendar, modified: modified) }
    return union.put(
      groups.map { date, toDos in
        let tasks = toDos.map { toDo in
          var task = toDo.task(calendar, modified: modified)
          if let (line, pointer) = places[task.id] {
            task.origin = RecordOrigin(line: Int32(clamping: line), list: pointer)
          }
          return task
        }
        return (tasks, date)
      }, from: path, in: calendar)
  }

  private func removeToDos(of path: CachePath) {
    calendars[path] = nil
    _ = versions.remove(path)
  }

  package func remove(_ path: CachePath) {
    files.remove(path)
    removeToDos(of: path)
    // Without a calendar there has been no file.
    if let calendar { apply(union.remove(path), calendar) }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    placedDays = TaskDays()
    daysOfLabels = [:]
    union.rebuild(in: calendar)
    steps = TaskSteps()
    sharedUIDs = nil
    for path in calendars.keys { _ = putToDos(of: path, calendar) }
    for task in union.records where !steps.add(task) { placedDays.insert(task, calendar) }
  }

  private func apply(_ changes: [RecordUnion<TasksSession.Item>.Change], _ calendar: CivilCalendar) {
    for change in changes {
      if let before = change.before, let shown = steps.remove(before) { remove(shown, calendar) }
      if let after = change.after, !steps.add(after) { insert(after, calendar) }
    }
    // A to-do that changed may be the parent of any.
    steps.arePlaced = false
    changeCount += 1
    sharedUIDs = nil
  }

  private func remove(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    placedDays.remove(task, calendar)
    for label in task.labels ?? [] { daysOfLabels[label.name]?.remove(task, calendar) }
  }

  private func insert(_ task: TasksSession.Item, _ calendar: CivilCalendar) {
    placedDays.insert(task, calendar)
    for label in task.labels ?? [] { daysOfLabels[label.name]?.insert(task, calendar) }
  }

  /// Adds the steps as their parents are now. A later file may have the parent, so this waits until someone looks.
  private func placeSteps() {
    let all = whole ?? self
    guard let calendar, !steps.arePlaced || placedFor != all.changeCount else { return }
    placedFor = all.changeCount
    for (before, after) in steps.place(all.versions, calendar) {
      if let before { remove(before, calendar) }
      if let after { insert(after, calendar) }
    }
  }

  /// The tasks that show.
  var days: TaskDays {
    placeSteps()
    return placedDays
  }

  /// A task as it shows; nil: there is none of that key, or it is a step of one that is over.
  func shown(_ key: RecordKey) -> TasksSession.Item? {
    placeSteps()
    return union[key].flatMap { steps.shown($0) }
  }

  /// The open steps that do not show while an intent completes a task: none of a repeating one, which goes on.
  func steps(below id: RecordID) -> [RecordKey] {
    placeSteps()
    return (whole ?? self).versions.things(id).first?.repeats == false ? steps.below(id) : []
  }

  /// The tasks that carry a label.
  func days(labelled label: String) -> TaskDays {
    placeSteps()
    if let days = daysOfLabels[label] { return days }
    var days = TaskDays()
    if let calendar {
      for task in union.records.compactMap({ steps.shown($0) }) where task.carries(label) {
        days.insert(task, calendar)
      }
    }
    daysOfLabels[label] = days
    return days
  }

  /// Writes `{ due, completed }`, from the sessions' records alone (feeds.md: intents).
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let day = moment.calendar.interval(of: moment.day)
    let due = days.datedCount(on: day)
    let completed = days.completedCount(on: day)
    guard due + completed > 0 else { return false }
    json.member("completed", completed)
    json.member("due", due)
    return true
  }

  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    union.problems("tasks") + problemsOfUIDs
  }

  /// The warnings of calendars that use one UID for different to-dos.
  private var problemsOfUIDs: [Problem] {
    if let sharedUIDs { return sharedUIDs }
    var shared = SharedUIDs()
    for (path, (_, own, _, _)) in calendars {
      for version in own {
        guard let other = versions.things(version.id).first, other.origin.path != path,
          !version.mark.agrees(with: other.mark)
        else { continue }
        shared.insert(hiddenIn: path, line: version.line, pointer: version.pointer, countingIn: other.origin.path)
      }
    }
    let problems = shared.problems(noun: "to-do")
    sharedUIDs = problems
    return problems
  }

  /// The newest of the apps' files. Calendars are written by many clients, so none includes another's intents.
  package var newestSession: Instant? { files.newest }

  package var hasSession: Bool { !files.isEmpty }

  package var absorbsAlike: Bool { calendars.isEmpty }

  /// A newer version of a UID absorbs the intents that complete its to-dos, whichever of its VTODOs was written.
  package func absorbing(_ intent: StoredIntent) -> Instant? {
    guard case .complete(let id, let file) = intent.action as? TaskIntent else { return newestSession }
    return lastWritten(id, in: file) ?? newestSession
  }

  package func knownIDs(for intent: StoredIntent) -> [RecordID] { Array(Set(union.records.map(\.id))) }

  /// When a to-do's UID was last written; nil: it is not a calendar's.
  private func lastWritten(_ id: RecordID, in file: CachePath?) -> Instant? {
    if let task = union.named(id, in: file), !task.isOfCalendar { return nil }
    if let date = dateOfVersion(id) { return date }
    // The id of an occurrence is its UID, `#` and its RECURRENCE-ID.
    guard let end = id.text.lastIndex(of: "#") else { return nil }
    return dateOfVersion(RecordID(String(id.text[..<end])))
  }

  private func dateOfVersion(_ id: RecordID) -> Instant? {
    versions.things(id).first.flatMap { versions.date(of: $0.key) }
  }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool {
    guard case .complete(let id, let file) = intent.action as? TaskIntent else { return true }
    if union.named(id, in: file) != nil { return true }
    guard let adding = StoredIntent.id(adding: id),
      let other = feeds.intent(adding, on: TasksFeed.self, at: moment.instant), case .add = other.action as? TaskIntent
    else { return false }
    // A task that a later intent adds does not exist yet.
    return other.at == intent.at ? isOrdered(other.id, before: intent.id) : other.at < intent.at
  }

  package func files(of intent: StoredIntent) -> [CachePath] {
    guard case .complete(let id, _) = intent.action as? TaskIntent, union.isShared(id) else { return [] }
    return union.things(id).map(\.origin.path).sorted()
  }
}

extension TasksSession.Item: UnionRecord {
  func mark(in calendar: CivilCalendar) -> RecordMark {
    if isOfCalendar { return .calendar }
    // A midnight says which day, and not when.
    guard let created = createdAt, MeantDay(created, writtenAs: CivilCalendar(.utc).wall(at: created), in: nil) == nil,
      MeantDay(created, in: calendar, otherwise: nil).part == .within
    else { return .text(title) }
    return .moment(created.seconds)
  }

  /// Whether the task has a label of exactly that name.
  func carries(_ label: String) -> Bool { labels?.contains { isSameText($0.name, label) } ?? false }
}
