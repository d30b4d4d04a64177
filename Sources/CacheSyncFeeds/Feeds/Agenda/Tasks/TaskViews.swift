extension TaskKinds {
  private static let check = ViewNode.icon("checkmark.circle.fill", "✓", .green)

  /// The due tasks; a tap completes or opens one.
  static let todaysTasksView = ViewNode.byFamily([
    .systemSmall: small, .systemMedium: medium, .systemLarge: large, .accessoryRectangular: rectangular,
    .accessoryInline: { .label($0["inline"].words) },
  ]) { entry in
    let tasks = entry.list("tasks")
    guard !isAllDone(entry) else { return .line(check, .text(entry["text"].words)) }
    let overdue = entry.list("overdue")
    return .vertical(
      [.text(entry[overdue.isEmpty ? "text" : "inline"].words)] + overdue.map { row($0, entry, overdue: true) }
        + tasks.map { row($0, entry) }
        + entry.more(hiddenCount(entry)))
  }

  static let countView: KindView = { entry in
    entry.family == .accessoryCircular ? count(entry) : .text(entry["text"].words)
  }

  static let progressView: KindView = { entry in
    if entry.family == .accessoryCircular { return progress(entry) }
    return .ring(
      entry["progress"]?.double,
      .label(entry.phrase(.completedOfTotal, [.count: entry["completed"].whole, .total: entry["total"].whole])))
  }

  static let completedView: KindView = { entry in
    entry.family == .accessoryInline ? completed(entry) : .text(entry["text"].words)
  }

  /// How many tasks there are besides those in the two lists.
  static func hiddenCount(_ entry: ViewInput) -> JSONValue {
    let overdue = max(0, entry["overdueCount"]?.int ?? 0)
    let hidden = max(0, entry["more"]?.int ?? 0)
      .addingReportingOverflow(max(0, overdue - entry.list("overdue").count))
    return .integer(hidden.overflow ? .max : hidden.partialValue)
  }

  private static func row(_ task: JSONValue, _ entry: ViewInput, overdue: Bool = false) -> ViewNode {
    let circle = ViewNode.icon("circle", "○").onTap(complete(task))
    let labels = (task["labels"]?.array ?? []).map { "#" + $0["name"].words }.joined(separator: " ")
    return .row(
      circle, .text(task["title"].words),
      overdue ? .label(overdueSince(task, entry), .red) : due(task["dueDate"], entry), .text(labels, .soft)
    )
    .onTap(ViewNode.Action(linkOf: task))
  }

  /// Completes a task. The agent receives this at once, without the app.
  static func complete(_ task: JSONValue) -> ViewNode.Action {
    .intent("complete-task", Optional(task).naming("taskId"))
  }

  /// "Overdue, Sat 21 Nov": a word too, for those who do not see the colour.
  static func overdueSince(_ task: JSONValue, _ entry: ViewInput) -> String {
    let day = task["dueDate"]?.instant.map { entry.date(entry.calendar.day(of: $0)) }
    return entry.phrase(.overdueSince, [.date: day ?? .missing])
  }

  /// When a task is due. A due day is published as its first instant.
  private static func due(_ value: JSONValue?, _ entry: ViewInput) -> ViewNode {
    guard let due = value?.instant else { return .label(.missing) }
    let day = entry.calendar.day(of: due)
    if entry.calendar.start(of: day) == due { return .label(entry.phrase(.dueOn, [.date: entry.date(day)])) }
    return .label(entry.phrase(.dueAt, [.time: entry.time(due)]), due < entry.moment ? .red : .ink)
  }
}

extension QuickAddKind {
  /// The links to new tasks and events. A terminal, where taps do not exist, shows the links as text.
  static let view = ViewNode.byFamily([.systemSmall: small, .systemMedium: medium]) { entry in
    .vertical(
      entry.list("actions").map { action in
        .row(.icon("plus", "+"), .text(action["title"].words), .text(action["deepLink"].words, .soft))
          .onTap(ViewNode.Action(linkOf: action))
      })
  }
}
