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

  @Test("A time that clocks skip or repeat is the first moment after it, or its first time")
  func moments() throws {
    // date -u -d 'TZ="Europe/Berlin" …': clocks go forward on 2026-03-29 at 01:00 UTC, and back on 2026-10-25.
    let calendar = SnapshotCalendar(timeZone: "Europe/Berlin")
    for (day, hour, minute, moment) in [
      ("2026-03-29", 2, 30, "2026-03-29T01:00:00Z"), ("2026-03-29", 6, 30, "2026-03-29T04:30:00Z"),
      ("2026-10-25", 2, 30, "2026-10-25T00:30:00Z"), ("2026-10-25", 6, 30, "2026-10-25T05:30:00Z"),
      ("2026-10-25", 24, 0, "2026-10-25T23:00:00Z"),
    ] {
      let day = try #require(LocalDay(day))
      #expect(calendar.moment(on: day, hour: hour, minute: minute) == Instant(moment), "\(day) \(hour):\(minute)")
    }
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
