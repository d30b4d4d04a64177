/// The cards of a screen in rows from left to right, as large as possible. Low cards may stand one below another beside a
/// high one.
///
/// It is the part of the layout that needs no fonts, so that also a program that draws nothing can tell what does not fit.
public struct CardRows: Sendable {
  /// In points.
  public typealias Size = (width: Double, height: Double)

  /// The size of a card where there is room, and the least.
  public struct Card: Sendable {
    /// Where there is room.
    public var usual: Size
    /// Below this a card is not laid out.
    public var least: Size

    /// Creates the sizes of a card.
    public init(usual: Size, least: Size) { (self.usual, self.least) = (usual, least) }
  }

  /// A line above the cards. Where it would cost a card, it is a low one in the margin.
  public struct Head: Sendable, Equatable {
    /// Of the line, in points.
    public var height: Double
    /// From the display's upper edge to the line, in points.
    public var y: Double
    /// What it takes from the cards, in points.
    public var room: Double

    /// A heading of its own.
    public static let usual = Head(height: 32, y: 8, room: 40)
    /// A line in the margin.
    public static let low = Head(height: 18, y: 1, room: 12)
  }

  /// The size of each card at least, in points.
  public let sizes: [Size]
  /// Between cards, and around all of them, in points.
  public let gap: Double
  /// Pixels per point.
  public let scale: Double
  /// The cards of each column of each row.
  public let rows: [[Range<Int>]]

  private static let usualGap = 16.0
  /// The gap where the cards are smaller than usual.
  public static let narrowGap = 8.0

  /// A point that is larger than this many pixels gives readable text on every display. Below it, cards become smaller
  /// first.
  package static let readableScale = 1.3

  /// The fewest pixels of a point at so many bits of a pixel. The smallest text is 11 points high, and at one bit a text
  /// needs about 14 pixels to be readable.
  public static func leastScale(bits: Int?) -> Double { bits == 1 ? 1.25 : 0.5 }

  /// Places all cards. The scale is the largest at which all have their usual sizes. If it is below ``readableScale``, the
  /// cards have their least sizes, and it is at most that.
  ///
  /// - Parameters:
  ///   - width: the width of the display in pixels; `height` is in pixels too.
  ///   - columns: how many cards are side by side, counting those one below another once; only the last row may have
  ///     fewer. Nil: what gives the largest scale.
  public init(_ cards: [Card], width: Int, height: Int, columns: Int? = nil) {
    var (sizes, gap) = (cards.map(\.usual), Self.usualGap)
    var arrangements = Arrangements(sizes, gap: gap, columns: columns)
    var scale = arrangements.largestScale(width: width, height: height)
    if scale < Self.readableScale {
      (sizes, gap) = (cards.map(\.least), Self.narrowGap)
      arrangements = Arrangements(sizes, gap: gap, columns: columns)
      scale = min(Self.readableScale, arrangements.largestScale(width: width, height: height))
    }
    (self.sizes, self.gap, self.scale) = (sizes, gap, scale)
    rows =
      arrangements.best(width: Double(width) / scale, height: Double(height) / scale)
      ?? cards.indices.map { [$0..<($0 + 1)] }
  }

  /// Chooses a size for each card: each begins with its first. While they do not fit, the last one that can takes its next.
  /// What still does not fit is left out from the end.
  ///
  /// - Parameters:
  ///   - cards: the sizes that each card may have, of which none is larger in area than the one before. One is a fixed size.
  ///   - leastScale: the cards fit if a point has this many pixels; more than ``readableScale`` counts as that.
  ///   - hasWords: whether a line above the cards has a heading or a clock.
  ///   - countsRest: whether a line counts the cards that are left out.
  /// - Returns: the choices of the first cards, perhaps of none; the line; and the height that is left for cards, in pixels.
  public static func choosing(
    _ cards: [[Card]], width: Int, height: Int, columns: Int? = nil, leastScale: Double, hasWords: Bool = false,
    countsRest: Bool = false
  ) -> (chosen: [Int], head: Head?, height: Int) {
    func chosen(_ height: Int) -> [Int] {
      Self.chosen(cards, width: width, height: height, columns: columns, scale: min(leastScale, readableScale))
    }
    var found = (chosen: chosen(height), head: Head?.none, height: height)
    let most = found.chosen.count
    guard hasWords || countsRest && most < cards.count else { return found }
    // The line takes its room at the scale without it, which is never smaller.
    let scale = CardRows(zip(cards, found.chosen).map { $0[$1] }, width: width, height: height, columns: columns).scale
    for head in hasWords ? [Head.usual, .low] : [.low] where found.head == nil || found.chosen.count < most {
      let room = max(1, height - Int(head.room * scale))
      found = (chosen(room), head, room)
    }
    return found
  }

