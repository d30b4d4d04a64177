extension String {
  /// The text in a form that is safe in a picture: on one line, without characters that affect others. It keeps at most
  /// ``lookedAt`` characters. Each has at most ``marksPerCharacter`` combining marks, and at most
  /// ``scalarsPerCharacter`` scalars.
  package var clean: String { cleaned(upTo: Self.lookedAt) }

  /// The same, with another limit of characters.
  package func cleaned(upTo limit: Int) -> String {
    // Most texts are plain, and a layout checks them repeatedly.
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
      // A carriage return with a line feed is one character, and becomes one space.
      if !kept.isEmpty { text.unicodeScalars.append(contentsOf: character.isNewline ? " ".unicodeScalars : kept) }
      count += 1
    }
    return text
  }

  /// Longer than any line of a picture.
  private static let lookedAt = 300
  /// Vietnamese needs two, and Hebrew with its accents up to four. More would be drawn over the neighbouring lines.
  private static let marksPerCharacter = 4
  /// The longest emoji has 10 scalars (Unicode, emoji-zwj-sequences.txt). Without a limit, joiners, selectors and vowel
  /// signs could make one character of any length.
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

  /// Controls, direction controls, and characters that are invalid in XML. Joiners of letters and emoji are not
  /// harmful.
  fileprivate var isHarmful: Bool {
    properties.generalCategory == .control || properties.isNoncharacterCodePoint || properties.isBidiControl
  }
}
