extension DefinedView {
  /// One value with its unit in large type, and the content's text. Items, if there are any, are rows.
  static func value(_ entry: DefinedEntry) -> ViewNode {
    guard let words = entry.filled("value") else { return message(entry) }
    let value = entry.mark + words
    let unit = entry.filled("unit")
    switch entry.family {
    case .terminal:
      let words = ViewNode.label([value, unit].compactMap(\.self).joined(separator: " "))
      let text = entry.text.map { [ViewNode.text($0, .soft)] } ?? []
      return terminal(
        entry, [.vertical([ViewNode(.row(entry.icon, [words] + text))])] + rows(entry) + more(entry))
    case .accessoryInline: return .text(entry.markedText ?? [value, unit].compactMap(\.self).joined(separator: " "))
    case .accessoryCircular:
      let below = unit.map { [ViewNode.label($0, .soft, .micro)] } ?? []
      return ViewNode(.stack(.centred, [.label(value, entry.tint ?? .ink, .number)] + below)).gap(0)
    case .accessoryRectangular:
      let text = entry.text.map { [ViewNode.text($0, .soft, .caption).twoLines()] } ?? []
      return .horizontal(.vertical([amount(value, unit, .number, entry)] + text, gap: 4).growing())
    case .systemSmall:
      return card(entry, value, unit, text: .caption)
    case .systemMedium:
      let card = card(entry, value, unit, text: .body).growing()
      return entry.items.isEmpty ? card : .horizontal([card] + items(entry, atMost: 5), gap: 16)
    case .systemLarge where entry.items.isEmpty:
      let size: ViewNode.Size = value.count <= longestTogether ? .huge : .display
      return card(entry, value, unit, size, text: .number)
    case .systemLarge:
      return .vertical([card(entry, value, unit, text: .body), .divider] + items(entry, atMost: 9), gap: 12)
    }
  }

  private static func card(
    _ entry: DefinedEntry, _ value: String, _ unit: String?, _ amountSize: ViewNode.Size = .display,
    text size: ViewNode.Size
  ) -> ViewNode {
    let title = entry.title.map { ViewNode.text($0, .soft, .caption).growing() }
    let top = [entry.icon(side: 24), title].compactMap(\.self)
    let text = entry.text.map { [ViewNode.text($0, .soft, size).twoLines()] } ?? []
    let below = entry.family == .systemLarge && entry.items.isEmpty ? [ViewNode.spacer] : []
    return .vertical(
      (top.isEmpty ? [] : [.horizontal(top)]) + [.spacer, amount(value, unit, amountSize, entry)] + text + below, gap: 4
    )
  }

  /// A number and a short value are never cut; a long one is a text. In a small card, a unit has room only beside a few
  /// digits.
  private static func amount(_ value: String, _ unit: String?, _ size: ViewNode.Size, _ entry: DefinedEntry) -> ViewNode
  {
    let tint = entry.tint ?? .ink
    guard entry.input["value"]?.double != nil || value.count <= longestAmount else {
      let words = [value, unit].compactMap(\.self).joined(separator: " ")
      return .text(words, tint, min(size, entry.family == .systemSmall ? .headline : .title)).twoLines()
    }
    guard let unit else { return .label(value, tint, size) }
    let unitSize: ViewNode.Size = size == .huge ? .title : size == .display ? .headline : .caption
    if size == .huge || entry.family == .systemSmall, value.count + unit.count > longestTogether {
      return .vertical(.label(value, tint, size), .label(unit, .soft, size == .huge ? .title : .body), gap: 0)
    }
    return .horizontal(.label(value, tint, size), .label(unit, .soft, unitSize), gap: 4)
  }

  private static let longestTogether = 5
  /// Long enough for "-1234.56". Longer values may be cut.
  private static let longestAmount = 8

  /// How many items are left out, if any are shown.
  static func more(_ entry: DefinedEntry) -> [ViewNode] { entry.items.isEmpty ? [] : entry.input.more(entry.more) }
}
