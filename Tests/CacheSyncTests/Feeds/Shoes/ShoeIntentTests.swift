import CacheSync
import CacheSyncSystem
import Testing

@Suite("Intents on shoes")
struct ShoeIntentTests {
  static func intent(_ id: String, _ type: String, _ at: String, _ shoe: String? = nil) -> String {
    let shoe = shoe.map { #","shoeId":"\#($0)""# } ?? ""
    return #"{"id":"\#(id)","type":"\#(type)","at":"\#(at)"\#(shoe)}"#
  }

  /// A cache with two shoes. Alpha has been worn since 10:00.
  static func harness(zone: String = "UTC") throws -> FeedHarness {
    let harness = try FeedHarness(zone: zone)
    try harness.put(
      "shoes/a.json",
      ShoesTests.file(
        shoes: [
          ShoesTests.shoe("a", "Alpha"), ShoesTests.shoe("b", "Beta"), ShoesTests.shoe("z", "Z", #","archived":true"#),
        ],
        sessions: [ShoesTests.session("1", "a", "2026-11-21T10:00:00Z", nil, steps: 1000, distance: 2)],
        updated: "2026-11-21T10:00:00Z"))
    return harness
  }

  @Test("Putting on shoes takes off those that are worn", arguments: ["select-shoe", "start-session"])
  func starting(type: String) throws {
    let harness = try Self.harness()
    try harness.put("intents/i.json", Self.intent("i", type, "2026-11-21T11:00:00Z", "b"))
    let stats = try harness.content("daily-stats", at: ShoesTests.noon)
    #expect(stats["currentShoe"]?["id"]?.string == "b")
    #expect(stats["activeSince"]?.string == "2026-11-21T11:00:00Z")
    #expect(stats["activeSeconds"]?.int == 3600 && stats["steps"]?.int == 1000 && stats["distance"]?.int == 2)
    let quick = try harness.content("quick-selection", at: ShoesTests.noon)
    #expect(quick["top"]?.array?.map { $0["id"]?.string } == ["a", "b"])  // one session each
    #expect(quick["top"]?.array?.map { $0["isActive"]?.bool } == [false, true])
    #expect(
      try harness.timeline("daily-stats", at: ShoesTests.noon).sources.named
        == [CachePath("intents/i.json"), CachePath("shoes/a.json")])
    // The day index counts only records.
    #expect(try harness.day("shoes", "2026-11-21", now: ShoesTests.noon)?["sessions"]?.int == 1)
    for kind in ShoesFeed.kinds { try harness.expectConsistent(kind.name, at: ShoesTests.noon) }
  }

  @Test("Taking off shoes ends their session, and steps are divided between the days")
  func ending() throws {
    let harness = try Self.harness()
    // 14 h before midnight, 14 h after.
    try harness.put("intents/i.json", Self.intent("i", "end-session", "2026-11-23T04:00:00Z"))
    #expect(try harness.content("current-shoe", at: ShoesTests.noon)["inline"]?.string == "Select Shoes")
    func stats(_ at: String) throws -> [Double?] {
      let stats = try harness.content("daily-stats", at: at)
      return [stats["steps"]?.double, stats["distance"]?.double, stats["activeSeconds"]?.double]
    }
    // 42 h: 14 on the 21st, 24 on the 22nd, 4 on the 23rd.
    #expect(try stats(ShoesTests.noon) == [333, 0.667, 14 * 3600])
    #expect(try stats("2026-11-22T12:00:00Z") == [571, 1.143, 24 * 3600])
    #expect(try stats("2026-11-23T12:00:00Z") == [95, 0.19, 4 * 3600])
    for kind in ShoesFeed.kinds { try harness.expectConsistent(kind.name, at: ShoesTests.noon) }
  }

  @Test("A session that an intent ends before its start has no length")
  func beforeStart() throws {
    let harness = try FeedHarness()
    try harness.put(
      "shoes/a.json",
      ShoesTests.file(
        sessions: [ShoesTests.session("1", "a", "2026-11-22T10:00:00Z", nil, steps: 7, distance: 1)],
        updated: "2026-11-21T10:00:00Z"))
    try harness.put("intents/i.json", Self.intent("i", "end-session", "2026-11-21T11:00:00Z"))
    let stats = try harness.content("daily-stats", at: "2026-11-22T12:00:00Z")
    #expect(stats["steps"]?.int == 7 && stats["activeSeconds"]?.int == 0 && stats["currentShoe"] == .null)
    #expect(try harness.content("daily-stats", at: ShoesTests.noon)["steps"]?.int == 0)
  }

  @Test("Intents act one after another, in whatever order they arrive")
  func several() throws {
    let harness = try Self.harness()
    try harness.put("intents/4.json", Self.intent("4", "select-shoe", "2026-11-21T11:30:00Z", "z"))
    try harness.put("intents/1.json", Self.intent("1", "select-shoe", "2026-11-21T10:30:00Z", "b"))
    try harness.put("intents/3.json", Self.intent("3", "select-shoe", "2026-11-21T11:20:00Z", "nobody"))
    try harness.put("intents/2.json", Self.intent("2", "end-session", "2026-11-21T11:00:00Z"))
    let stats = try harness.content("daily-stats", at: ShoesTests.noon)
    // Alpha 10:00-10:30, Beta 10:30-11:00, none, and from 11:30 the archived shoe. The unknown shoe changes nothing.
    #expect(stats["activeSeconds"]?.int == 3600)
    #expect(stats["currentShoe"]?["id"]?.string == "z")
    #expect(try harness.timeline("daily-stats", at: ShoesTests.noon).sources.count == 4)
    harness.remove("intents/4.json")
    #expect(try harness.content("daily-stats", at: ShoesTests.noon)["currentShoe"] == .null)
  }

  @Test("An intent ends after a week, and its end is a boundary")
  func ends() throws {
    let harness = try Self.harness()
    try harness.put("intents/i.json", Self.intent("i", "select-shoe", "2026-11-21T11:00:00Z", "b"))
    let timeline = try harness.timeline("current-shoe", at: "2026-11-28T10:00:00Z")
    #expect(
      timeline.entries.map(\.date.description) == [
        "2026-11-28T00:00:00Z", "2026-11-28T11:00:00Z", "2026-11-29T00:00:00Z",
      ])
    #expect(try harness.content("current-shoe", at: "2026-11-28T10:59:59Z")["inline"]?.string == "Beta")
    #expect(try harness.content("current-shoe", at: "2026-11-28T11:00:00Z")["inline"]?.string == "Alpha")
    try harness.expectConsistent("current-shoe", at: "2026-11-28T10:00:00Z")
  }

