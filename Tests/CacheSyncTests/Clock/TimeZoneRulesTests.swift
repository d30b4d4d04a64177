import Foundation
import Testing

@testable import CacheSyncValues
import TestSupport

@Suite struct TimeZoneRulesTests {
  /// A TZif file in the layout of RFC 8536, section 3, with places to damage it.
  struct File {
    var version = UInt8(ascii: "2")
    var times: [Int64] = [1_000_000_000, 2_000_000_000]
    var types: [UInt8] = [1, 0]
    var offsets: [Int32] = [3_600, 7_200]
    var daylight: UInt8 = 0
    var nameIndex: UInt8 = 0
    var names: [UInt8] = Array("ABC\0".utf8)
    var leapSeconds = 0
    var standardFlags = 0
    var footer = "\nABC-1\n"

    var bytes: [UInt8] {
      version == 0 ? block(timeSize: 4) : block(timeSize: 4) + block(timeSize: 8) + Array(footer.utf8)
    }

    private func block(timeSize: Int) -> [UInt8] {
      var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      for count in [0, standardFlags, leapSeconds, times.count, offsets.count, names.count] {
        bytes += Self.bigEndian(Int64(count), 4)
      }
      for time in times { bytes += Self.bigEndian(time, timeSize) }
      bytes += types
      for offset in offsets { bytes += Self.bigEndian(Int64(offset), 4) + [daylight, nameIndex] }
      bytes += names
      bytes += [UInt8](repeating: 0, count: leapSeconds * (timeSize + 4) + standardFlags)
      return bytes
    }

