package import CacheSync
import CPango

/// No installed font has the letters of a language. Without one Pango draws no words, or boxes in their place, and reports
/// nothing (Pango 1.50).
package struct MissingFont: Error, Sendable, Equatable, CustomStringConvertible {
  /// The language whose letters are missing; nil: there is no font at all.
  package var language: LanguageTag?
  /// The Debian package of a font that has them.
  package var package: String

  package var description: String {
    let language = language.map { " has the letters of the language '\($0.rawValue)'" } ?? " is installed"
    return "cannot draw words: no font\(language): install a font, such as the package \(package)"
  }
}

extension Layout {
  /// What is missing to draw the words of a language; nil: nothing.
  package func missingFont(for language: Language) -> MissingFont? {
    // The letters of all texts that the language may put into a picture. A font may lack a rare one.
    let letters = Set(Phrase.allCases.flatMap { language($0).unicodeScalars }).filter(\.properties.isAlphabetic)
    let text = String(String.UnicodeScalarView(letters.sorted()))
    guard 2 * type.unknownLetters(in: text) > letters.count else { return nil }
    return MissingFont(
      language: type.unknownLetters(in: "Ab1") > 0 ? nil : language.tag, package: Self.package(for: letters))
  }

  private static func package(for letters: Set<Unicode.Scalar>) -> String {
    let functions = hb_unicode_funcs_get_default()
    let eastAsian = [HB_SCRIPT_HAN, HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA, HB_SCRIPT_HANGUL]
    let isEastAsian = letters.contains { eastAsian.contains(hb_unicode_script(functions, $0.value)) }
    // DejaVu Sans has the Latin and Cyrillic letters of every other language.
    return isEastAsian ? "fonts-noto-cjk" : "fonts-dejavu-core"
  }
}
