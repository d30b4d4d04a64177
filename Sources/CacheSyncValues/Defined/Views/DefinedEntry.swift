/// An entry of a defined kind by the conventional names of the templates.
///
/// Besides the names that a template needs, every content may have `title`, `text`, `symbol` and `color`.
struct DefinedEntry {
  let input: ViewInput
  let items: [DefinedItemView]

  init(_ input: ViewInput) {
    self.input = input
    let items = input.list("items").filter { $0.object != nil }
    let haveIcons = items.contains { DefinedWords.icon(of: $0) != nil }
    self.items = items.map { DefinedItemView(item: $0, haveIcons: haveIcons, language: input.language) }
  }

  var family: ViewFamily { input.family }
  var title: String? { filled("title") }
  var text: String? { filled("text") }
  /// A member of the content in words; nil if there is nothing to show.
  func filled(_ name: String) -> String? { DefinedWords.filled(input[name], in: input.language) }
  var tint: ViewNode.Tint? { DefinedWords.tint(of: input.content) }
  /// The content's own `color`.
  var colour: ViewNode.Tint? { input["color"]?.string.flatMap { ViewNode.Tint(colour: $0) } }
  /// The sign of the content's tone, for those who cannot see its colour.
  var mark: String { DefinedWords.mark(of: input.content) }
  var markedText: String? { text.map { mark + $0 } }
  var more: JSONValue? { input["more"] }
  var hasTitles: Bool { items.contains { $0.item["title"] != nil } }

  /// Whether a large card has more room than its items need in usual type.
  var isAmple: Bool { family == .systemLarge && items.count <= 6 }

  /// The icon for the content's `symbol`. A colour without a symbol is for other parts.
  var icon: ViewNode? { input["symbol"]?.string == nil ? nil : DefinedWords.icon(of: input.content) }

  func icon(side: Double) -> ViewNode? { icon?.side(side) }

  /// The first items as rows, and how many more there are.
  func list(atMost usual: Int, gap: Double = 8, row: (DefinedItemView) -> ViewNode) -> ViewNode {
    .list(of: items, atMost: input.atMost(usual), more: more, gap: gap) { row($0).onTap($0.action) }
  }

  /// The fields that no template draws in a terminal, by name. A title is one of them if there is a text. A picture has
  /// it above the text, but programs read the main information from the first line.
  var others: [(name: String, words: String)] {
    (input.content.object ?? [:]).filter { !Self.conventional.contains($0.key) && ($0.key != "title" || text != nil) }
      .sorted { isOrdered($0.key, before: $1.key) }.map { ($0.key, DefinedWords.words($0.value, in: input.language)) }
  }

  private static let conventional: Set<String> = [
    "color", "count", "deepLink", "items", "more", "progress", "symbol", "text", "tone", "unit", "value",
  ]
}
