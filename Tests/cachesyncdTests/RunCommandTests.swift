import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

@Suite struct RunCommandTests {
  @Test("Without a subcommand the agent runs; SIGTERM and SIGINT end it with status 0", arguments: [SIGTERM, SIGINT])
  func ends(_ signal: Int32) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let agent = try Child(["--cache", cache.path])
    try #require(holds { cache.has("snapshots/manifest.json") && agent.errors.contains("serving") })
    agent.send(signal)
    #expect(try agent.outcome().status == 0)
    #expect(try cache.run("status").status == 69)
  }

  @Test("At local midnight the new day is published within a second of its first instant")
  func rollover() async throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let eve = try TimeFaultTests.beforeMidnight {
      try cache.agent(environment: $0)
    } preparing: { agent in
      (
        index: try cache.published("day-index"), plan: try cache.published("meal-plan"),
        stopwatch: Stopwatch(of: agent.pid)
      )
    }
    let (end, before, stopwatch) = (eve.midnight, eve.before.index, eve.before.stopwatch)
    #expect(before["today"]?["end"] == .string(end.description))
    let dayBefore = try #require(before["today"]?["date"]?.string.flatMap { LocalDay($0) })
    #expect(eve.before.plan["entries"]?[0]?["content"]?["date"] == .string(dayBefore.description))
    try await TimeFaultTests.sleep(until: end)
    #expect(try holds { try cache.published("day-index") != before })
    let written = try cache.written("snapshots/day-index.json")
    // The kernel stamps files with the time of its last tick, which may be a few milliseconds ago.
    #expect(written - end > .milliseconds(-20), "\(written - end) after midnight")
    let wait = stopwatch.wait
    #expect(written - end - wait < .seconds(1), "\(written - end) after midnight, \(wait) without a processor")
    let published = try #require(try cache.published("day-index")["publishedAt"]?.instant)
    #expect(
      TimeFaultTests.isPrompt(published - end, after: wait),
      "publishedAt is \(published - end) after midnight, \(wait) without a processor")
    try cache.caughtUp()
    let dayAfter = dayBefore.advanced(by: 1).description
    #expect(try cache.published("day-index")["today"]?["date"] == .string(dayAfter))
    let entry = try cache.published("meal-plan")["entries"]?[0]
    #expect(entry?["content"]?["date"] == .string(dayAfter) && entry?["date"] == .string(end.description))
    let generation = try cache.published("manifest")["generation"]?.int
    #expect(generation == (before["generation"]?.int ?? 0) + 1, "one publication for all kinds")
    withExtendedLifetime(eve) {}
  }

  @Test("SIGHUP makes the agent read everything again, even changes without an event")
  func hangup() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")])
    let outside = cache.parent + "/outside.json"
    try #require(link(cache.file("meal-plan/a.json"), outside) == 0)
    let agent = try cache.agent()
    try Data(Sessions.plan("Leek soup").utf8).write(to: URL(fileURLWithPath: outside))
    agent.send(SIGHUP)
    #expect(try holds { try cache.text("snapshots/meal-plan.json").contains("Leek soup") })
    #expect(agent.exitStatus() == nil)
  }
}

@Suite struct SettingsTests {
  @Test("Settings are used, and the command line overrides them")
  func settings() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    try cache.write(
      "cachesync.json",
      #"{"timeZone":"GMT+03:37","firstWeekday":"sunday","staleAfter":"PT24H","durability":"rename","maximumFileBytes":99999}"#
    )
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    #expect(try cache.published("day-index")["firstWeekday"] == .string("sunday"))
    #expect(try cache.published("day-index")["timeZone"] == .string("GMT+03:37"))
    #expect(try cache.published("meal-plan")["entries"]?[0]?["state"] == .string("stale"))
    _ = try cache.run("sync", "--at", Sessions.noon, "--time-zone", "Asia/Tokyo")
    #expect(try cache.published("day-index")["timeZone"] == .string("Asia/Tokyo"))
  }

  @Test(
    "Invalid settings end commands at the start with status 78 and one line that names the key",
    arguments: [
      (#"{"timeZone":"Mars"}"#, "timeZone"), (#"{"timezone":"UTC"}"#, "timezone"),
      (#"{"firstWeekday":"Monday"}"#, "firstWeekday"), (#"{"staleAfter":"1 day"}"#, "staleAfter"),
      (#"{"durability":"never"}"#, "durability"), (#"{"maximumFileBytes":0}"#, "maximumFileBytes"),
      ("{", "cachesync.json"),
    ])
  func invalid(_ settings: String, _ key: String) throws {
    let cache = try CommandCache(["cachesync.json": settings])
    for command in try CommandWords.all.filter({ try $0.statuses().contains("78") }) {
      let outcome = try Program.run(command.words + ["--cache", cache.path])
      #expect(
        outcome.status == 78 && outcome.hasOneLineError && outcome.errors.contains(key), "\(command.name): \(outcome)")
    }
    #expect(try cache.run("check").output.hasPrefix("cachesync.json:1:"))
  }

  @Test("An unknown time zone in the settings is reported with the nearest")
  func nearestZone() throws {
    let cache = try CommandCache(["cachesync.json": #"{"timeZone":"Europe/Berln"}"#])
    let message = #"found "Europe/Berln"; did you mean 'Europe/Berlin'? [/timeZone]"#
    let line = "cachesync.json:1:13: error: expected an IANA time zone or GMT+03:37, \(message)\n"
    #expect(try cache.run("check").output == line)
  }

  @Test("A change takes effect immediately; an invalid one is a problem, and the last good settings stay")
  func whileRunning() throws {
    let cache = try CommandCache(["cachesync.json": #"{"timeZone":"Asia/Tokyo"}"#, "meal-plan/a.json": Sessions.plan()])
    let agent = try cache.agent()
    try cache.write("cachesync.json", #"{"timeZone":"Asia/Kolkata"}"#)
    try cache.caughtUp()
    #expect(try cache.published("meal-plan")["timeZone"] == .string("Asia/Kolkata"))
    try cache.write("cachesync.json", #"{"timeZone":"Mars"}"#)
    try cache.caughtUp()
    #expect(try cache.published("meal-plan")["timeZone"] == .string("Asia/Kolkata"))
    #expect(try cache.published("meal-plan")["problems"] == .array([]), "settings belong to no kind")
    let problem = try cache.status()["problems"]?[0]
    #expect(problem?["path"] == .string("cachesync.json") && problem?["pointer"] == .string("/timeZone"))
    try FileManager.default.removeItem(atPath: cache.file("cachesync.json"))
    #expect(try holds { try cache.published("meal-plan")["timeZone"] != .string("Asia/Kolkata") })
    #expect(try cache.status()["problems"] == .array([]), "a problem goes when it ends")
    withExtendedLifetime(agent) {}
  }
}
