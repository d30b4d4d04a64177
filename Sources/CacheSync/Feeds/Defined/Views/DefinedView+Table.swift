extension DefinedView {
  /// The items as rows, with what their definition names as columns: a title first, then texts, then numbers, each by
  /// name, because a content has no order of names.
  static func table(_ entry: DefinedEntry) -> ViewNode {
    guard let first = entry.items.first else { return message(entry) }
    let columns = columns(of: entry.items)
    guard let name = columns.first?.name else { return list(entry) }
    switch entry.family {
    case .terminal: return terminal(entry, heading(entry) + tableRows(entry) + more(entry))
    case .accessoryInline: return .text(entry.text ?? DefinedWords.words(first.item[name]))
    case .accessoryCircular: return number(entry)
    case .accessoryRectangular: return grid(entry, columns.prefix(2), rows: 3, hasHeader: false)
    case .systemSmall: return .vertical(heading(entry) + [grid(entry, columns.prefix(2), rows: 6)], gap: 8)
    case .systemMedium: return .vertical(heading(entry) + [grid(entry, columns.prefix(5), rows: 6)], gap: 8)
    case .systemLarge: return .vertical(heading(entry) + [grid(entry, columns.prefix(5), rows: 16)], gap: 8)
    }
  }

  /// In a terminal.
  static func tableRows(_ entry: DefinedEntry) -> [ViewNode] {
    let columns = columns(of: entry.items)
    return columns.isEmpty ? [] : [header(columns, .body)] + entry.items.map { row($0, columns, .body) }
  }

  /// The first columns of items beside something else.
  static func untitled(_ entry: DefinedEntry, atMost limit: Int) -> [ViewNode] {
    let columns = columns(of: entry.items)
    return columns.isEmpty ? [] : [grid(entry, columns.prefix(2), rows: limit, hasHeader: false).growing()]
  }

  /// A name of the items that a table shows.
  private struct Column {
    var name: String
    /// Whether all of its values are numbers, which line up at their ends.
    var isNumeric: Bool
    /// Whether the others leave their room to it.
    var grows: Bool
  }

  /// A judgement: times, dates and codes, which are not cut.
  private static let longestLabel = 10

  private static func columns(of items: [DefinedItemView]) -> [Column] {
    let names = Set(items.flatMap { ($0.item.object ?? [:]).keys.map { ExactText($0) } }).subtracting(unshown)
    let columns = names.sorted().map(\.wrappedValue).map { name in
      let values = items.compactMap { $0.item[name] }.filter { $0 != .null }
      let isShort = name.count <= longestLabel && values.allSatisfy { DefinedWords.words($0).count <= longestLabel }
      return Column(
        name: name, isNumeric: !values.isEmpty && values.allSatisfy { $0.double != nil }, grows: !isShort)
    }
    let texts = columns.filter { !$0.isNumeric }
    return texts.filter { $0.name == "title" } + texts.filter { $0.name != "title" } + columns.filter(\.isNumeric)
  }

  /// What every item has, or what says how it is drawn.
  private static let unshown: Set<ExactText> = ["color", "deepLink", "end", "id", "start", "symbol"]

  private static func grid(_ entry: DefinedEntry, _ columns: ArraySlice<Column>, rows: Int, hasHeader: Bool = true)
    -> ViewNode
  {
    var columns = Array(columns)
    if !columns.contains(where: \.grows) { columns[0].grows = true }
    var list = entry.list(atMost: rows, gap: 4) { row($0, columns, .caption) }
    // The header is a row of the same list, so that its columns are those of the others.
    if hasHeader, case .stack(let axis, let nodes) = list.form {
      list.form = .stack(axis, [header(columns, .caption)] + nodes)
    }
    return list
  }

  private static func header(_ columns: [Column], _ size: ViewNode.Size) -> ViewNode {
    ViewNode(.row(nil, columns.enumerated().map { cell($1.name.capitalised, $1, .soft, size) }))
  }

  private static func row(_ item: DefinedItemView, _ columns: [Column], _ size: ViewNode.Size) -> ViewNode {
    let cells = columns.enumerated().map { place, column in
      cell(DefinedWords.words(item.item[column.name]), column, place == 0 ? item.tint : .ink, size)
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
