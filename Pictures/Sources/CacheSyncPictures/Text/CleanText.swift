extension String {
  /// The text as a picture may show it: on one line, without characters that act on others. At most ``lookedAt`` characters
  /// are kept, each with at most ``marksPerCharacter`` marks that stand on it, and of no more than ``scalarsPerCharacter``.
  package var clean: String { cleaned(upTo: Self.lookedAt) }

  /// The same with another limit of characters.
  package func cleaned(upTo limit: Int) -> String {
    // Most texts are plain, and are looked at again and again while a view is laid out.
    if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    var text = ""
    var count = 0
    for character in self {
      guard count < limit else { break }
      var kept = String.UnicodeScalarView()
      var marks = 0
      for scalar in character.unicodeScalars.prefix(Self.scalarsPerCharacter) {
        if scalar.actsAsSpace {
          kept.append(" ")
        } else if scalar.isMark {
          marks += 1
          if marks <= Self.marksPerCharacter { kept.append(scalar) }
        } else if !scalar.isHarmful {
          kept.append(scalar)
        }
      }
      // A carriage return and a line feed are one character, and one space.
      if !kept.isEmpty { text.unicodeScalars.append(contentsOf: character.isNewline ? " ".unicodeScalars : kept) }
      count += 1
    }
    return text
  }

  /// Longer than any line of a picture.
  private static let lookedAt = 300
  /// Vietnamese needs two and Hebrew with its accents up to four; more are drawn over the lines around.
  private static let marksPerCharacter = 4
  /// More than the longest emoji has, which is 10 (Unicode, emoji-zwj-sequences.txt). Joiners, selectors and vowel signs
  /// could make one character of any length.
  private static let scalarsPerCharacter = 16
}

extension Unicode.Scalar {
  fileprivate var actsAsSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !properties.isVariationSelector
    default: false
    }
  }

  /// Controls, controls of direction, and what XML cannot hold. What joins letters and emoji stays.
  fileprivate var isHarmful: Bool {
    properties.generalCategory == .control || properties.isNoncharacterCodePoint || properties.isBidiControl
  }
}
