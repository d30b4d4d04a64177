/// The colours of an appearance, by purpose.
package enum Palette: Sendable, Hashable {
  case light, dark
  /// E-ink with this many bits a pixel: 1, 2 or 4.
  case paper(bits: Int)

  /// A drawing without a depth, such as SVG, uses four bits on paper.
  package init(_ appearance: Appearance, bits: Int = 4) {
    switch appearance {
    case .light: self = .light
    case .dark: self = .dark
    case .eink: self = .paper(bits: bits)
    }
  }

  /// Pictures on paper have square corners.
  package var isPaper: Bool {
    if case .paper = self { true } else { false }
  }

  package subscript(token: Token) -> Colour {
    switch self {
    case .light: Colour(Self.light(token))
    case .dark: Colour(Self.dark(token))
    case .paper(let bits): Colour(Self.paper(token, bits: bits))
    }
  }

  package subscript(paint: Paint) -> Colour {
    switch (self, paint) {
    case (_, .token(let token)): self[token]
    case (.light, .tint(let accent)): self[accent].mixed(0.12, over: self[.card])
    case (.dark, .tint(let accent)): self[accent].mixed(0.14, over: self[.card])
    case (.paper, .tint): .white
    }
  }

  /// Whether a box or a track needs an outline in ink, because its colour is that of the card.
  package func isOutlined(_ paint: Paint) -> Bool {
    switch (self, paint) {
    case (.paper, .tint), (.paper, .token(.tile)), (.paper(bits: 1), .token(.track)): true
    default: false
    }
  }

  // MARK: The colours

  private static func light(_ token: Token) -> UInt32 {
    switch token {
    case .card: 0xFFFFFF
    case .tile: 0xF2F2F7
    case .track: 0xD8D8DE
    case .ink: 0x1C1C1E
    case .soft: 0x5F5F66
    case .blue: 0x0040DD
    case .orange: 0xAD3A00
    case .purple: 0x7F3FA0
    case .green: 0x1B6E30
    case .red: 0xC00012
    case .pink: 0xB81658
    }
  }

  private static func dark(_ token: Token) -> UInt32 {
    switch token {
    case .card: 0x1C1C1E
    case .tile: 0x2C2C2E
    case .track: 0x3A3A3C
    case .ink: 0xF2F2F7
    case .soft: 0xAEAEB2
    case .blue: 0x5AA9FF
    case .orange: 0xFFB340
    case .purple: 0xDA8FFF
    case .green: 0x30DB5B
    case .red: 0xFF7A72
    case .pink: 0xFF7AAE
    }
  }

  /// Greys that exist at each depth, so that nothing must be dithered.
  private static func paper(_ token: Token, bits: Int) -> UInt32 {
    switch token {
    case .card, .tile: 0xFFFFFF
    case .track: bits == 1 ? 0xFFFFFF : bits == 2 ? 0xAAAAAA : 0xCCCCCC
    case .soft: bits == 1 ? 0x000000 : 0x555555
    case .ink, .blue, .orange, .purple, .green, .red, .pink: 0x000000
    }
  }
}
