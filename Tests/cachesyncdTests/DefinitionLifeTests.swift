import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// How a cache's own definition takes effect while an agent runs, and between two runs (definitions.md section 1).
@Suite struct DefinitionLifeTests {
  private static let bins = #"""
    {"version":1,"items":{"each":"$.bins[*]","fields":{"title":"@.type"},"start":{"day":"@.day"}},
     "kinds":{"bins":{"show":"all","items":{"title":"{title}"}}}}
    """#
  private static let session = #"{"bins":[{"type":"Paper","day":"2026-11-24"}]}"#

  private func titles(_ cache: CommandCache, _ kind: String = "bins") throws -> [String] {
    let items = try cache.published(kind)["entries"]?[0]?["content"]?["items"]?.array ?? []
    return items.compactMap { $0["title"]?.string }
  }

  @Test("A definition and its first file make a feed present immediately, in either order")
  func appears() throws {
    let cache = try CommandCache(["bins/early.json": Self.session])
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    #expect(!cache.has("snapshots/bins.json"))
    try cache.write("feeds/bins.json", Self.bins)
    try cache.caughtUp()
    #expect(try titles(cache) == ["Paper"])
    try cache.write("feeds/paper.json", Self.bins.replacingOccurrences(of: #""bins":{"show"#, with: #""paper":{"show"#))
    try cache.caughtUp()
    #expect(!cache.has("snapshots/paper.json"), "without a file the feed is not present")
    #expect(try cache.run("drop", "paper", "-", "--name", "a", "--wait", input: Self.session).status == 0)
    #expect(try titles(cache, "paper") == ["Paper"])
  }

  @Test("An invalid definition is a problem of its kinds, and the last good one stays in use, also across a restart")
  func invalid() throws {
    let cache = try CommandCache(["bins/a.json": Self.session, "feeds/bins.json": Self.bins])
    let agent = try cache.agent()
    try cache.caughtUp()
    try cache.write("feeds/bins.json", Self.bins.replacingOccurrences(of: "{title}", with: "{tittle}"))
    #expect(try holds { try cache.published("bins")["problems"]?.array?.isEmpty == false })
    let problem = try #require(try cache.published("bins")["problems"]?[0])
    #expect(problem["path"]?.string == "feeds/bins.json" && problem["pointer"]?.string == "/kinds/bins/items/title")
    #expect(try cache.published("bins")["entries"]?[0]?["state"]?.string == "current")
    try cache.write("bins/b.json", #"{"bins":[{"type":"Glass","day":"2026-11-25"}]}"#)
    try cache.caughtUp()
    #expect(try titles(cache) == ["Paper", "Glass"])
    // The log of last good versions may be a second late.
    #expect(try holds { try cache.text(".cachesync/sessions").contains("Glass") })
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0)

    let next = try cache.agent()
    defer { next.send(SIGTERM) }
    try cache.caughtUp()
    #expect(try titles(cache) == ["Paper", "Glass"])
    #expect(try cache.published("bins")["problems"]?.array?.count == 1)
    try cache.write("feeds/bins.json", Self.bins)
    try cache.caughtUp()
    #expect(try cache.published("bins")["problems"]?.array?.isEmpty == true)
  }

  @Test("A FIFO in place of a definition is a problem of that feed's kinds only")
  func fifo() throws {
    let other = Self.bins.replacingOccurrences(of: #""bins":{"show"#, with: #""paper":{"show"#)
    let cache = try CommandCache([
      "bins/a.json": Self.session, "feeds/bins.json": Self.bins, "paper/a.json": Self.session,
      "feeds/paper.json": other,
    ])
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    try cache.caughtUp()
    try FileManager.default.removeItem(atPath: cache.file("feeds/bins.json"))
    try #require(mkfifo(cache.file("feeds/bins.json"), 0o600) == 0)
    #expect(try holds { try cache.published("bins")["problems"]?.array?.count == 1 })
    #expect(try titles(cache) == ["Paper"])
    #expect(try cache.published("paper")["problems"]?.array?.isEmpty == true)
  }

  @Test("A deleted definition leaves an empty snapshot, also in the manifest, which may be removed")
  func gone() throws {
    let cache = try CommandCache(["bins/a.json": Self.session, "feeds/bins.json": Self.bins])
    let agent = try cache.agent()
    try cache.caughtUp()
    try FileManager.default.removeItem(atPath: cache.file("feeds/bins.json"))
    #expect(try holds { try cache.published("bins")["policy"]?["reload"]?.string == "never" })
    func expectRetired() throws {
      let snapshot = try cache.published("bins")
      #expect(snapshot["entries"]?.array?.count == 1)
      #expect(snapshot["entries"]?[0]?["state"]?.string == "empty")
      #expect(snapshot["entries"]?[0]?["content"] == .object([:]))
      #expect(try cache.published("manifest")["files"]?["bins.json"] != nil)
      let status = try json(try cache.run("status", "--json").output)
      #expect(status["removable"]?.array == [.string("snapshots/bins.json")])
      #expect(status["unclaimed"]?.array == [.string("bins/a.json")])
    }
    try expectRetired()
    #expect(try cache.run("show", "bins").status == 64)
    agent.send(SIGTERM)
    _ = try agent.outcome()
    let before = try cache.text("snapshots/manifest.json")
    let next = try cache.agent()
    defer { next.send(SIGTERM) }
    try expectRetired()
    #expect(try cache.text("snapshots/manifest.json") == before, "nothing is written again")
    try cache.write("feeds/bins.json", Self.bins)
    try cache.caughtUp()
    #expect(try titles(cache) == ["Paper"])
  }

  @Test(
    "A snapshot that status lists as removable is not restored when it is removed",
    arguments: ["agent", "start", "sync"])
  func removed(by way: String) throws {
    let cache = try CommandCache(["bins/a.json": Self.session, "feeds/bins.json": Self.bins])
    #expect(try cache.run("sync").status == 0)
    try FileManager.default.removeItem(atPath: cache.file("feeds/bins.json"))
    var agent: Child?
    switch way {
    case "agent":
      agent = try cache.agent()
      #expect(try cache.status()["removable"]?.array == [.string("snapshots/bins.json")])
    default: #expect(try cache.run("sync").status == 0)
    }
    #expect(try cache.published("bins")["entries"]?[0]?["state"]?.string == "empty")
    try FileManager.default.removeItem(atPath: cache.file("snapshots/bins.json"))
    switch way {
    case "agent": #expect(try cache.status()["removable"]?.array?.isEmpty == true)
    case "start": agent = try cache.agent()
    default: #expect(try cache.run("sync").status == 0)
    }
    if agent != nil { try cache.caughtUp(sweeping: true) }
    #expect(!cache.has("snapshots/bins.json"))
    #expect(try cache.published("manifest")["files"]?.keys == ["day-index.json"])
    try cache.write("feeds/bins.json", Self.bins)
    #expect(try cache.run("sync").status == 0)
    #expect(try titles(cache) == ["Paper"])
    agent?.send(SIGTERM)
  }

  @Test("If two definitions claim the same files, the first by name gets them, and the other reports why it does not")
  func claims() throws {
    let other = Self.bins.replacingOccurrences(of: #""bins":{"show"#, with: #""alpha":{"show"#)
      .replacingOccurrences(of: #"{"version":1,"#, with: #"{"version":1,"files":"bins/**","#)
    let cache = try CommandCache(["bins/a.json": Self.session, "feeds/bins.json": Self.bins])
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    try cache.write("feeds/alpha.json", other)
    try cache.caughtUp()
    #expect(try titles(cache, "alpha") == ["Paper"])
    let status = try json(try cache.run("status", "--json").output)
    let message = try #require(status["problems"]?[0]?["message"]?.string)
    #expect(message.contains("bins/** belongs to the feed alpha"), "\(message)")
    #expect(try cache.run("check").output.contains("feeds/bins.json:1:1: error: bins/** belongs to the feed alpha"))
  }

  @Test("A mark counts immediately, until a newer file of the feed absorbs it; an unknown item is a problem")
  func marks() throws {
    let marked = #"""
      {"version":1,"marks":["done"],"items":{"each":"$.bins[*]","fields":{"title":"@.type"},"id":"{title}"},
       "kinds":{"bins":{"show":"all","where":[{"field":"done","is":false}],"items":{"title":"{title}"}}}}
      """#
    let session = #"{"bins":[{"type":"Paper"},{"type":"Glass"}]}"#
    let cache = try CommandCache(["bins/a.json": session, "feeds/bins.json": marked])
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    #expect(try cache.run("intent", "bins.done", "item=Paper", "--wait").status == 0)
    #expect(try titles(cache) == ["Glass"])
    #expect(try cache.run("intent", "bins.done", "item=Plastic", "--wait").status == 65)
    let problems = try cache.published("bins")["problems"]?.array ?? []
    #expect(problems.map { $0["message"]?.string } == [#"unknown item "Plastic""#])
    try cache.write("bins/a.json", session)
    try cache.caughtUp()
    #expect(try titles(cache) == ["Paper", "Glass"])
    #expect(try cache.run("intent", "bins.don", "item=Paper").status == 64)
  }

  @Test("Calendars add to the events: an invalid event is a problem with its place, and the others count")
  func calendar() throws {
    let cache = try CommandCache([
      "events/a/x.ics": """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:w
      DTSTART;TZID=Europe/Berlin:20261123T090000
      RRULE:FREQ=WEEKLY
      SUMMARY:Weekly
      END:VEVENT
      BEGIN:VEVENT
      UID:bad
      DTSTART:no
      END:VEVENT
      BEGIN:VEVENT
      UID:day
      DTSTART;VALUE=DATE:20261122
      SUMMARY:All day
      END:VEVENT
      END:VCALENDAR
      """
    ])
    let outcome = try cache.run(
      "show", "calendar", "--json", "--at", "2026-11-22T12:00:00Z", "--time-zone", "Europe/Berlin")
    let calendar = try #require(try json(outcome.output)["calendar"])
    let events = try #require(calendar["entries"]?[0]?["content"]?["events"]?.array)
    #expect(events.map { $0["id"]?.string } == ["day", "w#20261123T080000Z"])
    #expect(events[0]["allDay"] == .bool(true) && events[1]["allDay"] == nil)
    #expect(calendar["problems"]?[0]?["line"]?.int == 10)
    #expect(calendar["problems"]?[0]?["pointer"]?.string == "/VEVENT/1/DTSTART")
    #expect(try cache.run("check").status == 0)
  }
}
