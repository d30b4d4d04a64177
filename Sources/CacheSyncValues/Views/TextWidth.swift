extension String {
  /// How many cells a terminal gives the text: two for emoji and for East Asian wide characters, none for combining
  /// marks and for our own colours. Terminals differ in rare scripts; columns may then be off by one cell.
  package var cellCount: Int {
    var cells = 0
    var isStyle = false
    for character in self { cells += character.cells(&isStyle) }
    return cells
  }

  /// The text in at most that many cells, with an ellipsis for the part that is cut. Colours are kept, and end as
  /// before.
  package func fitted(_ limit: Int) -> String {
    guard cellCount > limit else { return self }
    var kept = ""
    var cells = 1  // the ellipsis
    var isStyle = false
    var isFull = false
    for character in self {
      let isOfStyle = isStyle || character == Character.escape
      cells += character.cells(&isStyle)
      if cells > limit, !isFull {
        isFull = true
        kept.append("…")
      }
      if !isFull || isOfStyle { kept.append(character) }
    }
    return kept
  }
}

extension Character {
  fileprivate static let escape: Character = "\u{1B}"

  /// How many cells the character takes. It tracks whether the character belongs to a colour sequence, which begins
  /// with an escape and ends with an "m". Text from files has no escapes left.
  fileprivate func cells(_ isStyle: inout Bool) -> Int {
    if self == Self.escape { isStyle = true }
    guard isStyle else { return cellCount }
    if unicodeScalars.first == "m" { isStyle = false }
    return 0
  }

  /// A cluster has the width of its first scalar, unless its other scalars make it an emoji.
  fileprivate var cellCount: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isWide || unicodeScalars.contains(where: { $0 == Self.emojiSelector }) { return 2 }
    // A country's flag is two letters, neither of which is wide.
    if Self.regionalIndicators.contains(first), unicodeScalars.count > 1 { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// U+FE0F selects the coloured form of the character before it.
  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  private static let regionalIndicators: ClosedRange<Unicode.Scalar> = "\u{1F1E6}"..."\u{1F1FF}"
}

extension Unicode.Scalar {
  /// UAX #11, East_Asian_Width W and F, by block; the standard library does not have the property. The C library's
  /// wcwidth would need a locale, which a library must not set for its process; without one it gives -1 for every such
  /// character.
  fileprivate var isWide: Bool {
    properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18AFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
