package import CacheSyncSystem

/// The effects of intents on tasks (feeds.md: types).
package enum TaskIntent: Sendable {
  /// - Parameter to: only widgets whose `from` covers this path show the task, and those without `from`.
  case add(title: String, due: DayReference?, to: CachePath? = nil)
  case complete(RecordID)
}

extension IntentType {
  static let addTask = IntentType(
    "add-task", on: TasksFeed.name, .addTaskIntent,
    [.required("title", .text), .optional("dueDate", .day), .optional("to", .path)],
    example: "title=Beans dueDate=2026-11-23"
  ) { values in
    let to = values.text("to")
    return TaskIntent.add(
      title: values.text("title"), due: values.day("dueDate"), to: to.isEmpty ? nil : CachePath(to))
  }

  static let completeTask = IntentType(
    "complete-task", on: TasksFeed.name, .completeTaskIntent, [.required("taskId", .record("task"))],
    example: "taskId=42"
  ) { TaskIntent.complete($0.record) }
}

extension Intent.Action {
  /// Adds a task, which shows under the id `intent:<id of the intent>` until the app's own file contains it.
  ///
  /// - Parameter to: a relative path in the cache, such as `tasks/anna`: of the widgets that show only some files, those
  ///   that cover it show the task.
  public static func addTask(title: String, due: DayReference? = nil, to: String? = nil) -> Self {
    Self(.addTask, ["title": .text(title), "dueDate": due.map { .day($0) }, "to": to.map { .text($0) }])
  }

  /// Completes a task at ``Intent/at``.
  public static func completeTask(id: String) -> Self { Self(.completeTask, ["taskId": .text(id)]) }
}
