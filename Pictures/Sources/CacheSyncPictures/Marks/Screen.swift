/// Arranges several pictures on one display: left to right in rows, centred, as large as possible.
package struct Screen: Sendable, Equatable {
  /// The place of each picture, in points from the display's upper left corner, in the given order.
  package var places: [Rect]
  /// Pixels per point.
  package var scale: Double

  /// The gap between pictures, in points.
  package static let gap = 16.0

  /// - Parameters:
  ///   - sizes: the sizes of the pictures, in points; at least one.
  ///   - width: the width of the display in pixels; `height` is in pixels too.
  package init(_ sizes: [(width: Double, height: Double)], width: Int, height: Int) {
    // Pictures that fit at a scale fit at every smaller one, in the same rows. So a binary search finds the largest
    // scale, to a thousandth.
    var (fits, tooLarge) = (0, 16_000)
    while tooLarge - fits > 1 {
      let middle = (fits + tooLarge) / 2
      let scale = Double(middle) / 1_000
      if Self.rows(sizes, width: Double(width) / scale, height: Double(height) / scale) != nil {
        fits = middle
      } else {
        tooLarge = middle
      }
    }
    scale = Double(max(1, fits)) / 1_000
    let (width, height) = (Double(width) / scale, Double(height) / scale)
    places = []
    let rows = Self.rows(sizes, width: width, height: height) ?? sizes.indices.map { $0..<($0 + 1) }
    let heights = rows.map { row in sizes[row].map(\.height).max() ?? 0 }
    var y = (height - heights.reduce(Self.gap * Double(rows.count - 1), +)) / 2
    for (row, tallest) in zip(rows, heights) {
      var x = (width - Self.length(sizes[row])) / 2
      for size in sizes[row] {
        places.append(Rect(x: x, y: y + (tallest - size.height) / 2, width: size.width, height: size.height))
        x += size.width + Self.gap
      }
      y += tallest + Self.gap
    }
  }

  private static func length(_ row: ArraySlice<(width: Double, height: Double)>) -> Double {
    row.reduce(Self.gap * Double(max(0, row.count - 1))) { $0 + $1.width }
  }

  /// The pictures of each row, broken so that all rows together are as low as possible; nil: they do not fit. Filling
  /// each row is not always best: a low picture may belong before a high one instead of beside it.
  private static func rows(_ sizes: [(width: Double, height: Double)], width: Double, height: Double) -> [Range<Int>]? {
    // From the last picture to the first: the lowest height of the rows from this picture on, and the end of their
    // first row.
    var lowest = [(height: Double, end: Int)](repeating: (.infinity, 0), count: sizes.count) + [(-gap, 0)]
    for start in sizes.indices.reversed() {
      var (length, tallest) = (-gap, 0.0)
      for index in start..<sizes.count {
        length += gap + sizes[index].width
        guard length <= width else { break }
        tallest = max(tallest, sizes[index].height)
        let sum = tallest + gap + lowest[index + 1].height
        // Among equally low divisions, the one with the fuller first row.
        if sum <= lowest[start].height { lowest[start] = (sum, index + 1) }
      }
    }
    guard lowest[0].height <= height else { return nil }
    var rows: [Range<Int>] = []
    while let start = rows.isEmpty ? 0 : rows.last?.upperBound, start < sizes.count {
      rows.append(start..<lowest[start].end)
    }
    return rows
  }
}
