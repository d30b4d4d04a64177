import Testing

@testable import CacheSyncValues

@Suite struct TextRenderingTests {
  // 2026-11-24T10:05:00Z, a Tuesday.
  static let moment = Instant("2026-11-24T10:05:00Z") ?? .referenceDate
  static let berlin = CivilCalendar(TimeZoneRules.fixed(offsetSeconds: 3_600, name: "GMT+01:00"))

  func text(_ value: ItemValue, _ format: TextFormat?, words: TextMap<ExactText> = [:], today: String? = nil) -> String
  {
    // The literal keeps the text from being only a name.
    TextTemplate([.literal("<"), .value(name: "x", format)])
      .renderedText(words: words, calendar: Self.berlin, today: today.flatMap { LocalDay($0) }) {
        $0 == "x" ? value : .null
      }
  }

  @Test func aTextThatIsOnlyANameKeepsTheType() {
    let lone = TextTemplate([.value(name: "x", nil)])
    for value: ItemValue in [.null, .bool(true), .number(3), .list([.number(1)]), .instant(Self.moment), .text("a")] {
      #expect(lone.rendered(words: [:], calendar: nil, today: nil) { _ in value } == value)
    }
    let formatted = TextTemplate([.value(name: "x", .decimals(1))])
    #expect(formatted.rendered(words: [:], calendar: nil, today: nil) { _ in .number(3) } == .text("3.0"))
    #expect(TextTemplate([]).rendered(words: [:], calendar: nil, today: nil) { _ in .number(3) } == .text(""))
    #expect(TextTemplate([.literal("{")]).rendered(words: [:], calendar: nil, today: nil) { _ in .null } == .text("{"))
  }

  @Test(arguments: [
    (ItemValue.null, ""), (.bool(true), "true"), (.bool(false), "false"), (.number(3), "3"), (.number(-0.0), "0"),
    (.number(9.5), "9.5"), (.number(1e21), "1000000000000000000000"),
    (.number(9_007_199_254_740_992), "9007199254740992"), (.number(-1.5e-7), "-0.00000015"),
    (.number(0.000_001), "0.000001"), (.number(.infinity), "17976931348623157" + String(repeating: "0", count: 292)),
    (.text("a{b"), "a{b"),
    (.instant(moment), "2026-11-24T10:05:00Z"), (.object(.object(["a": .null])), ""), (.list([]), ""),
    (.list([.text("a"), .null, .number(2), .object(.null), .list([.text("b"), .bool(true)])]), "a, 2, b, true"),
  ])
  func withoutFormat(_ value: ItemValue, _ expected: String) {
    #expect(text(value, nil) == "<" + expected)
    #expect(value.plainText == expected)
  }

  @Test(arguments: [
    (ItemValue.number(9.5), TextFormat.decimals(0), "10"), (.number(-0.4), .decimals(0), "0"),
    (.number(8.8), .decimals(1), "8.8"),
    (.number(0.285), .decimals(2), "0.29"), (.number(-0.285), .decimals(2), "-0.29"),
    (.number(0.05), .decimals(2), "0.05"),
    (.number(1e21), .decimals(1), "1000000000000000000000.0"), (.number(3), .decimals(2), "3.00"),
    (.number(0), .decimals(1), "0.0"),
    (.number(1e-300), .decimals(2), "0.00"), (.number(999.995), .decimals(2), "1000.00"),
    (.number(1), .plural(["lesson", "lessons"]), "lesson"), (.number(0), .plural(["a", "b"]), "b"),
    (.number(1.5), .plural(["a", "b"]), "b"),
    (.instant(moment), .clock, "11:05"), (.instant(moment), .shortWeekday, "Tue"),
    (.instant(moment), .weekday, "Tuesday"),
    (.instant(moment), .dayAndMonth, "24 Nov"), (.instant(moment), .day, "2026-11-24"),
    // A format that does not fit is ignored.
    (.instant(moment), .decimals(1), "2026-11-24T10:05:00Z"), (.number(3), .clock, "3"),
    (.text("x"), .decimals(2), "x"),
    (.null, .plural(["a", "b"]), ""), (.bool(true), .relative, "true"),
    (.list([.number(1), .number(2.25)]), .decimals(1), "1.0, 2.3"),
  ])
  func formats(_ value: ItemValue, _ format: TextFormat, _ expected: String) {
    #expect(text(value, format) == "<" + expected)
  }

  @Test(arguments: [
    ("2026-11-24", "today"), ("2026-11-23", "tomorrow"), ("2026-11-22", "Tuesday"), ("2026-11-18", "Tuesday"),
    ("2026-11-17", "24 Nov"), ("2026-11-25", "24 Nov"),
  ])
  func relative(today: String, expected: String) {
    #expect(text(.instant(Self.moment), .relative, today: today) == "<" + expected)
  }

