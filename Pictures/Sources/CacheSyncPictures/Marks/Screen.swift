package import CacheSync

/// Arranges several cards on one display: in rows from left to right, as large as possible. Low cards may stand one below
/// another beside a high one. The cards then take the room that is left.
package struct Screen: Sendable, Equatable {
  /// The place of each card, in points from the display's upper left corner, in the given order.
  package var places: [Rect]
  /// Pixels per point.
  package var scale: Double

  /// The gap between cards, and around all of them, in points.
  private static let gap = 16.0
  /// The same where the cards are smaller than usual.
  package static let narrowGap = 8.0

  /// What lies below the cards of a display of this size in pixels, as a picture at its upper left corner.
  package func ground(width: Int, height: Int) -> Picture {
    let display = Rect(width: Double(width) / scale, height: Double(height) / scale)
    let mark = Mark(display, .box(radius: 0, fill: .token(.ground), border: nil))
    return Picture(width: display.width, height: display.height, marks: [mark], title: "")
  }

  /// A point that is larger than this many pixels gives readable text on every display. Below it, cards become smaller
  /// first.
  package static let readableScale = 1.3

  /// The height, in points, in which a card of this width shows everything. Cards are numbered from 0.
  package typealias Need = (_ card: Int, _ width: Double) -> Double

  /// Places all cards.
  ///
  /// - The scale is the largest at which all have their usual sizes. If it is below ``readableScale``, the cards have
  ///   their least sizes, and it is at most that.
  /// - Each row is as wide as the display. Its cards are as high as the row, but those one below another share its height.
  /// - Room that is left below goes to rows that need it. Then all rows but the last share the rest, without those that
  ///   have accessory families only.
  ///
  /// - Parameters:
  ///   - width: the width of the display in pixels; `height` is in pixels too.
  ///   - columns: how many cards are side by side, counting those one below another once; only the last row may have
  ///     fewer. Nil: what gives the largest scale.
  ///   - need: nil: the usual heights.
  package init(_ frames: [Frame], width: Int, height: Int, columns: Int? = nil, need: Need? = nil) {
    var (cells, gap) = (frames.map(\.size), Self.gap)
    var arrangements = Arrangements(cells, gap: gap, columns: columns)
    scale = arrangements.largestScale(width: width, height: height)
    if scale < Self.readableScale {
      (cells, gap) = (frames.map(\.leastSize), Self.narrowGap)
      arrangements = Arrangements(cells, gap: gap, columns: columns)
      scale = min(Self.readableScale, arrangements.largestScale(width: width, height: height))
    }
    let (width, height) = (Double(width) / scale, Double(height) / scale)
    let rows = arrangements.best(width: width, height: height) ?? cells.indices.map { [$0..<($0 + 1)] }
    places = [Rect](repeating: Rect(width: 0, height: 0), count: cells.count)
    place(
      frames, cells, in: rows, Rect(width: width, height: height).inset(by: gap), gap: gap,
      need: need ?? { card, _ in frames[card].height })
  }

  /// Chooses families, and places the cards: each begins with its greatest family. While they do not fit, the last one
  /// that can takes its next smaller one. What still does not fit is left out from the end.
  ///
  /// - Parameters:
  ///   - cards: the families that each card may have, in any order. One is a fixed family. Cards without any, and
  ///     terminal ones, are not allowed.
  ///   - leastScale: the cards fit if a point has this many pixels; more than ``readableScale`` counts as that.
  ///   - need: as of ``init(_:width:height:columns:need:)``, for the chosen family.
  /// - Returns: the families and places of the first cards, and how many are left out; perhaps all.
  package static func choosing(
    _ cards: [[ViewFamily]], width: Int, height: Int, columns: Int? = nil, leastScale: Double,
    need: ((_ card: Int, _ family: ViewFamily, _ width: Double) -> Double)? = nil
  ) -> (families: [ViewFamily], screen: Screen, leftOut: Int) {
    let choices = cards.map { card in greatestFirst.filter(card.contains).compactMap { Frame($0) } }
    let scale = min(leastScale, readableScale)
    let display = (width: Double(width) / scale, height: Double(height) / scale)
    func area(_ size: (width: Double, height: Double), _ gap: Double) -> Double {
      (size.width + gap) * (size.height + gap)
    }
    /// The cards after so many of them have taken their next families, from the last on; then the last are left out.
    func frames(after steps: Int) -> [Frame] {
      var left = steps
      var frames: [Frame] = []
      for families in choices.reversed() {
        let taken = min(left, families.count - 1)
        frames.append(families[taken])
        left -= taken
      }
      return Array(frames.reversed().dropLast(left))
    }
    func fits(_ steps: Int) -> Bool {
      let sizes = frames(after: steps).map(\.leastSize)
      if sizes.isEmpty { return true }
      // Of many cards, the areas alone say soon that they do not fit.
      return sizes.reduce(0) { $0 + area($1, narrowGap) } <= area(display, -narrowGap)
        && Arrangements(sizes, gap: narrowGap, columns: columns).best(width: display.width, height: display.height)
          != nil
    }
    // A later step takes less room, so a binary search finds the first that fits. The one without any card does.
    var (tooMuch, enough) = (-1, choices.reduce(0) { $0 + $1.count })
    while enough - tooMuch > 1 {
      let middle = (tooMuch + enough) / 2
      if fits(middle) { enough = middle } else { tooMuch = middle }
    }
    let frames = frames(after: enough)
    let screen = Screen(frames, width: width, height: height, columns: columns) { card, width in
      need?(card, frames[card].family, width) ?? frames[card].height
    }
    return (frames.map(\.family), screen, cards.count - frames.count)
  }

  private static let greatestFirst: [ViewFamily] = [
    .systemLarge, .systemMedium, .systemSmall, .accessoryRectangular, .accessoryInline, .accessoryCircular,
  ]

  private mutating func place(
    _ frames: [Frame], _ cells: [Arrangements.Cell], in rows: [[Range<Int>]], _ room: Rect, gap: Double, need: Need
  ) {
    let widths = rows.map { row in
      let usual = row.map { cells[$0].map(\.width).max() ?? 0 }
      let factor = (room.width - gap * Double(row.count - 1)) / max(1, usual.reduce(0, +))
      return usual.map { $0 * max(0, factor) }
    }
    // Whole points, so that a pixel more or less changes no picture.
    var needs = cells.map(\.height)
    for (row, widths) in zip(rows, widths) {
      for (column, width) in zip(row, widths) {
        for card in column { needs[card] = max(needs[card], need(card, width.rounded(.down))) }
      }
    }
    func height(_ row: [Range<Int>], _ heights: [Double]) -> Double {
      row.map { heights[$0].reduce(gap * Double($0.count - 1), +) }.max() ?? 0
    }
    let isStretched = rows.map { $0.joined().contains { frames[$0].leastSize != frames[$0].size } }
    let stretched = rows.indices.dropLast().filter { isStretched[$0] }
    let heights = Self.shared(
      room.height - gap * Double(max(0, rows.count - 1)), rows.map { height($0, cells.map(\.height)) },
      rows.map { height($0, needs) },
      stretched: !stretched.isEmpty
        ? stretched : rows.indices.last.map { isStretched[$0] ? [$0] : Array(rows.indices) } ?? [])
    var y = room.y
    for ((row, widths), tallest) in zip(zip(rows, widths), heights) {
      var x = room.x
      for (column, width) in zip(row, widths) {
        let own = Self.shared(
          tallest - gap * Double(column.count - 1), cells[column].map(\.height), Array(needs[column]),
          stretched: Array(0..<column.count))
        var top = y
        for (card, height) in zip(column, own) {
          var place = Rect(x: x, y: top, width: width.rounded(.down), height: height.rounded(.down))
          if frames[card].family == .accessoryCircular {
            let side = min(place.width, place.height)
            place = place.centred(width: side, height: side)
          }
          places[card] = place
          top += height + gap
        }
        x += width + gap
      }
      y += tallest + gap
    }
  }

  /// Divides a room among parts that have at least a size. First the parts that need more get equal amounts until they have
  /// that, then some parts share the rest.
  private static func shared(_ room: Double, _ least: [Double], _ needs: [Double], stretched: [Int]) -> [Double] {
    var sizes = least
    var left = max(0, room - least.reduce(0, +))
    while left > 0.01, case let short = sizes.indices.filter({ sizes[$0] < needs[$0] - 0.01 }), !short.isEmpty {
      let part = min(left / Double(short.count), short.map { needs[$0] - sizes[$0] }.min() ?? 0)
      for index in short { sizes[index] += part }
      left -= part * Double(short.count)
    }
    for index in stretched { sizes[index] += left / Double(stretched.count) }
    return sizes
  }
}

