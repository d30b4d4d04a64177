/// One thing to paint, with its place in points. A picture is a flat list of marks, in the order of painting; whatever
/// paints them measures nothing.
package struct Mark: Sendable, Equatable {
  package enum Shape: Sendable, Equatable {
    /// A box with round corners.
    case box(radius: Double, fill: Paint?, border: Token?)
    /// A ring that fills its square box; the line lies inside of it.
    case ring(Ring)
    /// One line of text.
    case text(Line)
    /// An icon that fills its square box, by the name that snapshots use; see ``Icon``.
    case icon(String, Token)
  }

  /// A share of a whole, clockwise from 12 o'clock on a track.
  package struct Ring: Sendable, Equatable {
    package var width: Double
    /// 0…1, already kept away from both ends as ``Share`` says; nil: the track alone.
    package var progress: Double?
    package var tint: Token
    /// Where a dot stands on the ring, 0…1.
    package var dot: Double?
  }

  /// A text that is already cut to its place, and stands as it is.
  package struct Line: Sendable, Equatable {
    package var text: String
    package var type: TypeFace
    package var tint: Token
    /// Where the letters stand, from the picture's top. The box is the line's, from its left edge, as wide as measured.
    package var baseline: Double
  }

  package var box: Rect
  package var shape: Shape
  /// What the mark says to people who do not see it: a text in full, a share as "62 percent"; nil: it is decoration.
  package var says: String?

  package init(_ box: Rect, _ shape: Shape, says: String? = nil) {
    self.box = box
    self.shape = shape
    self.says = says
  }
}

/// A colour by what it is for; see ``Palette``.
package enum Token: String, Sendable, CaseIterable {
  case card, tile, track, ink, soft, blue, orange, purple, green, red, pink
}

/// How a box is filled.
package enum Paint: Sendable, Equatable {
  case token(Token)
  /// A little of an accent on the card.
  case tint(Token)
}

/// Size and weight of a text; the family is the same everywhere.
package struct TypeFace: Sendable, Hashable {
  package enum Weight: Int, Sendable {
    case regular = 400
    case semibold = 600
    case bold = 700
  }

  /// In points.
  package var size: Double
  package var weight: Weight

  package init(size: Double, weight: Weight) {
    self.size = size
    self.weight = weight
  }

  /// The families in the order in which they are tried, as CSS and Pango both take them. A font of emoji must not be named:
  /// Debian's fontconfig then puts it first, and digits and spaces come from it. It is found without.
  package static let families = ["Inter", "Noto Sans", "DejaVu Sans"]

  /// The distance between two lines, in points.
  package var lineHeight: Double { size * 1.2 }
}