  @Test func aDateIsInTheZone() {
    let late = ItemValue.instant(Instant("2026-11-24T23:30:00Z") ?? .referenceDate)
    #expect(text(late, .relative, today: "2026-11-25") == "<today")
    #expect(text(late, .clock) == "<00:30")
    #expect(text(late, .day) == "<2026-11-25")
  }

  @Test func wordsReplaceTheEnglishOnes() {
    let words: TextMap<ExactText> = ["today": "heute", "Tuesday": "Dienstag", "Tue": "Di", "Nov": "Nov."]
    #expect(text(.instant(Self.moment), .relative, words: words, today: "2026-11-24") == "<heute")
    #expect(text(.instant(Self.moment), .weekday, words: words) == "<Dienstag")
    #expect(text(.instant(Self.moment), .shortWeekday, words: words) == "<Di")
    #expect(text(.instant(Self.moment), .dayAndMonth, words: words) == "<24 Nov.")
  }

  @Test(
    "A word by number has the form of its category, with two forms or four",
    arguments: [
      ("en", 1.0, "one"), ("en", 2, "other"), ("fr", 0, "one"), ("fr", 1_000_000, "many"), ("pl", 2, "few"),
      ("pl", 5, "many"), ("pl", 1.5, "other"), ("cs", 1.5, "many"), ("cs", 5, "other"), ("ja", 1, "other"),
      ("pl", -22, "few"),
    ])
  func plurals(tag: String, number: Double, form: String) throws {
    let locale = try #require(CacheLocale(tag))
    func text(_ forms: [ExactText]) -> String {
      TextTemplate([.literal("<"), .value(name: "x", .plural(forms))]).renderedText(
        words: [:], calendar: nil, today: nil, locale: locale
      ) { _ in .number(number) }
    }
    #expect(text(["one", "few", "many", "other"]) == "<" + form)
    #expect(text(["one", "other"]) == (form == "one" ? "<one" : "<other"))
  }

  // The categories are those of babel 2.18.0 for the digits that are shown.
  @Test(
    "A word by number follows the digits of its number: the one before it in the text, else the one after it",
    arguments: [
      ("en", "{x:0.0} {x:mile|miles}", 1, "1.0 miles"), ("en", "{x} {x:mile|miles}", 1, "1 mile"),
      ("en", "{x:0} {x:mile|miles}", 1.4, "1 mile"), ("en", "{x:0} {x:mile|miles}", 0.6, "1 mile"),
      ("en", "{x:0} {x:mile|miles}", 1.5, "2 miles"), ("en", "{x:0.00} {x:mile|miles}", -1, "-1.00 miles"),
      ("en", "{x:mile|miles}: {x:0.0}", 1, "miles: 1.0"), ("en", "{x:mile|miles}", 1, "mile"),
      ("en", "{x:0.0}, {x:0} {x:mile|miles}", 1, "1.0, 1 mile"),
      ("en", "{x:0} {x:mile|miles}, {x:0.0} {x:mile|miles}", 1, "1 mile, 1.0 miles"),
      ("en", "{y:0.0} {x:mile|miles}", 1, "7.0 mile"), ("en", "{x:0.0} {x:a|b} {x:mile|miles}", 1, "1.0 b miles"),
      ("de", "{x:0.0} {x:Meile|Meilen}", 1, "1,0 Meilen"), ("sv", "{x:0.0} {x:one|other}", 1, "1,0 other"),
      ("nl", "{x:0.0} {x:one|other}", 1, "1,0 other"), ("fi", "{x:0.0} {x:one|other}", 1, "1,0 other"),
      ("it", "{x:0.0} {x:one|other}", 1, "1,0 other"), ("cs", "{x:0.0} {x:one|few|many|other}", 1, "1,0 many"),
      ("cs", "{x:0.0} {x:one|few|many|other}", 3, "3,0 many"), ("cs", "{x} {x:one|few|many|other}", 3, "3 few"),
      ("pl", "{x:0.0} {x:one|few|many|other}", 5, "5,0 other"), ("es", "{x:0.0} {x:one|other}", 1, "1,0 one"),
      ("nb", "{x:0.0} {x:one|other}", 1, "1,0 one"), ("tr", "{x:0.0} {x:one|other}", 1, "1,0 one"),
      ("fr", "{x:0.0} {x:one|other}", 1.5, "1,5 one"), ("fr", "{x:0} {x:one|other}", 1.5, "2 other"),
      ("da", "{x:0.0} {x:one|other}", 0.04, "0,0 other"), ("da", "{x} {x:one|other}", 0.04, "0,04 one"),
    ])
  func shownDigits(tag: String, text: String, number: Double, expected: String) throws {
    let parsed = TextTemplate.parse(text)
    #expect(parsed.defects.isEmpty)
    let found = parsed.template.renderedText(
      words: [:], calendar: nil, today: nil, locale: try #require(CacheLocale(tag))
    ) { .number($0 == "x" ? number : 7) }
    #expect(found == expected)
    // Each number of a list has its own form in the list of words.
    let list = parsed.template.renderedText(
      words: [:], calendar: nil, today: nil, locale: try #require(CacheLocale(tag))
    ) { .list([.number($0 == "x" ? number : 7)]) }
    #expect(list == expected)
  }

