import Foundation
import Testing

import CacheSync
@testable import CacheSyncValues

@Suite("The language, the clock and the week of a cache")
struct CacheLocaleTests {
  @Test("Messages list every tag")
  func list() {
    let tags = LanguageTag.allCases.map(\.rawValue).joined(separator: ", ")
    #expect("\(LanguageTag.expectation)" == "one of \(tags)")
  }

  /// The values are those of CLDR 48, as ICU 78.2 shows them (`region_vectors.mjs`); those of `en`, and of regions that CLDR
  /// does not have with the language, are the language's.
  @Test(
    "A tag matches whatever its case, and a region that is known keeps its own clock and first weekday",
    arguments: [
      ("en", "en", 24, Weekday.monday), ("EN_us", "en-US", 12, .sunday), ("en-gb", "en-GB", 24, .monday),
      ("ja", "ja", 24, .sunday), ("ko", "ko", 12, .sunday), ("zh-Hans", "zh-Hans", 24, .monday),
      ("pt-BR", "pt-BR", 24, .sunday), ("pt", "pt-BR", 24, .sunday), ("pt_PT", "pt-BR", 24, .sunday),
      ("pt-CH", "pt-BR", 24, .monday), ("pt-AO", "pt-BR", 24, .monday), ("pt-MO", "pt-BR", 12, .sunday),
      ("pt-US", "pt-BR", 24, .sunday), ("no", "nb", 24, .monday), ("NN-no", "nb", 24, .monday),
      ("zh", "zh-Hans", 24, .monday), ("zh_CN", "zh-Hans", 24, .monday), ("zh-SG", "zh-Hans", 12, .sunday),
      ("zh-hans-SG", "zh-Hans", 12, .sunday), ("zh-Hans-HK", "zh-Hans", 12, .sunday),
      ("zh-Hans-CN", "zh-Hans", 24, .monday), ("zh-FR", "zh-Hans", 24, .monday), ("zh-TW", "zh-Hant", 12, .sunday),
      ("zh_TW", "zh-Hant", 12, .sunday), ("ZH-HANT", "zh-Hant", 12, .sunday), ("zh_Hant_TW", "zh-Hant", 12, .sunday),
      ("zh-HK", "zh-Hant", 12, .sunday), ("zh-Hant-HK", "zh-Hant", 12, .sunday), ("zh-MO", "zh-Hant", 12, .sunday),
      ("zh-Hant-MY", "zh-Hant", 12, .monday), ("en-AU", "en-GB", 12, .monday), ("en-NZ", "en-GB", 12, .monday),
      ("en-IE", "en-GB", 24, .monday), ("en-IN", "en-GB", 12, .sunday), ("en-ZA", "en-GB", 24, .sunday),
      ("en-CA", "en-US", 12, .sunday), ("en-JM", "en", 12, .sunday), ("en_SG", "en", 12, .sunday),
      ("en-IL", "en", 24, .sunday), ("en-DE", "en", 24, .monday), ("en-QQ", "en", 24, .monday),
      ("de-AT", "de", 24, .monday), ("de_de", "de", 24, .monday), ("de-US", "de", 24, .monday),
      ("es", "es", 24, .monday), ("es-ES", "es", 24, .monday), ("es-419", "es", 12, .monday),
      ("es-MX", "es", 12, .sunday), ("es_US", "es", 12, .sunday), ("es-CO", "es", 12, .sunday),
      ("es-AR", "es", 12, .monday), ("es-QQ", "es", 24, .monday), ("fr-CA", "fr", 24, .sunday),
      ("FR_ca", "fr", 24, .sunday), ("fr-CH", "fr", 24, .monday), ("fr-DZ", "fr", 12, .saturday),
      ("ko-KP", "ko", 12, .monday), ("sv-FI", "sv", 24, .monday), ("tr-CY", "tr", 12, .monday),
    ])
  func matching(text: String, tag: String, hours: Int, first: Weekday) throws {
    let locale = try #require(CacheLocale(text))
    #expect(locale.language.tag.rawValue == tag)
    #expect(locale.hourCycle.rawValue == hours && locale.firstWeekday == first)
  }

