/// The colours of an appearance, by purpose.
package enum Palette: Sendable, Hashable {
  case light, dark
  /// E-ink with the greys of this many bits a pixel: 1, 2 or 4.
  case paper(bits: Int)
  /// One colour for what carries the meaning. Everything else is black on light, or white on dark, at several
  /// opacities.
  case accented(Colour, isOnDark: Bool)

  /// - Parameters:
  ///   - bits: of a pixel on paper. Paper has 16 greys at most, so 8 bits are drawn as 4, and so is a drawing without a depth,
  ///     such as SVG.
  ///   - tint: of the accented appearance; nil: the blue of the light one.
  ///   - background: beneath the accented appearance.
  package init(_ appearance: Appearance, bits: Int = 4, tint: Colour? = nil, background: Background = .light) {
    switch appearance {
    case .light: self = .light
    case .dark: self = .dark
    case .eink: self = .paper(bits: min(bits, 4))
    case .accented: self = .accented(tint ?? Palette.light[.blue], isOnDark: background == .dark)
    }
  }

  /// Pictures on paper have square corners.
  package var isPaper: Bool {
    if case .paper = self { true } else { false }
  }

  package subscript(token: Token) -> Colour {
    switch self {
    case .light: Colour(Self.screen(token).light)
    case .dark: Colour(Self.screen(token).dark)
    case .paper(let bits): Colour(Self.paper(token, bits: bits))
    case .accented(let tint, let isOnDark): Self.accented(token, tint, isOnDark: isOnDark)
    }
  }

  package subscript(paint: Paint) -> Colour {
    switch (self, paint) {
    case (_, .token(let token)): self[token]
    case (.light, .tint(let accent)): self[accent].mixed(0.12, over: self[.card])
    case (.dark, .tint(let accent)): self[accent].mixed(0.14, over: self[.card])
    case (.paper, .tint): .white
    case (.accented(let tint, _), .tint): tint.mixed(0.12, over: self[.card])
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

  private static func screen(_ token: Token) -> (light: UInt32, dark: UInt32) {
    switch token {
    case .ground: (0xF2F2F7, 0x000000)
    case .card: (0xFFFFFF, 0x1C1C1E)
    case .tile: (0xF2F2F7, 0x2C2C2E)
    case .track: (0xD8D8DE, 0x3A3A3C)
    case .ink: (0x1C1C1E, 0xF2F2F7)
    case .soft: (0x5F5F66, 0xAEAEB2)
    case .blue: (0x0040DD, 0x5AA9FF)
    case .orange: (0xAD3A00, 0xFFB340)
    case .purple: (0x7F3FA0, 0xDA8FFF)
    case .green: (0x1B6E30, 0x30DB5B)
    case .red: (0xC00012, 0xFF7A72)
    case .pink: (0xB81658, 0xFF7AAE)
    }
  }

  /// The shares of black or white keep the contrast of 4.5 for texts, on the card and on a tile.
  private static func accented(_ token: Token, _ tint: Colour, isOnDark: Bool) -> Colour {
    let card: Colour = isOnDark ? Colour(screen(.card).dark) : .white
    let ink: Colour = isOnDark ? .white : .black
    return switch token {
    case .ground: Colour(isOnDark ? screen(.ground).dark : screen(.ground).light)
    case .card: card
    case .tile: ink.mixed(0.06, over: card)
    case .track: ink.mixed(0.16, over: card)
    case .soft: ink.mixed(0.65, over: card)
    case .ink: ink
    case .blue, .orange, .purple, .green, .red, .pink: tint
    }
  }

  /// Greys that exist at each depth, so that nothing must be dithered.
  private static func paper(_ token: Token, bits: Int) -> UInt32 {
    switch token {
    case .ground, .card, .tile: 0xFFFFFF
    case .track: bits == 1 ? 0xFFFFFF : bits == 2 ? 0xAAAAAA : 0xCCCCCC
    case .soft: bits == 1 ? 0x000000 : 0x555555
    case .ink, .blue, .orange, .purple, .green, .red, .pink: 0x000000
    }
  }
}
