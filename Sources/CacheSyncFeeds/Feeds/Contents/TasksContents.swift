// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `todays-tasks`.
public struct TodaysTasks: Decodable, Sendable, Equatable {
  public struct Task: Decodable, Sendable, Equatable {
    public var deepLink: String
    public var dueDate: Instant?
    public var file: String?
    public var id: RecordID
    public var labels: [Label]
    public var title: String
  }

  public struct Label: Decodable, Sendable, Equatable {
    public var color: String?
    public var name: String
  }

  public var allDone: Bool
  public var completedToday: Int
  public var count: Int
  public var inline: String
  public var more: Int
  public var overdue: [Task]
  public var overdueCount: Int
  public var rectangular: String
  public var tasks: [Task]
  public var text: String
  public var title: String
}

/// The content of `task-count`.
public struct TaskCount: Decodable, Sendable, Equatable {
  public var count: Int
  public var overdueCount: Int
  public var text: String
}

/// The content of `task-progress`.
public struct TaskProgress: Decodable, Sendable, Equatable {
  public var completed: Int
  public var progress: Double
  public var total: Int
}

/// The content of `completed-today`.
public struct CompletedToday: Decodable, Sendable, Equatable {
  public var count: Int
  public var text: String
}

/// The content of `quick-add`.
public struct QuickAdd: Decodable, Sendable, Equatable {
  public struct Action: Decodable, Sendable, Equatable {
    public var deepLink: String
    public var title: String
  }

  public var actions: [Action]
}
