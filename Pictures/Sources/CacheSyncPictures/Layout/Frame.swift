package import CacheSync

/// A family's card, in points.
package struct Frame: Sendable, Equatable {
  package var family: ViewFamily
  package var width: Double
  package var height: Double
  package var margin: Double
  /// The radius of the corners.
  package var corner: Double

  /// The card of a family; nil for the terminal family, which has no card.
  package init?(_ family: ViewFamily) {
    self.family = family
    switch family {
    case .systemSmall: (width, height, margin, corner) = (170, 170, 16, 22)
    case .systemMedium: (width, height, margin, corner) = (364, 170, 16, 22)
    case .systemLarge: (width, height, margin, corner) = (364, 382, 16, 22)
    case .accessoryCircular: (width, height, margin, corner) = (76, 76, 6, 38)
    case .accessoryRectangular: (width, height, margin, corner) = (172, 76, 6, 12)
    case .accessoryInline: (width, height, margin, corner) = (257, 26, 4, 0)
    case .terminal: return nil
    }
  }

  package var card: Rect { Rect(width: width, height: height) }

  /// The area for content.
  package var content: Rect { card.inset(by: margin) }

  /// The greatest width of a box of this height in the middle of a circle, with its corners inside.
  package static func chord(of height: Double, diameter: Double) -> Double {
    height >= diameter ? 0 : (diameter * diameter - height * height).squareRoot()
  }
}

extension ViewNode.Size {
  /// The face, as Pango and CSS use it.
  var face: TypeFace {
    switch self {
    case .display, .title, .number: TypeFace(size: Double(rawValue), weight: .bold)
    case .headline: TypeFace(size: Double(rawValue), weight: .semibold)
    case .body, .caption, .micro: TypeFace(size: Double(rawValue), weight: .regular)
    }
  }

  /// The next smaller size; nil: this is the smallest.
  var smaller: ViewNode.Size? { Self.allCases.last { $0 < self } }
}

extension Token {
  init(_ tint: ViewNode.Tint) {
    switch tint {
    case .ink: self = .ink
    case .soft: self = .soft
    case .blue: self = .blue
    case .orange: self = .orange
    case .purple: self = .purple
    case .green: self = .green
    case .red: self = .red
    case .pink: self = .pink
    }
  }
}