  static let vectors: JSONValue = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("region_vectors.json")
    return (try? Data(contentsOf: file))?.withUnsafeBytes { JSONValue.parse($0) } ?? .null
  }()

  /// CLDR 48 has English in Japan, CLDR 47 has not.
  @Test("The clock and the first weekday of every region that ICU has are those of ICU")
  func regions() throws {
    let habits = try #require(Self.vectors["habits"]?.array)
    #expect(habits.count > 250)
    let others = try habits.compactMap { habit -> String? in
      let tag = try #require(habit[0]?.string)
      let locale = try #require(CacheLocale(tag), "\(tag)")
      let isSame = locale.hourCycle.rawValue == habit[1]?.int && locale.firstWeekday.word == habit[2]?.string
      return isSame ? nil : "\(tag) \(locale.hourCycle.rawValue) \(locale.firstWeekday.word)"
    }
    #expect(others == ["en-JP 24 monday"])
  }

  @Test("The table of the reference has every region of ICU that differs from its language, and only true rows")
  func documented() throws {
    let page = ReferenceExampleTests.project.appendingPathComponent("docs/reference/languages.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    var listed: Set<String> = []
    for row in text.matches(of: /\n\| (12|24) \| (\w+) \|([^\n]*)/) {
      for tag in row.output.3.matches(of: /`([\w-]+)`/).map({ String($0.output.1) }) {
        let locale = try #require(CacheLocale(tag), "\(tag)")
        #expect(locale.hourCycle.rawValue == Int(row.output.1), "\(tag)")
        #expect(locale.firstWeekday.word == row.output.2.lowercased(), "\(tag)")
        listed.insert(tag)
      }
    }
    for habit in try #require(Self.vectors["habits"]?.array) {
      let tag = try #require(habit[0]?.string)
      let locale = try #require(CacheLocale(tag))
      let usual = locale.language.formats
      let differs = locale.hourCycle != usual.hourCycle || locale.firstWeekday != usual.firstWeekday
      #expect(!differs || listed.contains(tag), "\(tag)")
    }
  }

  @Test("Chinese of a region is written in the script that is likely there, unless the tag names one")
  func scripts() throws {
    let lists = [("traditional", LanguageTag.traditionalChinese), ("simplified", .simplifiedChinese)]
    for (list, tag) in lists {
      let regions = try #require(Self.vectors[list]?.array).compactMap(\.string)
      #expect(regions.count > 14)
      for region in regions {
        #expect(CacheLocale("zh-\(region)")?.language.tag == tag, "\(region)")
        #expect(CacheLocale("zh_hant_\(region)")?.language.tag == .traditionalChinese, "\(region)")
        #expect(CacheLocale("zh-Hans-\(region)")?.language.tag == .simplifiedChinese, "\(region)")
      }
    }
  }

  @Test(
    "Everything else matches nothing",
    arguments: [
      "", "ar", "he-IL", "zh-Latn", "zh-Hant-", "zh_TW.UTF-8", "zh-Hant-Hans", "yue", "xx", "de-", "-de", "de-Latn",
      "en-US-posix", "de_DE.UTF-8",
      "pt-Latn", "e", "en--US", "de AT", "C", "german", "deu", "no-Latn", String(repeating: "de-", count: 1_000),
    ])
  func unknown(text: String) { #expect(CacheLocale(text) == nil) }

  @Test("A setting overrides the habits")
  func overridden() throws {
    let locale = try #require(CacheLocale("de", hourCycle: .hours12))
    #expect(locale.hourCycle == .hours12 && locale.isHourCycleSet)
  }

  @Test(
    "English names nothing in documents but the hour cycle that is set or the region's, and what is named is read back",
    arguments: [
      ("en", nil, nil, nil), ("en-DE", nil, nil, nil), ("en-JM", nil, 12, nil), ("en-JM", .hours24, 24, nil),
      ("en", HourCycle.hours24, 24, nil), ("en", .hours12, 12, nil),
      ("en-US", nil, 12, "en-US"), ("en-AU", nil, 12, "en-GB"), ("de-AT", nil, 24, "de"),
      ("es-MX", nil, 12, "es"), ("zh-TW", nil, 12, "zh-Hant"),
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
    let taiwan = try Self.snapshot("calendar", "zh-TW").entry(at: Snapshot.sampleMoment).content
    #expect(taiwan["month"] == .string("2026年11月") && taiwan["weekday"] == .string("星期二"))
    #expect(taiwan["weekdays"]?[0] == .string("日") && taiwan["weeks"]?["first"] == .string("2026-11-01"))
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
    let taiwan = KindText(try Self.snapshot("next-event", "zh-TW"), at: Snapshot.sampleMoment)
    #expect(taiwan.heading == "下一個行程" && taiwan.lines.joined().contains("下午12:30"))
    let mexican = KindText(try Self.snapshot("next-event", "es-MX"), at: Snapshot.sampleMoment)
    #expect(mexican.lines.joined().contains("12:30\u{A0}p.\u{A0}m."))
  }
}
