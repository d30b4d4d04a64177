import Testing

@testable import CacheSync

@Suite("Languages")
struct LanguageTests {
  static let all: [Language] = [.english]

  /// The names in the braces of a text.
  static func places(in text: Substring) -> [String] {
    text.matches(of: /\{(\w*)\}/).map { String($0.output.1) }
  }

  @Test("Every text has the places that English has, and only known ones", arguments: all)
  func places(language: Language) {
    for phrase in Phrase.allCases {
      // A form for one thing may leave the number out.
      let wanted = Set(Language.english.forms(of: phrase).flatMap(Self.places))
      for form in language.forms(of: phrase) {
        let places = Self.places(in: form)
        #expect(
          Set(places).subtracting(["count"]) == wanted.subtracting(["count"]), "\(language.tag) \(phrase): \(form)")
        #expect(places.allSatisfy { Language.Place(rawValue: $0) != nil }, "\(language.tag) \(phrase): \(form)")
        #expect(form.count { $0 == "{" } == places.count, "\(language.tag) \(phrase): \(form)")
        #expect(!form.isEmpty && form.first != " " && form.last != " ", "\(language.tag) \(phrase): \(form)")
      }
    }
  }

  @Test("A text has one form, or as many as the language needs", arguments: all)
  func forms(language: Language) {
    for phrase in Phrase.allCases {
      #expect([1, 2].contains(language.forms(of: phrase).count), "\(language.tag) \(phrase)")
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
}
