/// The effects of intents on tasks (feeds.md: types).
package enum TaskIntent: Sendable {
  case add(title: String, due: DayReference?)
  case complete(RecordID)
}

extension IntentType {
  static let addTask = IntentType(
    "add-task", on: TasksFeed.name, [.required("title", .text), .optional("dueDate", .day)],
    example: "title=Beans dueDate=2026-11-23"
  ) { TaskIntent.add(title: $0.text("title"), due: $0.day("dueDate")) }

  static let completeTask = IntentType(
    "complete-task", on: TasksFeed.name, [.required("taskId", .record("task"))], example: "taskId=42"
  ) { TaskIntent.complete($0.record) }
}

extension Intent.Action {
  /// Adds a task, which shows under the id `intent:<id of the intent>` until the app's own file contains it.
  public static func addTask(title: String, due: DayReference? = nil) -> Self {
    Self(.addTask, ["title": .text(title), "dueDate": due.map { .day($0) }])
  }

  /// Completes a task at ``Intent/at``.
  public static func completeTask(id: String) -> Self { Self(.completeTask, ["taskId": .text(id)]) }
}
