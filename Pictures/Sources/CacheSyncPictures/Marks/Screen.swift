/// Arranges several cards on one display: in rows from left to right, as large as possible. Low cards may stand one below
/// another beside a high one. Each card then takes its share of the room that is left.
package struct Screen: Sendable, Equatable {
  /// The place of each card, in points from the display's upper left corner, in the given order.
  package var places: [Rect]
  /// Pixels per point.
  package var scale: Double

  /// The gap between cards, in points.
  package static let gap = 16.0

  /// A point that is larger than this many pixels gives readable text on every display. Below it, cards become smaller
  /// first.
  package static let readableScale = 1.3

  /// - Parameters:
  ///   - frames: at least one.
  ///   - width: the width of the display in pixels; `height` is in pixels too.
  package init(_ frames: [Frame], width: Int, height: Int) {
    var cells = frames.map { Cell($0, least: $0.size) }
    var arrangements = Arrangements(cells)
    scale = arrangements.largestScale(width: width, height: height)
    if scale < Self.readableScale {
      cells = frames.map { Cell($0, least: $0.leastSize) }
      arrangements = Arrangements(cells)
      scale = min(Self.readableScale, arrangements.largestScale(width: width, height: height))
    }
    let (width, height) = (Double(width) / scale, Double(height) / scale)
    let rows = arrangements.best(width: width, height: height) ?? cells.indices.map { [$0..<($0 + 1)] }
    places = [Rect](repeating: Rect(width: 0, height: 0), count: cells.count)
    place(cells, in: rows, width: width, height: height)
  }

  /// A card's sizes, in points.
  fileprivate struct Cell {
    var least: (width: Double, height: Double)
    var most: (width: Double, height: Double)

    init(_ frame: Frame, least: (width: Double, height: Double)) {
      self.least = least
      most = frame.mostSize
    }
  }

  private mutating func place(_ cells: [Cell], in rows: [[Range<Int>]], width: Double, height: Double) {
    let heights = Self.grown(
      rows.map { row in row.map { Self.length(cells[$0].map(\.least.height)) }.max() ?? 0 },
      atMost: rows.map { row in row.map { Self.length(cells[$0].map(\.most.height)) }.max() ?? 0 }, in: height)
    var y = (height - Self.length(heights)) / 2
    for (row, tallest) in zip(rows, heights) {
      let widths = Self.grown(
        row.map { cells[$0].map(\.least.width).max() ?? 0 }, atMost: row.map { cells[$0].map(\.most.width).max() ?? 0 },
        in: width)
      var x = (width - Self.length(widths)) / 2
      for (column, broadest) in zip(row, widths) {
        let own = Self.grown(cells[column].map(\.least.height), atMost: cells[column].map(\.most.height), in: tallest)
        var top = y + (tallest - Self.length(own)) / 2
        for (index, height) in zip(column, own) {
          let slot = Rect(x: x, y: top, width: broadest, height: height)
          // Whole points, so that a pixel more or less changes no picture.
          let width = min(broadest, cells[index].most.width)
          places[index] = slot.centred(width: width.rounded(.down), height: height.rounded(.down))
          top += height + Self.gap
        }
        x += broadest + Self.gap
      }
      y += tallest + Self.gap
    }
  }

  fileprivate static func length(_ parts: [Double]) -> Double {
    parts.reduce(gap * Double(max(0, parts.count - 1)), +)
  }

  /// Parts that grow by the same factor until they and their gaps fill a room, but none beyond its limit.
  private static func grown(_ parts: [Double], atMost most: [Double], in room: Double) -> [Double] {
    func sizes(_ factor: Double) -> [Double] { zip(parts, most).map { max($0, min($0 * factor, $1)) } }
    var (fits, tooLarge) = (1.0, zip(parts, most).map { $1 / $0 }.max() ?? 1)
    if length(sizes(tooLarge)) <= room { return sizes(tooLarge) }
    for _ in 0..<40 {
      let middle = (fits + tooLarge) / 2
      if length(sizes(middle)) <= room { fits = middle } else { tooLarge = middle }
    }
    return sizes(fits)
  }
}

