// One app has both tasks and events.

extension DeepLink.Form {
  /// See ``DeepLink/tasksDashboard``.
  public static let tasksDashboard = Self("cafe://dashboard")
  /// See ``DeepLink/tasks``.
  public static let tasks = Self("cafe://tasks")
  /// See ``DeepLink/task(id:)``.
  public static let task = Self("cafe://task", .segment("id"))
  /// See ``DeepLink/newTask(title:due:)``.
  public static let newTask = Self("cafe://new-task", .optional("title"), .day("due"))
  /// See ``DeepLink/search(query:)``.
  public static let search = Self("cafe://search", .required("q"))
  /// See ``DeepLink/settings(section:)``.
  public static let settings = Self("cafe://settings", .segment("section"))
  /// See ``DeepLink/chat``.
  public static let chat = Self("cafe://chat")

  static let allOfTasks = [tasksDashboard, tasks, task, newTask, search, settings, chat]

  /// See ``DeepLink/event(id:)``.
  public static let event = Self("cafe://event", .segment("id"))
  /// See ``DeepLink/newEvent``.
  public static let newEvent = Self("cafe://new-event")
  /// See ``DeepLink/calendar(date:)``.
  public static let calendar = Self("cafe://calendar", .day("date"))

  static let events = [event, newEvent, calendar]
}

extension DeepLink {
  /// `cafe://dashboard`: today's tasks.
  public static let tasksDashboard = DeepLink(.tasksDashboard)

  /// `cafe://tasks`: the list of tasks.
  public static let tasks = DeepLink(.tasks)

  /// `cafe://task/<id>`: one task.
  public static func task(id: String) -> DeepLink { DeepLink(.task, ["id": id]) }

  /// `cafe://new-task?title=…&due=…`: a new task, optionally with a title and a due day.
  public static func newTask(title: String? = nil, due: DayReference? = nil) -> DeepLink {
    DeepLink(.newTask, ["title": title, "due": due?.description])
  }

  /// `cafe://search?q=…`: the results of a search.
  public static func search(query: String) -> DeepLink { DeepLink(.search, ["q": query]) }

  /// `cafe://settings/<section>`: a page of the settings.
  public static func settings(section: String) -> DeepLink { DeepLink(.settings, ["section": section]) }

  /// `cafe://chat`: the conversation.
  public static let chat = DeepLink(.chat)

  /// `cafe://event/<id>`: one event.
  public static func event(id: String) -> DeepLink { DeepLink(.event, ["id": id]) }

  /// `cafe://new-event`: a new event.
  public static let newEvent = DeepLink(.newEvent)

  /// `cafe://calendar?date=…`: the month, at a day or a moment if one is named.
  public static func calendar(date: DayReference? = nil) -> DeepLink {
    DeepLink(.calendar, ["date": date?.description])
  }
}