  private static func chosen(_ cards: [[Card]], width: Int, height: Int, columns: Int?, scale: Double) -> [Int] {
    let display = (width: Double(width) / scale, height: Double(height) / scale)
    func area(_ size: Size, _ gap: Double) -> Double { (size.width + gap) * (size.height + gap) }
    var chosen = cards.map { _ in 0 }
    var room = cards.reduce(0) { $0 + area($1[0].least, narrowGap) }
    var arrangements: Arrangements?
    // Which card gives way next.
    var last = cards.count - 1
    while !chosen.isEmpty {
      // Of many cards, the areas alone say soon that they do not fit. No step takes more of that, but one may be wider or
      // higher than that before: so only trying each finds the first that fits.
      if room <= area(display, -narrowGap) {
        let sizes = chosen.indices.map { cards[$0][chosen[$0]].least }
        let tried = arrangements ?? Arrangements(sizes, gap: narrowGap, columns: columns)
        if tried.best(width: display.width, height: display.height) != nil { break }
        arrangements = tried
      }
      while last >= 0, chosen[last] == cards[last].count - 1 { last -= 1 }
      let card = last >= 0 ? last : chosen.count - 1
      room -= area(cards[card][chosen[card]].least, narrowGap)
      if last >= 0 {
        chosen[card] += 1
        room += area(cards[card][chosen[card]].least, narrowGap)
        arrangements = arrangements?.replacing(card, with: cards[card][chosen[card]].least)
      } else {
        chosen.removeLast()
        arrangements = arrangements?.replacing(card, with: nil)
      }
    }
    return chosen
  }
}

/// All ways to divide cells into rows, and rows into columns of one cell or more, in the given order.
private struct Arrangements {
  typealias Cell = CardRows.Size

  /// One way for the cells of a row.
  private struct Row {
    var width: Double
    var height: Double
    var columns: [Range<Int>]
  }

  /// The ways for the row that begins with a cell, by the row's number of cells; the lowest first, and each narrower than
  /// the one before.
  private var rows: [[[Row]]] = []
  private var cells: [Cell]
  private let columns: Int?

  /// Both bound the work for long lists.
  private static let mostInRow = 16
  private static let mostInColumn = 4

  private let gap: Double

  init(_ cells: [Cell], gap: Double, columns: Int?) {
    (self.cells, self.gap, self.columns) = (cells, gap, columns)
    rows = cells.indices.map { start in
      (1...min(Self.mostInRow, cells.count - start)).map { ways(in: start..<(start + $0)) }
    }
  }

  /// The same with a card in another size; nil: without the last card, which this is.
  func replacing(_ card: Int, with cell: Cell?) -> Arrangements {
    var new = self
    if let cell { new.cells[card] = cell } else { new.cells.removeLast() }
    if cell == nil { new.rows.removeLast() }
    for start in max(0, card - Self.mostInRow)..<new.cells.count where start <= card {
      let ends = (start + 1)...min(start + Self.mostInRow, new.cells.count)
      // Those that end before the card stay, unless they now end with the last.
      new.rows[start] = ends.map { end in
        end <= card && cell != nil || end < card ? rows[start][end - start - 1] : new.ways(in: start..<end)
      }
    }
    return new
  }

  private static func columns(from start: Int, in range: Range<Int>) -> some Sequence<Range<Int>> {
    (1...min(mostInColumn, range.upperBound - start)).lazy.map { start..<(start + $0) }
  }

  private func ways(in range: Range<Int>) -> [Row] {
    // Only the last row may have fewer columns.
    let isLast = range.upperBound == cells.count
    if let columns, !isLast, !(columns...(columns * Self.mostInColumn)).contains(range.count) { return [] }
    func height(_ column: Range<Int>) -> Double {
      cells[column].reduce(gap * Double(column.count - 1)) { $0 + $1.height }
    }
    let heights = Set(range.flatMap { Self.columns(from: $0, in: range).map(height) })
    let least = cells[range].map(\.height).max() ?? 0
    // Numbers of columns, or one place for any number.
    let numbers = columns.map { Array(1...$0) } ?? [0]
    var ways: [Row] = []
    for limit in heights.filter({ $0 >= least }).sorted() {
      // From the last cell to the first: the narrowest columns from this cell on, by their number, and the end of their
      // first one.
      let none = [(width: Double, end: Int)](repeating: (.infinity, 0), count: range.count + 1)
      var narrowest = Array(repeating: none, count: (columns ?? 0) + 1)
      narrowest[0][range.count].width = -gap
      for start in range.reversed() {
        let place = start - range.lowerBound
        for column in Self.columns(from: start, in: range) where height(column) <= limit {
          let width = (cells[column].map(\.width).max() ?? 0) + gap
          for number in numbers {
            let rest = narrowest[max(0, number - 1)][column.upperBound - range.lowerBound].width
            if width + rest < narrowest[number][place].width {
              narrowest[number][place] = (width + rest, column.upperBound)
            }
          }
        }
      }
      let allowed = isLast ? numbers : numbers.suffix(1)
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
    let count = cells.count
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