/// All ways to divide cells into rows, and rows into columns of one cell or more, in the given order.
private struct Arrangements {
  /// One way for the cells of a row.
  private struct Row {
    var width: Double
    var height: Double
    var columns: [Range<Int>]
  }

  /// The ways for the row that begins with a cell, by the row's number of cells; the lowest first, and each narrower than
  /// the one before.
  private let rows: [[[Row]]]
  private let count: Int

  /// Both bound the work for long lists.
  private static let mostInRow = 16
  private static let mostInColumn = 4

  init(_ cells: [Screen.Cell]) {
    count = cells.count
    rows = cells.indices.map { start in
      (1...min(Self.mostInRow, cells.count - start)).map { Self.ways(for: cells, in: start..<(start + $0)) }
    }
  }

  private static func columns(from start: Int, in range: Range<Int>) -> some Sequence<Range<Int>> {
    (1...min(mostInColumn, range.upperBound - start)).lazy.map { start..<(start + $0) }
  }

  private static func ways(for cells: [Screen.Cell], in range: Range<Int>) -> [Row] {
    func height(_ column: Range<Int>) -> Double { Screen.length(cells[column].map(\.least.height)) }
    let heights = Set(range.flatMap { columns(from: $0, in: range).map(height) })
    let least = cells[range].map(\.least.height).max() ?? 0
    var ways: [Row] = []
    for limit in heights.filter({ $0 >= least }).sorted() {
      // From the last cell to the first: the narrowest columns from this cell on, and the end of their first one.
      var narrowest = [(width: Double, end: Int)](repeating: (.infinity, 0), count: range.count)
      narrowest.append((-Screen.gap, 0))
      for start in range.reversed() {
        for column in columns(from: start, in: range) where height(column) <= limit {
          let rest = narrowest[column.upperBound - range.lowerBound].width
          let width = (cells[column].map(\.least.width).max() ?? 0) + Screen.gap + rest
          let place = start - range.lowerBound
          if width < narrowest[place].width { narrowest[place] = (width, column.upperBound) }
        }
      }
      guard narrowest[0].width < ways.last?.width ?? .infinity else { continue }
      var found: [Range<Int>] = []
      while let start = found.isEmpty ? range.lowerBound : found.last?.upperBound, start < range.upperBound {
        found.append(start..<narrowest[start - range.lowerBound].end)
      }
      ways.append(Row(width: narrowest[0].width, height: limit, columns: found))
    }
    return ways
  }

  /// What fits at a scale fits at every smaller one, so a binary search finds the largest, to a thousandth.
  func largestScale(width: Int, height: Int) -> Double {
    var (fits, tooLarge) = (0, 16_000)
    while tooLarge - fits > 1 {
      let middle = (fits + tooLarge) / 2
      let scale = Double(middle) / 1_000
      if best(width: Double(width) / scale, height: Double(height) / scale) != nil {
        fits = middle
      } else {
        tooLarge = middle
      }
    }
    return Double(max(1, fits)) / 1_000
  }

  /// The columns of each row, so that all rows together are as low as possible; nil: they do not fit. Filling each row is
  /// not always best: a low card may belong before a high one instead of beside it.
  func best(width: Double, height: Double) -> [[Range<Int>]]? {
    // From the last cell to the first: the lowest height of the rows from this cell on, and the first of them.
    var lowest = [(height: Double, row: Row?)](repeating: (.infinity, nil), count: count) + [(-Screen.gap, nil)]
    for start in rows.indices.reversed() {
      for (extra, ways) in rows[start].enumerated() {
        guard let way = ways.first(where: { $0.width <= width }) else { continue }
        // Among equally low divisions, the one in plain rows, then the one with the fuller first row.
        let stacked = Double(extra + 1 - way.columns.count) * Self.stackedCost
        let sum = way.height + stacked + Screen.gap + lowest[start + extra + 1].height
        if sum <= lowest[start].height { lowest[start] = (sum, way) }
      }
    }
    guard lowest[0].height <= height + Double(count) * Self.stackedCost else { return nil }
    var found: [[Range<Int>]] = []
    var start = 0
    while let row = lowest[start].row, let last = row.columns.last {
      found.append(row.columns)
      start = last.upperBound
    }
    return found
  }

  /// Only decides between ways that are equally low, in points.
  private static let stackedCost = 1e-6
}
