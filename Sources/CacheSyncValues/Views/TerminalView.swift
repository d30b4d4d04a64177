import CacheSyncSystem

/// Draws a view as lines of text. Nodes of a vertical stack go one under another, with the fields of rows in columns.
/// Nodes side by side, or inside a ring, share one line. Rings are drawn as bars.
package struct TerminalView: Sendable {
  package let style: TerminalStyle
  /// How many cells a line may take; nil: as many as it needs.
  package let width: Int?

  package init(style: TerminalStyle, width: Int? = nil) {
    self.style = style
    self.width = width
  }

  package func lines(of node: ViewNode) -> [String] {
    blocks(node).flatMap(table).map { line in width.map { line.fitted($0) } ?? line }
  }

  /// One field, with its plain text, which determines its width.
  fileprivate struct Cell {
    var text: String
    var tint = ViewNode.Tint.ink
    var role = ViewNode.Role.label
    /// Replaces the text: a bar of this share, as long as there is room.
    var progress: Double?

    var isEmpty: Bool { text.isEmpty && progress == nil }
  }

  fileprivate struct Row {
    var icon: Cell?
    var cells: [Cell]
  }

  /// Groups of consecutive rows that share their columns.
  private func blocks(_ node: ViewNode) -> [[Row]] {
    switch node.form {
    case .stack(.vertical, let nodes), .stack(.centred, let nodes):
      var blocks: [[Row]] = []
      var isInRows = false
      for node in nodes {
        let isRow = if case .row = node.form { true } else { false }
        if isRow, isInRows {
          blocks[blocks.count - 1] += self.blocks(node).joined()
        } else {
          blocks += self.blocks(node)
        }
        isInRows = isRow
      }
      return blocks
    case .row(let icon, let fields):
      return [[Row(icon: icon.flatMap { cells($0).first }, cells: fields.flatMap(cells))]]
    default:
      return [[Row(cells: cells(node))]]
    }
  }

  private func cells(_ node: ViewNode) -> [Cell] {
    switch node.form {
    case .stack(_, let nodes): nodes.flatMap(cells)
    case .row(let icon, let fields): (icon.map(cells) ?? []) + fields.flatMap(cells)
    case .text(let text): [Cell(text: EscapedText.forPeople(text.words), tint: text.tint, role: text.role)]
    case .icon(let symbol): [Cell(text: symbol.sign, tint: symbol.tint)]
    case .bar(let bar): [bar.progress.map { Cell(text: "", progress: $0) } ?? Cell(text: .missing)]
    case .ring(let ring, let center): cells(.bar(ring.progress)) + cells(center)
    }
  }

  // MARK: Columns

  /// The maximum width of a text before the last field; a longer one is cut.
  fileprivate static let widestText = 36
  /// A last text longer than this is cut before the texts in front of it.
  fileprivate static let widestLast = 8
  private static let narrowestText = 12
  private static let barLengths = 4...20
  fileprivate static let gap = "  "

  /// Rows with their fields in columns. The last field of a row has its own width.
  ///
  /// On a narrow terminal bars become shorter, then texts in front are cut. If that is not enough, the rows lose bars,
  /// or columns, or both: the choice that cuts the fewest cells, not counting the ends of last texts.
  private func table(_ rows: [Row]) -> [String] {
    guard let width else { return lines(rows) }
    let withoutBars = rows.map { row in
      Row(icon: row.icon, cells: row.cells.filter { $0.progress == nil || row.cells.count == 1 })
    }
    let ways = [(rows, true), (withoutBars, true), (rows, false), (withoutBars, false)]
    let lost = ways.map { rows, isAligned in
      lines(rows, isAligned: isAligned, lastText: Self.widestLast).reduce(0) { $0 + max(0, $1.cellCount - width) }
    }
    let (best, isAligned) = zip(ways, lost).min { $0.1 < $1.1 }?.0 ?? (rows, true)
    return lines(best, isAligned: isAligned)
  }

  private func lines(_ rows: [Row], isAligned: Bool = true, lastText: Int = .max) -> [String] {
    let iconWidth = rows.compactMap { $0.icon?.text.cellCount }.max().map { $0 + 1 } ?? 0
    let columns = columns(of: rows, room: width.map { $0 - iconWidth })
    return rows.map { row in
      let icon = row.icon.map { style.paint($0.text, $0.tint) } ?? ""
      let space = String(repeating: " ", count: iconWidth - (row.icon?.text.cellCount ?? 0))
      return icon + space + fields(row, columns, isAligned, lastText).joined(separator: Self.gap)
    }
  }

  private func fields(_ row: Row, _ columns: Columns, _ isAligned: Bool, _ lastText: Int) -> [String] {
    // With an empty last field, the space before it would stay at the end of the line.
    let cells = row.cells.last?.isEmpty == true ? row.cells.dropLast() : row.cells
    return cells.enumerated().map { column, cell in
      let isLast = column == cells.count - 1
      if let progress = cell.progress { return bar(progress, columns.barLength) }
      let limit = isLast ? lastText : isAligned ? columns.widths[column] : .max
      let text = cell.role == .text ? cell.text.fitted(limit) : cell.text
      let space = String(repeating: " ", count: isAligned ? max(0, columns.widths[column] - text.cellCount) : 0)
      let painted = style.paint(text, cell.tint)
      return cell.role == .value ? space + painted : isLast ? painted : painted + space
    }
  }

  fileprivate struct Columns {
    var widths: [Int]
    var barLength: Int
  }

  private func columns(of rows: [Row], room: Int?) -> Columns {
    var columns = Columns(rows, barLength: Self.barLengths.upperBound)
    guard let room else { return columns }
    let barLength = columns.barLength - max(0, columns.needed(by: rows) - room)
    columns = Columns(rows, barLength: max(Self.barLengths.lowerBound, barLength))
    let excess = columns.needed(by: rows) - room
    let texts = columns.widths.indices.filter { isText($0, in: rows) }
    if excess > 0, let widest = texts.max(by: { columns.widths[$0] < columns.widths[$1] }) {
      let width = columns.widths[widest]
      columns.widths[widest] = min(width, max(Self.narrowestText, width - excess))
    }
    return columns
  }

  /// Whether a column contains texts in front of other fields, which may be cut.
  private func isText(_ column: Int, in rows: [Row]) -> Bool {
    rows.contains { column < $0.cells.count - 1 && $0.cells[column].role == .text }
  }

  /// A bar of the done share; full only at 1 and empty only at 0.
  private func bar(_ progress: Double, _ length: Int) -> String {
    let filled =
      switch progress {
      case ...0: 0
      case 1...: length
      default: min(max(Int(progress * Double(length)), 1), length - 1)
      }
    return style.paint(String(repeating: "█", count: filled), .green)
      + style.paint(String(repeating: "░", count: length - filled), .soft)
  }
}

