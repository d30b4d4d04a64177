extension DefinedView {
  /// The content's text, and below it the items with their titles and details.
  static func list(_ entry: DefinedEntry) -> ViewNode {
    guard let first = entry.items.first else { return message(entry) }
    switch entry.family {
    case .terminal: return terminal(entry, heading(entry) + rows(entry) + entry.input.more(entry.more))
    case .accessoryInline: return .text(entry.markedText ?? first.title)
    case .accessoryCircular: return number(entry)
    case .accessoryRectangular: return rectangular(entry, first)
    case .systemSmall:
      // More than two details would take the room of the text's second line.
      let hasDetails = entry.items.count <= 2
      return .vertical(heading(entry) + [entry.list(atMost: 4) { smallRow($0, hasDetails, entry) }], gap: 8)
    case .systemMedium:
      return .vertical(heading(entry) + [entry.list(atMost: 5) { row($0, entry) }], gap: 8)
    case .systemLarge:
      return .vertical(
        heading(entry) + [.divider, entry.list(atMost: 12, gap: 12) { largeRow($0, entry) }], gap: 12)
    }
  }

  /// The items as rows, for views that show them beside something else. Items without titles are a table.
  static func items(_ entry: DefinedEntry, atMost limit: Int) -> [ViewNode] {
    if entry.items.isEmpty { return [] }
    guard entry.hasTitles else { return untitled(entry, atMost: limit) }
    return [entry.list(atMost: limit) { row($0, entry) }.growing()]
  }

  static func rows(_ entry: DefinedEntry) -> [ViewNode] {
    guard entry.hasTitles else { return tableRows(entry) }
    return entry.items.map { item in
      let detail = item.detail(entry).map { [ViewNode.text($0, .soft)] } ?? []
      return ViewNode(.row(item.icon, [.text(item.title, item.toneTint)] + detail)).onTap(item.action)
    }
  }

  /// A title, with its detail at the end of the line, or below it if the detail is long.
  private static func row(_ item: DefinedItemView, _ entry: DefinedEntry) -> ViewNode {
    let text = ViewNode.text(item.title, item.toneTint, item.titleSize).growing()
    let title = entry.family == .systemLarge ? text.twoLines() : text
    guard let detail = item.detail(entry) else { return .row(item.icon, title) }
    if detail.count > longestValue { return .row(item.icon, above(detail, title)) }
    return .row(item.icon, .horizontal(title, .value(detail, .soft, .caption)).growing())
  }

  /// The fewer rows there are, the larger is their type. Details of few rows have a line of their own.
  private static func largeRow(_ item: DefinedItemView, _ entry: DefinedEntry) -> ViewNode {
    guard entry.isAmple else { return row(item, entry) }
    let isWide = entry.items.count <= 3
    let title = ViewNode.text(item.title, item.toneTint, isWide ? .number : .headline).twoLines()
    let detail = item.detail(entry).map { [ViewNode.text($0, .soft, isWide ? .body : .caption).twoLines()] } ?? []
    return .row(item.icon, .vertical([title] + detail, gap: 0).growing())
  }

  private static func smallRow(_ item: DefinedItemView, _ hasDetails: Bool, _ entry: DefinedEntry) -> ViewNode {
    let title = ViewNode.text(item.title, item.toneTint, .caption).growing()
    guard hasDetails, let detail = item.detail(entry) else { return .row(item.icon, title) }
    return .row(item.icon, above(detail, title))
  }

  private static func above(_ detail: String, _ title: ViewNode) -> ViewNode {
    .vertical(title, .text(detail, .soft, .caption).optional(1), gap: 0).growing()
  }

  /// Beside a detail of this length, the title has half of a medium card. A longer detail goes below the title.
  private static let longestValue = 20

  private static func rectangular(_ entry: DefinedEntry, _ first: DefinedItemView) -> ViewNode {
    // In a horizontal stack of its own, the text is centred vertically.
    if let text = entry.markedText { return .horizontal(.text(text, .ink, .headline).twoLines().growing()) }
    let detail = first.detail(entry).map { [ViewNode.text($0, .soft, .caption).optional(1)] } ?? []
    return .horizontal(.vertical([.text(first.title, .ink, .headline).twoLines()] + detail, gap: 4).growing())
  }

  static func number(_ entry: DefinedEntry) -> ViewNode {
    let count = ViewNode.label(entry.mark + entry.input["count"].whole, entry.tint ?? .ink, .number)
    return entry.icon(side: 20).map { .centred($0, count, gap: 0) } ?? .centred(count)
  }
}
