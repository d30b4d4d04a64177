import Testing

@testable import CacheSync

@Suite("The language, the clock and the week of a cache")
struct CacheLocaleTests {
  @Test("Messages list every tag")
  func list() {
    let tags = LanguageTag.allCases.map(\.rawValue).joined(separator: ", ")
    #expect("\(LanguageTag.expectation)" == "one of \(tags)")
  }

  /// The regions' values are those of CLDR, as babel shows them (`scripts/cldr.py`).
  @Test(
    "A tag matches whatever its case, an alias keeps its region's habits, and another region has the language's clock and its own first weekday",
    arguments: [
      ("en", "en", 24, Weekday.monday), ("EN_us", "en-US", 12, .sunday), ("en-gb", "en-GB", 24, .monday),
      ("ja", "ja", 24, .sunday), ("ko", "ko", 12, .sunday), ("zh-Hans", "zh-Hans", 24, .monday),
      ("pt-BR", "pt-BR", 24, .sunday), ("pt", "pt-BR", 24, .sunday), ("pt_PT", "pt-BR", 24, .sunday),
      ("pt-CH", "pt-BR", 24, .monday), ("pt-US", "pt-BR", 24, .sunday), ("no", "nb", 24, .monday),
      ("NN-no", "nb", 24, .monday), ("zh", "zh-Hans", 24, .monday), ("zh_CN", "zh-Hans", 24, .monday),
      ("zh-SG", "zh-Hans", 12, .sunday), ("zh-hans-SG", "zh-Hans", 24, .monday), ("en-AU", "en-GB", 12, .monday),
      ("en-NZ", "en-GB", 12, .monday), ("en-IE", "en-GB", 24, .monday), ("en-IN", "en-GB", 12, .sunday),
      ("en-ZA", "en-GB", 24, .sunday), ("en-CA", "en-US", 12, .sunday), ("de-AT", "de", 24, .monday),
      ("en-JM", "en", 24, .monday), ("es-419", "es", 24, .monday), ("de_de", "de", 24, .monday),
      ("fr-CA", "fr", 24, .sunday), ("FR_ca", "fr", 24, .sunday), ("es-MX", "es", 24, .sunday),
      ("es-AR", "es", 24, .monday), ("fr-CH", "fr", 24, .monday), ("fr-DZ", "fr", 24, .saturday),
      ("ko-KP", "ko", 12, .monday), ("sv-FI", "sv", 24, .monday),
    ])
  func matching(text: String, tag: String, hours: Int, first: Weekday) throws {
    let locale = try #require(CacheLocale(text))
    #expect(locale.language.tag.rawValue == tag)
    #expect(locale.hourCycle.rawValue == hours && locale.firstWeekday == first)
  }

