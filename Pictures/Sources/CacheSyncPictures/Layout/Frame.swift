package import CacheSync

/// A family's card, in points.
package struct Frame: Sendable, Hashable {
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

  package var size: (width: Double, height: Double) { (width, height) }

  /// The least size in which a view of the family is still laid out, on displays that are short of room. The accessory
  /// families have no smaller one.
  package var leastSize: (width: Double, height: Double) {
    switch family {
    case .systemSmall: (150, 170)
    case .systemMedium: (290, 170)
    case .systemLarge: (290, 356)
    case .accessoryCircular, .accessoryRectangular, .accessoryInline, .terminal: size
    }
  }

  /// The card in another size.
  package func sized(_ width: Double, _ height: Double) -> Frame {
    var frame = self
    (frame.width, frame.height) = (width, height)
    if family == .accessoryCircular { frame.corner = min(width, height) / 2 }
    if family == .accessoryInline, frame.isResized { frame.corner = Self.corner }
    return frame
  }

  /// Whether the card has another size than the family's usual one, so that its room decides what it shows.
  package var isResized: Bool { size != usualSize }

  /// Of a line of text that has become a card.
  private static let corner = 12.0

  /// How much longer lines may be than in the usual card: its area counts, because a card may grow in one direction only.
  var growth: Double {
    let (width, height) = (width / usualSize.width, height / usualSize.height)
    return max(1, (width * height).squareRoot())
  }

  private var usualSize: (width: Double, height: Double) { Frame(family)?.size ?? size }

  /// The card of a display that shows one text.
  package static func display(width: Double, height: Double) -> Frame {
    Frame(family: .systemLarge, width: width, height: height, margin: 16, corner: 0)
  }

  /// A line without a card.
  package static func line(width: Double, height: Double) -> Frame {
    Frame(family: .accessoryInline, width: width, height: height, margin: 0, corner: 0)
  }

  private init(family: ViewFamily, width: Double, height: Double, margin: Double, corner: Double) {
    (self.family, self.width, self.height) = (family, width, height)
    (self.margin, self.corner) = (margin, corner)
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
