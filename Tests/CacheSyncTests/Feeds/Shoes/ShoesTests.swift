import CacheSync
import CacheSyncSystem
import Testing

@Suite("The shoes")
struct ShoesTests {
  /// A shoe, as the app writes it.
  static func shoe(_ id: String, _ name: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","name":"\#(name)"\#(more)}"#
  }

  static func session(
    _ id: String, _ shoe: String, _ start: String, _ end: String?, steps: Int = 0, distance: Double = 0
  ) -> String {
    let end = end.map { #""\#($0)""# } ?? "null"
    return #"{"id":"\#(id)","shoeId":"\#(shoe)","start":"\#(start)","end":\#(end),"#
      + #""steps":\#(steps),"distance":\#(distance)}"#
  }

  static func file(
    shoes: [String] = [shoe("a", "Alpha")], sessions: [String] = [], suggestions: [String] = [],
    updated: String? = "2026-11-21T08:00:00Z"
  ) -> String {
    let updated = updated.map { #","lastUpdated":"\#($0)""# } ?? ""
    return #"{"shoes":[\#(shoes.joined(separator: ","))],"sessions":[\#(sessions.joined(separator: ","))],"#
      + #""suggestions":[\#(suggestions.joined(separator: ","))]\#(updated)}"#
  }

  static let noon = "2026-11-21T12:00:00Z"  // a Saturday

  static func text(_ harness: FeedHarness, _ kind: KindName, at moment: String = noon) throws -> String {
    String(decoding: try #require(try harness.timeline(kind, at: moment).entries.first).content, as: UTF8.self)
  }

  // MARK: Without records

  @Test(
    "Without a usable session, the contents are exactly these empty ones",
    arguments: [
      ("quick-selection", #"{"currentShoe":null,"today":{"distance":0,"steps":0},"top":[]}"#),
      (
        "daily-stats",
        #"{"activeSeconds":0,"activeSince":null,"activeText":"0 min","currentShoe":null,"distance":0,"steps":0}"#
      ),
      ("smart-suggestions", #"{"insight":null,"slot":"midday","suggestions":[]}"#),
      ("current-shoe", #"{"circular":"shoe.2","inline":"Select Shoes","rectangular":null,"shoe":null}"#),
    ])
  func empty(kind: String, content: String) throws {
    let harness = try FeedHarness()
    let name = KindName(kind)
    #expect(try Self.text(harness, name) == content)
    #expect(try harness.state(name, at: Self.noon) == "empty")
    // A file without records gives the same, and is current.
    try harness.put("shoes/a.json", "{}")
    #expect(try Self.text(harness, name) == content)
    #expect(try harness.state(name, at: Self.noon) == "current")
    let sources = try harness.timeline(name, at: Self.noon).sources
    #expect(sources.count == 1 && sources.named == [CachePath("shoes/a.json")])
    harness.remove("shoes/a.json")
    #expect(try harness.state(name, at: Self.noon) == "empty")
    #expect(try harness.timeline(name, at: Self.noon).sources.count == 0)
    try harness.expectConsistent(name, at: Self.noon)
  }

  // MARK: The current shoe

  @Test("The worn shoe is published exactly like this")
  func currentShoe() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    let shoe = Self.shoe("a b", "Alpha", #","icon":"figure.run","brand":"Brand""#)
    try harness.put(
      "shoes/a.json", Self.file(shoes: [shoe], sessions: [Self.session("1", "a b", "2026-11-21T14:05:59.9Z", nil)]))
    let at = "2026-11-21T15:00:00Z"
    let current =
      #"{"brand":"Brand","icon":"figure.run","id":"a b","model":null,"name":"Alpha","since":"2026-11-21T14:05:59Z"}"#
    #expect(
      try Self.text(harness, "current-shoe", at: at)
        // UTC-5 in November.
        == #"{"circular":"figure.run","inline":"Alpha","#
        + #""rectangular":{"subtitle":"Active since 09:05","title":"Alpha"},"shoe":\#(current)}"#)
    #expect(
      try Self.text(harness, "daily-stats", at: at)
        == #"{"activeSeconds":0,"activeSince":"2026-11-21T14:05:59Z","activeText":"0 min","currentShoe":\#(current),"#
        + #""distance":0,"steps":0}"#)
    #expect(
      try Self.text(harness, "quick-selection", at: at)
        == #"{"currentShoe":\#(current),"today":{"distance":0,"steps":0},"top":[{"brand":"Brand","#
        + #""deepLink":"shoeprint://selectShoe/a%20b","icon":"figure.run","id":"a b","isActive":true,"#
        + #""model":null,"name":"Alpha"}]}"#)
  }

  @Test(
    "The current shoe is that of the open session with the latest start, then the greatest id",
    arguments: [
      // (sessions, the shoe; nil: none)
      ([], nil),
      ([("1", "a", "2026-11-21T09:00:00Z", "2026-11-21T10:00:00Z")], nil),
      ([("1", "a", "2026-11-21T09:00:00Z", nil), ("2", "b", "2026-11-20T09:00:00Z", nil)], "a"),
      ([("1", "a", "2026-11-21T09:00:00Z", nil), ("2", "b", "2026-11-21T10:00:00+01:00", nil)], "b"),
      ([("9", "a", "2026-11-21T09:00:00Z", nil), ("10", "b", "2026-11-21T09:00:00Z", nil)], "a"),  // texts go by bytes
      ([("1", "a", "2026-11-21T09:00:00.001Z", nil), ("2", "b", "2026-11-21T09:00:00Z", nil)], "a"),
      ([("1", "a", "2027-11-21T09:00:00Z", nil), ("2", "b", "2026-11-21T09:00:00Z", nil)], "a"),  // also in the future
      ([("1", "archived", "2026-11-21T09:00:00Z", nil)], "archived"),
      ([("1", "a", "2026-11-21T08:00:00Z", nil), ("2", "nobody", "2026-11-21T09:00:00Z", nil)], nil),
    ] as [([(String, String, String, String?)], String?)])
  func choice(sessions: [(String, String, String, String?)], expected: String?) throws {
    let harness = try FeedHarness()
    let shoes = [Self.shoe("a", "A"), Self.shoe("b", "B"), Self.shoe("archived", "C", #","archived":true"#)]
    try harness.put(
      "shoes/a.json", Self.file(shoes: shoes, sessions: sessions.map { Self.session($0.0, $0.1, $0.2, $0.3) }))
    #expect(try harness.content("daily-stats", at: Self.noon)["currentShoe"]?["id"]?.string == expected)
    let top = try harness.content("quick-selection", at: Self.noon)["top"]?.array ?? []
    #expect(top.allSatisfy { $0["isActive"]?.bool == ($0["id"]?.string == expected) })
    #expect(!top.contains { $0["id"]?.string == "archived" })
  }

  @Test("Whole-number ids are ordered numerically and before texts")
  func idOrder() throws {
    let harness = try FeedHarness()
    func open(_ id: String, _ shoe: String) -> String {
      #"{"id":\#(id),"shoeId":\#(shoe),"start":"2026-11-21T09:00:00Z","steps":0,"distance":0}"#
    }
    let shoes = #"{"id":3,"name":"X"},{"id":10,"name":"X"},{"id":"10a","name":"X"}"#
    let numbered = [open("9", "3"), open("10", "\"10\"")]
    try harness.put("shoes/a.json", Self.file(shoes: [shoes], sessions: numbered))
    #expect(try harness.content("daily-stats", at: Self.noon)["currentShoe"]?["id"]?.int == 10)
    let top = try harness.content("quick-selection", at: Self.noon)["top"]?.array
    #expect(top?.map { $0["deepLink"]?.string } == ["3", "10", "10a"].map { "shoeprint://selectShoe/\($0)" })
    let mixed = [open("9", "3"), open("\"1\"", "\"10a\"")]
    try harness.put("shoes/a.json", Self.file(shoes: [shoes], sessions: mixed))
    #expect(try harness.content("daily-stats", at: Self.noon)["currentShoe"]?["id"]?.string == "10a")
  }

  // MARK: To choose from

  @Test("The four shoes most often put on today and in the 28 days before are offered")
  func top() throws {
    let harness = try FeedHarness()
    func worn(_ shoe: String, _ starts: [String]) -> [String] {
      starts.map { Self.session("\(shoe)\($0)", shoe, $0, nil) }
    }
    let shoes = [
      Self.shoe("e", "E"), Self.shoe("d", "D"), Self.shoe("c", "C"), Self.shoe("b", "Same"), Self.shoe("a", "Same"),
      Self.shoe("z", "Z", #","archived":true"#),
    ]
    let sessions =
      worn("z", ["2026-11-21T01:00:00Z", "2026-11-21T02:00:00Z", "2026-11-21T03:00:00Z"])
      + worn("b", ["2026-11-21T23:00:00Z", "2026-10-24T00:00:00Z"])  // today, and the 28th day before
      + worn("a", ["2026-11-21T23:00:00Z", "2026-11-20T00:00:00Z"])
      + worn("c", ["2026-11-01T00:00:00Z", "2026-10-23T23:59:59Z", "2026-11-22T00:00:00Z"])  // the last two are outside
      + worn("d", ["2026-10-23T23:59:59Z", "2026-11-22T00:00:00Z"])
    try harness.put("shoes/a.json", Self.file(shoes: shoes, sessions: sessions))
    let top = try harness.content("quick-selection", at: Self.noon)["top"]?.array?.map { $0["id"]?.string }
    // By their sessions: a and b have 2 (the same name, so by id), c has 1. Shoes without sessions follow by name.
    #expect(top == ["a", "b", "c", "d"])
    try harness.expectConsistent("quick-selection", at: Self.noon)
  }

  // MARK: Ages and states

  @Test("There is an entry for today, one at midnight, and one at each hour where the slot changes")
  func timelines() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put("shoes/a.json", Self.file())
    for kind in ShoesFeed.kinds {
      let timeline = try harness.timeline(kind.name, at: "2026-11-21T14:00:00Z")
      let hours =
        kind.name == "smart-suggestions"
        ? ["21T12", "21T17", "21T23", "22T05", "22T12", "22T17", "22T23"] : ["21T05", "22T05"]
      #expect(timeline.entries.map(\.date.description) == hours.map { "2026-11-\($0):00:00Z" })
      #expect(timeline.reloadAfter?.description == "2026-11-23T05:00:00Z")
      try harness.expectConsistent(kind.name, at: "2026-11-21T14:00:00Z")
    }
  }

  @Test("The state becomes stale by the newest lastUpdated, never by a modification time")
  func stale() throws {
    let harness = try FeedHarness(staleAfter: .seconds(3600))
    try harness.put("shoes/old.json", Self.file(updated: nil), modified: "2026-11-21T11:30:00Z")
    #expect(try harness.state("current-shoe", at: Self.noon) == "current")
    try harness.put("shoes/a.json", Self.file(updated: "2026-11-21T11:00:00Z"))
    try harness.put("shoes/b.json", Self.file(updated: "2026-11-21T11:00:01Z"))
    let timeline = try harness.timeline("current-shoe", at: Self.noon)
    #expect(timeline.entries.map(\.date.description).prefix(2) == ["2026-11-21T00:00:00Z", "2026-11-21T12:00:01Z"])
    harness.remove("shoes/b.json")
    #expect(try harness.state("current-shoe", at: Self.noon) == "stale")
    harness.remove("shoes/a.json")
    #expect(try harness.state("current-shoe", at: Self.noon) == "current")
  }

  @Test("The state is stale while a file's last good version is used")
  func unusable() throws {
    let harness = try FeedHarness()
    try harness.put("shoes/a.json", Self.file(), unusable: true)
    #expect(try harness.state("daily-stats", at: Self.noon) == "stale")
    harness.feeds["shoes"]?.mark(CachePath("shoes/a.json"), unusable: false)
    harness.feeds["shoes"]?.mark(CachePath("shoes/unheard-of.json"), unusable: true)
    #expect(try harness.state("daily-stats", at: Self.noon) == "current")
    harness.feeds["shoes"]?.mark(CachePath("shoes/a.json"), unusable: true)
    #expect(try harness.state("daily-stats", at: Self.noon) == "stale")
    try harness.put("shoes/a.json", Self.file())
    #expect(try harness.state("daily-stats", at: Self.noon) == "current")
  }

  // MARK: Several files

  @Test("A record comes from the latest file, then from the greatest path, and in one file the later one counts")
  func union() throws {
    let harness = try FeedHarness()
    func name() throws -> String? {
      try harness.content("quick-selection", at: Self.noon)["top"]?[0]?["brand"]?.string
    }
    func put(_ path: String, _ brand: String, updated: String?, modified: String = "2026-11-21T07:00:00Z") throws {
      let shoes = [Self.shoe("a", "never"), Self.shoe("a", "A", #","brand":"\#(brand)""#)]
      try harness.put("shoes/\(path).json", Self.file(shoes: shoes, updated: updated), modified: modified)
    }
    try put("c", "one", updated: "2026-11-21T08:00:00Z")
    #expect(try name() == "one")
    try put("b", "two", updated: "2026-11-21T09:00:00Z")
    #expect(try name() == "two")
    try put("d", "three", updated: nil, modified: "2026-11-21T08:30:00Z")
    #expect(try name() == "two")
    try put("d", "three", updated: nil, modified: "2026-11-21T09:00:00Z")  // as late, and a greater path
    #expect(try name() == "three")
    try put("d", "three", updated: "2026-11-21T01:00:00Z", modified: "2027-01-01T00:00:00Z")
    #expect(try name() == "two")
    harness.remove("shoes/b.json")
    #expect(try name() == "one")
    harness.remove("shoes/c.json")
    #expect(try name() == "three")
    try harness.put("shoes/d.json", Self.file(shoes: []))
    #expect(try name() == nil)
    #expect(try harness.timeline("quick-selection", at: Self.noon).sources.count == 1)
  }

  @Test("A session counts once, even if several files have it")
  func sessionOnce() throws {
    let harness = try FeedHarness()
    func steps() throws -> Int? { try harness.content("daily-stats", at: Self.noon)["steps"]?.int }
    func put(_ path: String, _ id: String, _ steps: Int, updated: String) throws {
      let session = #"{"id":\#(id),"shoeId":"a","start":"2026-11-21T09:00:00Z","steps":\#(steps),"distance":0}"#
      try harness.put("shoes/\(path).json", Self.file(sessions: [session], updated: updated))
    }
    try put("a", "3", 10, updated: "2026-11-21T10:00:00Z")
    try put("b", "\"3\"", 20, updated: "2026-11-21T09:00:00Z")
    try put("c", "4", 1, updated: "2026-11-21T09:00:00Z")
    #expect(try steps() == 11)  // 3 and "3" are the same id
    try put("a", "3", 30, updated: "2026-11-21T08:00:00Z")
    #expect(try steps() == 21)
    harness.remove("shoes/b.json")
    #expect(try steps() == 31)
  }
}
