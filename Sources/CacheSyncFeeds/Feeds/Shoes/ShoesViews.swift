private let shoe = ViewNode.icon("shoe.2", "👟")

/// The current shoe, and since when it has been worn.
private func worn(_ current: JSONValue?, _ entry: ViewInput) -> ViewNode {
  guard let current, current != .null else { return .line(shoe, .text(.missing)) }
  let since = current["since"]?.instant.map { entry.phrase(.since, [.time: entry.time($0)]) } ?? ""
  return .line(shoe, .text(current["name"].words), .text(since, .soft))
}

/// The steps and the distance.
func walked(_ content: JSONValue, _ entry: ViewInput) -> [String] {
  [entry.phrase(.steps, [.count: content["steps"].whole]), entry.decimal(content["distance"], places: 2) + " km"]
}

private func line(_ walked: [String]) -> ViewNode { .text(walked.joined(separator: ", ")) }

/// Puts a shoe on. The agent receives this at once, without the app.
///
/// - Parameter key: the member with its id.
func select(_ shoe: JSONValue, by key: String = "id") -> ViewNode.Action {
  .intent("select-shoe", Optional(shoe).naming("shoeId", by: key))
}

extension QuickSelectionKind {
  static let view = ViewNode.byFamily([.systemSmall: small, .systemMedium: medium]) { entry in
    let shoes = entry.list("top").map { shoe -> ViewNode in
      let isActive = shoe["isActive"]?.bool == true
      let sign = isActive ? ViewNode.icon("circle.fill", "●", .green) : .icon("circle", "○", .soft)
      return .row(sign, .text(shoe["name"].words), .text(model(shoe), .soft)).onTap(select(shoe))
    }
    return .vertical([worn(entry["currentShoe"], entry), line(walked(entry["today"] ?? .null, entry))] + shoes)
  }

  private static func model(_ shoe: JSONValue) -> String {
    let words = [shoe["brand"]?.string, shoe["model"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    return words.isEmpty ? .missing : words.joined(separator: " ")
  }
}

extension DailyStatsKind {
  static let view = ViewNode.byFamily([.systemMedium: medium]) { entry in
    .vertical([worn(entry["currentShoe"], entry), line(walked(entry.content, entry)), .text(active(entry))])
  }

  /// "active 1 h 15 min, on since 09:30".
  static func active(_ entry: ViewInput) -> String {
    let duration = entry["activeText"].words
    guard let since = entry["activeSince"]?.instant else { return entry.phrase(.active, [.duration: duration]) }
    return entry.phrase(.activeAndOnSince, [.duration: duration, .time: entry.time(since)])
  }

  /// Since when a shoe is worn; nil: none is. A live reader adds that time to the active time.
  static func since(_ entry: ViewInput) -> String? {
    entry["activeSince"]?.instant.map { entry.phrase(.onSince, [.time: entry.time($0)]) }
  }
}

extension ShoeStatusKind {
  static let view = ViewNode.byFamily([.systemSmall: small]) { entry in
    .vertical([
      worn(entry["currentShoe"], entry), line(walked(entry.content, entry)),
      .text(DailyStatsKind.active(entry)),
    ])
  }
}

extension SmartSuggestionsKind {
  static let view = ViewNode.byFamily([.systemLarge: large]) { entry in
    let suggestions = entry.list("suggestions").map { shoe in
      ViewNode.row(
        nil, .text(shoe["name"].words), .bar(shoe["confidence"]?.double), .label(shoe["match"].words),
        .text(shoe["reason"].words, .soft)
      ).onTap(select(shoe, by: "shoeId"))
    }
    return .vertical(
      [.text(slot(entry))] + (suggestions.isEmpty ? [.text(.missing)] : suggestions)
        + [.horizontal(.label(entry.phrase(.week)), .text((entry["insight"]?["text"]).words))])
  }

  private static func slot(_ entry: ViewInput) -> String {
    switch entry["slot"]?.string {
    case "morning": entry.phrase(.morning)
    case "midday": entry.phrase(.midday)
    case "evening": entry.phrase(.evening)
    default: entry["slot"].words
    }
  }
}

extension CurrentShoeKind {
  static let view = ViewNode.byFamily([
    .accessoryInline: { .text($0["inline"].words) }, .accessoryCircular: circular, .accessoryRectangular: rectangular,
  ]) { entry in
    guard let words = entry["rectangular"], words != .null else { return .line(shoe, .text(entry["inline"].words)) }
    return .line(shoe, .text(words["title"].words), .text(words["subtitle"]?.string ?? "", .soft))
  }
}
