import CacheSync
import CacheSyncSystem
import Testing

/// The setting `me` (settings.md). The expected events are worked out by hand.
@Suite("Calendars: events that were declined")
struct DeclinedEventsTests {
  private static let now = "2026-11-23T12:00:00Z"

  private static func harness(_ events: [String], me: [ExactText] = ["kim@example.org"]) throws -> FeedHarness {
    let harness = try FeedHarness()
    harness.feeds.adopt(me: Set(me))
    try harness.put("events/a.ics", Calendars.text(events))
    return harness
  }

  private static func titles(_ harness: FeedHarness) throws -> [String] {
    try harness.content("calendar", at: now)["events"]?.array?.compactMap { $0["title"]?.string } ?? []
  }

  @Test(
    "An event whose ATTENDEE is this person and declined is left out",
    arguments: [
      ("ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org", true),
      ("attendee;partstat=declined:MAILTO:Kim@Example.ORG", true),
      ("ATTENDEE;PARTSTAT=\"DECLINED\";CN=\"Kim: K\":mailto:kim@example.org", true),
      ("ATTENDEE;EMAIL=KIM@example.org;PARTSTAT=DECLINED:urn:uuid:1", true),
      ("ATTENDEE;PARTSTAT=DECLINED:mailto:lee@example.org\nATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org", true),
      ("ATTENDEE;PARTSTAT=TENTATIVE:mailto:kim@example.org", false),
      ("ATTENDEE;PARTSTAT=ACCEPTED:mailto:kim@example.org", false), ("ATTENDEE:mailto:kim@example.org", false),
      ("ATTENDEE;PARTSTAT=DECLINED:mailto:lee@example.org", false),
      ("ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org.uk", false),
      ("ATTENDEE;PARTSTAT=DECLINED:mailto:kim", false), ("ATTENDEE;PARTSTAT=DECLINED:", false),
      ("ORGANIZER;PARTSTAT=DECLINED:mailto:kim@example.org", false),
    ])
  func declined(lines: String, isDeclined: Bool) throws {
    let event = "UID:a\nDTSTART:20261124T080000Z\nDTEND:20261124T090000Z\nSUMMARY:A\n"
    let harness = try Self.harness([event + lines])
    let shown = isDeclined ? [] : ["A"]
    #expect(try Self.titles(harness) == shown)
    #expect(try harness.content("next-event", at: Self.now)["event"]?["title"]?.string == shown.first)
    #expect((try harness.day("events", "2026-11-24", now: Self.now) == nil) == isDeclined)
    let calendar = try #require(harness.feeds.registry.feed(named: "events")?.calendar)
    #expect(calendar(harness.feeds, try harness.moment(Self.now)).count == shown.count)
    // Without the setting, or with another address.
    for me: [ExactText] in [[], ["lou@example.org"]] {
      #expect(try Self.titles(Self.harness([event + lines], me: me)) == ["A"])
    }
  }

  @Test("One occurrence, or it and the later ones, or all but a change may be declined")
  func occurrences() throws {
    let no = "ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org"
    let series = "UID:a\nDTSTART:20261124T080000Z\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:s"
    let change = "UID:a\nDTSTART:20261125T100000Z\nRECURRENCE-ID:20261125T080000Z\nSUMMARY:c"
    let later = "UID:a\nDTSTART:20261126T100000Z\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261126T080000Z\nSUMMARY:l"
    #expect(try Self.titles(Self.harness([series, change])) == ["s", "c", "s", "s"])
    #expect(try Self.titles(Self.harness([series, change + "\n" + no])) == ["s", "s", "s"])
    #expect(try Self.titles(Self.harness([series + "\n" + no, change])) == ["c"])
    #expect(try Self.titles(Self.harness([series, later + "\n" + no])) == ["s", "s"])
    #expect(try Self.titles(Self.harness([series + "\n" + no, later])) == ["l", "l"])
  }

  @Test("White space around an address does not matter", arguments: ["kim@example.org ", " mailto:Kim@example.org\\t"])
  func spaces(address: String) throws {
    let settings = Array(#"{"me":["\#(address)"]}"#.utf8).withUnsafeBytes {
      CacheSettings.read($0, isTimeZone: { _ in true }).value
    }
    #expect(settings?.me == ["kim@example.org"])
  }

  @Test("A change of the setting counts at once, also in widgets of some files")
  func setting() throws {
    let no = "ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org"
    let harness = try Self.harness(["UID:a\nDTSTART:20261124T080000Z\nSUMMARY:A\n" + no], me: [])
    #expect(try Self.titles(harness) == ["A"])
    harness.feeds.adopt(me: ["lee@example.org", "kim@example.org"])
    #expect(try Self.titles(harness) == [])
    harness.feeds.adopt(me: [])
    #expect(try Self.titles(harness) == ["A"])
  }
}
