/// A box in points: x to the right, y down, from the picture's upper left corner.
package struct Rect: Sendable, Equatable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double = 0, y: Double = 0, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var maxX: Double { x + width }
  package var maxY: Double { y + height }
  package var midX: Double { x + width / 2 }
  package var midY: Double { y + height / 2 }

  /// The box, smaller by a margin on each side. Its size is never negative.
  package func inset(by margin: Double) -> Rect {
    Rect(x: x + margin, y: y + margin, width: max(0, width - 2 * margin), height: max(0, height - 2 * margin))
  }

  /// A box of this size in the middle of this one.
  package func centred(width: Double, height: Double) -> Rect {
    Rect(x: midX - width / 2, y: midY - height / 2, width: width, height: height)
  }

  /// Whether the other box is inside this one, within a tolerance for rounding.
  package func contains(_ other: Rect, within tolerance: Double = 0.5) -> Bool {
    other.x >= x - tolerance && other.y >= y - tolerance && other.maxX <= maxX + tolerance
      && other.maxY <= maxY + tolerance
  }

  /// Whether the boxes share more than an edge, within a tolerance for rounding.
  package func overlaps(_ other: Rect, within tolerance: Double = 0.5) -> Bool {
    min(maxX, other.maxX) - max(x, other.x) > tolerance && min(maxY, other.maxY) - max(y, other.y) > tolerance
  }
}
