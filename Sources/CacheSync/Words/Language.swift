/// A language in which the program writes what people read: texts with the rule for their plural forms, days and
/// numbers.
///
/// The texts are a `switch`, so the compiler names a phrase that a language does not have. They cost no memory until
/// they are used.
///
///     let language = snapshot.locale.language
///     print(language(.tasks, [.count: "3"]))  // "3 tasks", "3 Aufgaben"
public final class Language: Sendable {
  /// Which one it is.
  public let tag: LanguageTag
  /// How it writes days, times and numbers.
  public let formats: LocaleFormats
  private let plurals: PluralRule
  private let text: @Sendable (Phrase) -> String
  private let shortForms: [String: String]

  /// - Parameter short: shorter forms of phrases without values, for pictures in which the phrase does not fit.
  init(
    _ tag: LanguageTag, _ formats: LocaleFormats, plurals: PluralRule, _ text: @escaping @Sendable (Phrase) -> String,
    short: (Phrase) -> String? = { _ in nil }
  ) {
    self.tag = tag
    self.formats = formats
    self.plurals = plurals
    self.text = text
    let forms = Phrase.allCases.compactMap { phrase in short(phrase).map { (text(phrase), $0) } }
    shortForms = Dictionary(forms, uniquingKeysWith: { first, _ in first })
  }

  /// The shorter form of a phrase's text; nil: it has none. The text may come from a snapshot, which does not say whose
  /// phrase it is.
  public func shortForm(of text: String) -> String? { shortForms[text] }

  /// A value that is put into a text. In the text its name is in braces: `{count}`.
  public enum Place: String, Sendable {
    /// The number that decides the plural form.
    case count
    /// Other values, by their names.
    case amount, base, credit, date, distance, duration, end, hours, message, minutes, name, overdue, percent, process,
      sign, start, time, title, today, total, weight, worn
  }

  /// The text of a phrase, with its values.
  ///
  /// - Parameter values: formatted as readers receive them.
  public func callAsFunction(_ phrase: Phrase, _ values: KeyValuePairs<Place, String> = [:]) -> String {
    let whole = text(phrase)
    guard !values.isEmpty else { return whole }
    var text = whole[...]
    if whole.contains("|"), let count = values.first(where: { $0.key == .count })?.value {
      text = form(of: whole.split(separator: "|"), forCount: count)
    }
    var result = ""
    while let brace = text.firstIndex(of: "{"), let end = text[brace...].firstIndex(of: "}") {
      result += text[..<brace]
      let name = text[text.index(after: brace)..<end]
      result += values.first { $0.key.rawValue == name }?.value ?? ""
      text = text[text.index(after: end)...]
    }
    return result + text
  }

  /// A number that is not written in digits alone, such as 12.3k, has the form of large numbers.
  private func form(of forms: [Substring], forCount count: String) -> Substring {
    let digits = String(count.map { $0 == "," ? "." : $0 }.drop { $0 == "−" })
    return category(ofDigits: digits)?.form(of: forms) ?? forms[forms.count - 1]
  }

  /// The category that decides the form of a noun beside a number, as the number is written: "1.0" is "1.0 miles".
  ///
  /// - Returns: nil for anything but digits with at most one point.
  package func category(ofDigits digits: String) -> PluralCategory? { plurals.category(ofDigits: digits) }

  /// The texts of a phrase as the language has them, for its tests.
  package func forms(of phrase: Phrase) -> [Substring] { text(phrase).split(separator: "|") }

  /// How many forms a text with a number has, if it has several.
  package var formCount: Int {
    switch plurals {
    case .none: 1
    case .one, .oneOrOneWithDecimals, .oneAndMillions, .oneOrOneWithDecimalsAndMillions, .belowTwo, .danish: 2
    case .czech, .polish, .ukrainian: 4
    }
  }
}

extension Language: Equatable {
  /// There is one of each.
  public static func == (first: Language, second: Language) -> Bool { first === second }
}

/// A text for people that is either one of the program or one that a file contains.
package enum Wording: Sendable, Equatable {
  /// - Parameter name: for the place `{name}` of the phrase.
  case phrase(Phrase, name: String = "")
  case text(String)

  package func text(in language: Language) -> String {
    switch self {
    case .phrase(let phrase, let name): language(phrase, [.name: name])
    case .text(let text): text
    }
  }
}
