import CacheSync
import Testing

@Suite struct NextCommandTests {
  private func boundaries(_ arguments: String..., at time: String = Sessions.noon) throws -> [JSONValue] {
    let cache = try CommandCache(Sessions.all)
    let outcome = try Program.run(["next", "--json", "--at", time, "--cache", cache.path] + arguments)
    let document = try json(outcome.output)
    #expect(document.keys == ["boundaries"] && outcome.status == 0)
    return document["boundaries"]?.array ?? []
  }

  @Test("Ten boundaries by default, strictly after the moment, ascending, each with its kinds and a reason")
  func defaults() throws {
    let boundaries = try boundaries()
    #expect(boundaries.count == 10)
    let dates = try boundaries.map { try #require($0["date"]?.string.flatMap { Instant($0) }) }
    #expect(dates == dates.sorted() && Set(dates).count == 10)
    let noon = try #require(Instant(Sessions.noon))
    #expect(dates.allSatisfy { $0 > noon })
    for boundary in boundaries {
      #expect(boundary.keys == ["date", "kinds", "reason"])
      let kinds = boundary["kinds"]?.strings ?? []
      #expect(!kinds.isEmpty && kinds == kinds.sorted() && kinds.allSatisfy(Sessions.kinds.contains))
      #expect(boundary["reason"]?.string?.isEmpty == false)
    }
    #expect(boundaries[0]["date"] == .string("2026-11-21T13:00:00Z"), "daily-progress has an entry an hour")
    #expect(boundaries[0]["kinds"] == .array([.string("daily-progress")]))
  }

  @Test("A boundary at the moment itself is not included")
  func strictlyAfter() throws {
    #expect(try boundaries("--count", "1", at: "2026-11-21T13:00:00Z")[0]["date"] == .string("2026-11-21T14:00:00Z"))
    #expect(try boundaries("--count", "1", at: "2026-11-21T12:59:59.9Z")[0]["date"] == .string("2026-11-21T13:00:00Z"))
  }

  @Test("Repeated queries from the last date end, even if boundaries have fractions of a second")
  func fractions() throws {
    let event = #"{"id":1,"title":"e","startTime":"2026-11-21T15:00:00.700Z","endTime":"2026-11-21T16:00:00Z"}"#
    let cache = try CommandCache(["events/a.json": "[\(event)]", "nutrition/a.json": Sessions.nutrition()])
    func dates(_ time: String) throws -> [String] {
      let outcome = try cache.run("next", "--json", "--count", "2", "--at", time, "--time-zone", "UTC")
      return try json(outcome.output)["boundaries"]?.array?.compactMap { $0["date"]?.string } ?? []
    }
    #expect(try dates("2026-11-21T14:00:00Z") == ["2026-11-21T15:00:00Z", "2026-11-21T16:00:00Z"])
    #expect(try dates("2026-11-21T15:00:00Z") == ["2026-11-21T16:00:00Z", "2026-11-21T17:00:00Z"])
  }

  @Test("Two changes within one second are one boundary of their kind, with both reasons")
  func withinOneSecond() throws {
    let events = [1, 6].map {
      #"{"id":\#($0),"title":"e","startTime":"2026-11-21T15:00:00.\#($0)Z","endTime":"2026-11-21T16:00:00Z"}"#
    }
    let cache = try CommandCache(["events/a.json": "[\(events.joined(separator: ","))]"])
    let outcome = try cache.run("next", "--json", "--count", "1", "--at", Sessions.noon, "--time-zone", "UTC")
    let boundary = try json(outcome.output)["boundaries"]?.array?.first
    #expect(boundary?["date"] == .string("2026-11-21T15:00:00Z"))
    #expect(boundary?["kinds"]?.strings == ["calendar", "next-event"])
    #expect(boundary?["reason"] == .string("event 1 starts; event 6 starts"))
  }

  @Test("Reasons name the event or intent, even at a moment that is a boundary anyway")
  func reasons() throws {
    func event(_ id: Int, _ start: String) -> String {
      #"{"id":\#(id),"title":"e","startTime":"\#(start)","endTime":"\#(start)"}"#
    }
    let events = [event(9, "2026-11-21T15:00:00Z"), event(7, "2026-11-22T00:00:00Z"), event(8, "2026-11-29T13:00:00Z")]
    let intent = #"{"id":"i1","type":"add-task","at":"2026-11-14T14:00:00Z","title":"t"}"#
    let cache = try CommandCache([
      "events/a.json": "[\(events.joined(separator: ","))]", "intents/i.json": intent,
    ])
    let outcome = try cache.run("next", "--json", "--count", "5", "--at", Sessions.noon, "--time-zone", "UTC")
    let reasons = try json(outcome.output)["boundaries"]?.array?.compactMap { $0["reason"]?.string }
    // 14 November 14:00 and 168 hours; 7 local days before 29 November 13:00. Worked out by hand.
    #expect(
      reasons == [
        "intent i1 ends", "event 9 starts", "local midnight; event 7 starts", "event 8 comes within 7 days",
        "local midnight",
      ])
  }

