extension ViewNode.Tint {
  /// The tint of an item's or content's `tone`.
  init?(tone: String) {
    guard let tone = DefinedKind.Tone(rawValue: tone) else { return nil }
    self =
      switch tone {
      case .good: .green
      case .warn: .orange
      case .bad: .red
      }
  }

  /// The tint for a definition's `color`: an accent by name, or the accent whose hue is nearest to `#rgb` or `#rrggbb`.
  /// Only accents are readable on every card and on paper. Nil if the text is not a colour.
  init?(colour text: String) {
    if let tint = Self.named[text] {
      self = tint
      return
    }
    guard text.utf8.first == UInt8(ascii: "#"), let colour = Self.parts(text.utf8.dropFirst()) else { return nil }
    self = Self.nearest(to: colour)
  }

  private static let named: [String: ViewNode.Tint] = [
    "blue": .blue, "orange": .orange, "purple": .purple, "green": .green, "red": .red, "pink": .pink,
    "yellow": .orange, "brown": .orange, "teal": .blue, "cyan": .blue, "grey": .soft, "gray": .soft, "black": .ink,
  ]

  /// Red, green and blue, 0...255.
  private static func parts(_ digits: Substring.UTF8View) -> (red: Int, green: Int, blue: Int)? {
    let values = digits.prefix(7).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    // "#abc" is "#aabbcc".
    let all = values.count == 3 ? values.flatMap { [$0, $0] } : values
    guard values.count == digits.count, all.count == 6 else { return nil }
    return (all[0] * 16 + all[1], all[2] * 16 + all[3], all[4] * 16 + all[5])
  }

  private static func nearest(to colour: (red: Int, green: Int, blue: Int)) -> ViewNode.Tint {
    let (red, green, blue) = colour
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    let spread = most - least
    // A colour with less saturation looks grey, and its hue would be arbitrary.
    guard spread * 6 > most, spread > 0 else { return .soft }
    let hue =
      switch most {
      case red: (green - blue) * 60 / spread
      case green: 120 + (blue - red) * 60 / spread
      default: 240 + (red - green) * 60 / spread
      }
    // The borders are halfway between the accents' hues.
    switch hue < 0 ? hue + 360 : hue {
    case 12..<75: return .orange
    case 75..<170: return .green
    case 170..<255: return .blue
    case 255..<305: return .purple
    case 305..<345: return .pink
    default: return .red
    }
  }
}
