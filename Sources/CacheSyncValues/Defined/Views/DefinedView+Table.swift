extension DefinedView {
  /// The items as rows, with the names in their definition as columns. A title comes first, then texts, then numbers.
  /// Texts and numbers are sorted by name, because a content has no order of names.
  static func table(_ entry: DefinedEntry) -> ViewNode {
    guard let first = entry.items.first else { return message(entry) }
    let columns = columns(of: entry.items)
    guard let name = columns.first?.name else { return list(entry) }
    switch entry.family {
    case .terminal: return terminal(entry, heading(entry) + tableRows(entry) + more(entry))
    case .accessoryInline: return .text(entry.markedText ?? first.words(first.item[name]))
    case .accessoryCircular: return number(entry)
    case .accessoryRectangular: return grid(entry, columns.prefix(2), rows: 3, hasHeader: false)
    case .systemSmall: return .vertical(heading(entry) + [grid(entry, columns.prefix(2), rows: 6)], gap: 8)
    case .systemMedium: return .vertical(heading(entry) + [grid(entry, columns.prefix(5), rows: 6)], gap: 8)
    case .systemLarge:
      return .vertical(
        heading(entry) + [grid(entry, columns.prefix(5), rows: 16, entry.items.count <= 10 ? .body : .caption)], gap: 8)
    }
  }

  static func tableRows(_ entry: DefinedEntry) -> [ViewNode] {
    let columns = columns(of: entry.items)
    return columns.isEmpty ? [] : [header(columns, .body)] + entry.items.map { row($0, columns, .body) }
  }

  /// The first columns of the items, to show beside something else.
  static func untitled(_ entry: DefinedEntry, atMost limit: Int) -> [ViewNode] {
    let columns = columns(of: entry.items)
    return columns.isEmpty ? [] : [grid(entry, columns.prefix(2), rows: limit, hasHeader: false).growing()]
  }

  /// A column of a table: a name that items have.
  private struct Column {
    var name: String
    /// Whether all of its values are numbers, which are aligned at their ends.
    var isNumeric: Bool
    /// Whether it takes the room that other columns leave.
    var grows: Bool
  }

  /// Long enough for times, dates and codes, which must not be cut. Longer texts may be.
  private static let longestLabel = 10

  private static func columns(of items: [DefinedItemView]) -> [Column] {
    let names = Set(items.flatMap { ($0.item.object ?? [:]).keys.map { ExactText($0) } }).subtracting(unshown)
    let columns = names.sorted().map(\.wrappedValue).map { name in
      let values = items.compactMap { $0.item[name] }.filter { $0 != .null }
      let isShort =
        name.count <= longestLabel
        && items.allSatisfy { $0.item[name] == nil || $0.words($0.item[name]).count <= longestLabel }
      return Column(
        name: name, isNumeric: !values.isEmpty && values.allSatisfy { $0.double != nil }, grows: !isShort)
    }
    let texts = columns.filter { !$0.isNumeric }
    return texts.filter { $0.name == "title" } + texts.filter { $0.name != "title" } + columns.filter(\.isNumeric)
  }

  /// Names that every item has, and names that define how an item is drawn.
  private static let unshown: Set<ExactText> = ["color", "deepLink", "end", "id", "start", "symbol", "tone"]

  private static func grid(
    _ entry: DefinedEntry, _ columns: ArraySlice<Column>, rows: Int, _ size: ViewNode.Size = .caption,
    hasHeader: Bool = true
  ) -> ViewNode {
    var columns = Array(columns)
    if !columns.contains(where: \.grows) { columns[0].grows = true }
    var list = entry.list(atMost: rows, gap: 4) { row($0, columns, size) }
    // The header is a row of the same list, so that it has the same columns.
    if hasHeader, case .stack(let axis, let nodes) = list.form {
      list.form = .stack(axis, [header(columns, size)] + nodes)
    }
    return list
  }

  private static func header(_ columns: [Column], _ size: ViewNode.Size) -> ViewNode {
    ViewNode(.row(nil, columns.enumerated().map { cell($1.name.capitalised, $1, .soft, size) }))
  }

  private static func row(_ item: DefinedItemView, _ columns: [Column], _ size: ViewNode.Size) -> ViewNode {
    let cells = columns.enumerated().map { place, column in
      cell(
        (place == 0 ? item.mark : "") + item.words(item.item[column.name]), column, place == 0 ? item.tint : .ink, size)
    }
    return ViewNode(.row(nil, cells)).onTap(item.action)
  }

  private static func cell(_ words: String, _ column: Column, _ tint: ViewNode.Tint, _ size: ViewNode.Size) -> ViewNode
  {
    let cell: ViewNode =
      if column.isNumeric { .value(words, tint, size) } else if column.grows { .text(words, tint, size) } else {
        .label(words, tint, size)
      }
    return column.grows ? cell.growing() : cell
  }
}
