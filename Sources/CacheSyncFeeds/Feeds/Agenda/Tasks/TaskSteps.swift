/// The open tasks that are steps of others (feeds.md: tasks of calendars). A step of a task that is over does not show,
/// and one without dates has those of its parent.
struct TaskSteps {
  /// The open steps, as their calendars have them.
  private var steps: [RecordKey: TasksSession.Item] = [:]
  /// Those that show, as they show.
  private var placed: [RecordKey: TasksSession.Item] = [:]
  /// The open steps of each UID.
  private var children: [RecordID: [RecordKey]] = [:]
  /// Whether ``placed`` and ``children`` are up to date.
  var arePlaced = true

  /// Adds a task, which must not be there.
  ///
  /// - Returns: false: it is not an open step.
  mutating func add(_ task: TasksSession.Item) -> Bool {
    guard task.isOpenStep else { return false }
    steps[task.key] = task
    arePlaced = false
    return true
  }

  /// Removes a task, if it is there.
  ///
  /// - Returns: the task as it showed.
  mutating func remove(_ task: TasksSession.Item) -> TasksSession.Item? {
    guard task.isOpenStep else { return task }
    steps[task.key] = nil
    return placed.removeValue(forKey: task.key)
  }

  /// A task as it shows; nil: it does not.
  func shown(_ task: TasksSession.Item) -> TasksSession.Item? { task.isOpenStep ? placed[task.key] : task }

  /// Finds out anew which steps show, and how.
  ///
  /// - Parameter toDos: what is known of each UID.
  /// - Returns: the changes.
  mutating func place(
    _ toDos: RecordUnion<CalendarToDo.Version>, _ calendar: CivilCalendar
  ) -> [(before: TasksSession.Item?, after: TasksSession.Item?)] {
    arePlaced = true
    children = [:]
    var parents = Parents(toDos)
    var changes: [(before: TasksSession.Item?, after: TasksSession.Item?)] = []
    for (key, step) in steps {
      let place = step.step.map { parents.place(of: $0) } ?? Parents.Place()
      if let parent = place.parent { children[parent, default: []].append(key) }
      var task: TasksSession.Item? = place.isOver ? nil : step
      if step.dueDate == nil, step.startDate == nil {
        task?.dueDate = place.due?.reference(in: calendar)
        task?.startDate = place.start?.reference(in: calendar)
      }
      if task != placed[key] { changes.append((placed[key], task)) }
      placed[key] = task
    }
    return changes
  }

  /// The open steps of a UID, their steps, and so on.
  func below(_ id: RecordID) -> [RecordKey] {
    var found: [RecordKey] = []
    // Several steps may have one UID: overrides without their series.
    var seen: Set<RecordID> = [id]
    var next = [id]
    while let id = next.popLast() {
      for step in children[id] ?? [] {
        found.append(step)
        if let uid = steps[step]?.step, seen.insert(uid).inserted { next.append(uid) }
      }
    }
    return found
  }
}

extension TasksSession.Item {
  fileprivate var isOpenStep: Bool { step != nil && !completed }
}

/// The states of to-dos, with what they have from their parents. Each is found once, however many steps it has.
private struct Parents {
  struct Place {
    /// nil: it has none, or is in a circle of steps.
    var parent: RecordID?
    var isOver = false
    var start: CalendarMoment?
    var due: CalendarMoment?
  }

  private let toDos: RecordUnion<CalendarToDo.Version>
  private var places: [RecordID: Place] = [:]

  init(_ toDos: RecordUnion<CalendarToDo.Version>) { self.toDos = toDos }

  /// Whether a UID is over, or the parent of its parents is, and its own dates, or else the nearest parent's.
  mutating func place(of id: RecordID) -> Place {
    // From the to-do up to the first parent whose place is known, or that has none.
    var way: [CalendarToDo.Version] = []
    var numbers: [RecordID: Int] = [:]
    var next: RecordID? = id
    // To-dos that are steps of each other in a circle have no parent.
    var circle = 0..<0
    while let id = next, places[id] == nil, let toDo = toDos.things(id).first {
      if let first = numbers[id] {
        circle = first..<way.count
        break
      }
      numbers[id] = way.count
      way.append(toDo)
      next = toDo.parent
    }
    for (number, toDo) in way.enumerated().reversed() {
      var place = Place(isOver: toDo.isOver, start: toDo.start, due: toDo.due)
      place.parent = circle.contains(number) ? nil : toDo.parent
      let parent = place.parent.flatMap { places[$0] }
      place.isOver = place.isOver || parent?.isOver ?? false
      if place.start == nil, place.due == nil { (place.start, place.due) = (parent?.start, parent?.due) }
      places[toDo.id] = place
    }
    return places[id] ?? Place()
  }
}