  @Test("The moment when the meal plan becomes stale is listed on any day, although it has no entry")
  func staleMealPlan() throws {
    let nextWeek =
      #"{"week_start":"2026-11-23","# + Sessions.plan(id: "plan-2", updated: "2026-11-21T09:00:00Z").dropFirst()
    let cache = try CommandCache([
      "meal-plan/a.json": Sessions.plan(updated: "2026-11-20T10:00:00Z"), "meal-plan/b.json": nextWeek,
      "cachesync.json": #"{"staleAfter":"PT72H","timeZone":"UTC"}"#,
    ])
    func next(_ count: Int, _ time: String) throws -> [String] {
      let outcome = try cache.run("next", "--json", "--count", "\(count)", "--at", time)
      return try json(outcome.output)["boundaries"]?.array?.map {
        "\($0["date"]?.string ?? "") \($0["reason"]?.string ?? "")"
      } ?? []
    }
    // By hand: the plan of Saturday and Sunday would become stale on Monday at 10:00. By then next week's plan is
    // shown, which becomes stale on Tuesday at 09:00.
    #expect(
      try next(5, Sessions.noon) == [
        "2026-11-22T00:00:00Z local midnight", "2026-11-23T00:00:00Z local midnight",
        "2026-11-24T00:00:00Z local midnight", "2026-11-24T09:00:00Z what is shown goes stale",
        "2026-11-25T00:00:00Z local midnight",
      ])
    #expect(try next(1, "2026-11-24T08:59:59Z") == ["2026-11-24T09:00:00Z what is shown goes stale"])
    #expect(try next(1, "2026-11-24T09:00:00Z") == ["2026-11-25T00:00:00Z local midnight"])
  }

  @Test("staleAfter may have an age for each feed, and an unknown feed is a warning")
  func staleFeeds() throws {
    let cache = try CommandCache([
      "meal-plan/a.json": Sessions.plan(updated: "2026-11-21T09:00:00Z"),
      "cachesync.json": #"{"timeZone":"UTC","staleAfter":{"default":"P30D","meal-plan":"PT1H","meal-pln":"PT1H"}}"#,
    ])
    func state(_ time: String) throws -> String? {
      let shown = try json(try cache.run("show", "meal-plan", "--json", "--at", time).output)
      return shown["meal-plan"]?["entries"]?[0]?["state"]?.string
    }
    #expect(try state("2026-11-21T09:30:00Z") == "current")
    #expect(try state("2026-11-21T10:30:00Z") == "stale")
    let check = try cache.run("check")
    #expect(check.status == 0)
    #expect(
      check.output.contains(
        "cachesync.json:1:80: warning: there is no feed 'meal-pln'; did you mean 'meal-plan'? [/staleAfter/meal-pln]"),
      "\(check.output)")
    try cache.write("cachesync.json", #"{"staleAfter":{"meal-plan":"1 day"}}"#)
    let wrong = try cache.run("check")
    #expect(wrong.status == 65)
    #expect(wrong.output.contains("expected a duration such as PT24H or P2D, found \"1 day\" [/staleAfter/meal-plan]"))
  }

  @Test("A smaller --count gives the beginning of a larger one's list, at any moment")
  func prefixes() throws {
    // In every minute of two hours, two events begin within one second, in two kinds.
    let events = (0..<240).map { number in
      let minute = number / 2 % 60
      let second = "2026-11-21T\(13 + number / 120):\(minute < 10 ? "0" : "")\(minute):00"
      return #"{"id":\#(number),"title":"e","startTime":"\#(second).\#(1 + number % 2 * 5)Z","#
        + #""endTime":"\#(second).95Z"}"#
    }
    let cache = try CommandCache([
      "events/a.json": "[\(events.joined(separator: ","))]", "nutrition/a.json": Sessions.nutrition(),
      "meal-plan/a.json": Sessions.plan(),
    ])
    func next(_ count: Int, at time: String) throws -> [JSONValue] {
      let outcome = try cache.run("next", "--json", "--count", "\(count)", "--at", time, "--time-zone", "UTC")
      return try #require(try json(outcome.output)["boundaries"]?.array)
    }
    for time in [Sessions.noon, "2026-11-21T13:05:00Z", "2026-11-21T13:05:00.5Z"] {
      let all = try next(300, at: time)
      #expect(all.count == 300)
      for count in [1, 2, 3, 10, 117] { #expect(try next(count, at: time) == Array(all.prefix(count)), "\(count)") }
    }
  }

  @Test("--count is respected, even beyond a timeline's reach", arguments: [0, 1, 400])
  func count(_ count: Int) throws { #expect(try boundaries("--count", "\(count)").count == count) }

  @Test("The text has one line for each boundary, in UTC and in local time")
  func text() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let outcome = try cache.run("next", "--count", "2", "--at", Sessions.noon, "--time-zone", "America/New_York")
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines[0].hasPrefix("2026-11-22T05:00:00Z  Sun 2026-11-22 00:00:00  "), "\(outcome)")
    #expect(outcome.lines[0].hasSuffix("[meal-plan]"))
  }
}
