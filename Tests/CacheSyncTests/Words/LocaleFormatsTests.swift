import Foundation
import Testing

@testable import CacheSyncValues

@Suite("Days, times and numbers in words")
struct LocaleFormatsTests {
  static let saturday = LocalDay("2026-11-21")
  static let newYear = LocalDay("2027-01-01")

  @Test(
    "A pattern puts the parts of a day in the places of its letters",
    arguments: [
      ("EEE d MMM", "Sat 21 Nov"), ("EEEE, d. MMMM y", "Saturday, 21. November 2026"), ("d.M.", "21.11."),
      ("y年M月d日(E)", "2026年11月21日(Sat)"), ("", ""), ("cccc ccc ccccc LLLL", "Saturday Sat S November"),
      ("EEEE 'den' d. 'of' MMMM", "Saturday den 21. of November"), ("d 'd'", "21 d"),
    ])
  func pattern(pattern: String, text: String) throws {
    #expect(LocaleFormats.english.text(pattern, try #require(Self.saturday)) == text)
  }

  @Test("The year is added if it is not that of today")
  func year() throws {
    let (today, other) = (try #require(Self.saturday), try #require(Self.newYear))
    let formats = LocaleFormats.english
    #expect(formats.day(today, today: today) == "21 Nov")
    #expect(formats.day(other, today: today) == "1 Jan 2027")
    #expect(formats.day(other, today: nil) == "1 Jan")
    #expect(formats.weekdayAndDay(today, today: today) == "Sat 21 Nov")
    #expect(formats.weekdayAndDay(other, today: today) == "Fri 1 Jan 2027")
  }

  @Test("Replaced names are those of the day alone")
  func names() throws {
    let words = ["Sat": "Sa", "Nov": "11.", "21": "no"]
    let text = LocaleFormats.english.weekdayAndDay(try #require(Self.saturday), today: try #require(Self.newYear)) {
      words[$0] ?? $0
    }
    #expect(text == "Sa 21 11. 2026")
  }

  @Test(
    "Every language writes a time by 24 hours and by 12",
    arguments: [
      ("en", "09:05", "9:05 AM"), ("fi", "9.05", "9.05\u{A0}ap."), ("es", "9:05", "9:05\u{A0}a.\u{A0}m."),
      ("ko", "09:05", "오전 9:05"), ("ja", "9:05", "午前9:05"), ("tr", "09:05", "ÖÖ\u{A0}9:05"),
      ("zh-Hans", "09:05", "上午9:05"), ("zh-Hant", "09:05", "上午9:05"),
    ])
  func times(tag: String, hours24: String, hours12: String) throws {
    let formats = try #require(LanguageTag(rawValue: tag)).language.formats
    #expect(formats.time(hour: 9, minute: 5, .hours24) == hours24)
    #expect(formats.time(hour: 9, minute: 5, .hours12) == hours12)
  }
}

/// Texts and categories of babel. `scripts/cldr.py` makes the file, and the table that is tested.
@Suite("Days, times, numbers and plurals as babel has them")
struct CLDRVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var tag: LanguageTag
    var value: JSONValue
    var testDescription: String { tag.rawValue }
  }

  static let file: JSONValue = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("cldr_vectors.json")
    return (try? Data(contentsOf: file))?.withUnsafeBytes { JSONValue.parse($0) } ?? .null
  }()

  static let vectors: [Vector] = (file["languages"]?.array ?? []).compactMap { value in
    value["tag"]?.string.flatMap(LanguageTag.init).map { Vector(tag: $0, value: value) }
  }

  @Test("There is one for each language but our own English")
  func all() { #expect(Self.vectors.map(\.tag) == LanguageTag.allCases.filter { $0 != .english }) }

  @Test("Names and dates", arguments: vectors)
  func dates(vector: Vector) throws {
    let days = try #require(Self.file["days"]?.array).compactMap { $0.string.flatMap { LocalDay($0) } }
    #expect(days.count == 19)
    let formats = vector.tag.language.formats
    let patterns = [
      "weekdays": "cccc", "shortWeekdays": "ccc", "columnWeekdays": "cccccc", "narrowWeekdays": "ccccc",
      "months": "LLLL", "day": formats.day, "dayWithYear": formats.dayWithYear, "weekdayAndDay": formats.weekdayAndDay,
      "weekdayAndDayWithYear": formats.weekdayAndDayWithYear,
      "wideWeekdayAndDay": formats.wideWeekdayAndDay, "full": formats.full, "month": formats.month,
    ]
    for (name, pattern) in patterns {
      let expected = try #require(vector.value[name]?.array).compactMap(\.string)
      #expect(days.map { formats.text(pattern, $0) } == expected, "\(name)")
    }
  }

  @Test("Times", arguments: vectors)
  func times(vector: Vector) throws {
    let times = try #require(Self.file["times"]?.array).compactMap(\.string).map { time in
      time.split(separator: ":").compactMap { Int($0) }
    }
    let formats = vector.tag.language.formats
    for (name, cycle) in [("hours24", HourCycle.hours24), ("hours12", .hours12)] {
      let expected = try #require(vector.value[name]?.array).compactMap(\.string)
      #expect(times.map { formats.time(hour: $0[0], minute: $0[1], cycle) } == expected, "\(name)")
    }
  }

  @Test("Numbers, and what is usual", arguments: vectors)
  func numbers(vector: Vector) throws {
    let formats = vector.tag.language.formats
    #expect(formats.number("12.5") == vector.value["number"]?.string)
    #expect(formats.percent("62") == vector.value["percent"]?.string)
    #expect(formats.hourCycle.rawValue == vector.value["hourCycle"]?.int)
    #expect(formats.firstWeekday.word == vector.value["firstWeekday"]?.string)
  }

  @Test("Categories of numbers", arguments: vectors)
  func plurals(vector: Vector) throws {
    let counts = try #require(Self.file["counts"]?.array).compactMap(\.string)
    let expected = try #require(vector.value["plurals"]?.array).compactMap(\.string)
    #expect(counts.count == 230 && expected.count == counts.count)
    for (count, category) in zip(counts, expected) {
      let found = try #require(vector.tag.language.category(ofDigits: count))
      #expect("\(found)" == category, "\(count)")
      #expect(vector.tag.language.category(ofDigits: "-" + count) == found, "\(count)")
    }
  }
}
