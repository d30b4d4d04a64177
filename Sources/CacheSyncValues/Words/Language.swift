import CLanguages
import Synchronization

/// A language in which the program writes what people read: texts with the rule for their plural forms, days and
/// numbers.
///
/// English is in the sources (``Phrase``). Every other language is data, which are read when it is first needed.
///
///     let language = snapshot.locale.language
///     print(language(.tasks, [.count: "3"]))  // "3 tasks", "3 Aufgaben"
public final class Language: Sendable {
  /// Which one it is.
  public let tag: LanguageTag
  /// How it writes days, times and numbers.
  public let formats: LocaleFormats
  /// The texts with their forms, as ``form(of:forCount:)`` expects them. English takes the place of a missing one.
  private let texts: [Phrase: String]
  private let shortForms: [String: String]

  package static let english = Language()
  /// The language that was needed last, other than English. Caches of one language share it.
  private static let latest = Mutex<Language?>(nil)

  package static func with(_ tag: LanguageTag) -> Language {
    if tag == .english { return .english }
    return latest.withLock { latest in
      if let latest, latest.tag == tag { return latest }
      let language = Language(reading: tag)
      latest = language
      return language
    }
  }

  private init() {
    tag = .english
    formats = .english
    texts = [:]
    shortForms = [:]
  }

  private convenience init(reading tag: LanguageTag) {
    let data = clanguages_language(tag.rawValue)
    self.init(
      tag, texts: Self.members(data.texts, data.texts_length), formats: Self.members(data.formats, data.formats_length))
  }

  init(_ tag: LanguageTag, texts: TextMap<JSONValue>, formats: TextMap<JSONValue>) {
    self.tag = tag
    self.formats = LocaleFormats { formats[$0]?.string ?? LocaleFormats.inEnglish($0) }
    var shortForms: [String: String] = [:]
    var own: [Phrase: String] = [:]
    for phrase in Phrase.allCases {
      let name = "\(phrase)"
      let text = texts[name]?.string
      own[phrase] = text ?? Self.forms(name, texts)
      if let text, let short = texts[name + "_short"]?.string { shortForms[text] = short }
    }
    self.texts = own
    self.shortForms = shortForms
  }

  /// The members of a file of data. A file with a defect, which a test would find, has none.
  private static func members(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> TextMap<JSONValue> {
    JSONValue.parse(UnsafeRawBufferPointer(start: bytes, count: length))?.object ?? [:]
  }

  /// The words of members' names in files, in all languages together, by what they say (`Names.json`).
  package static let memberNames: TextMap<JSONValue> = {
    var length = 0
    let names = clanguages_names(&length)
    return members(names, length)
  }()

  /// As few forms as the texts need: one, two, or four. That of other numbers takes the place of a missing one.
  private static func forms(_ name: String, _ texts: TextMap<JSONValue>) -> String? {
    guard let other = texts[name + "_other"]?.string else { return nil }
    func text(_ category: String) -> String { texts["\(name)_\(category)"]?.string ?? other }
    let (one, few, many) = (text("one"), text("few"), text("many"))
    if few != other || many != other { return "\(one)|\(few)|\(many)|\(other)" }
    return one != other ? "\(one)|\(other)" : other
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
    guard let whole = texts.isEmpty ? phrase.english : texts[phrase] else {
      return Language.english(phrase, values)
    }
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
  package func category(ofDigits digits: String) -> PluralCategory? { tag.plurals.category(ofDigits: digits) }
}

extension Language: Equatable {
  /// A tag stands for one language.
  public static func == (first: Language, second: Language) -> Bool { first.tag == second.tag }
}

/// A text for people that is either one of the program or one that a file contains.
package enum Wording: Sendable, Equatable {
  /// - Parameter name: for the place `{name}` of the phrase.
  case phrase(Phrase, name: String = "")
  case text(String)
  /// By language. A language without one takes the English text, else the first.
  case translations([LanguageTag: String])

  package func text(in language: Language) -> String {
    switch self {
    case .phrase(let phrase, let name): language(phrase, [.name: name])
    case .text(let text): text
    case .translations(let texts):
      texts[language.tag] ?? texts[.english] ?? LanguageTag.allCases.lazy.compactMap { texts[$0] }.first ?? ""
    }
  }
}