  @Test(
    "Everything else matches nothing",
    arguments: [
      "", "ar", "he-IL", "zh-TW", "zh-Hant", "zh-HK", "xx", "de-", "-de", "de-Latn", "en-US-posix", "de_DE.UTF-8",
      "pt-Latn", "e", "en--US", "de AT", "C", "german", "deu", "no-Latn", String(repeating: "de-", count: 1_000),
    ])
  func unknown(text: String) { #expect(CacheLocale(text) == nil) }

  @Test("A setting overrides the habits")
  func overridden() throws {
    let locale = try #require(CacheLocale("de", hourCycle: .hours12))
    #expect(locale.hourCycle == .hours12 && locale.isHourCycleSet)
  }

  @Test(
    "English names nothing in documents unless the hour cycle is set, and what is named is read back",
    arguments: [
      ("en", nil, nil, nil), ("en-JM", nil, nil, nil), ("en", HourCycle.hours24, 24, nil), ("en", .hours12, 12, nil),
      ("en-US", nil, 12, "en-US"), ("en-AU", nil, 12, "en-GB"), ("de-AT", nil, 24, "de"),
    ] as [(String, HourCycle?, Int?, String?)])
  func published(tag: String, cycle: HourCycle?, hours: Int?, locale: String?) throws {
    let set = try #require(CacheLocale(tag, hourCycle: cycle))
    #expect(set.published.hourCycle == hours && set.published.locale == locale)
    let read = CacheLocale(published: locale, hours)
    #expect(read.language == set.language && read.hourCycle == set.hourCycle)
  }

  @Test("A language that this version does not know is English, with the clock that the document names")
  func newer() {
    #expect(CacheLocale(published: "xx", 12).hourCycle == .hours12)
    #expect(CacheLocale(published: "xx", 12).language == .english)
    #expect(CacheLocale(published: nil, 7) == .english)
  }
}

/// Expected texts are written by hand.
@Suite("Snapshots in a language")
struct LocalisedSnapshotTests {
  /// The samples of the kinds, which every library has.
  static func snapshot(_ kind: String, _ tag: String, _ cycle: HourCycle? = nil) throws -> Snapshot {
    try Snapshot.sample(of: kind, in: try #require(CacheLocale(tag, hourCycle: cycle)))
  }

  static func members(_ snapshot: Snapshot) throws -> [String: JSONValue] {
    let document = try #require(snapshot.bytes.withUnsafeBytes { JSONValue.parse($0) }?.object)
    return ["locale": document["locale"] ?? .null, "hourCycle": document["hourCycle"] ?? .null]
  }

  @Test("A snapshot names its language; English does not")
  func named() throws {
    #expect(try Self.members(Self.snapshot("todays-tasks", "en")) == ["locale": .null, "hourCycle": .null])
    #expect(
      try Self.members(Self.snapshot("todays-tasks", "en", .hours12)) == ["locale": .null, "hourCycle": .integer(12)])
    #expect(
      try Self.members(Self.snapshot("todays-tasks", "de-AT")) == ["locale": .string("de"), "hourCycle": .integer(24)])
    #expect(
      try Self.members(Self.snapshot("todays-tasks", "en-AU")) == [
        "locale": .string("en-GB"), "hourCycle": .integer(12),
      ])
  }

  @Test("English is as it is without a language", arguments: FeedRegistry.builtIn.kinds.map(\.name.description))
  func english(kind: String) throws {
    #expect(try Self.snapshot(kind, "en").bytes == Snapshot.sample(of: kind).bytes)
  }

  @Test("Texts are in the language, names and keys are not")
  func texts() throws {
    let plan = try Self.snapshot("meal-plan", "de").entry(at: Snapshot.sampleMoment).content
    #expect(plan["dayName"] == .string("Dienstag"))
    let calendar = try Self.snapshot("calendar", "pt-BR").entry(at: Snapshot.sampleMoment).content
    #expect(calendar["month"] == .string("novembro de 2026") && calendar["weekday"] == .string("terça-feira"))
    #expect(calendar["weekdays"]?[0] == .string("dom.") && calendar["weeks"]?["first"] == .string("2026-11-01"))
    let macros = try Self.snapshot("macro-breakdown", "uk").entry(at: Snapshot.sampleMoment).content["macros"]
    #expect(macros?[0]?["name"] == .string("protein") && macros?[0]?["displayName"] == .string("Білки"))
    let nutrients = try Self.snapshot("nutrients", "de").entry(at: Snapshot.sampleMoment).content["nutrients"]
    #expect(nutrients?[0]?["name"] == .string("Fiber") && nutrients?[0]?["displayName"] == .string("Ballaststoffe"))
    let english = try Self.snapshot("nutrients", "en").entry(at: Snapshot.sampleMoment).content["nutrients"]
    #expect(english?[0]?["displayName"] == nil)
  }

  /// Apart from texts, numbers and states are the same. Days of the month grid may begin with another weekday.
  @Test("A language changes no number, key or state", arguments: LanguageTag.allCases)
  func numbers(tag: LanguageTag) throws {
    func shape(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string: .string("")
      case .array(let values): .array(values.map(shape))
      case .object(let members):
        .object(
          TextMap(members.filter { $0.key != "displayName" && $0.key != "weeks" }.map { ($0.key, shape($0.value)) }))
      default: value
      }
    }
    for kind in FeedRegistry.builtIn.kinds.map(\.name.description) {
      let (here, english) = (try Self.snapshot(kind, tag.rawValue), try Self.snapshot(kind, "en"))
      #expect(
        here.entries.map(\.date) == english.entries.map(\.date)
          && here.entries.map(\.state) == english.entries.map(\.state))
      for (a, b) in zip(here.entries, english.entries) {
        #expect(shape(a.content) == shape(b.content), "\(tag.rawValue) \(kind)")
      }
    }
  }

  @Test("What show prints is in the language, with its clock")
  func shown() throws {
    let korean = try Self.snapshot("next-event", "ko")
    let text = KindText(korean, at: Snapshot.sampleMoment)
    #expect(text.heading == "다음 일정")
    #expect(text.lines.joined().contains("오후 12:30") && !text.lines.joined().contains("12:30–13:30"))
  }
}
