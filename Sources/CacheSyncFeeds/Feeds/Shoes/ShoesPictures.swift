// What the widgets of shoes show.

private func icon(_ shoe: JSONValue, side: Double) -> ViewNode {
  .icon(shoe["icon"]?.string ?? "shoe.2", "👟", .blue, side: side)
}

/// The icon and the name of the current shoe.
private func worn(_ entry: ViewInput) -> (icon: ViewNode, name: ViewNode) {
  guard let current = entry["currentShoe"], current != .null else {
    return (.icon("shoe.2", "👟", .soft, side: 32), .word(entry.phrase(.selectShoes), .ink, .headline).twoLines())
  }
  return (icon(current, side: 32), .text(current["name"].words, .ink, .headline).twoLines())
}

private func nothing(_ entry: ViewInput) -> ViewNode { .nothing("shoe.2", "👟", entry.phrase(.selectShoes)) }

extension QuickSelectionKind {
  static func small(_ entry: ViewInput) -> ViewNode {
    if entry.isEmpty { return nothing(entry) }
    let shoe = worn(entry)
    let tiles = tiles(entry) { .centred(icon($0, side: 15).described(as: $0["name"].words)) }
    // Makes few tiles no wider than many.
    let spacers = Array(repeating: ViewNode.spacer, count: maximumShown - tiles.count)
    return .vertical(
      [
        .row(shoe.icon, shoe.name.growing()),
        .horizontal(walked(entry["today"] ?? .null, entry).map { .label($0, .soft, .caption) }),
      ] + (tiles.isEmpty ? [] : [.spacer, .horizontal(tiles + spacers, gap: 4)]))
  }

  /// The current shoe, and the shoes to choose from beside it.
  static func medium(_ entry: ViewInput) -> ViewNode {
    if entry.isEmpty { return nothing(entry) }
    let shoe = worn(entry)
    let tiles = tiles(entry) { .centred(icon($0, side: 20), .text($0["name"].words, .ink, .caption), gap: 2) }
    func place(_ index: Int) -> ViewNode { index < tiles.count ? tiles[index] : .spacer }
    let grid = ViewNode.vertical(
      [.horizontal(place(0), place(1), gap: 8).growing()]
        + (tiles.count > 2 ? [.horizontal(place(2), place(3), gap: 8).growing()] : []), gap: 8)
    return .horizontal(
      .vertical(
        [.horizontal(shoe.icon, .spacer), shoe.name, .spacer]
          + walked(entry["today"] ?? .null, entry).map { .label($0, .soft, .caption) }, gap: 4
      ).growing(),
      grid.growing(), gap: 12)
  }

  private static func tiles(_ entry: ViewInput, inside: (JSONValue) -> ViewNode) -> [ViewNode] {
    entry.list("top").prefix(maximumShown).map { shoe in
      inside(shoe).on(shoe["isActive"]?.bool == true ? .chosen(.blue) : .tile).growing()
        .onTap(select(shoe), label: shoe["name"].words)
    }
  }
}

extension DailyStatsKind {
  static func medium(_ entry: ViewInput) -> ViewNode {
    if entry.isEmpty { return nothing(entry) }
    let shoe = worn(entry)
    // A label would shorten the year: 2k.
    let since = since(entry).map { [ViewNode.text($0, .soft, .caption).twoLines()] } ?? []
    return .horizontal(
      .vertical(
        [.word(entry.phrase(.currentShoe), .soft, .caption), .spacer, .row(shoe.icon, shoe.name.growing())] + since + [
          .spacer
        ]
      ).growing(),
      .divider,
      .vertical([.word(entry.phrase(.todaysActivity), .soft, .caption)] + rows(entry)).growing(),
      gap: 12)
  }

  /// Steps, distance and active time, each with its symbol.
  static func rows(_ entry: ViewInput) -> [ViewNode] {
    func row(_ symbol: ViewNode, _ value: String) -> ViewNode {
      .row(symbol, .value(value).growing()).growing()
    }
    let walked = walked(entry.content, entry)
    return [
      row(.icon("figure.walk", "🚶", .blue, side: 20), walked[0]),
      row(.icon("location", "📍", .green, side: 20), walked[1]),
      row(.icon("clock", "⏱", .orange, side: 20), entry["activeText"].words),
    ]
  }
}

