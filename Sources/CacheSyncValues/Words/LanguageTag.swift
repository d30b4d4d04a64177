/// The languages that the program speaks, by their tags. To add one: `docs/guide/adding-a-language.md`.
public enum LanguageTag: String, Sendable, CaseIterable {
  /// English with 24 hours.
  case english = "en"
  /// English, United States.
  case americanEnglish = "en-US"
  /// English, Britain.
  case britishEnglish = "en-GB"
  /// German.
  case german = "de"
  /// French.
  case french = "fr"
  /// Spanish.
  case spanish = "es"
  /// Italian.
  case italian = "it"
  /// Dutch.
  case dutch = "nl"
  /// Portuguese, Brazil.
  case brazilianPortuguese = "pt-BR"
  /// Polish.
  case polish = "pl"
  /// Swedish.
  case swedish = "sv"
  /// Danish.
  case danish = "da"
  /// Norwegian Bokmål.
  case norwegian = "nb"
  /// Finnish.
  case finnish = "fi"
  /// Czech.
  case czech = "cs"
  /// Turkish.
  case turkish = "tr"
  /// Ukrainian.
  case ukrainian = "uk"
  /// Japanese.
  case japanese = "ja"
  /// Korean.
  case korean = "ko"
  /// Chinese, simplified.
  case simplifiedChinese = "zh-Hans"
  /// Chinese, traditional, as in Taiwan.
  case traditionalChinese = "zh-Hant"

  /// Its words.
  public var language: Language { .with(self) }

  /// CLDR's rule for its plural forms.
  package var plurals: PluralRule {
    switch self {
    case .english, .americanEnglish, .britishEnglish, .german, .dutch, .swedish, .finnish: .one
    case .norwegian, .turkish: .oneOrOneWithDecimals
    case .italian: .oneAndMillions
    case .spanish: .oneOrOneWithDecimalsAndMillions
    case .french, .brazilianPortuguese: .belowTwo
    case .danish: .danish
    case .czech: .czech
    case .polish: .polish
    case .ukrainian: .ukrainian
    case .japanese, .korean, .simplifiedChinese, .traditionalChinese: .none
    }
  }

  /// The tags, for messages.
  package static let expectation: StaticString =
    "one of en, en-US, en-GB, de, fr, es, it, nl, pt-BR, pl, sv, da, nb, fi, cs, tr, uk, ja, ko, zh-Hans, zh-Hant"
}

extension LanguageTag {
  /// The tag of another form of a supported language, such as `pt-PT`, or of a listed language in another region, such
  /// as `de-AT`. Case does not matter, and `_` counts as `-`.
  ///
  /// - Returns: also the tag in CLDR's writing, because a region keeps its own habits.
  static func matching(_ text: String) -> (tag: LanguageTag, written: String)? {
    guard text.utf8.count <= 32 else { return nil }
    var parts = text.replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false).map {
      $0.lowercased()
    }
    var region: String?
    if parts.count > 1, let last = parts.last, isRegion(last) { region = parts.popLast()?.uppercased() }
    if parts.count == 2, parts[1].count == 4 { parts[1] = parts[1].prefix(1).uppercased() + parts[1].dropFirst() }
    let language = parts.joined(separator: "-")
    let written = region.map { "\(language)-\($0)" } ?? language
    if let listed = LanguageTag(rawValue: written) { return (listed, written) }
    let alias: LanguageTag? =
      switch (language, region) {
      case ("pt", _): .brazilianPortuguese
      case ("no", _), ("nn", _): .norwegian
      case ("zh", let region?) where LocaleFormats.isTraditionalChinese(in: region): .traditionalChinese
      case ("zh", _): .simplifiedChinese
      case ("en", "AU"), ("en", "NZ"), ("en", "IE"), ("en", "IN"), ("en", "ZA"): .britishEnglish
      case ("en", "CA"): .americanEnglish
      default: LanguageTag(rawValue: language)
      }
    return alias.map { ($0, written) }
  }

  /// Two letters or three digits.
  private static func isRegion(_ part: String) -> Bool {
    let bytes = part.utf8
    return bytes.count == 2 && bytes.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      || bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