/// All ways to divide cells into rows, and rows into columns of one cell or more, in the given order.
private struct Arrangements {
  typealias Cell = (width: Double, height: Double)

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

  private let gap: Double

  init(_ cells: [Cell], gap: Double, columns: Int?) {
    (count, self.gap) = (cells.count, gap)
    rows = cells.indices.map { start in
      (1...min(Self.mostInRow, cells.count - start)).map { extra in
        Self.ways(for: cells, in: start..<(start + extra), gap: gap, columns: columns)
      }
    }
  }

  private static func columns(from start: Int, in range: Range<Int>) -> some Sequence<Range<Int>> {
    (1...min(mostInColumn, range.upperBound - start)).lazy.map { start..<(start + $0) }
  }

  private static func ways(for cells: [Cell], in range: Range<Int>, gap: Double, columns most: Int?) -> [Row] {
    func height(_ column: Range<Int>) -> Double {
      cells[column].reduce(gap * Double(column.count - 1)) { $0 + $1.height }
    }
    let heights = Set(range.flatMap { columns(from: $0, in: range).map(height) })
    let least = cells[range].map(\.height).max() ?? 0
    // Numbers of columns, or one place for any number.
    let numbers = most.map { Array(1...$0) } ?? [0]
    var ways: [Row] = []
    for limit in heights.filter({ $0 >= least }).sorted() {
      // From the last cell to the first: the narrowest columns from this cell on, by their number, and the end of their
      // first one.
      let none = [(width: Double, end: Int)](repeating: (.infinity, 0), count: range.count + 1)
      var narrowest = Array(repeating: none, count: (most ?? 0) + 1)
      narrowest[0][range.count].width = -gap
      for start in range.reversed() {
        let place = start - range.lowerBound
        for column in columns(from: start, in: range) where height(column) <= limit {
          let width = (cells[column].map(\.width).max() ?? 0) + gap
          for number in numbers {
            let rest = narrowest[max(0, number - 1)][column.upperBound - range.lowerBound].width
            if width + rest < narrowest[number][place].width {
              narrowest[number][place] = (width + rest, column.upperBound)
            }
          }
        }
      }
      // Only the last row may have fewer columns.
      let allowed = range.upperBound == cells.count ? numbers : numbers.suffix(1)
      guard var number = allowed.min(by: { narrowest[$0][0].width < narrowest[$1][0].width }),
        narrowest[number][0].width < ways.last?.width ?? .infinity
      else { continue }
      let width = narrowest[number][0].width
      var found: [Range<Int>] = []
      while let start = found.isEmpty ? range.lowerBound : found.last?.upperBound, start < range.upperBound {
        found.append(start..<narrowest[number][start - range.lowerBound].end)
        number = max(0, number - 1)
      }
      ways.append(Row(width: width, height: limit, columns: found))
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

  /// The columns of each row on a display, so that all rows together are as low as possible; nil: they do not fit. Filling
  /// each row is not always best: a low card may belong before a high one instead of beside it.
  func best(width: Double, height: Double) -> [[Range<Int>]]? {
    let (width, height) = (width - 2 * gap, height - 2 * gap)
    // From the last cell to the first: the lowest height of the rows from this cell on, and the first of them.
    var lowest = [(height: Double, row: Row?)](repeating: (.infinity, nil), count: count) + [(-gap, nil)]
    for start in rows.indices.reversed() {
      for (extra, ways) in rows[start].enumerated() {
        guard let way = ways.first(where: { $0.width <= width }) else { continue }
        // Among equally low divisions, the one in plain rows, then the one with the fuller first row.
        let stacked = Double(extra + 1 - way.columns.count) * Self.stackedCost
        let sum = way.height + stacked + gap + lowest[start + extra + 1].height
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
