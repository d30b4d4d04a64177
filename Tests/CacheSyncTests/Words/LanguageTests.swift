import Foundation
import Testing

@testable import CacheSync

@Suite("Languages")
struct LanguageTests {
  /// The names in the braces of a text.
  static func places(in text: Substring) -> [String] {
    text.matches(of: /\{(\w*)\}/).map { String($0.output.1) }
  }

  @Test("Every text has the places that English has, each once, and only known ones", arguments: LanguageTag.allCases)
  func places(tag: LanguageTag) {
    for phrase in Phrase.allCases {
      // A form for one thing may leave the number out.
      let wanted = Set(Language.english.forms(of: phrase).flatMap(Self.places))
      for form in tag.language.forms(of: phrase) {
        let places = Self.places(in: form)
        #expect(
          Set(places).subtracting(["count"]) == wanted.subtracting(["count"]) && wanted.isSuperset(of: places),
          "\(tag.rawValue) \(phrase): \(form)")
        #expect(Set(places).count == places.count, "\(tag.rawValue) \(phrase): \(form)")
        #expect(places.allSatisfy { Language.Place(rawValue: $0) != nil }, "\(tag.rawValue) \(phrase): \(form)")
        #expect(form.count { $0 == "{" } == places.count, "\(tag.rawValue) \(phrase): \(form)")
        #expect(!form.isEmpty && form.first != " " && form.last != " ", "\(tag.rawValue) \(phrase): \(form)")
        #expect(!form.unicodeScalars.contains("\u{202F}"), "\(tag.rawValue) \(phrase): \(form)")
      }
    }
  }

  @Test("A text has one form, or as many as the language needs", arguments: LanguageTag.allCases)
  func forms(tag: LanguageTag) {
    for phrase in Phrase.allCases {
      #expect([1, tag.language.formCount].contains(tag.language.forms(of: phrase).count), "\(tag.rawValue) \(phrase)")
    }
  }

  @Test("Only texts that stand beside a number have several forms", arguments: LanguageTag.allCases)
  func counted(tag: LanguageTag) {
    for phrase in Phrase.allCases where tag.language.forms(of: phrase).count > 1 {
      let isCounted = Language.english.forms(of: phrase).contains { Self.places(in: $0).contains("count") }
      #expect(isCounted || phrase == .taskUnit || phrase == .overdueUnit, "\(tag.rawValue) \(phrase)")
    }
  }

  @Test(
    "A short form is shorter than its phrase, and only phrases without values have one", arguments: LanguageTag.allCases
  )
  func short(tag: LanguageTag) {
    let short = Phrase.allCases.filter { tag.language.shortForm(of: tag.language($0)) != nil }
    for phrase in short {
      let (long, short) = (tag.language(phrase), tag.language.shortForm(of: tag.language(phrase)) ?? "")
      #expect(!short.isEmpty && short.cellCount < long.cellCount, "\(tag.rawValue) \(phrase): \(short)")
      #expect(
        !long.contains("{") && !long.contains("|") && tag.language.shortForm(of: short) == nil,
        "\(tag.rawValue) \(phrase)")
    }
    #expect(Language.german.shortForm(of: "Keine Gesundheitsdaten") == "Keine Daten")
    #expect(Language.english.shortForm(of: "Soup") == nil)
  }

  /// Words that two languages share, and what stays as it is everywhere. A language that has more of them is not done.
  @Test("Few texts are as in English", arguments: LanguageTag.allCases.filter { !$0.rawValue.hasPrefix("en") })
  func translated(tag: LanguageTag) {
    let same = Phrase.allCases.filter { phrase in
      let text = Language.english(phrase)
      return tag.language(phrase) == text && text.replacing(/\{\w+\}/, with: "").contains { $0.isLetter }
    }
    #expect(same.count <= 24, "\(tag.rawValue): \(same)")
  }

  @Test("The small widget of today's tasks is headed by the word for today", arguments: LanguageTag.allCases)
  func today(tag: LanguageTag) {
    #expect(tag.language(.todaysTasksShort).lowercased() == tag.language(.today), "\(tag.rawValue)")
  }

  /// "at most 10 characters" in the comments of the phrases. A wide character counts as two.
  static let limits: [(phrase: Phrase, cells: Int)] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "Sources/CacheSync/Words/Phrase.swift")
    let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return source.matches(of: /at most (\d+) characters[^\n]*\n  case (\w+)/).compactMap { found in
      let phrase = Phrase.allCases.first { "\($0)" == found.output.2 }
      return phrase.flatMap { phrase in Int(found.output.1).map { (phrase, $0) } }
    }
  }()

  @Test("No text is longer than its comment says", arguments: LanguageTag.allCases)
  func length(tag: LanguageTag) {
    #expect(Self.limits.count > 25)
    for (phrase, limit) in Self.limits {
      for form in tag.language.forms(of: phrase) {
        let text = form.replacing("{count}", with: "9")
        #expect(String(text).cellCount <= limit, "\(tag.rawValue) \(phrase): \(form)")
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

  @Test("Another region's English has its own spelling")
  func english() {
    #expect(Language.britishEnglish(.addFavorites) == "Add favourites to quick log")
    #expect(Language.americanEnglish(.addFavorites) == "Add favorites to quick log")
  }
}
