import Glibc
import Testing

@testable import CacheSync

@Suite("Calendars: what many files give")
struct CalendarEventsTests {
  private static let month = Instant(seconds: 1_795_000_000)..<Instant(seconds: 1_797_400_000)

  /// Processor time of this thread.
  private static func time(_ work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
      var now = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
      return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
    let start = now()
    try work()
    return now() - start
  }

  @Test("a series beyond the limits costs once, not again whenever another file changes, and counts when it is mended")
  func excess() throws {
    let events = CalendarEvents()
    let calendar = try Calendars.calendar()
    let path = CachePath("events/a.ics")
    let bad = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=11,12;BYSETPOS=9"))
    func look() -> [String] { events.problems(in: Self.month, calendar).map(\.message) }

    events.put(bad, from: path)
    let message = "the series takes more than 100000 steps: the event is left out"
    let first = Self.time { #expect(look() == [message]) }
    let other = try Calendars.read(Calendars.text("UID:b\nDTSTART:20261123T080000Z"), path: "events/b.ics")
    let second = Self.time {
      events.put(other, from: CachePath("events/b.ics"))
      #expect(look() == [message])
    }
    #expect(second < first / 10)
    #expect(events.starting(in: Self.month, calendar).map(\.id.text) == ["b"])

    events.put(try Calendars.read(Calendars.text("UID:a\nDTSTART:20261124T080000Z")), from: path)
    #expect(look().isEmpty)
    #expect(events.starting(in: Self.month, calendar).map(\.id.text) == ["b", "a"])
  }
}
