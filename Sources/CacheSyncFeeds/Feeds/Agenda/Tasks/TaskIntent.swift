package import CacheSyncSystem

/// The effects of intents on tasks (feeds.md: types).
package enum TaskIntent: Sendable {
  /// - Parameter to: only widgets whose `from` covers this path show the task, and those without `from`.
  case add(title: String, due: DayReference?, to: CachePath? = nil)
  /// - Parameter file: a file that has the task, for an id that several tasks have.
  case complete(RecordID, file: CachePath? = nil)
}

extension IntentType {
  static let addTask = IntentType(
    "add-task", on: TasksFeed.name, .addTaskIntent,
    [.required("title", .text), .optional("dueDate", .day), .optional("to", .path)],
    example: "title=Beans dueDate=2026-11-23"
  ) { values in
    TaskIntent.add(title: values.text("title"), due: values.day("dueDate"), to: values.path("to"))
  }

  static let completeTask = IntentType(
    "complete-task", on: TasksFeed.name, .completeTaskIntent, [.required("taskId", .record("task")), .file],
    example: "taskId=42"
  ) { TaskIntent.complete($0.record, file: $0.file) }
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
  ///
  /// - Parameter file: the task's file in the cache, such as `tasks/work.json`, as content names it for an id that several
  ///   tasks have.
  public static func completeTask(id: String, file: String? = nil) -> Self {
    Self(.completeTask, ["taskId": .text(id), "file": file.map { .text($0) }])
  }
}
