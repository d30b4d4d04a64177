// What the widgets of tasks show.
extension TaskKinds {
  static func small(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(check(.green, side: 44), .text(entry["text"].words, .ink, .headline).twoLines(), gap: 8)
    }
    return .vertical(
      .horizontal(check(.blue, side: 20), .text(entry["title"].words, .ink, .headline).growing()),
      .spacer,
      .vertical(.label(entry["count"].whole, .blue, .display), unit(entry["count"], .body), gap: 0))
  }

  static func medium(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(check(.green, side: 32), .label("No tasks for today", .ink, .headline), gap: 8)
    }
    return .vertical(
      header(entry),
      list(entry, atMost: 3, gap: 8) { task in
        .horizontal([.text(task["title"].words).growing()] + due(task, entry))
      },
      gap: 12)
  }

  static func large(_ entry: ViewInput) -> ViewNode {
    if isAllDone(entry) {
      return .centred(
        check(.green, side: 48), .label("All done!", .ink, .title), .label("No tasks for today", .soft), gap: 8)
    }
    return .vertical(
      header(entry), .divider,
      list(entry, atMost: 5, gap: 16) { task in
        let labels = (task["labels"]?.array ?? []).prefix(2).map { "#" + $0["name"].words }.joined(separator: " ")
        let details = due(task, entry) + (labels.isEmpty ? [] : [.text(labels, .soft, .caption).growing()])
        return .vertical(
          [.text(task["title"].words).twoLines()] + (details.isEmpty ? [] : [.horizontal(details)]), gap: 0)
      },
      gap: 12)
  }

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    // In a horizontal stack of one node, the lines are centred vertically.
    .horizontal(
      .vertical(
        .word("Today's Tasks", .blue, .caption), .text(entry["rectangular"].words, .ink, .headline).twoLines(), gap: 4
      ).growing())
  }

  // MARK: Numbers of tasks

  static func count(_ entry: ViewInput) -> ViewNode {
    if entry["count"]?.double == 0 { return .centred(check(.green, side: 28), .label("Done", .ink, .caption)) }
    return .centred(
      .icon("checklist", "☑", .blue), .label(entry["count"].whole, .ink, .number), unit(entry["count"], .micro), gap: 0)
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

  private static func isAllDone(_ entry: ViewInput) -> Bool { entry["allDone"]?.bool == true }

  private static func header(_ entry: ViewInput) -> ViewNode {
    .horizontal(
      check(.blue, side: 20), .word("Today's Tasks", .ink, .headline).growing(),
      .value(entry["count"].whole, .blue, .headline))
  }

  /// Tasks, each with a circle that completes it.
  private static func list(_ entry: ViewInput, atMost limit: Int, gap: Double, words: (JSONValue) -> ViewNode)
    -> ViewNode
  {
    .list(of: entry.list("tasks"), atMost: limit, more: entry["more"], gap: gap) { task in
      .row(
        .icon("circle", "○", .blue, side: 20)
          .onTap(complete(task), label: task["title"].words),
        words(task).growing()
      ).onTap(ViewNode.Action(linkOf: task))
    }
  }

  /// The time at which a task is due; empty if it is due on a day, which is published as its first instant.
  private static func due(_ task: JSONValue, _ entry: ViewInput) -> [ViewNode] {
    guard let due = task["dueDate"]?.instant, entry.calendar.start(of: entry.calendar.day(of: due)) != due else {
      return []
    }
    return [.value(entry.time(due), .soft, .caption)]
  }

  /// The unit below a number.
  private static func unit(_ count: JSONValue?, _ size: ViewNode.Size) -> ViewNode {
    .word(count?.double == 1 ? "task" : "tasks", .soft, size)
  }

  private static func check(_ tint: ViewNode.Tint, side: Double = 16) -> ViewNode {
    .icon("checkmark.circle.fill", "✓", tint, side: side)
  }
}
