import CacheSync
import CacheSyncAgent
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncPublishing

@Suite struct ZoneDataTests {
  /// The system's zone data. Tests may replace parts of it.
  private let data: TemporaryCache
  private let served: ServedTestCache

  /// Three days from now, so that snapshots include it.
  private static let day = LocalDay(ordinal: Int(Instant.now.seconds / 86_400) + 3)

  private static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    BEGIN:VEVENT\r
    UID:call\r
    SUMMARY:Call\r
    DTSTART;TZID=America/New_York:\(day.description.filter { $0 != "-" })T120000\r
    DURATION:PT1H\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  /// 12:00 on that day in a zone, computed by Foundation.
  private static func noon(in zone: String) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let numbers = day.description.split(separator: "-").compactMap { Int($0) }
    let noon = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12)
    return ISO8601DateFormatter().string(from: try #require(calendar.date(from: noon)))
  }

  init() throws {
    data = try TemporaryCache()
    for zone in ["America/New_York", "Europe/Berlin"] { try Self.put(zone, as: zone, in: data) }
    served = try ServedTestCache(
      ["cachesync.json": #"{"timeZone":"Europe/Berlin"}"#, "events/call.ics": Self.calendar],
      zones: TimeZones(database: TimeZoneDatabase(directory: data.path.string), environment: "UTC"))
  }

  /// Like a package manager: puts another file under the same name.
  private static func put(_ zone: String, as name: String, in data: TemporaryCache) throws {
    let bytes = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)"))
    try data.write(name + ".new", "")
    try bytes.write(to: data.file(name + ".new"))
    if data.exists(name) { try data.remove(name) }
    try FileManager.default.moveItem(at: data.file(name + ".new"), to: data.file(name))
  }

  private func hasEvent(at time: String) throws -> Bool {
    try served.cache.text("snapshots/calendar.json").contains(time)
  }

  private func today() throws -> String { try served.cache.text("snapshots/day-index.json") }

  @Test("A sweep applies new zone data to the cache's days and to the files that name zones", arguments: [true, false])
  func upgraded(isAsked: Bool) throws {
    #expect(try hasEvent(at: Self.noon(in: "America/New_York")))
    try Self.put("Asia/Kolkata", as: "America/New_York", in: data)
    try Self.put("Asia/Kolkata", as: "Europe/Berlin", in: data)
    served.pass()
    #expect(try hasEvent(at: Self.noon(in: "America/New_York")), "nothing has looked yet")
    if isAsked { served.served.sweep() } else { served.pass(after: CacheSettings.defaultSweep) }
    #expect(try hasEvent(at: Self.noon(in: "Asia/Kolkata")))
    #expect(try today().contains("T18:30:00Z"))
  }

  @Test("New zone data with a missing zone makes the files valid that name the zone")
  func added() throws {
    try served.drop("events/mars.ics", Self.calendar.replacing("America/New_York", with: "Mars/Base"))
    served.pass(after: CacheContents.stillness)
    #expect(try today().contains("Mars") == false)
    let generation = served.report.generation
    try Self.put("Asia/Kolkata", as: "Mars/Base", in: data)
    served.served.sweep()
    #expect(served.report.generation == generation + 1)
    #expect(try hasEvent(at: Self.noon(in: "Asia/Kolkata")))
  }

  @Test("A sweep reads no file again if the zone data have not changed, or have the same rules")
  func unchanged() throws {
    let before = served.report
    try Self.put("Europe/Berlin", as: "Europe/Berlin", in: data)
    served.served.sweep()
    #expect(served.report.sweepCount == before.sweepCount + 1 && served.report.generation == before.generation)
  }
}
