import Glibc

extension Picture {
  /// The picture in one colour: rings, bars, icons and the large numbers have the palette's tint, which its accents are.
  /// Texts have it only where it keeps the contrast; elsewhere they are ink.
  package func accented(for palette: Palette) -> Picture {
    var picture = self
    for index in marks.indices {
      switch marks[index].shape {
      case .box(let radius, let fill, let border):
        picture.marks[index].shape = .box(radius: radius, fill: fill?.accented, border: border?.accented)
      case .ring(var ring):
        ring.tint = Token.accent
        picture.marks[index].shape = .ring(ring)
      case .icon(let name, _): picture.marks[index].shape = .icon(name, Token.accent)
      case .text: break
      }
    }
    for index in marks.indices {
      guard case .text(var line) = marks[index].shape else { continue }
      let beneath = picture.marks[..<index].indices.last { picture.marks[$0].fill(under: marks[index].box) != nil }
      guard let beneath, let ground = picture.marks[beneath].fill(under: marks[index].box) else { continue }
      line.tint = line.accented(on: palette[ground], in: palette)
      if ground == .token(.accent), palette[line.tint].contrast(with: palette[ground]) < line.leastContrast,
        case .box(let radius, _, let border) = picture.marks[beneath].shape
      {
        // Neither ink nor the card's colour can be read on a disc of a middling tint, so the disc is ink.
        picture.marks[beneath].shape = .box(radius: radius, fill: .token(.ink), border: border)
        line.tint = .card
      }
      picture.marks[index].shape = .text(line)
    }
    return picture
  }

  /// The least contrast of a text, and of one of ``largeText`` or more (WCAG 2.2, 1.4.3).
  fileprivate static let leastContrast = 4.5
  fileprivate static let leastContrastOfLargeText = 3.0
  fileprivate static let largeText = 28.0
  /// The size, in points, from which a number is what the picture is about.
  fileprivate static let mainNumber = 22.0

  /// The picture without its card, which is its first mark.
  package var withoutCard: Picture {
    var picture = self
    picture.marks.removeFirst(min(1, picture.marks.count))
    return picture
  }
}

extension Mark {
  /// What a box paints beneath another one; nil: it does not lie beneath it.
  package func fill(under box: Rect) -> Paint? {
    guard case .box(_, let fill?, _) = shape, self.box.overlaps(box) else { return nil }
    return fill
  }
}

extension Mark.Line {
  fileprivate func accented(on ground: Colour, in palette: Palette) -> Token {
    if tint == .card {
      let inks = [Token.card, .ink]
      return inks.max { palette[$0].contrast(with: ground) < palette[$1].contrast(with: ground) } ?? .ink
    }
    let isMainNumber = tint == .ink && type.size >= Picture.mainNumber && text.contains(where: \.isNumber)
    if tint.isAccent || isMainNumber, !text.mayHaveEmoji {
      if palette[Token.accent].contrast(with: ground) >= leastContrast { return .accent }
    }
    return tint == .soft ? .soft : .ink
  }

  fileprivate var leastContrast: Double {
    type.size >= Picture.largeText ? Picture.leastContrastOfLargeText : Picture.leastContrast
  }
}

extension Token {
  /// Any of the accents: in an accented picture all are the tint.
  fileprivate static let accent = Token.blue

  /// Whether it distinguishes kinds or nutrients, and so has a tint.
  package var isAccent: Bool {
    switch self {
    case .ground, .card, .tile, .track, .ink, .soft: false
    case .blue, .orange, .purple, .green, .red, .pink: true
    }
  }

  fileprivate var accented: Token { isAccent ? .accent : self }
}

extension Paint {
  fileprivate var accented: Paint {
    switch self {
    case .token(let token): .token(token.accented)
    case .tint: .tint(.accent)
    }
  }
}

extension Colour {
  /// The contrast ratio with another colour, 1...21 (WCAG 2.2: contrast ratio).
  package func contrast(with other: Colour) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The relative luminance, 0...1 (WCAG 2.2: relative luminance).
  package var luminance: Double {
    func linear(_ part: UInt8) -> Double {
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