extension TerminalView.Columns {
  /// The width of each column. A row's last field reserves no width unless it is a value.
  fileprivate init(_ rows: [TerminalView.Row], barLength: Int) {
    self.init(widths: [Int](repeating: 0, count: rows.map(\.cells.count).max() ?? 0), barLength: barLength)
    for row in rows {
      for (column, cell) in row.cells.enumerated() where column < row.cells.count - 1 || cell.role == .value {
        widths[column] = max(widths[column], size(cell, atMost: TerminalView.widestText))
      }
    }
  }

  /// The width of the widest row without its icon.
  fileprivate func needed(by rows: [TerminalView.Row]) -> Int {
    let lengths = rows.map { row in
      guard let last = row.cells.last else { return 0 }
      let before = widths.prefix(row.cells.count - 1).reduce(0) { $0 + $1 + TerminalView.gap.count }
      return before + (last.role == .value ? widths[row.cells.count - 1] : size(last, atMost: TerminalView.widestLast))
    }
    return lengths.max() ?? 0
  }

  private func size(_ cell: TerminalView.Cell, atMost widest: Int) -> Int {
    guard cell.progress == nil else { return barLength }
    return cell.role == .text ? min(cell.text.cellCount, widest) : cell.text.cellCount
  }
}

/// Whether the lines have colours, for people to look at.
package enum TerminalStyle: Sendable {
  case plain, colour

  package func paint(_ text: String, _ tint: ViewNode.Tint) -> String {
    switch tint {
    case .ink: text
    case .soft: sequence("2", text)
    case .red: sequence("31", text)
    case .green: sequence("32", text)
    case .orange: sequence("33", text)
    case .blue: sequence("34", text)
    case .purple, .pink: sequence("35", text)
    }
  }

  package func bold(_ text: String) -> String { sequence("1", text) }

  private func sequence(_ code: String, _ text: String) -> String {
    self == .colour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
