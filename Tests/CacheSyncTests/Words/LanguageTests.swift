import Foundation
import Testing

@testable import CacheSyncValues

@Suite("Languages")
struct LanguageTests {
  /// A text of a language, and for which numbers it is; or "short", or nil for a text without forms.
  struct Text {
    var phrase: Phrase
    var form: String?
    var text: String
  }

  static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  static let phrases = Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ("\($0)", $0) })

  /// A language's file of texts; nil for `en`, which has none.
  static func file(_ tag: LanguageTag) -> TextMap<JSONValue>? {
    (try? Data(contentsOf: sources.appendingPathComponent("CLanguages/Texts/\(tag.rawValue).json")))?
      .withUnsafeBytes { JSONValue.parse($0) }?.object
  }

  /// The text or texts of a phrase that a language has; none: it is in English there.
  static func texts(_ phrase: Phrase, _ file: TextMap<JSONValue>?) -> [Text] {
    guard let file else {
      let forms = phrase.english.split(separator: "|").map { String($0) }
      return zip(isPlural(phrase) ? ["one", "other"] : [nil], forms).map { Text(phrase: phrase, form: $0, text: $1) }
    }
    return [nil, "one", "few", "many", "other", "short"].compactMap { form in
      let text = file["\(phrase)" + (form.map { "_\($0)" } ?? "")]?.string
      return text.map { Text(phrase: phrase, form: form, text: $0) }
    }
  }

  static func texts(_ tag: LanguageTag) -> [Text] {
    let file = file(tag)
    return Phrase.allCases.flatMap { texts($0, file) }
  }

  /// Whether a number chooses the form.
  static func isPlural(_ phrase: Phrase) -> Bool { phrase.english.contains("|") || phrase.english.contains("{count}") }

  /// The names in the braces of a text.
  static func places(in text: String) -> [String] {
    text.matches(of: /\{(\w*)\}/).map { String($0.output.1) }
  }

  static let others = LanguageTag.allCases.filter { !$0.rawValue.hasPrefix("en") }

  @Test("Every text has the places that English has, each once, and only known ones", arguments: LanguageTag.allCases)
  func places(tag: LanguageTag) {
    for text in Self.texts(tag) where text.form != "short" {
      // A form for one thing may leave the number out.
      let wanted = Set(Self.places(in: text.phrase.english))
      let places = Self.places(in: text.text)
      #expect(
        Set(places).subtracting(["count"]) == wanted.subtracting(["count"]) && wanted.isSuperset(of: places),
        "\(tag.rawValue) \(text)")
      #expect(Set(places).count == places.count, "\(tag.rawValue) \(text)")
      #expect(places.allSatisfy { Language.Place(rawValue: $0) != nil }, "\(tag.rawValue) \(text)")
      #expect(text.text.count { $0 == "{" } == places.count, "\(tag.rawValue) \(text)")
      #expect(!text.text.contains("|"), "\(tag.rawValue) \(text)")
    }
  }

  @Test("A text is not empty, and has no space at its ends", arguments: LanguageTag.allCases)
  func spaces(tag: LanguageTag) {
    for text in Self.texts(tag) {
      #expect(!text.text.isEmpty && text.text.first != " " && text.text.last != " ", "\(tag.rawValue) \(text)")
      #expect(!text.text.unicodeScalars.contains("\u{202F}"), "\(tag.rawValue) \(text)")
    }
  }

  @Test("A text beside a number has a form for each of CLDR's categories of the language, another text has one form")
  func forms() throws {
    for vector in CLDRVectorTests.vectors {
      let categories = Set(try #require(vector.value["plurals"]?.array).compactMap(\.string))
      let file = try #require(Self.file(vector.tag), "\(vector.tag.rawValue)")
      for phrase in Phrase.allCases {
        let forms = Self.texts(phrase, file).map(\.form)
        guard !forms.isEmpty else { continue }
        if Self.isPlural(phrase) {
          #expect(Set(forms.map { $0 ?? "" }) == categories, "\(vector.tag.rawValue) \(phrase)")
        } else {
          #expect(forms == [nil] || forms == [nil, "short"], "\(vector.tag.rawValue) \(phrase)")
        }
      }
    }
  }

  @Test("A file has texts of phrases alone", arguments: LanguageTag.allCases.dropFirst())
  func known(tag: LanguageTag) throws {
    for (key, _) in try #require(Self.file(tag)) {
      let name = key.replacing(/_(one|few|many|other|short)$/, with: "")
      #expect(Self.phrases[name] != nil, "\(tag.rawValue) \(key)")
    }
  }

  /// `make phrases` lists those that are missing. A new phrase may be missing everywhere.
  @Test("A language has nearly every text", arguments: others)
  func whole(tag: LanguageTag) {
    let file = Self.file(tag)
    let missing = Phrase.allCases.filter { Self.texts($0, file).isEmpty }
    #expect(missing.count < Phrase.allCases.count / 10, "\(tag.rawValue): \(missing)")
  }

  @Test("A short form is shorter than its phrase, and only phrases without values have one", arguments: others)
  func short(tag: LanguageTag) throws {
    let language = tag.language
    for short in Self.texts(tag) where short.form == "short" {
      let long = language(short.phrase)
      #expect(language.shortForm(of: long) == short.text, "\(tag.rawValue) \(short)")
      #expect(short.text.cellCount < long.cellCount, "\(tag.rawValue) \(short)")
      #expect(!long.contains("{") && language.shortForm(of: short.text) == nil, "\(tag.rawValue) \(short)")
    }
  }

  @Test("A text without a short form has none")
  func shortForms() {
    #expect(LanguageTag.german.language.shortForm(of: "Keine Gesundheitsdaten") == "Keine Daten")
    #expect(Language.english.shortForm(of: "Soup") == nil)
  }

  /// Words that two languages share, and what stays as it is everywhere. A language that has more of them is not done.
  @Test("Few texts are as in English", arguments: others)
  func translated(tag: LanguageTag) {
    let file = Self.file(tag)
    let same = Phrase.allCases.filter { phrase in
      let texts = Self.texts(phrase, file).filter { $0.form == nil || $0.form == "other" }.map(\.text)
      let letters = phrase.english.replacing(/\{\w+\}/, with: "").contains { $0.isLetter }
      return letters && texts == phrase.english.split(separator: "|").suffix(1).map { String($0) }
    }
    #expect(same.count <= 24, "\(tag.rawValue): \(same)")
  }

  @Test("The small widget of today's tasks is headed by the word for today", arguments: LanguageTag.allCases)
  func today(tag: LanguageTag) {
    let language = tag.language
    #expect(language(.todaysTasksShort).lowercased() == language(.today), "\(tag.rawValue)")
  }

  /// "at most 10 characters" in the comments of the phrases. A wide character counts as two.
  static let limits: [(phrase: Phrase, cells: Int)] = {
    let file = sources.appendingPathComponent("CacheSyncValues/Words/Phrase.swift")
    let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return source.matches(of: /at most (\d+) characters[^\n]*\n  case ([^\n]*(?:\n    [^\n]*)*)/).flatMap { found in
      let names = found.output.2.matches(of: /(\w+)(?:\s*=\s*"[^"]*")?/).map { String($0.output.1) }
      return names.compactMap { name in phrases[name].flatMap { phrase in Int(found.output.1).map { (phrase, $0) } } }
    }
  }()

  @Test("No text is longer than its comment says", arguments: LanguageTag.allCases)
  func length(tag: LanguageTag) {
    #expect(Self.limits.count > 25)
    let file = Self.file(tag)
    for (phrase, limit) in Self.limits {
      for text in Self.texts(phrase, file) {
        #expect(text.text.replacing("{count}", with: "9").cellCount <= limit, "\(tag.rawValue) \(text)")
      }
    }
  }

  @Test(
    "The count chooses the form",
    arguments: [("0", "0 tasks"), ("1", "1 task"), ("2", "2 tasks"), ("21", "21 tasks"), ("1.5", "1.5 tasks")])
  func count(count: String, text: String) { #expect(Language.english(.tasks, [.count: count]) == text) }

  @Test("A value is put in as it is, also with braces and bars")
  func values() {
    #expect(Language.english(.eventAt, [.title: "a|{time} b", .time: "09:30"]) == "a|{time} b at 09:30")
    #expect(
      Language.english(.tasksTodayAndOverdue, [.count: "1", .overdue: "{count}|2"]) == "1 task today, {count}|2 overdue"
    )
  }

  @Test("A phrase has its name for English only if that is one word")
  func named() {
    for phrase in Phrase.allCases where phrase.english == "\(phrase)" {
      #expect(phrase.english == phrase.english.lowercased(), "\(phrase)")
    }
  }

  @Test("Another region's English has its own spelling, and the other texts of English")
  func english() {
    let (british, american) = (LanguageTag.britishEnglish.language, LanguageTag.americanEnglish.language)
    #expect(british(.addFavorites) == "Add favourites to quick log")
    #expect(american(.addFavorites) == "Add favorites to quick log")
    #expect(british(.tasks, [.count: "1"]) == "1 task" && american(.colours) == "Colors")
  }

  @Test(
    "A missing text is in English, also its form, and the form for other numbers takes the place of a missing form",
    arguments: [
      ("1", "1 zadanie", "1 step"), ("3", "3 zadania", "3 steps"), ("5", "5 zadań", "5 steps"),
      ("1,5", "1,5 zadań", "1,5 steps"),
    ])
  func missing(count: String, tasks: String, steps: String) {
    let polish = Language(
      .polish,
      texts: [
        "tasks_one": .string("{count} zadanie"), "tasks_few": .string("{count} zadania"),
        "tasks_other": .string("{count} zadań"),
      ], formats: [:])
    #expect(polish(.tasks, [.count: count]) == tasks && polish(.steps, [.count: count]) == steps)
    #expect(polish.formats.weekdays == Language.english.formats.weekdays)
  }

  @Test("Equal languages have one tag, although each is read anew after another")
  func equality() {
    let german = LanguageTag.german.language
    #expect(LanguageTag.french.language != german && LanguageTag.german.language == german)
  }
}
