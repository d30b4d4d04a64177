private let shoe = ViewNode.icon("shoe.2", "👟")

/// The current shoe, and since when it has been worn.
private func worn(_ current: JSONValue?, _ entry: ViewInput) -> ViewNode {
  guard let current, current != .null else { return .line(shoe, .text(.missing)) }
  return .line(shoe, .text(current["name"].words), .text("since \(entry.time(current["since"]))", .soft))
}

private func walked(_ content: JSONValue) -> ViewNode {
  .text("\(counted(content["steps"].whole, "step")), \(content["distance"].decimal(places: 2)) km")
}

/// Puts a shoe on. The agent receives this at once, without the app.
func select(_ id: JSONValue?) -> ViewNode.Action { .intent("select-shoe", ["shoeId": id.recordID]) }

extension QuickSelection {
  static let view: KindView = { entry in
    if entry.family == .systemSmall { return small(entry) }
    let shoes = entry.list("top").map { shoe -> ViewNode in
      let isActive = shoe["isActive"]?.bool == true
      let sign = isActive ? ViewNode.icon("circle.fill", "●", .green) : .icon("circle", "○", .soft)
      return .row(sign, .text(shoe["name"].words), .text(model(shoe), .soft)).onTap(select(shoe["id"]))
    }
    return .vertical([worn(entry["currentShoe"], entry), walked(entry["today"] ?? .null)] + shoes)
  }

  private static func model(_ shoe: JSONValue) -> String {
    let words = [shoe["brand"]?.string, shoe["model"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    return words.isEmpty ? .missing : words.joined(separator: " ")
  }
}

extension DailyStats {
  static let view: KindView = { entry in
    if entry.family == .systemMedium { return medium(entry) }
    let since = entry["activeSince"]?.instant.map { ", and since \(entry.time($0))" } ?? ""
    return .vertical([
      worn(entry["currentShoe"], entry), walked(entry.content),
      .text("active \(duration(entry["activeSeconds"]))\(since)"),
    ])
  }

  /// "1 h 5 min"; less than a minute is 0 min.
  static func duration(_ value: JSONValue?) -> String {
    guard let minutes = value?.double.map({ ($0 / 60).rounded(.towardZero) }) else { return .missing }
    func whole(_ number: Double) -> String { Optional(JSONValue.number(number)).whole }
    let rest = whole(minutes.truncatingRemainder(dividingBy: 60)) + " min"
    return minutes < 60 ? rest : whole(minutes / 60) + " h " + rest
  }
}

extension SmartSuggestions {
  static let view: KindView = { entry in
    if entry.family == .systemLarge { return large(entry) }
    let suggestions = entry.list("suggestions").map { shoe in
      ViewNode.row(
        nil, .text(shoe["name"].words), .bar(shoe["confidence"]?.double), .label(shoe["match"].words),
        .text(shoe["reason"].words, .soft)
      ).onTap(select(shoe["shoeId"]))
    }
    return .vertical(
      [.text(entry["slot"].words)] + (suggestions.isEmpty ? [.text(.missing)] : suggestions)
        + [.horizontal(.label("week"), .text((entry["insight"]?["text"]).words))])
  }
}

extension CurrentShoe {
  static let view: KindView = { entry in
    switch entry.family {
    case .accessoryInline: return .text(entry["inline"].words)
    case .accessoryCircular: return circular(entry)
    case .accessoryRectangular: return rectangular(entry)
    default:
      guard let words = entry["rectangular"], words != .null else { return .line(shoe, .text(entry["inline"].words)) }
      return .line(shoe, .text(words["title"].words), .text(words["subtitle"].words, .soft))
    }
  }
}
