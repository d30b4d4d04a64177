/// A language in which the program writes what people read: texts with the rule for their plural forms, days and
/// numbers.
///
/// The texts are a `switch`, so the compiler names a phrase that a language does not have. They cost no memory until
/// they are used.
package final class Language: Sendable {
  /// Its tag, such as `en`.
  package let tag: String
  package let dates: DateFormats
  /// The decimal separator.
  private let separator: Character
  /// A number of percent, with `0` in place of the number.
  private let percentage: String
  private let form: @Sendable (_ count: String) -> Int
  private let text: @Sendable (Phrase) -> String

  /// - Parameter forms: the place of the plural form for a formatted number, from 0.
  package init(
    _ tag: String, dates: DateFormats, separator: Character, percentage: String,
    forms: @escaping @Sendable (_ count: String) -> Int, _ text: @escaping @Sendable (Phrase) -> String
  ) {
    self.tag = tag
    self.dates = dates
    self.separator = separator
    self.percentage = percentage
    form = forms
    self.text = text
  }

  /// A value that is put into a text. In the text its name is in braces: `{count}`.
  package enum Place: String, Sendable {
    /// The number that decides the plural form.
    case count
    case amount, base, credit, date, distance, duration, hours, message, minutes, name, overdue, percent, sign, time,
      title, today, total, weight, worn
  }

  /// The text of a phrase, with its values.
  ///
  /// - Parameter values: formatted as readers receive them.
  package func callAsFunction(_ phrase: Phrase, _ values: KeyValuePairs<Place, String> = [:]) -> String {
    var text = text(phrase)[...]
    if let count = values.first(where: { $0.key == .count })?.value {
      let forms = text.split(separator: "|")
      text = forms[min(form(count), forms.count - 1)]
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

  // MARK: Numbers

  /// Digits with a decimal point, as the language writes them.
  package func number(_ digits: String) -> String {
    separator == "." ? digits : String(digits.map { $0 == "." ? separator : $0 })
  }

  /// A number of percent.
  package func percent(_ digits: String) -> String { percentage.replacing("0", with: digits) }

  /// The texts of a phrase as the language has them, for its tests.
  package func forms(of phrase: Phrase) -> [Substring] { text(phrase).split(separator: "|") }
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
