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

  @Test("A boundary at the moment itself is not to come")
  func strictlyAfter() throws {
    #expect(try boundaries("--count", "1", at: "2026-11-21T13:00:00Z")[0]["date"] == .string("2026-11-21T14:00:00Z"))
    #expect(try boundaries("--count", "1", at: "2026-11-21T12:59:59.9Z")[0]["date"] == .string("2026-11-21T13:00:00Z"))
  }

  @Test("--count is kept, also beyond a timeline's reach", arguments: [0, 1, 400])
  func count(_ count: Int) throws { #expect(try boundaries("--count", "\(count)").count == count) }

  @Test("For people a line a boundary, in UTC and in local time")
  func text() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let outcome = try cache.run("next", "--count", "2", "--at", Sessions.noon, "--time-zone", "America/New_York")
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines[0].hasPrefix("2026-11-22T05:00:00Z  Sun 2026-11-22 00:00:00  "), "\(outcome)")
    #expect(outcome.lines[0].hasSuffix("[meal-plan]"))
  }
}
