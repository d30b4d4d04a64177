import Foundation
import Testing

import CacheSync

/// Expected days were worked out by hand from each zone's offset.
@Suite("The day that a moment means")
struct MeantDayTests {
  private func calendar(_ zone: String) throws -> CivilCalendar {
    CivilCalendar(try TimeZoneDatabase().rules(named: zone))
  }

  @Test(
    "The first midnight counts: as written, in the file's zone, in the cache's; else the day in the first of the zones",
    arguments: [
      // Written, the file's zone, the cache's zone, the day, its part
      // As written: UTC, an own offset, whatever the zones are.
      ("2026-11-24T00:00:00Z", nil, "America/New_York", "2026-11-24", .begin),
      ("2026-11-24T00:00:00Z", "America/Los_Angeles", "Pacific/Kiritimati", "2026-11-24", .begin),
      ("2026-11-24T00:00:00+13:00", "Europe/Berlin", "America/New_York", "2026-11-24", .begin),
      ("2026-11-24T00:00:00.000-0800", nil, "Europe/Berlin", "2026-11-24", .begin),
      ("2026-11-24T23:59:59Z", nil, "Europe/Berlin", "2026-11-24", .end),
      ("2026-11-24T23:59Z", nil, "Europe/Berlin", "2026-11-24", .end),
      ("2026-11-24T23:59:00.5+01:00", nil, "Asia/Tokyo", "2026-11-24", .end),
      ("2016-12-31T23:59:60Z", nil, "Asia/Tokyo", "2016-12-31", .end),
      // Midnight in the file's zone.
      ("2026-11-23T23:00:00.000+0000", "Europe/Berlin", "America/New_York", "2026-11-24", .begin),
      ("2026-07-23T22:00:00Z", "Europe/Berlin", "Europe/London", "2026-07-24", .begin),
      ("2026-11-24T22:59:59Z", "Europe/Berlin", "America/New_York", "2026-11-24", .end),
      // It is midnight in both zones, of two days: the file's counts.
      ("2026-11-24T10:00:00Z", "Pacific/Honolulu", "Pacific/Kiritimati", "2026-11-24", .begin),
      ("2026-11-24T10:00:00Z", "Pacific/Kiritimati", "Pacific/Honolulu", "2026-11-25", .begin),
      // Midnight in the cache's zone.
      ("2026-11-23T13:00:00.000Z", nil, "Australia/Melbourne", "2026-11-24", .begin),
      ("2026-11-23T13:00:00.000Z", "America/New_York", "Australia/Melbourne", "2026-11-24", .begin),
      ("2026-11-24T12:59:30Z", nil, "Australia/Melbourne", "2026-11-24", .end),
      ("2026-11-23T18:15:00Z", nil, "Asia/Kathmandu", "2026-11-24", .begin),
      // No midnight: the day that contains it.
      ("2026-11-24T04:30:00Z", nil, "America/New_York", "2026-11-23", .within),
      ("2026-11-24T04:30:00Z", "Asia/Tokyo", "America/New_York", "2026-11-24", .within),
      ("2026-11-24T02:00:00+09:00", nil, "Europe/Berlin", "2026-11-23", .within),
      ("2026-11-24T00:00:01Z", nil, "America/New_York", "2026-11-23", .within),
      ("2026-11-23T23:58:59Z", nil, "Europe/Berlin", "2026-11-24", .within),
      // Days without midnight: in Asuncion clocks went from 00:00 to 01:00 on 2023-10-01, in Beirut on 2024-03-31.
      ("2023-10-01T04:00:00Z", nil, "America/Asuncion", "2023-10-01", .begin),
      ("2024-03-30T22:00:00Z", "Asia/Beirut", "Europe/Berlin", "2024-03-31", .begin),
      ("2023-10-01T04:00:00Z", "Asia/Tokyo", "America/Asuncion", "2023-10-01", .begin),
      ("2023-10-01T05:00:00Z", nil, "America/Asuncion", "2023-10-01", .within),
      // A midnight that occurs twice: in Havana clocks went from 01:00 back to 00:00 on 2026-11-01.
      ("2026-11-01T04:00:00Z", nil, "America/Havana", "2026-11-01", .begin),
      ("2026-11-01T05:00:00Z", nil, "America/Havana", "2026-11-01", .begin),
      // The days between which Samoa left one out.
      ("2011-12-30T10:00:00Z", nil, "Pacific/Apia", "2011-12-31", .begin),
      ("2011-12-30T09:59:59Z", nil, "Pacific/Apia", "2011-12-29", .end),
    ] as [(String, String?, String, String, MeantDay.Part)])
  func meantDay(text: String, zone: String?, cache: String, day: String, part: MeantDay.Part) throws {
    let moment = try #require(Instant(text))
    let offset = try #require(text.firstMatch(of: #/(Z|([+-]\d\d):?(\d\d))$/#))
    let seconds = (Int(offset.2 ?? "0") ?? 0) * 3_600
    // The offsets above are whole hours. A leap second counts as the second after it, so it is written by hand.
    let wall =
      text.contains(":60Z")
      ? WallTime(try #require(LocalDay(String(text.prefix(10)))), secondOfDay: 86_399)
      : CivilCalendar(.utc).wall(at: moment + .seconds(seconds))
    let meant = try MeantDay(moment, writtenAs: wall, in: zone.map { try calendar($0) }, cache: calendar(cache))
    #expect(try meant == MeantDay(#require(LocalDay(day)), part))
  }

  @Test(
    "What ends at a midnight ends with the day before, at 23:59 with that day",
    arguments: [(MeantDay.Part.begin, "2026-11-23"), (.within, "2026-11-24"), (.end, "2026-11-24")])
  func lastDay(part: MeantDay.Part, last: String) throws {
    #expect(try MeantDay(#require(LocalDay("2026-11-24")), part).last.description == last)
  }

  @Test(
    "A day in a file may be written as a date without offset, or as a moment",
    arguments: [
      // Written as JSON, and the day in Berlin and in New York
      (#""2026-11-23""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T00:00:00""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T21:30:00.0000000""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T09:30""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T00:00:00Z""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T00:00+01:00""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-22T23:59:59Z""#, "2026-11-22", "2026-11-22"),
      (#""2026-11-22T23:00:00.000Z""#, "2026-11-23", "2026-11-22"),
      (#""2026-11-23T05:00:00Z""#, "2026-11-23", "2026-11-23"),
      (#""2026-11-23T04:30:00Z""#, "2026-11-23", "2026-11-22"),
      // `date -u -d 2026-11-23 +%s` minus that of 2001-01-01; and an hour before.
      ("817084800", "2026-11-23", "2026-11-23"),
      ("817081200", "2026-11-23", "2026-11-22"),
    ])
  func writtenDay(json: String, berlin: String, newYork: String) throws {
    let day = try #require(read(json) { $0.writtenDay() }.value)
    #expect(try day.day(in: calendar("Europe/Berlin")).description == berlin)
    #expect(try day.day(in: calendar("America/New_York")).description == newYork)
    let decoded = try JSONDecoder().decode([WrittenDay].self, from: Data("[\(json)]".utf8))
    #expect(decoded == [day])
    #expect(try JSONDecoder().decode([WrittenDay].self, from: JSONEncoder().encode(decoded)) == decoded)
  }

  @Test(
    "Anything else is not a day",
    arguments: [
      "", "today", "2026-11-31", "2026-11-21 ", "2026-11-21T", "2026-11-21T8:00", "2026-11-21T25:00:00Z",
      "2026-11-21T08:00:60", "2026-11-21T08:00:00.", "2026-11-21T08:00:00 Z", "2026-11-21T08:00:00+1", "20261121",
    ])
  func nothingElse(text: String) { #expect(text.withUTF8Bytes { WrittenDay($0) } == nil) }
}
