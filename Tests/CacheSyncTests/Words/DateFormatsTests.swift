import Testing

@testable import CacheSync

/// The expected texts are written by hand from CLDR's patterns.
@Suite("Days in words")
struct DateFormatsTests {
  static let saturday = LocalDay("2026-11-21")
  static let newYear = LocalDay("2027-01-01")

  @Test(
    "A pattern puts the parts of a day in the places of its letters",
    arguments: [
      ("EEE d MMM", "Sat 21 Nov"), ("EEEE, d. MMMM y", "Saturday, 21. November 2026"), ("d.M.", "21.11."),
      ("y年M月d日(EEE)", "2026年11月21日(Sat)"), ("", ""),
    ])
  func pattern(pattern: String, text: String) throws {
    #expect(DateFormats.english.text(pattern, try #require(Self.saturday)) == text)
  }

  @Test("The year is added if it is not that of today")
  func year() throws {
    let (today, other) = (try #require(Self.saturday), try #require(Self.newYear))
    let dates = DateFormats.english
    #expect(dates.day(today, today: today) == "21 Nov")
    #expect(dates.day(other, today: today) == "1 Jan 2027")
    #expect(dates.day(other, today: nil) == "1 Jan")
    #expect(dates.weekdayAndDay(today, today: today) == "Sat 21 Nov")
    #expect(dates.weekdayAndDay(other, today: today) == "Fri 1 Jan 2027")
  }

  @Test("Replaced names are those of the day alone")
  func names() throws {
    let words = ["Sat": "Sa", "Nov": "11.", "21": "no"]
    let text = DateFormats.english.weekdayAndDay(try #require(Self.saturday), today: try #require(Self.newYear)) {
      words[$0] ?? $0
    }
    #expect(text == "Sa 21 11. 2026")
  }

  @Test("Every name is there, in the order of the week and the year")
  func complete() {
    let dates = DateFormats.english
    #expect(dates.weekdays == Weekday.allCases.map(\.name))
    for names in [dates.shortWeekdays, dates.columnWeekdays, dates.narrowWeekdays] {
      #expect(names.count == 7)
      #expect(zip(names, dates.weekdays).allSatisfy { $1.hasPrefix($0) })
    }
    #expect(dates.months.count == 12 && dates.shortMonths.count == 12)
    #expect(zip(dates.shortMonths, dates.months).allSatisfy { $1.hasPrefix($0) && $0.count == 3 })
  }
}
