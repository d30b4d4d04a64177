package import CacheSync

/// A family's card, in points.
package struct Frame: Sendable, Hashable {
  package var family: ViewFamily
  package var width: Double
  package var height: Double
  package var margin: Double
  /// The radius of the corners.
  package var corner: Double
  /// What a card of a screen has left and right besides the margin, so that its texts begin as far inside as those of others.
  private var inset = 0.0

  /// The card of a family; nil for the terminal family, which has no card.
  package init?(_ family: ViewFamily) {
    self.family = family
    (width, height) = family.size
    switch family {
    case .systemSmall, .systemMedium, .systemLarge: (margin, corner) = (Self.margin, 22)
    case .accessoryCircular: (margin, corner) = (6, 38)
    case .accessoryRectangular: (margin, corner) = (6, 12)
    case .accessoryInline: (margin, corner) = (4, 0)
    case .terminal: return nil
    }
  }

  package var size: (width: Double, height: Double) { (width, height) }

  /// The card in another size.
  package func sized(_ width: Double, _ height: Double) -> Frame {
    var frame = self
    (frame.width, frame.height) = (width, height)
    if family == .accessoryCircular { frame.corner = min(width, height) / 2 }
    if family == .accessoryInline { frame.corner = Self.corner }
    if family == .accessoryInline || family == .accessoryRectangular {
      frame.inset = min(Self.margin - margin, max(0, (width - family.size.width) / 2))
    }
    return frame
  }

  /// Whether the card has another size than the family's usual one, so that its room decides what it shows.
  package var isResized: Bool { size != family.size }

  /// Of a line of text that has become a card.
  private static let corner = 12.0
  /// Of the families that are no accessories.
  private static let margin = 16.0

  /// How much longer lines may be than in the usual card: its area counts, because a card may grow in one direction only.
  var growth: Double {
    let (width, height) = (width / family.size.width, height / family.size.height)
    return max(1, (width * height).squareRoot())
  }

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
  package var content: Rect {
    Rect(x: margin + inset, y: margin, width: width - 2 * (margin + inset), height: height - 2 * margin)
  }

  /// The greatest width of a box of this height in the middle of a circle, with its corners inside.
  package static func chord(of height: Double, diameter: Double) -> Double {
    height >= diameter ? 0 : (diameter * diameter - height * height).squareRoot()
  }
}

extension ViewNode.Size {
  /// The face, as Pango and CSS use it.
  var face: TypeFace {
    switch self {
    case .huge, .display, .title, .number: TypeFace(size: Double(rawValue), weight: .bold)
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
