import CacheSync

/// One field of a row: its plain text, whose width counts, and what colours it.
struct ShowCell {
  var text: String
  var isRightAligned = false
  var paint: (String) -> String = { $0 }

  init(_ text: String, isRightAligned: Bool = false, paint: @escaping (String) -> String = { $0 }) {
    self.text = text
    self.isRightAligned = isRightAligned
    self.paint = paint
  }
}

extension ShowPage {
  /// How wide a field before the last may become; a longer name is cut.
  private static let widestField = 36

  /// Rows with their fields under one another. The last field of a row is as long as it is.
  func table(_ rows: [[ShowCell]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        // A row's last field needs no room of its own unless it is aligned to the right.
        if column < row.count - 1 || cell.isRightAligned {
          widths[column] = max(widths[column], min(cell.text.cellCount, Self.widestField))
        }
      }
    }
    return rows.map { row in
      // An empty last field would leave the space before it.
      let row = row.last?.text.isEmpty == true ? Array(row.dropLast()) : row
      return row.enumerated().map { column, cell in
        let isLast = column == row.count - 1
        let text = isLast ? cell.text : cell.text.fitted(Self.widestField)
        let space = String(repeating: " ", count: max(0, widths[column] - text.cellCount))
        if cell.isRightAligned { return space + cell.paint(text) }
        return cell.paint(text) + (isLast ? "" : space)
      }.joined(separator: "  ")
    }
  }

  private static let barLength = 20

  /// How much of something is done, 0…1, as a bar; it is full only at 1 and empty only at 0. Nothing to show: a dash.
  func bar(_ progress: Double?) -> ShowCell {
    guard let progress else { return ShowCell(Self.dash) }
    let length = Self.barLength
    let filled: Int
    switch progress {
    case ...0: filled = 0
    case 1...: filled = length
    default: filled = min(max(Int(progress * Double(length)), 1), length - 1)
    }
    let (done, rest) = (String(repeating: "█", count: filled), String(repeating: "░", count: length - filled))
    return ShowCell(done + rest) { _ in green(done) + faint(rest) }
  }
}
