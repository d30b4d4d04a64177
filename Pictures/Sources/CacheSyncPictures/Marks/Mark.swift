/// An element of a picture, with its place in points. A picture is a flat list of marks in the order of painting.
/// Painters do not measure anything.
package struct Mark: Sendable, Equatable {
  package enum Shape: Sendable, Equatable {
    /// A box with round corners.
    case box(radius: Double, fill: Paint?, border: Token?)
    /// A ring that fills its square box. The line is inside the box.
    case ring(Ring)
    case text(Line)
    /// An icon that fills its square box, by the name that snapshots use; see ``Icon``.
    case icon(String, Token)
  }

  /// A share of a whole, clockwise from 12 o'clock on a track.
  package struct Ring: Sendable, Equatable {
    package var width: Double
    /// 0…1, already adjusted by ``Share``: full only at 1 and empty only at 0; nil: only the track.
    package var progress: Double?
    package var tint: Token
    /// The position of a dot on the ring, 0…1.
    package var dot: Double?
  }

  /// A text that is already cut to its place, and is painted unchanged.
  package struct Line: Sendable, Equatable {
    package var text: String
    package var type: TypeFace
    package var tint: Token
    /// The baseline of the letters, from the picture's top. The box is that of the line: it begins at its left edge and
    /// has the measured width.
    package var baseline: Double
  }

  package var box: Rect
  package var shape: Shape
  /// The text for people who do not see the mark: a text in full, a share as "62 percent"; nil: it is decoration.
  package var says: String?

  package init(_ box: Rect, _ shape: Shape, says: String? = nil) {
    self.box = box
    self.shape = shape
    self.says = says
  }
}

extension Mark {
  /// Gives a text the colour of the card, because it is on an accent.
  mutating func invertText() {
    guard case .text(var line) = shape else { return }
    line.tint = .card
    shape = .text(line)
  }
}

/// A colour by its purpose; see ``Palette``. The ground is what cards lie on.
package enum Token: String, Sendable, CaseIterable {
  case ground, card, tile, track, ink, soft, blue, orange, purple, green, red, pink
}

package enum Paint: Sendable, Equatable {
  case token(Token)
  /// A little of an accent, mixed into the card's colour.
  case tint(Token)
}

/// Size and weight of a text. The font family is the same everywhere.
package struct TypeFace: Sendable, Hashable {
  package enum Weight: Int, Sendable {
    case regular = 400
    case semibold = 600
    case bold = 700
  }

  /// In points.
  package var size: Double
  package var weight: Weight

  /// The font families in the order of preference, for both CSS and Pango. Do not name an emoji font: Debian's
  /// fontconfig then puts it first, and takes digits and spaces from it. It is found without being named.
  package static let families = ["Inter", "Noto Sans", "DejaVu Sans"]

  /// The distance between two lines, in points.
  package var lineHeight: Double { size * 1.2 }
}