  @Test(
    "In another language texts are in that language, and a definition's words win, but not inside a date",
    arguments: [
      (TextFormat.relative, "2026-11-24", "heute", "jetzt"), (.relative, "2026-11-23", "morgen", "morgen"),
      (.relative, "2026-11-20", "Dienstag", "Di-Tag"), (.relative, "2026-11-17", "24. Nov.", "24. Nov."),
      (.days, "2026-11-21", "in 3 Tagen", "in 3 T"), (.days, "2026-11-26", "vor 2 Tagen", "vor 2 Tagen"),
      (.shortWeekday, "2026-11-17", "Di", "D"), (.weekday, "2026-11-17", "Dienstag", "Di-Tag"),
      (.dayAndMonth, "2026-01-01", "24. Nov.", "24. Nov."),
      (.dayAndMonth, "2025-01-01", "24. Nov. 2026", "24. Nov. 2026"),
      (.clock, "2026-11-17", "11:05", "11:05"), (.day, "2026-11-17", "2026-11-24", "2026-11-24"),
    ])
  func language(format: TextFormat, today: String, text: String, own: String) throws {
    let words: TextMap<ExactText> = [
      "today": "jetzt", "Tuesday": "Di-Tag", "Tue": "D", "Nov": "x", "November": "x", "in N days": "in N T",
    ]
    let locale = try #require(CacheLocale("de"))
    let cases: [(TextMap<ExactText>, String)] = [(TextMap(), text), (words, own)]
    for (words, expected) in cases {
      let found = TextTemplate([.literal("<"), .value(name: "x", format)]).renderedText(
        words: words, calendar: Self.berlin, today: LocalDay(today), locale: locale
      ) { _ in .instant(Self.moment) }
      #expect(found == "<" + expected)
    }
  }

  @Test("A number in a text has the language's separator and minus; a lone one stays a number")
  func numbers() throws {
    let locale = try #require(CacheLocale("fr"))
    let lone = TextTemplate([.value(name: "x", nil)])
    #expect(
      lone.rendered(words: [:], calendar: nil, today: nil, locale: locale) { _ in .number(-1.5) } == .number(-1.5))
    let text = TextTemplate([.literal("<"), .value(name: "x", nil), .literal(" "), .value(name: "x", .decimals(2))])
    #expect(
      text.renderedText(words: [:], calendar: nil, today: nil, locale: locale) { _ in .number(-1.5) } == "<−1,5 −1,50")
    #expect(text.renderedText(words: [:], calendar: nil, today: nil) { _ in .number(-1.5) } == "<-1.5 -1.50")
  }

  @Test func aTextIsCutAtACharacter() {
    let long = ItemValue.text(String(repeating: "€", count: 2_000))
    #expect(text(long, nil) == "<" + String(repeating: "€", count: 1_365))
    let lone = TextTemplate([.value(name: "x", nil)]).rendered(words: [:], calendar: nil, today: nil) { _ in long }
    #expect(lone == .text(String(repeating: "€", count: 1_365)))
    let list = ItemValue.list(Array(repeating: .text("abc"), count: 1_000_000))
    #expect(list.plainText.utf8.count == 4_096)
  }

  @Test(arguments: [
    (1.005, 100, 0, 101.0), (270, 0.016666666666666666, 0, 5), (0.1, 3, 6, 0.3), (33, 0.333333333333333, 3, 11),
    (28.5, 0.01, 2, 0.29), (95, 0.1, 1, 9.5), (2.5, 1, 0, 3), (-2.5, 1, 0, -3),
    (0.1, 3, 6, 0.3),
    (1e308, 10, 0, Double.greatestFiniteMagnitude), (123456789.123456789, 1, 6, 123456789.123457),
    (9_007_199_254_740_992, 1, 0, 9_007_199_254_740_992),
    (1.7976931348623157e308, 1.7976931348623157e308, 0, Double.greatestFiniteMagnitude),
  ])
  func decimalArithmetic(_ value: Double, _ scale: Double, _ decimals: Int, _ expected: Double) {
    #expect((DecimalNumber(value) * DecimalNumber(scale)).rounded(decimals: decimals).double == expected)
    #expect(DecimalNumber.rounded(value, times: scale, decimals: decimals) == expected)
  }

  @Test("If rounding by doubles is certain, it gives the same as decimals")
  func roundingByDoubles() {
    var different = 0
    for step in 0..<4_000 {
      let value = Double(step) * 0.1855 - 300
      for (factor, decimals) in [(1, 0), (0.1, 1), (1.0 / 60, 2), (1_000, 0), (3.6, 6)] as [(Double, Int)] {
        let exact = (DecimalNumber(value) * DecimalNumber(factor)).rounded(decimals: decimals).double
        if DecimalNumber.rounded(value, times: factor, decimals: decimals) != exact { different += 1 }
      }
    }
    #expect(different == 0)
  }
}