extension ShoeStatusKind {
  /// The current shoe, and its day.
  static func small(_ entry: ViewInput) -> ViewNode {
    if entry.isEmpty { return nothing(entry) }
    let shoe = worn(entry)
    let lines = walked(entry.content, entry) + [entry["activeText"].words]
    return .vertical(
      [.row(shoe.icon, shoe.name.growing()), .spacer]
        + (DailyStatsKind.since(entry).map { [.text($0, .blue, .caption).twoLines().optional(1)] } ?? [])
        + lines.map { .label($0, .soft, .caption) }, gap: 2)
  }
}

extension SmartSuggestionsKind {
  static func large(_ entry: ViewInput) -> ViewNode {
    if entry.isEmpty { return nothing(entry) }
    let suggestions = entry.list("suggestions").prefix(maximumShown)
    return .vertical([header(entry)] + cards(suggestions, entry) + insightTile(entry["insight"]), gap: 12)
  }

  private static func header(_ entry: ViewInput) -> ViewNode {
    .horizontal(
      .vertical(
        .word(entry.phrase(.smartSuggestions), .ink, .headline),
        .word(entry.phrase(.basedOnActivity), .soft, .caption), gap: 0
      ).growing(),
      .icon("lightbulb", "💡", .blue, side: 24))
  }

  /// Up to two cards one under another, more of them two by two; always in two lines.
  private static func cards(_ shoes: ArraySlice<JSONValue>, _ entry: ViewInput) -> [ViewNode] {
    switch shoes.count {
    case 0: return [.nothing("lightbulb", "💡", entry.phrase(.noSuggestions))]
    case 1: return shoes.map(wideCard) + [.spacer]
    case 2: return shoes.map(wideCard)
    default:
      let cards = shoes.map(card)
      let last = cards.count > 3 ? cards[3] : .spacer
      return [.horizontal(cards[0], cards[1]).growing(), .horizontal(cards[2], last).growing()]
    }
  }

  private static func wideCard(_ shoe: JSONValue) -> ViewNode {
    .row(
      icon(shoe, side: 32),
      .vertical(
        .text(shoe["name"].words, .ink, .headline), .text(shoe["reason"].words, .soft, .caption).twoLines(), gap: 4
      ).growing(),
      match(shoe)
    ).on(.tile).growing().onTap(select(shoe, by: "shoeId"))
  }

  private static func card(_ shoe: JSONValue) -> ViewNode {
    .vertical(
      .row(icon(shoe, side: 20), .text(shoe["name"].words, .ink, .headline).growing()),
      .text(shoe["reason"].words, .soft, .caption).twoLines(),
      .spacer,
      .horizontal(match(shoe), .spacer),
      gap: 4
    ).on(.tile).growing().onTap(select(shoe, by: "shoeId"))
  }

  private static func insightTile(_ insight: JSONValue?) -> [ViewNode] {
    guard let insight, insight != .null else { return [] }
    return [
      .row(.icon("figure.walk", "🚶", .blue, side: 20), .text(insight["text"].words).twoLines().growing()).on(.tile)
    ]
  }

  private static func match(_ shoe: JSONValue) -> ViewNode {
    .label(shoe["match"].words, .blue, .caption).on(.tinted(.blue))
  }
}

extension CurrentShoeKind {
  static func circular(_ entry: ViewInput) -> ViewNode {
    .icon(entry["circular"]?.string ?? "shoe.2", "👟", .blue, side: 40).described(as: entry["inline"].words)
  }

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    guard let words = entry["rectangular"], words != .null else {
      return .row(
        .icon("shoe.2", "👟", .soft, side: 28), .word(entry.phrase(.selectShoes), .ink, .headline).growing())
    }
    return .row(
      icon(entry["shoe"] ?? .null, side: 28),
      .vertical(
        [.text(words["title"].words, .ink, .headline).twoLines()]
          + (words["subtitle"]?.string.map { [.label($0, .soft, .caption)] } ?? []), gap: 4
      ).growing())
  }
}
