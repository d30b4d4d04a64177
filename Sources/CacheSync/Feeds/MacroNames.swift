/// The words for protein, carbs and fat, which the feeds of two apps publish under these names.
extension Phrase {
  /// A macro as a heading, by its published name.
  static func macro(_ name: String) -> Phrase? {
    switch name {
    case "protein": .protein
    case "carbs": .carbs
    case "fat": .fat
    default: nil
    }
  }

  /// The same where there is little room.
  static func macroShort(_ name: String) -> Phrase? {
    switch name {
    case "protein": .proteinShort
    case "carbs": .carbsShort
    case "fat": .fatShort
    default: nil
    }
  }

  /// The same at the beginning of a row.
  static func macroInRow(_ name: String) -> Phrase? {
    switch name {
    case "protein": .proteinInRow
    case "carbs": .carbsInRow
    case "fat": .fatInRow
    default: nil
    }
  }
}

extension JSONWriter {
  /// Writes what people call a thing whose `name` is a key or English; nothing in English.
  mutating func displayName(_ phrase: Phrase?, _ language: Language) {
    if let phrase, language.tag != .english { member("displayName", language(phrase)) }
  }
}

extension ViewInput {
  /// A macro at the beginning of a row.
  func name(of macro: JSONValue) -> String { words(for: macro, Phrase.macroInRow) }

  /// A macro as a heading.
  func heading(of macro: JSONValue) -> String { words(for: macro, Phrase.macro) }

  /// The same where there is little room.
  func shortHeading(of macro: JSONValue) -> String { words(for: macro, Phrase.macroShort) }

  private func words(for macro: JSONValue, _ known: (String) -> Phrase?) -> String {
    macro["name"]?.string.flatMap(known).map { phrase($0) } ?? macro["name"].words
  }
}
