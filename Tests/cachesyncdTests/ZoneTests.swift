import CacheSync
import Foundation
import Glibc
import Testing

extension CommandCache {
  /// The local day that readers see as today.
  func today() throws -> String? { try published("day-index")["today"]?["date"]?.string }

  /// The zone that readers see.
  func zone() throws -> String? { try published("day-index")["timeZone"]?.string }

  func write(zone: String) throws { try write("cachesync.json", #"{"timeZone":"\#(zone)"}"#) }
}

@Suite struct ZoneTests {
  @Test("TZ in the environment is the agent's zone, and --time-zone overrides it and the settings")
  func environment() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    do {
      let agent = try cache.agent(environment: ["TZ": "Asia/Kolkata"])
      #expect(try cache.zone() == "Asia/Kolkata")
      #expect(try cache.published("day-index")["today"]?["start"]?.string?.hasSuffix("T18:30:00Z") == true)
      agent.send(SIGTERM)
      #expect(try agent.outcome().status == 0)
    }
    try cache.write(zone: "America/Phoenix")
    let agent = try cache.agent("--time-zone", "GMT+03:37", environment: ["TZ": "Asia/Kolkata"])
    #expect(try cache.zone() == "GMT+03:37")
    #expect(try cache.published("day-index")["today"]?["start"]?.string?.hasSuffix("T20:23:00Z") == true)
    try cache.write(zone: "Asia/Tokyo")
    try cache.caughtUp()
    #expect(try cache.zone() == "GMT+03:37" && cache.published("meal-plan")["timeZone"] == .string("GMT+03:37"))
    withExtendedLifetime(agent) {}
  }

  @Test("When a cache's zone changes while the agent runs, every day moves immediately, in one publication")
  func changed() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"Asia/Tokyo"}"#])
    let agent = try cache.agent()
    for (zone, suffix) in [
      ("Asia/Kolkata", "T18:30:00Z"), ("America/Phoenix", "T07:00:00Z"), ("Asia/Tokyo", "T15:00:00Z"),
    ] {
      let before = try cache.caughtUp()
      try cache.write(zone: zone)
      #expect(try cache.caughtUp() == before + 1)
      let index = try cache.published("day-index")
      #expect(index["timeZone"]?.string == zone)
      #expect(index["today"]?["start"]?.string?.hasSuffix(suffix) == true, "\(zone): \(index["today"] ?? .null)")
      #expect(index["days"]?.array?.allSatisfy { $0["start"]?.string?.hasSuffix(suffix) == true } == true)
      let plan = try cache.published("meal-plan")
      #expect(plan["timeZone"]?.string == zone)
      #expect(plan["entries"]?[0]?["date"] == index["today"]?["start"])
      #expect(plan["entries"]?[0]?["content"]?["date"] == index["today"]?["date"])
    }
    withExtendedLifetime(agent) {}
  }

  @Test("Two caches in different zones have their own days from one agent")
  func twoZones() throws {
    // 25 hours apart: the dates differ by one or two at every moment.
    let east = try CommandCache([
      "meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"Pacific/Kiritimati"}"#,
    ])
    let west = try CommandCache([
      "meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"Pacific/Pago_Pago"}"#,
    ])
    let agent = try east.agent("--cache", west.path)
    for (cache, zone, suffix) in [
      (east, "Pacific/Kiritimati", "T10:00:00Z"), (west, "Pacific/Pago_Pago", "T11:00:00Z"),
    ] {
      #expect(try cache.zone() == zone)
      let now = Instant.now
      let today = try cache.published("day-index")["today"]
      let start = try #require(today?["start"]?.string.flatMap { Instant($0) })
      let end = try #require(today?["end"]?.string.flatMap { Instant($0) })
      #expect(start.description.hasSuffix(suffix) && end - start == .seconds(86_400))
      #expect(start <= now && now < end + .seconds(2), "\(zone) at \(now)")
    }
    let days = try [west, east].map { try #require(try $0.today().flatMap { LocalDay($0) }) }
    #expect((1...2).contains(days[0].distance(to: days[1])), "\(days)")
    // A change of one does not publish the other.
    let before = try east.text("snapshots/manifest.json")
    try west.write(zone: "Pacific/Niue")
    try west.caughtUp()
    try east.caughtUp()
    #expect(try west.zone() == "Pacific/Niue" && east.text("snapshots/manifest.json") == before)
    withExtendedLifetime(agent) {}
  }

  @Test("A TZ that is not a zone is a warning of sync, run and status, which says which zone is used")
  func unusable() throws {
    let cache = try CommandCache(["tasks/a.json": "[]"])
    let warning = "cachesyncd: warning: TZ is ignored: 'Europe/Nowhere' is not a time zone"
    let sync = try cache.run("sync", environment: ["TZ": "Europe/Nowhere"])
    #expect(sync.status == 0 && sync.errors.hasPrefix(warning) && sync.hasOneLineError, "\(sync)")
    let named = try cache.run("sync", "--time-zone", "Asia/Tokyo", environment: ["TZ": "Europe/Nowhere"])
    #expect(named.status == 0 && named.errors.isEmpty, "it has no effect: \(named)")
    let agent = try cache.agent(environment: ["TZ": "Europe/Nowhere"])
    #expect(agent.errors.contains(warning))
    let status = try cache.status()
    let problems = (status["problems"]?.array ?? []).filter {
      $0["message"]?.string?.contains("Europe/Nowhere") == true
    }
    #expect(problems.count == 1 && problems[0]["severity"] == .string("warning") && problems[0]["path"] == .null)
    let zone = try #require(try cache.zone())
    #expect(status["timeZone"] == .string(zone))
    let text = try cache.run("status").output
    #expect(
      text.contains("\ntime zone    \(zone)\n") && text.contains("\nwarning      TZ is ignored: 'Europe/Nowhere'"))
    withExtendedLifetime(agent) {}
  }

  @Test(
    "A rule string in TZ that no zone has is published, and readers in another zone use it for the agent's local times")
  func ruleString() throws {
    // At every full hour the rule is that of Berlin.
    let rule = "CET-1CEST,M3.5.0/1:59:59,M10.5.0/3"
    let start = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 3_600).rounded(.up) * 3_600 + 86_400)
    let text = ISO8601DateFormatter().string(from: start)
    let cache = try CommandCache([
      "events/e.json": #"[{"id":"e","title":"Call","startTime":"\#(text)","endTime":"\#(text)"}]"#
    ])
    let sync = try cache.run("sync", environment: ["TZ": rule])
    #expect(sync.status == 0 && sync.errors.isEmpty, "\(sync)")
    #expect(try cache.zone() == rule)
    let shown = try cache.run("show", "next-event", "--format", "line", environment: ["TZ": rule])
    // Foundation computes the times of Berlin.
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "Europe/Berlin")
    format.dateFormat = "HH:mm"
    #expect(shown.output.contains(format.string(from: start)), "\(shown)")
    let watch = try Child(
      ["watch", "next-event", "--now", "--format", "line", "--cache", cache.path], environment: ["TZ": "Asia/Tokyo"])
    #expect(holds { watch.output == shown.output }, "\(watch.output)")
    // Dublin alone has this one.
    #expect(try cache.run("sync", environment: ["TZ": "IST-1GMT0,M10.5.0,M3.5.0/1"]).status == 0)
    #expect(try cache.zone() == "Europe/Dublin")
  }

  @Test(
    "next says why a day is longer or shorter",
    arguments: [
      ("America/New_York", "2026-10-31T12:00:00Z", "2026-11-01T04:00:00Z", "clocks go back: the day has 25 hours"),
      ("America/New_York", "2026-03-07T12:00:00Z", "2026-03-08T05:00:00Z", "clocks go forward: the day has 23 hours"),
      ("Australia/Lord_Howe", "2026-04-04T03:00:00Z", "2026-04-04T13:00:00Z", "clocks go back: the day has 24.5 hours"),
      (
        "Australia/Lord_Howe", "2026-10-03T03:00:00Z", "2026-10-03T13:30:00Z",
        "clocks go forward: the day has 23.5 hours"
      ),
    ])
  func reasons(zone: String, at: String, date: String, reason: String) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let outcome = try cache.run("next", "--json", "--count", "2", "--at", at, "--time-zone", zone)
    let boundaries = try json(outcome.output)["boundaries"]
    #expect(boundaries?[0]?["date"] == .string(date))
    #expect(boundaries?[0]?["reason"]?.string?.contains(reason) == true, "\(outcome)")
    #expect(boundaries?[1]?["reason"]?.string?.contains("clocks") == false, "the day after has 24 hours")
  }
}
