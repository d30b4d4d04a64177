/// What the agent needs of a task (FEEDS: tasks and events).
package struct StoredTask: Identifiable, Sendable {
  package struct Label: Sendable {
    package var name: String
    package var color: String?
  }

  /// How many of a task's labels readers show.
  static let maximumLabels = 2

  package var id: RecordID
  package var title: String
  /// When it is due; nil: always due today.
  package var due: DayReference?
  /// When it was completed, which is when it was created where the app does not say; nil: not completed.
  package var completed: Instant?
  /// The first ``maximumLabels``.
  package var labels: [Label]
}

extension StoredTask {
  private enum Key: String, JSONKey {
    case id, title, description, completed, dueDate, createdAt, completedAt, labels
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredTask? {
    var task = StoredTask(id: RecordID(0), title: "", labels: [])
    var isCompleted = false
    var createdAt = Instant.referenceDate
    var completedAt: Instant?
    let isObject = json.object(Key.self, required: [.id, .title, .completed, .createdAt]) { json, key in
      switch key {
      case .id: task.id = json.recordID() ?? task.id
      case .title: task.title = json.string() ?? ""
      case .description: _ = json.stringBytes("a string") { _ in true }
      case .completed: isCompleted = json.bool() ?? false
      case .dueDate: task.due = json.dayReference()
      case .createdAt: createdAt = json.date() ?? createdAt
      case .completedAt: completedAt = json.date()
      case .labels: task.labels = labels(&json)
      }
    }
    if isCompleted { task.completed = completedAt ?? createdAt }
    return isObject ? task : nil
  }

  /// Validates all labels and keeps the first.
  private static func labels(_ json: inout JSONReader) -> [Label] {
    var labels: [Label] = []
    _ = json.array { json in
      guard let label = Label.decode(&json), labels.count < maximumLabels else { return }
      labels.append(label)
    }
    return labels
  }
}

extension StoredTask.Label {
  private enum Key: String, JSONKey {
    case id, name, color
    static let table = JSONKeyTable<Key>()
  }

  fileprivate static func decode(_ json: inout JSONReader) -> StoredTask.Label? {
    var label = StoredTask.Label(name: "")
    let isObject = json.object(Key.self, required: [.id, .name]) { json, key in
      switch key {
      case .id: _ = json.recordID()
      case .name: label.name = json.string() ?? ""
      case .color: label.color = json.string()
      }
    }
    return isObject ? label : nil
  }
}

extension RecordList<StoredTask> {
  private enum Key: String, JSONKey {
    case tasks, lastUpdate
    static let table = JSONKeyTable<Key>()
  }

  /// Reads `[ task ]` or `{ tasks: [ task ], lastUpdate?: date }`.
  static func decode(_ json: inout JSONReader) -> RecordList? {
    decode(&json, under: Key.tasks) { StoredTask.decode(&$0) }
  }
}
