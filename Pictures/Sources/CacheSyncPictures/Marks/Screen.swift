package import CacheSync
package import CacheSyncSystem

/// Arranges several cards on one display: in rows from left to right, as large as possible. Low cards may stand one below
/// another beside a high one. The cards then take the room that is left.
package struct Screen: Sendable, Equatable {
  /// The place of each card, in points from the display's upper left corner, in the given order.
  package var places: [Rect]
  /// Pixels per point.
  package var scale: Double

  /// What lies below the cards of a display of this size in pixels, as a picture at its upper left corner.
  package func ground(width: Int, height: Int) -> Picture {
    let display = Rect(width: Double(width) / scale, height: Double(height) / scale)
    let mark = Mark(display, .box(radius: 0, fill: .token(.ground), border: nil))
    return Picture(width: display.width, height: display.height, marks: [mark], title: "")
  }

  /// The height, in points, in which a card of this width shows everything. Cards are numbered from 0.
  package typealias Need = (_ card: Int, _ width: Double) -> Double

  /// Places all cards, at the scale of ``CardRows``.
  ///
  /// - Each row is as wide as the display. Its cards are as high as the row, but those one below another share its height.
  /// - Room that is left below goes to rows that need it. Then all rows but the last share the rest, without those that
  ///   have accessory families only.
  ///
  /// - Parameters:
  ///   - width: the width of the display in pixels; `height` is in pixels too.
  ///   - columns: as of ``CardRows``.
  ///   - need: nil: the usual heights.
  package init(_ frames: [Frame], width: Int, height: Int, columns: Int? = nil, need: Need? = nil) {
    let grid = CardRows(frames.map { CardRows.Card($0.family) }, width: width, height: height, columns: columns)
    scale = grid.scale
    places = [Rect](repeating: Rect(width: 0, height: 0), count: frames.count)
    place(
      frames, grid, Rect(width: Double(width) / scale, height: Double(height) / scale).inset(by: grid.gap),
      need: need ?? { card, _ in frames[card].height })
  }

  /// Chooses families as ``CardRows`` does, and places the cards.
  ///
  /// - Parameters:
  ///   - cards: the families that each card may have, the greatest first. Terminal ones are not allowed.
  ///   - need: as of ``init(_:width:height:columns:need:)``, for the chosen family.
  /// - Returns: the families and places of the first cards, and the line above them.
  package static func choosing(
    _ cards: [[ViewFamily]], width: Int, height: Int, columns: Int? = nil, leastScale: Double, hasWords: Bool = false,
    countsRest: Bool = false, need: ((_ card: Int, _ family: ViewFamily, _ width: Double) -> Double)? = nil
  ) -> (families: [ViewFamily], screen: Screen, head: CardRows.Head?) {
    let found = CardRows.choosing(
      cards.map { $0.map { CardRows.Card($0) } }, width: width, height: height, columns: columns,
      leastScale: leastScale,
      hasWords: hasWords, countsRest: countsRest)
    let families = zip(cards, found.chosen).map { $0[$1] }
    let frames = families.compactMap { Frame($0) }
    let screen = Screen(frames, width: width, height: found.height, columns: columns) { card, width in
      need?(card, families[card], width) ?? frames[card].height
    }
    return (families, screen, found.head)
  }

  private mutating func place(_ frames: [Frame], _ grid: CardRows, _ room: Rect, need: Need) {
    let (rows, cells, gap) = (grid.rows, grid.sizes, grid.gap)
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
    let isStretched = rows.map { $0.joined().contains { frames[$0].family.leastSize != frames[$0].family.size } }
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

extension CardRows.Card {
  init(_ family: ViewFamily) { self.init(usual: family.size, least: family.leastSize) }
}
