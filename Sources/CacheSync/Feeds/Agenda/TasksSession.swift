/// A session file of the `tasks` feed, for apps that write one: encode it with `JSONEncoder` and put it under `tasks/`.
///
/// The agent also reads a bare array of tasks, which then has the file's modification time for its date.
public struct TasksSession: Codable, Sendable, Hashable {
  /// All of the app's tasks; of two with the same id the later counts.
  public var tasks: [Item]
  /// When the app wrote the file. Of tasks with the same id in several files, the one from the latest file counts, and
  /// intents up to this date are taken to be included.
  public var lastUpdate: Instant?

  /// A file of tasks; without a date it has its modification time for one.
  public init(tasks: [Item], lastUpdate: Instant? = nil) {
    self.tasks = tasks
    self.lastUpdate = lastUpdate
  }

  /// A task. (It is not named so, because that word is Swift's own.)
  public struct Item: Codable, Sendable, Hashable, Identifiable {
    /// What deep links and intents name.
    public var id: RecordID
    /// What readers show.
    public var title: String
    /// For the app itself; readers do not show it.
    public var description: String?
    /// A completed task is due no more.
    public var completed: Bool
    /// When it is due; nil: always due today, until it is completed.
    public var dueDate: DayReference?
    /// When the task came into being.
    public var createdAt: Instant
    /// Of a completed task; nil: when it was created.
    public var completedAt: Instant?
    /// Readers show the first two.
    public var labels: [Label]?

    /// An open task that is always due, unless said otherwise.
    public init(
      id: RecordID, title: String, description: String? = nil, completed: Bool = false, dueDate: DayReference? = nil,
      createdAt: Instant, completedAt: Instant? = nil, labels: [Label]? = nil
    ) {
      self.id = id
      self.title = title
      self.description = description
      self.completed = completed
      self.dueDate = dueDate
      self.createdAt = createdAt
      self.completedAt = completedAt
      self.labels = labels
    }
  }

  /// A coloured word on a task.
  public struct Label: Codable, Sendable, Hashable {
    /// For the app itself.
    public var id: RecordID
    /// What readers show.
    public var name: String
    /// As the app writes colours, such as "#FF9500"; readers get it as it is.
    public var color: String?

    /// A label, without a colour unless one is given.
    public init(id: RecordID, name: String, color: String? = nil) {
      self.id = id
      self.name = name
      self.color = color
    }
  }
}

extension TasksSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case tasks, lastUpdate }

  package static let format = RecordFormat(Self(tasks: []))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.tasks, &tasks)
    field(.lastUpdate, &lastUpdate)
  }
}

extension TasksSession.Item: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, title, description, completed, dueDate, createdAt, completedAt, labels
  }

  package static let format = RecordFormat(Self(id: 0, title: "", createdAt: .referenceDate))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.title, &title)
    field(.description, &description, is: .validated)
    field(.completed, &completed)
    field(.dueDate, &dueDate)
    field(.createdAt, &createdAt)
    field(.completedAt, &completedAt)
    field(.labels, &labels)
  }
}

extension TasksSession.Label: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, name, color }

  package static let format = RecordFormat(Self(id: 0, name: ""))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.color, &color)
  }
}