    static func bigEndian(_ number: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  private func rules(_ change: (inout File) -> Void) -> TimeZoneRules? {
    var file = File()
    change(&file)
    return TimeZoneRules(name: "x", tzif: file.bytes)
  }

  @Test("Versions 1 to 4 are read", arguments: [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
  func versions(version: UInt8) throws {
    let rules = try #require(rules { $0.version = version })
    let seconds: [Int64] = [-62_135_596_800, 999_999_999, 1_000_000_000, 1_999_999_999, 2_000_000_000, 253_402_300_799]
    #expect(seconds.map { rules.offset(at: Instant(seconds: $0)) } == [3_600, 3_600, 7_200, 7_200, 3_600, 3_600])
    #expect(rules.nextTransition(after: Instant(seconds: 0)) == Instant(seconds: 1_000_000_000))
    #expect(rules.nextTransition(after: Instant(seconds: 1_000_000_000)) == Instant(seconds: 2_000_000_000))
    #expect(rules.nextTransition(after: Instant(seconds: 2_000_000_000)) == nil)
  }

  @Test("The footer applies after the last change, and always if there are no changes")
  func footer() throws {
    let moment = try #require(Instant("2500-07-01T00:00:00Z"))
    let rule = "\nEST5EDT,M3.2.0,M11.1.0\n"
    #expect(rules { $0.footer = rule }?.offset(at: moment) == -14_400)
    #expect(rules { $0.footer = "\n\n" }?.offset(at: moment) == 3_600)
    let always = try #require(rules { ($0.times, $0.types, $0.footer) = ([], [], rule) })
    #expect(always == TimeZoneRules(posix: "EST5EDT,M3.2.0,M11.1.0", name: "x"))
    #expect(rules { ($0.times, $0.types, $0.footer) = ([], [], "\n\n") }?.constantOffset == 3_600)
  }

  @Test("Changes at the ends of 64 bits only determine the first offset")
  func farAway() throws {
    let far = try #require(rules { $0.times = [.min, 0] })
    #expect(far.offset(at: Instant(seconds: -1)) == 7_200)
    #expect(far.offset(at: Instant(seconds: 0)) == 3_600)
    let late = try #require(rules { $0.times = [-1 << 59, .max] })
    #expect(late.constantOffset == 7_200)
    #expect(CivilCalendar(late).day(of: Instant(seconds: 0)).ordinal == 0)
  }

  @Test("Anything malformed is refused")
  func malformed() {
    #expect(TimeZoneRules(name: "x", tzif: []) == nil)
    #expect(TimeZoneRules(name: "x", tzif: Array("TZif2".utf8)) == nil)
    #expect(rules { $0.version = 1 } == nil)
    #expect(rules { $0.times = [5, 5] } == nil)
    #expect(rules { $0.times = [6, 5] } == nil)
    #expect(rules { $0.types = [0, 2] } == nil)
    #expect(rules { ($0.times, $0.types, $0.offsets) = ([], [], []) } == nil)
    #expect(rules { $0.offsets = [93_600, 0] } == nil)
    #expect(rules { $0.offsets = [.min, 0] } == nil)
    #expect(rules { $0.daylight = 2 } == nil)
    #expect(rules { $0.nameIndex = 4 } == nil)
    #expect(rules { $0.names = [] } == nil)
    #expect(rules { $0.names = Array("ABC".utf8) } == nil)
    #expect(rules { $0.leapSeconds = 27 } == nil)
    #expect(rules { $0.standardFlags = 1 } == nil)
    #expect(rules { $0.standardFlags = 2 } != nil)
    for footer in ["", "\n", "ABC-1\n", "\nABC-1", "\nABC\n", "\nEST5EDT\n", "\nABC-1\0\n"] {
      #expect(rules { $0.footer = footer } == nil, "\(footer)")
    }
    // Counts that would overflow a sum of 32 bits.
    var bytes = File().bytes
    for index in 20..<44 { bytes[index] = 0xFF }
    #expect(TimeZoneRules(name: "x", tzif: bytes) == nil)
  }

  @Test("A truncated file is refused, and a file with flipped bytes is refused or stays usable")
  func damaged() throws {
    var random = SeededGenerator(state: 2026)
    for good in [try Self.systemFile("Europe/Dublin"), File().bytes] {
      for length in 0..<good.count { #expect(TimeZoneRules(name: "x", tzif: Array(good[..<length])) == nil) }
      for _ in 0..<1_500 {
        var bytes = good
        for _ in 0...Int.random(in: 0...3, using: &random) {
          // Half of the damage is in the counts and the footer, where it has the most effect.
          let places = [0..<bytes.count, 20..<44, max(0, bytes.count - 30)..<bytes.count]
          let place = places[Int.random(in: 0..<places.count, using: &random)]
          bytes[Int.random(in: place, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let rules = TimeZoneRules(name: "x", tzif: bytes) else { continue }
        Self.askEverything(CivilCalendar(rules), &random)
      }
    }
  }

  /// Queries random moments. Days must follow one another whatever the offsets are.
  private static func askEverything(_ calendar: CivilCalendar, _ random: inout SeededGenerator) {
    for _ in 0..<4 {
      let moment = Instant(seconds: Int64.random(in: -62_000_000_000...253_000_000_000, using: &random))
      let near = calendar.rules.nextTransition(after: moment) ?? moment
      for moment in [moment, near] {
        let day = calendar.day(of: moment)
        #expect(calendar.interval(of: day).contains(moment))
        #expect(calendar.interval(of: calendar.day(after: day)).lowerBound == calendar.interval(of: day).upperBound)
        #expect(calendar.day(after: calendar.day(before: day)) == day)
        _ = calendar.sameWallTime(as: moment, addingDays: 7)
      }
    }
  }

  @Test("A file that ends in 2007 and one that ends in 2037 give the same offsets for all later years")
  func slimAndFat() throws {
    let fat = try #require(TimeZoneRules(name: "x", tzif: Self.systemFile("America/New_York")))
    let slim = try #require(
      rules {
        // 2006-10-29, back to -5 h.
        ($0.times, $0.types, $0.offsets) = ([1_162_101_600], [0], [-18_000])
        $0.footer = "\nEST5EDT,M3.2.0,M11.1.0\n"
      })
    var moment = try #require(Instant("2007-01-01T00:00:00Z"))
    for _ in 0..<17_000 {
      let next = slim.nextTransition(after: moment)
      guard next == fat.nextTransition(after: moment), slim.offset(at: moment) == fat.offset(at: moment) else {
        Issue.record("they differ after \(moment)")
        return
      }
      guard let next else { break }
      moment = next
    }
    #expect(moment.description == "9999-11-07T06:00:00Z")
  }

  @Test("A fixed offset never changes, and is at most about a day")
  func fixed() {
    let rules = TimeZoneRules.fixed(offsetSeconds: 13_020, name: "GMT+03:37")
    #expect(rules.offset(at: .referenceDate) == 13_020)
    #expect(rules.nextTransition(after: .referenceDate) == nil)
    #expect(TimeZoneRules.fixed(offsetSeconds: .max, name: "x").offset(at: .referenceDate) == 93_599)
    #expect(TimeZoneRules.utc == .fixed(offsetSeconds: 0, name: "UTC"))
    #expect(TimeZoneRules.utc != .fixed(offsetSeconds: 0, name: "GMT"))
  }

  static func systemFile(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + name)))
  }
}
