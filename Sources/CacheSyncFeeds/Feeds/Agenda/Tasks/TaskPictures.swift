// What the widgets of tasks show.
extension TaskKinds {
  static func small(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(check(.green, side: 44), .text(entry["text"].words, .ink, .headline).twoLines(), gap: 8)
    }
    let heading = ViewNode.horizontal(
      check(.blue, side: 20), .label(entry["title"].words, .ink, .headline).growing())
    let late = entry["overdueCount"]
    guard entry["count"]?.double != 0 else {
      return .vertical(
        heading, .spacer,
        .vertical(
          .label(late.whole, .red, .display), .word(entry.phrase(.overdueUnit, [.count: late.whole]), .red, .body),
          gap: 0))
    }
    var lines = [ViewNode.label(entry["count"].whole, .blue, .display), unit(entry, .body)]
    if let late = late?.int, late > 0 {
      lines.append(.label(entry.phrase(.overdueTasks, [.count: "\(late)"]), .red, .caption))
    }
    return .vertical(heading, .spacer, .vertical(lines, gap: 0))
  }

  static func medium(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(check(.green, side: 32), .label(entry["text"].words, .ink, .headline), gap: 8)
    }
    return .vertical(
      header(entry),
      list(entry, atMost: 3, gap: 8) { task, isOverdue in
        .horizontal([.text(task["title"].words).growing()] + due(task, isOverdue, entry))
      },
      gap: 12)
  }

  static func large(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(check(.green, side: 48), .label(entry["text"].words, .ink, .title), gap: 8)
    }
    return .vertical(
      header(entry), .divider,
      list(entry, atMost: 5, gap: 16) { task, isOverdue in
        let labels = (task["labels"]?.array ?? []).prefix(entry.atMost(2)).map { "#" + $0["name"].words }.joined(
          separator: " ")
        let details = due(task, isOverdue, entry) + (labels.isEmpty ? [] : [.text(labels, .soft, .caption).growing()])
        return .vertical(
          [.text(task["title"].words).twoLines()] + (details.isEmpty ? [] : [.horizontal(details)]), gap: 0)
      },
      gap: 12)
  }

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    // In a horizontal stack of one node, the lines are centred vertically.
    .horizontal(
      .vertical(
        .word(entry.phrase(.todaysTasks), .blue, .caption),
        .text(entry["rectangular"].words, .ink, .headline).twoLines(), gap: 4
      ).growing())
  }

  // MARK: Numbers of tasks

  static func count(_ entry: ViewInput) -> ViewNode {
    if let late = entry["overdueCount"]?.int, late > 0, entry["count"]?.int == 0 {
      return .centred(
        .icon("checklist", "☑", .red), .label("\(late)", .red, .number),
        .word(entry.phrase(.overdueUnit, [.count: "\(late)"]), .red, .micro), gap: 0)
    }
    if entry["count"]?.double == 0 {
      return .centred(check(.green, side: 28), .label(entry.phrase(.done), .ink, .caption))
    }
    return .centred(
      .icon("checklist", "☑", .blue), .label(entry["count"].whole, .ink, .number), unit(entry, .micro), gap: 0)
  }

  static func progress(_ entry: ViewInput) -> ViewNode {
    .ring(
      entry["progress"]?.double,
      .centred(
        .label(entry["completed"].whole, .ink, .headline), .label("/" + entry["total"].whole, .soft, .micro), gap: 0),
      .blue, diameter: 64)
  }

  static func completed(_ entry: ViewInput) -> ViewNode {
    .row(check(.green), .label(entry["text"].words))
  }

  // MARK: Parts

  static func isAllDone(_ entry: ViewInput) -> Bool { entry["allDone"]?.bool == true }

  /// How many tasks the list has, those behind "+N more" too.
  private static func listedCount(_ entry: ViewInput) -> JSONValue? {
    guard let count = entry["count"]?.int, let late = entry["overdueCount"]?.int else { return entry["count"] }
    return .integer(max(0, count).addingReportingOverflow(max(0, late)).partialValue)
  }

  private static func header(_ entry: ViewInput) -> ViewNode {
    .horizontal(
      check(.blue, side: 20), .word(entry.phrase(.todaysTasks), .ink, .headline).growing(),
      .value(listedCount(entry).whole, .blue, .headline))
  }

  /// The overdue tasks and then those of today, each with a circle that completes it.
  private static func list(
    _ entry: ViewInput, atMost limit: Int, gap: Double, words: (JSONValue, _ isOverdue: Bool) -> ViewNode
  ) -> ViewNode {
    let tasks = entry.list("overdue").map { ($0, true) } + entry.list("tasks").map { ($0, false) }
    return .list(of: tasks, atMost: entry.atMost(limit), more: hiddenCount(entry), gap: gap) { task, isOverdue in
      .row(
        .icon("circle", "○", .blue, side: 20)
          .onTap(complete(task), label: task["title"].words),
        words(task, isOverdue).growing()
      ).onTap(ViewNode.Action(linkOf: task))
    }
  }

  /// Since when a task is overdue; else the time at which it is due, and nothing if it is due on a day, which is
  /// published as its first instant.
  private static func due(_ task: JSONValue, _ isOverdue: Bool, _ entry: ViewInput) -> [ViewNode] {
    if isOverdue { return [.value(overdueSince(task, entry), .red, .caption)] }
    guard let due = task["dueDate"]?.instant, entry.calendar.start(of: entry.calendar.day(of: due)) != due else {
      return []
    }
    return [.value(entry.time(due), .soft, .caption)]
  }

  /// The unit below a number.
  private static func unit(_ entry: ViewInput, _ size: ViewNode.Size) -> ViewNode {
    .word(entry.phrase(.taskUnit, [.count: entry["count"].whole]), .soft, size)
  }

  private static func check(_ tint: ViewNode.Tint, side: Double = 16) -> ViewNode {
    .icon("checkmark.circle.fill", "✓", tint, side: side)
  }
}