  @Test("An intent has no effect once the app has written a later file")
  func absorbed() throws {
    let harness = try Self.harness()
    try harness.put("intents/i.json", Self.intent("i", "select-shoe", "2026-11-21T11:00:00Z", "b"))
    try harness.put("shoes/b.json", ShoesTests.file(shoes: [], updated: "2026-11-21T11:00:00Z"))
    #expect(try harness.content("current-shoe", at: ShoesTests.noon)["inline"]?.string == "Beta")
    try harness.put("shoes/b.json", ShoesTests.file(shoes: [], updated: nil), modified: "2026-11-21T11:00:01Z")
    #expect(try harness.content("current-shoe", at: ShoesTests.noon)["inline"]?.string == "Alpha")
  }

  @Test("An intent counts in a shoe's habits")
  func habits() throws {
    let harness = try Self.harness()
    try harness.put("intents/i.json", Self.intent("i", "start-session", "2026-11-21T13:00:00Z", "b"))
    let suggestions = try harness.content("smart-suggestions", at: "2026-11-22T12:00:00Z")["suggestions"]?.array
    #expect(suggestions?.map { $0["reason"]?.string } == ["Worn on 1 of your last 1 weekend midday"])
  }

  @Test("Without a session of shoes, an intent has no effect")
  func noSession() throws {
    let harness = try FeedHarness()
    try harness.put("intents/i.json", Self.intent("i", "end-session", "2026-11-21T11:00:00Z"))
    #expect(try harness.state("daily-stats", at: ShoesTests.noon) == "empty")
    #expect(try harness.timeline("daily-stats", at: ShoesTests.noon).sources.count == 0)
  }

  @Test("The kinds are stale while an intent's file is unusable")
  func unusable() throws {
    let harness = try Self.harness()
    try harness.put("intents/i.json", Self.intent("i", "select-shoe", "2026-11-21T11:00:00Z", "b"), unusable: true)
    #expect(try harness.state("daily-stats", at: ShoesTests.noon) == "stale")
    try harness.put("intents/i.json", Self.intent("i", "select-shoe", "2026-11-21T11:00:00Z", "nobody"), unusable: true)
    #expect(try harness.state("daily-stats", at: ShoesTests.noon) == "current")
  }
}
