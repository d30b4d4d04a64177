/// The words for protein, carbs and fat, which the feeds of two apps publish under these names.
struct MacroName {
  var heading: Phrase
  /// Where there is little room.
  var short: Phrase
  /// At the beginning of a row.
  var inRow: Phrase

  /// - Parameter name: as it is published.
  init?(_ name: String) {
    switch name {
    case "protein": (heading, short, inRow) = (.protein, .proteinShort, .proteinInRow)
    case "carbs": (heading, short, inRow) = (.carbs, .carbsShort, .carbsInRow)
    case "fat": (heading, short, inRow) = (.fat, .fatShort, .fatInRow)
    default: return nil
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
  func name(of macro: JSONValue) -> String { words(for: macro, \.inRow) }

  func heading(of macro: JSONValue) -> String { words(for: macro, \.heading) }

  /// The same where there is little room.
  func shortHeading(of macro: JSONValue) -> String { words(for: macro, \.short) }

  private func words(for macro: JSONValue, _ word: KeyPath<MacroName, Phrase>) -> String {
    macro["name"]?.string.flatMap(MacroName.init).map { phrase($0[keyPath: word]) } ?? macro["name"].words
  }
}
