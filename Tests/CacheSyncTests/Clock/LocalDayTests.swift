import Foundation
import Testing

import CacheSync

/// Expected dates and weekdays are from printed calendars.
@Suite struct LocalDayTests {
  @Test(
    "A date has its number and weekday",
    arguments: [
      ("1970-01-01", 0, Weekday.thursday),
      ("1969-12-31", -1, .wednesday),
      ("2000-02-29", 11_016, .tuesday),
      ("2001-01-01", 11_323, .monday),
      ("2026-11-21", 20_778, .saturday),
      ("2026-11-22", 20_779, .sunday),
      ("0001-01-01", -719_162, .monday),
      ("9999-12-31", 2_932_896, .friday),
    ])
  func knownDates(text: String, ordinal: Int, weekday: Weekday) throws {
    let day = try #require(LocalDay(text))
    #expect(day.ordinal == ordinal)
    #expect(day.weekday == weekday)
    #expect(day.description == text)
    #expect(LocalDay(ordinal: ordinal) == day)
    #expect(LocalDay(year: day.year, month: day.month, day: day.day) == day)
  }

  @Test("Day numbers follow one another through 400 years and more")
  func everyDay() {
    var ordinal = -800 * 366
    var weekday = LocalDay(ordinal: ordinal).weekday.rawValue
    let first = LocalDay(ordinal: ordinal)
    var (year, month, day) = (first.year, first.month, first.day)
    while ordinal < 500 * 366 {
      ordinal += 1
      weekday = (weekday + 1) % 7
      day += 1
      if LocalDay(year: year, month: month, day: day) == nil { (month, day) = (month + 1, 1) }
      if month == 13 { (year, month) = (year + 1, 1) }
      let next = LocalDay(ordinal: ordinal)
      guard next.year == year, next.month == month, next.day == day, next.weekday.rawValue == weekday,
        LocalDay(year: year, month: month, day: day) == next
      else {
        Issue.record("\(ordinal) is \(next)")
        return
      }
    }
  }

  @Test(
    "Only YYYY-MM-DD of an existing date is read",
    arguments: [
      "", "2026-11-2", "2026-11-221", "2026-11-31", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10",
      "2026-01-00", "0000-01-01", "2026/11/22", "20261122", " 2026-11-22", "2026-11-22 ", "2026-11-22T", "+026-11-22",
      "-001-01-01", "2026-W47-7", "2026-1\u{0661}-2",
    ])
  func refuses(text: String) {
    #expect(LocalDay(text) == nil)
  }

  @Test("Sums stop at the first and the last day")
  func ends() throws {
    let day = try #require(LocalDay("2026-11-22"))
    #expect(day.advanced(by: 9).description == "2026-12-01")
    #expect(day.advanced(by: -22).description == "2026-10-31")
    #expect(day.distance(to: day.advanced(by: -22)) == -22)
    #expect(day.advanced(by: .max) == .last)
    #expect(day.advanced(by: .min) == .first)
    #expect(LocalDay(ordinal: .max) == .last)
    #expect(LocalDay(ordinal: .min) == .first)
    #expect(LocalDay.first.advanced(by: -1).description == "0001-01-01")
    #expect(LocalDay.last.advanced(by: 1).description == "9999-12-31")
    #expect(LocalDay(year: .max, month: .min, day: .max) == nil)
    #expect(LocalDay(year: 2026, month: .max, day: 1) == nil)
    #expect(LocalDay.first < day && day < .last)
  }

  @Test("JSON is a YYYY-MM-DD string")
  func codable() throws {
    let json = Data("[\"2026-11-22\"]".utf8)
    let days = try JSONDecoder().decode([LocalDay].self, from: json)
    #expect(days == [LocalDay(ordinal: 20_779)])
    #expect(try JSONEncoder().encode(days) == json)
    for json in ["[\"2026-11-31\"]", "[0]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([LocalDay].self, from: Data(json.utf8)) }
    }
  }

  @Test("Weekdays count from Monday = 0 and have names and words")
  func weekdays() {
    #expect(Weekday.allCases.map(\.rawValue) == Array(0...6))
    #expect(
      Weekday.allCases.map(\.name) == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
    for weekday in Weekday.allCases {
      #expect(weekday.word == weekday.name.lowercased())
      #expect(Weekday(word: weekday.word) == weekday)
      #expect(Weekday(word: weekday.name) == nil)
      #expect(weekday.isWeekend == (weekday.rawValue >= 5))
    }
    #expect(Weekday.sunday.daysAfter(.monday) == 6)
    #expect(Weekday.monday.daysAfter(.sunday) == 1)
    #expect(Weekday.friday.daysAfter(.friday) == 0)
  }
}
