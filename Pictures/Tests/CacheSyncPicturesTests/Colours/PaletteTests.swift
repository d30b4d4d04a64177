import Testing

@testable import CacheSyncPictures

@Suite("Colours")
struct PaletteTests {
  static let palettes: [Palette] = [.light, .dark, .paper(bits: 4), .paper(bits: 2), .paper(bits: 1)]
  static let accents: [Token] = [.blue, .orange, .purple, .green, .red, .pink]

  @Test("Contrasts are those of WebAIM's checker")
  func contrast() {
    #expect(Colour.white.contrast(with: .black) == 21)
    #expect(Colour.black.contrast(with: .black) == 1)
    // WebAIM's contrast checker: 4.54, 4.48 and 5.25, the same in both orders.
    for (first, second, ratio) in [(0x767676, 0xFFFFFF, 4.54), (0x777777, 0xFFFFFF, 4.48), (0xFF0000, 0, 5.25)] {
      let (first, second) = (Colour(UInt32(first)), Colour(UInt32(second)))
      #expect(abs(first.contrast(with: second) - ratio) < 0.006)
      #expect(first.contrast(with: second) == second.contrast(with: first))
    }
  }

  @Test("Colours are written as in CSS")
  func hex() {
    #expect(Colour(0x0A0040).hex == "#0A0040")
    #expect(Palette.light[.orange].hex == "#AD3A00")
    #expect(Palette.dark[.pink].hex == "#FF7AAE")
  }

  @Test("Colours of texts are readable on the card and on tiles", arguments: palettes)
  func text(palette: Palette) {
    for text in Self.accents + [.ink, .soft] {
      for ground in [Token.card, .tile] {
        #expect(palette[text].contrast(with: palette[ground]) >= 4.5, "\(text) on \(ground)")
      }
    }
  }

  @Test("Colours of texts are readable on their own tint", arguments: palettes)
  func tint(palette: Palette) {
    for accent in Self.accents {
      #expect(palette[accent].contrast(with: palette[.tint(accent)]) >= 4.5, "\(accent)")
      #expect(palette[.ink].contrast(with: palette[.tint(accent)]) >= 4.5, "ink on \(accent)")
    }
  }

  @Test("Rings and bars stand out from their track", arguments: palettes)
  func track(palette: Palette) {
    for accent in Self.accents {
      #expect(palette[accent].contrast(with: palette[.track]) >= 3, "\(accent)")
    }
  }

  @Test("A tint mixes a little of the accent into the card; computed by hand")
  func mixing() {
    // 0.12 × 0x00 + 0.88 × 255 = 224.4; 0.12 × 0x40 + 0.88 × 255 = 232.08; 0.12 × 0xDD + 0.88 × 255 = 250.92
    #expect(Palette.light[.tint(.blue)] == Colour(0xE0E8FB))
    // 0.14 × 0x30 + 0.86 × 0x1C = 30.8; 0.14 × 0xDB + 0.86 × 0x1C = 54.74; 0.14 × 0x5B + 0.86 × 0x1E = 38.54
    #expect(Palette.dark[.tint(.green)] == Colour(0x1F3727))
  }

  @Test("On paper, white shapes have an outline against the card")
  func outlines() {
    for bits in [1, 2, 4] {
      let paper = Palette.paper(bits: bits)
      for paint in Token.allCases.flatMap({ [Paint.token($0), .tint($0)] })
      where paint != .token(.card) && paint != .token(.ground) {
        #expect(paper.isOutlined(paint) == (paper[paint] == paper[.card]), "\(paint)")
      }
    }
    #expect(!Palette.light.isOutlined(.token(.tile)) && !Palette.dark.isOutlined(.tint(.pink)))
    #expect(Palette.paper(bits: 1)[.track] == .white)
    #expect(Palette.paper(bits: 2)[.track] == Colour(0xAAAAAA))
    #expect(Palette.paper(bits: 4)[.track] == Colour(0xCCCCCC))
  }

  @Test("On paper, colours are greys of the depth", arguments: [1, 2, 4])
  func greys(bits: Int) {
    let step = 255 / (1 << bits - 1)
    for token in Token.allCases {
      let colour = Palette.paper(bits: bits)[token]
      #expect(colour.red == colour.green && colour.green == colour.blue)
      #expect(Int(colour.red) % step == 0, "\(token)")
    }
  }
}
