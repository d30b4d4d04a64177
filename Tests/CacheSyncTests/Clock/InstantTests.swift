import Foundation
import Testing

import CacheSync
import TestSupport

/// Expected numbers are worked out by hand, or by GNU date where a comment says so.
@Suite struct InstantTests {
  @Test(
    "RFC 3339 is read to the microsecond",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2001-01-01T00:00:00Z", 978_307_200_000_000),
      ("2026-11-22T05:00:00Z", 1_795_323_600_000_000),  // date -ud 2026-11-22T05:00 +%s
      ("2026-11-22t05:00:00z", 1_795_323_600_000_000),
      ("2026-11-22T10:30:00+05:30", 1_795_323_600_000_000),
      ("2026-11-22T10:30:00+0530", 1_795_323_600_000_000),
      ("2026-11-21T23:00:00-06:00", 1_795_323_600_000_000),
      ("2026-11-22T05:00:00-00:00", 1_795_323_600_000_000),
      // Java leaves out seconds that are 0.
      ("2026-11-22T05:00Z", 1_795_323_600_000_000),
      ("2026-11-22t10:30+05:30", 1_795_323_600_000_000),
      ("2026-11-21T23:00-0600", 1_795_323_600_000_000),
      ("2026-11-22T05:00:00.5Z", 1_795_323_600_500_000),
      ("2026-11-22T05:00:00.000001Z", 1_795_323_600_000_001),
      ("2026-11-22T05:00:00.9999999999999999999999999999Z", 1_795_323_600_999_999),
      ("2026-11-22T10:30:00.25+05:30", 1_795_323_600_250_000),
      ("1969-12-31T23:59:59.999999Z", -1),
      ("2000-02-29T00:00:00Z", 951_782_400_000_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.9999999Z", 253_402_300_799_999_999),
      // If the offset moves a time out of the years 1...9999, the nearest moment within them counts.
      ("0001-01-01T00:00:00+00:01", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59-00:01", 253_402_300_799_999_999),
      // Leap seconds count as the second after them.
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
      ("2017-01-01T05:29:60+05:30", 1_483_228_800_000_000),
      ("2015-06-30T16:59:60.5-07:00", 1_435_708_800_500_000),
    ])
  func reads(text: String, microseconds: Int64) {
    #expect(Instant(text)?.microseconds == microseconds)
  }

  @Test(
    "Everything else is refused",
    arguments: [
      "", "Z", "2026-11-22", "2026-11-22T05:00:00", "2026-11-22 05:00:00Z", "2026-11-22T05:00", "2026-11-22T05:00.5Z",
      "2026-11-22T05:00:Z", "2026-11-22T05:0Z", "2026-11-22T05Z",
      "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-01-00T00:00:00Z", "0000-01-01T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T23:60:00Z",
      "2026-11-22T23:59:61Z", "2026-11-22T23:59:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00",
      "2026-11-22T05:00:00.Z", "2026-11-22T05:00:00,5Z", "2026-11-22T05:00:00.5", "2026-11-22T05:00:00+5:30",
      "2026-11-22T05:00:00+05", "2026-11-22T05:00:00+24:00", "2026-11-22T05:00:00+05:60", "2026-11-22T05:00:00+05-30",
      "2026-11-22T05:00:00+05:3", "2026-11-22T05:00:00+05:300", "2026-11-22T05:00:00ZZ", "2026-11-22T05:00:00Z ",
      " 2026-11-22T05:00:00Z", "20261122T050000Z", "+2026-11-22T05:00:00Z", "02026-11-22T05:00:00Z",
      "2026-11-22T05:00:00\u{2212}05:00", "2026-11-22T05:00:0\u{0661}Z", "2026-1-22T05:00:000Z", "2026/11/22T05:00:00Z",
      "2026-11-22T05.00.00Z", "2026-11-22T05:00:00-0530Z", "-026-11-22T05:00:00Z",
    ])
  func refuses(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("Any bytes can be read, and what is read is written the same way again")
  func anyBytes() {
    var random = SeededGenerator(state: 7)
    let good = Array("2026-11-22T05:00:00.123456+05:30".utf8)
    let alphabet = Array("0123456789TZ+-:.".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
      for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = alphabet[Int.random(in: 0..<16, using: &random)]
      }
      guard let moment = bytes.withUnsafeBufferPointer({ Instant(rfc3339: $0) }) else { continue }
      accepted += 1
      #expect(Instant(moment.description)?.seconds == moment.seconds)
    }
    #expect(accepted > 100)
  }

  @Test(
    "Fractions are cut off toward the past when written",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_795_323_600_999_999, "2026-11-22T05:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (Int64.max, "9999-12-31T23:59:59Z"), (Int64.min, "0001-01-01T00:00:00Z"),
    ])
  func writes(microseconds: Int64, text: String) {
    #expect(Instant(microseconds: microseconds).description == text)
    var bytes = Array("x".utf8)
    Instant(microseconds: microseconds).append(to: &bytes)
    #expect(bytes == Array("x".utf8) + Array(text.utf8))
  }

