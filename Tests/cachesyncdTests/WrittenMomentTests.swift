import CacheSync
import CacheSyncPrograms
import SystemPackage
import Testing

@Suite("Moments as people write them")
struct WrittenMomentTests {
  /// 00:30 of 30 November in Berlin. The expected moments are worked out by hand.
  private let now = Instant("2026-11-29T23:30:00Z")!

  private func calendar(_ zone: String) throws -> CivilCalendar {
    CivilCalendar(try TimeZones(environment: nil).rules(named: zone))
  }

  @Test(
    "A day is its first instant, and a time alone is today's",
    arguments: [
      ("2026-12-01", "2026-11-30T23:00:00Z"), ("today", "2026-11-29T23:00:00Z"), ("Tomorrow", "2026-11-30T23:00:00Z"),
      ("yesterday", "2026-11-28T23:00:00Z"), ("09:00", "2026-11-30T08:00:00Z"), ("00:00:30", "2026-11-29T23:00:30Z"),
      ("2026-12-01T09:00", "2026-12-01T08:00:00Z"), ("2026-07-01T09:00", "2026-07-01T07:00:00Z"),
      ("2026-03-29T02:30", "2026-03-29T01:00:00Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
      ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"), ("2026-12-01T09:00+0530", "2026-12-01T03:30:00Z"),
    ])
  func berlin(text: String, moment: String) throws {
    let written = try #require(WrittenMoment(text))
    #expect(try written.instant(in: calendar("Europe/Berlin"), now: now) == Instant(moment))
  }

  @Test("A day may begin at 01:00, and yesterday is the last day that was")
  func strangeDays() throws {
    let day = try #require(WrittenMoment("2018-11-04"))
    #expect(try day.instant(in: calendar("America/Sao_Paulo"), now: now) == Instant("2018-11-04T03:00:00Z"))
    // Apia had no 30 December 2011; its 29 December was at UTC-10.
    let (yesterday, apia) = (try #require(WrittenMoment("yesterday")), try calendar("Pacific/Apia"))
    #expect(yesterday.instant(in: apia, now: Instant("2011-12-31T00:00:00Z")!) == Instant("2011-12-29T10:00:00Z"))
  }

  @Test(
    "Anything else is refused with what may be written",
    arguments: [
      "", "9:00", "24:00", "09:60", "2026-11-31", "2026-12-01T", "2026-12-01 09:00", "now", "T09:00", "09:00Z",
    ])
  func refused(text: String) {
    #expect(WrittenMoment(text) == nil)
    #expect(WrittenMoment.refusal(of: text).contains("'\(text)': "))
  }

  @Test("The zone is that of each cache, or that of --time-zone")
  func zones() throws {
    let tasks = #"{"tasks":[],"lastUpdate":"2026-11-22T08:00:00Z"}"#
    let (berlin, tokyo) = (
      try CommandCache(["cachesync.json": #"{"timeZone":"Europe/Berlin"}"#, "tasks/a.json": tasks]),
      try CommandCache(["cachesync.json": #"{"timeZone":"Asia/Tokyo"}"#, "tasks/a.json": tasks])
    )
    func next(_ words: String...) throws -> String {
      let outcome = try Program.run(["next", "--json", "--count", "2", "--cache", berlin.path] + words)
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.output
    }
    #expect(try next("--at", "2026-12-01") == next("--at", "2026-11-30T23:00:00Z"))
    #expect(
      try next("--at", "2026-12-01T09:00", "--time-zone", "Asia/Tokyo")
        == next("--at", "2026-12-01T00:00:00Z", "--time-zone", "Asia/Tokyo"))
    let sync = try Program.run(["sync", "--at", "2026-12-01", "--cache", berlin.path, "--cache", tokyo.path])
    #expect(sync.status == 0, "\(sync)")
    for (cache, moment) in [(berlin, "2026-11-30T23:00:00Z"), (tokyo, "2026-11-30T15:00:00Z")] {
      #expect(try cache.published("task-count")["entries"]?[0]?["date"]?.string == moment)
    }
    for words in [["show"], ["export", "tasks"], ["sync", "--cache", tokyo.path]] {
      let outcome = try Program.run(words + ["--at", "tomorrow", "--cache", berlin.path])
      #expect(outcome.status == 0, "\(outcome)")
    }
  }
}
