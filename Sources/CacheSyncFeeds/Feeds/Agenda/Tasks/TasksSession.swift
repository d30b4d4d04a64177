/// A session file of the `tasks` feed, for apps that write one.
///
///     let due = DayReference("2026-11-23")
///     let milk = TasksSession.Item(id: 42, title: "Buy milk", dueDate: due, createdAt: .now)
///     let session = TasksSession(tasks: [milk], lastUpdate: .now)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "my-app")
///
/// The agent also reads a bare array of tasks, and dates it by the file's modification time.
public struct TasksSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `tasks`.
  public static var feed: String { "\(TasksFeed.name)" }

  /// All of the app's tasks; of two with the same id the later one counts.
  public var tasks: [Item]
  /// When the app wrote the file. Of tasks with the same id in several files, the one from the latest file counts. The
  /// agent assumes that the file includes all intents up to this date.
  public var lastUpdate: Instant?

  /// A file of tasks; without a date the file's modification time counts.
  public init(tasks: [Item], lastUpdate: Instant? = nil) {
    self.tasks = tasks
    self.lastUpdate = lastUpdate
  }

  /// A task. (The type has another name because Swift has a `Task` of its own.)
  public struct Item: Codable, Sendable, Hashable, Identifiable {
    /// The id that deep links and intents name.
    public var id: RecordID
    /// The title that readers show.
    public var title: String
    /// For the app itself; readers do not show it.
    public var description: String?
    /// Whether the task is done; from then on it is not due.
    public var completed: Bool
    /// When it is due; nil: always due today, until it is completed.
    public var dueDate: DayReference?
    /// When the task was created; nil: the app does not record that.
    public var createdAt: Instant?
    /// When the task was completed; nil: the agent uses ``createdAt``.
    public var completedAt: Instant?
    /// The task's labels; readers show the first two.
    public var labels: [Label]?
    /// The first day on which it is due, whatever ``dueDate`` says; nil: any. Only calendars have it (DTSTART).
    package var startDate: DayReference?
    package var origin = RecordOrigin()
    /// Whether it is a calendar's, whose ids are unique.
    package var isOfCalendar = false
    /// The UID, if it is a step of another task. Only calendars have it (RELATED-TO).
    package var step: RecordID?

    /// An open task that is always due, unless the parameters differ.
    public init(
      id: RecordID, title: String, description: String? = nil, completed: Bool = false, dueDate: DayReference? = nil,
      createdAt: Instant?, completedAt: Instant? = nil, labels: [Label]? = nil
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
    /// The text that readers show.
    public var name: String
    /// The colour as the app writes it, such as "#FF9500"; readers receive it unchanged.
    public var color: String?

    /// A label, by default without a colour.
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
    field(.lastUpdate, &lastUpdate, .stamp)
  }
}

extension TasksSession.Item: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, title, description, completed, dueDate, createdAt, completedAt, labels
  }

  package static let format = RecordFormat(Self(id: 0, title: "", createdAt: nil))
  package static var noun: StaticString { "task" }
  package var caption: String? { title }
  package var version: RecordVersion? { RecordVersion(id: id) }
  package static var keepsOrigin: Bool { true }
  package mutating func begin(at origin: RecordOrigin) { self.origin = origin }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.title, &title)
    field(.description, &description, is: .validated)
    field(.completed, &completed)
    field(.dueDate, &dueDate, .ofTask)
    field(.createdAt, &createdAt)
    field(.completedAt, &completedAt, .ofTask)
    field(.labels, &labels)
  }
}

extension TasksSession.Label: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, name, color }

  package static let format = RecordFormat(Self(id: 0, name: ""))
  package static var noun: StaticString { "label" }
  package var caption: String? { name }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.color, &color)
  }
}
