extension TaskKinds {
  private static let check = ViewNode.icon("checkmark.circle.fill", "✓", .green)

  /// The tasks that are due, each with what completes it and what opens it.
  static let todaysTasksView: KindView = { entry in
    let tasks = entry.list("tasks")
    switch entry.family {
    case .accessoryInline: return .text(entry["inline"].words)
    case .accessoryRectangular: return .vertical([.text("Today's Tasks", .soft), .text(entry["rectangular"].words)])
    default:
      guard !tasks.isEmpty else { return .line(check, .text(entry["text"].words)) }
      return .vertical([.text(entry["text"].words)] + tasks.map { row($0, entry) } + ViewNode.more(entry["more"]))
    }
  }

  static let textView: KindView = { entry in .text(entry["text"].words) }

  static let progressView: KindView = { entry in
    .ring(entry["progress"]?.double, .label("\(entry["completed"].whole) of \(entry["total"].whole)"))
  }

  private static func row(_ task: JSONValue, _ entry: ViewInput) -> ViewNode {
    let circle = ViewNode.icon("circle", "○").onTap(.intent("complete-task", ["taskId": task["id"].words]))
    let labels = (task["labels"]?.array ?? []).map { "#" + $0["name"].words }.joined(separator: " ")
    return .row(circle, .text(task["title"].words), due(task["dueDate"], entry), .text(labels, .soft))
      .onTap(ViewNode.Action(linkOf: task))
  }

  /// A day's first instant is how a due day is published.
  private static func due(_ value: JSONValue?, _ entry: ViewInput) -> ViewNode {
    guard let due = value?.instant else { return .label(.missing) }
    let day = entry.calendar.day(of: due)
    if entry.calendar.start(of: day) == due { return .label("due " + entry.date(day)) }
    return .label("due " + entry.time(due), due < entry.moment ? .red : .ink)
  }
}

extension QuickAddKind {
  /// What can be begun; a terminal, where nothing can be tapped, shows the links.
  static let view: KindView = { entry in
    .vertical(
      entry.list("actions").map { action in
        let link = entry.family == .terminal ? action["deepLink"].words : ""
        return .row(.icon("plus", "+"), .text(action["title"].words), .text(link, .soft))
          .onTap(ViewNode.Action(linkOf: action))
      })
  }
}