  @Test("Seconds since 2001 are rounded to the microsecond and come back the same")
  func secondsSince2001() throws {
    #expect(Instant(secondsSince2001: 0) == .referenceDate)
    #expect(Instant(secondsSince2001: -978_307_200)?.microseconds == 0)
    #expect(Instant(secondsSince2001: 0.000_000_6)?.microseconds == 978_307_200_000_001)
    #expect(Instant(secondsSince2001: 817_016_400.123_456)?.microseconds == 1_795_323_600_123_456)
    let moment = try #require(Instant("2026-11-22T05:00:00.123456Z"))
    #expect(Instant(secondsSince2001: moment.secondsSince2001) == moment)
    for infinite in [Double.nan, .infinity, -.infinity] { #expect(Instant(secondsSince2001: infinite) == nil) }
    for late in [1e300, 1e15, 252_423_993_600] {
      #expect(Instant(secondsSince2001: late) == Instant.validRange.upperBound)
    }
    // The last is Foundation's Date.distantPast.
    for early in [-1e300, -63_113_904_001, -63_114_076_800] {
      #expect(Instant(secondsSince2001: early) == Instant.validRange.lowerBound)
    }
    #expect(Instant(secondsSince2001: 252_423_993_599)?.description == "9999-12-31T23:59:59Z")
    #expect(Instant(secondsSince2001: -63_113_904_000) == Instant.validRange.lowerBound)
    #expect(Instant(microseconds: .min).secondsSince2001 < 0)
  }

  @Test("Arithmetic is exact within the range and stops at its ends")
  func arithmetic() throws {
    let moment = try #require(Instant("2026-11-22T05:00:00Z"))
    #expect((moment + .seconds(90)).description == "2026-11-22T05:01:30Z")
    #expect(moment + .nanoseconds(1_999) == Instant(microseconds: moment.microseconds + 1))
    #expect(moment.advanced(by: .milliseconds(-1)) - moment == .milliseconds(-1))
    #expect(Instant(microseconds: 1_500_000) - Instant(microseconds: -1_750_000) == .milliseconds(3_250))
    #expect(Instant(microseconds: .max) + .seconds(1) == Instant(microseconds: .max))
    #expect(Instant(microseconds: .min) + .seconds(Int64.min) == Instant(microseconds: .min))
    #expect(Instant(microseconds: .max) - Instant(microseconds: .min) > .seconds(1))
    #expect(Instant(seconds: .max).microseconds == .max)
    #expect(Instant(seconds: .min).microseconds == .min)
  }

  @Test(
    "JSON keeps every microsecond",
    arguments: [
      ("2026-11-22T05:00:00Z", "2026-11-22T05:00:00Z"), ("2026-11-22T05:00:00.25Z", "2026-11-22T05:00:00.25Z"),
      ("2026-11-22T05:00:00.000010Z", "2026-11-22T05:00:00.00001Z"),
      ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
    ])
  func codable(text: String, written: String) throws {
    let moment = try #require(Instant(text))
    let json = try JSONEncoder().encode([moment])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(written)\"]")
    #expect(try JSONDecoder().decode([Instant].self, from: json) == [moment])
  }

  @Test("JSON numbers are seconds since 2001, and other values are errors")
  func decodesNumbers() throws {
    let decoded = try JSONDecoder().decode([Instant].self, from: Data("[0, 0.5]".utf8))
    #expect(decoded.map(\.microseconds) == [978_307_200_000_000, 978_307_200_500_000])
    for json in ["[\"2026-11-22\"]", "[null]", "[true]", "[{}]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([Instant].self, from: Data(json.utf8)) }
    }
  }
}
