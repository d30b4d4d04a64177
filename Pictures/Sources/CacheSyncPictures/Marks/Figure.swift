import Glibc

/// A shape for painters, simple enough for both SVG and Cairo. Marks become figures here, so that both paint the same
/// picture.
package enum Figure: Sendable, Equatable {
  case box(Rect, radius: Double, Paint)
  /// A line of this width along the inner side of a box.
  case border(Rect, radius: Double, width: Double, Paint)
  /// A line along a circle: complete, or a share above 0 and below 1, clockwise from 12 o'clock with round ends. The
  /// line's outer side touches the square box.
  case ring(Rect, width: Double, share: Double?, Paint)
  /// Two lines of this width along the inner sides of a ring of `ringWidth`.
  case ringBorder(Rect, ringWidth: Double, width: Double, Paint)
  /// A filled circle on the middle of a ring's line, at this share of the circle.
  case dot(Rect, width: Double, share: Double, radius: Double, Paint)
  case text(Rect, Mark.Line)
  case icon(Rect, Icon, Token)
}

extension Mark {
  /// The width of the line around a shape that would be invisible on paper, in points.
  static let outlineWidth = 1.0
  /// The width of a border, in points. It is wider than an outline, so that both can be distinguished on paper.
  static let borderWidth = 2.0
  /// The share of the ring's width that the inner part of a dot takes.
  static let dotShare = 0.6

  /// The mark's figures in the order of painting. They differ between palettes only on paper.
  package func figures(in palette: Palette) -> [Figure] {
    switch shape {
    case .box(let radius, let fill, let border): figures(radius: radius, fill: fill, border: border, in: palette)
    case .ring(let ring): figures(ring, in: palette)
    case .text(let line): line.text.isEmpty ? [] : [.text(box, line)]
    case .icon(let name, let tint): [.icon(box, Icon(named: name), tint)]
    }
  }

  private func figures(radius: Double, fill: Paint?, border: Token?, in palette: Palette) -> [Figure] {
    let isCardOfPaper = palette.isPaper && fill == .token(.card)
    let radius = isCardOfPaper ? 0 : min(radius, box.width / 2, box.height / 2)
    var figures: [Figure] = []
    if let fill { figures.append(.box(box, radius: radius, fill)) }
    if let border {
      figures.append(.border(box, radius: radius, width: Self.borderWidth, .token(border)))
    } else if let fill, palette.isOutlined(fill) {
      figures.append(.border(box, radius: radius, width: Self.outlineWidth, .token(.ink)))
    }
    return figures
  }

  private func figures(_ ring: Ring, in palette: Palette) -> [Figure] {
    var figures = [Figure.ring(box, width: ring.width, share: nil, .token(.track))]
    if palette.isOutlined(.token(.track)) {
      figures.append(.ringBorder(box, ringWidth: ring.width, width: Self.outlineWidth, .token(.ink)))
    }
    if let progress = ring.progress, progress > 0 {
      figures.append(.ring(box, width: ring.width, share: progress < 1 ? progress : nil, .token(ring.tint)))
    }
    if let dot = ring.dot {
      for (radius, token) in [(ring.width / 2, Token.card), (ring.width / 2 * Self.dotShare, .ink)] {
        figures.append(.dot(box, width: ring.width, share: dot, radius: radius, .token(token)))
      }
    }
    return figures
  }
}

extension Rect {
  /// The point on a ring's line at this share of the circle, clockwise from 12 o'clock. It is in the middle of a line
  /// of this width, whose outer side touches the box.
  func pointOnRing(_ share: Double, width: Double) -> (x: Double, y: Double) {
    let radius = (self.width - width) / 2
    let angle = 2 * Double.pi * share
    return (midX + radius * sin(angle), midY - radius * cos(angle))
  }
}
