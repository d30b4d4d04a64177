import CacheSync
import Testing

@Suite("A snapshot's calendar")
struct SnapshotCalendarTests {
  @Test("Days and times are in the zone, also on a day of 25 hours")
  func longDay() throws {
    // New York left daylight saving time on 2026-11-01 at 06:00 UTC.
    let calendar = SnapshotCalendar(timeZone: "America/New_York")
    let moment = try #require(Instant("2026-11-01T04:00:00Z"))
    let day = calendar.day(of: moment)
    #expect("\(day)" == "2026-11-01")
    #expect(calendar.clock(at: moment) == "00:00")
    #expect(calendar.end(of: day) == Instant("2026-11-02T05:00:00Z"))
  }

  @Test("If the zone is unknown, the system's calendar is used")
  func unknownZone() throws {
    let moment = try #require(Instant("2026-11-01T04:00:00Z"))
    // date -u -d 'TZ="CET-1CEST,M3.5.0,M10.5.0/3" 2026-07-01 09:30'
    let rule = SnapshotCalendar(timeZone: "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(rule.clock(at: Instant(seconds: 1_782_891_000)) == "09:30")
    #expect(SnapshotCalendar(timeZone: "Mars/Olympus").day(of: moment).year == 2026)
  }
}
