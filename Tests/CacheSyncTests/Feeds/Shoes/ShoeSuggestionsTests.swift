import CacheSync
import Testing

@Suite("Suggested shoes")
struct ShoeSuggestionsTests {
  static func smart(_ harness: FeedHarness, at moment: String = ShoesTests.noon) throws -> JSONValue {
    try harness.content("smart-suggestions", at: moment)
  }

  static func given(_ shoe: String, _ confidence: String, _ reason: String = "r") -> String {
    #"{"shoeId":"\#(shoe)","reason":"\#(reason)","confidence":\#(confidence)}"#
  }

  // MARK: The app's suggestions

  @Test("The app's suggestions are published unchanged")
  func exact() throws {
    let harness = try FeedHarness()
    let shoe = ShoesTests.shoe("a", "Alpha", #","model":"M""#)
    try harness.put(
      "shoes/a.json", ShoesTests.file(shoes: [shoe], suggestions: [Self.given("a", "0.755", "You like it")]))
    #expect(
      try ShoesTests.text(harness, "smart-suggestions")
        == #"{"insight":null,"slot":"midday","suggestions":[{"brand":null,"confidence":0.755,"#
        + #""deepLink":"shoeprint://selectShoe/a","icon":null,"id":"a","match":"75% match","model":"M","name":"Alpha","#
        + #""reason":"You like it","shoeId":"a"}]}"#)
  }

  @Test("Up to four suggestions are used, in their order, without unknown and archived shoes")
  func order() throws {
    let harness = try FeedHarness()
    let shoes =
      ["a", "b", "c", "d", "e"].map { ShoesTests.shoe($0, $0) } + [ShoesTests.shoe("z", "z", #","archived":true"#)]
    let order = ["nobody", "e", "z", "d", "c", "e", "b", "a"]
    try harness.put("shoes/a.json", ShoesTests.file(shoes: shoes, suggestions: order.map { Self.given($0, "0.1") }))
    #expect(try Self.smart(harness)["suggestions"]?.array?.map { $0["id"]?.string } == ["e", "d", "c", "e"])
  }

  @Test("Suggestions come from the file with the greatest date that has any, then the greatest path")
  func files() throws {
    let harness = try FeedHarness()
    func reasons() throws -> [String?] {
      try Self.smart(harness)["suggestions"]?.array?.map { $0["reason"]?.string } ?? []
    }
    func put(_ path: String, _ reasons: [String], updated: String?, modified: String = "2026-01-01T00:00:00Z") throws {
      let suggestions = reasons.map { Self.given("a", "1", $0) }
      try harness.put(
        "shoes/\(path).json", ShoesTests.file(suggestions: suggestions, updated: updated), modified: modified)
    }
    try put("b", ["b1", "b2"], updated: "2026-11-21T08:00:00Z")
    try put("c", [], updated: "2026-11-21T11:00:00Z")
    #expect(try reasons() == ["b1", "b2"])
    try put("a", ["a"], updated: "2026-11-21T08:00:00Z")
    #expect(try reasons() == ["b1", "b2"])
    try put("a", ["a"], updated: nil, modified: "2026-11-21T08:00:01Z")
    #expect(try reasons() == ["a"])
    try put("a", [], updated: "2026-11-21T12:00:00Z")
    #expect(try reasons() == ["b1", "b2"])
    harness.remove("shoes/b.json")
    #expect(try reasons() == [])
  }

  @Test(
    "The match is a whole percentage, rounded down",
    arguments: [
      ("0", 0), ("0.009", 0), ("0.01", 1), ("0.07", 7), ("0.14", 14), ("0.28", 28), ("0.29", 29), ("0.55", 55),
      ("0.56", 56),
      ("0.57", 57), ("0.58", 58), ("0.289999999", 28), ("0.999", 99), ("0.9999999999999999", 99), ("1", 100),
      ("1e-300", 0),
      ("-0.0", 0),
    ])
  func match(confidence: String, percent: Int) throws {
    let harness = try FeedHarness()
    try harness.put("shoes/a.json", ShoesTests.file(suggestions: [Self.given("a", confidence)]))
    #expect(try Self.smart(harness)["suggestions"]?[0]?["match"]?.string == "\(percent)% match")
  }

  // MARK: From habits

  @Test(
    "Suggestions from habits follow the time of day, and the hours after midnight belong to the evening",
    arguments: [
      // 2026-11-21 is a Saturday. The shoe's id says when it was put on.
      ("2026-11-21T00:00:00Z", "evening", "fri-evening", "weekday evening"),
      ("2026-11-21T06:59:59Z", "evening", "fri-evening", "weekday evening"),
      ("2026-11-21T07:00:00Z", "morning", "sun-morning", "weekend morning"),
      ("2026-11-21T11:59:59Z", "morning", "sun-morning", "weekend morning"),
      ("2026-11-21T12:00:00Z", "midday", "sat-midday", "weekend midday"),
      ("2026-11-21T18:00:00Z", "evening", "sat-evening", "weekend evening"),
      ("2026-11-23T03:00:00Z", "evening", "sat-evening", "weekend evening"),  // Monday, before 07:00: Sunday's evening
      ("2026-11-23T07:00:00Z", "morning", "mon-morning", "weekday morning"),
      ("2026-11-23T12:00:00Z", "midday", nil, ""),
    ] as [(String, String, String?, String)])
  func slots(moment: String, slot: String, shoe: String?, noun: String) throws {
    let starts = [
      "fri-evening": "2026-11-14T06:59:59Z",  // early on Saturday
      "sun-morning": "2026-11-15T07:00:00Z", "sat-midday": "2026-11-14T17:59:59Z",
      "sat-evening": "2026-11-14T18:00:00Z", "mon-morning": "2026-11-16T11:59:59Z",
    ]
    let harness = try FeedHarness()
    try harness.put(
      "shoes/a.json",
      ShoesTests.file(
        shoes: starts.keys.map { ShoesTests.shoe($0, $0) },
        sessions: starts.map { ShoesTests.session($0.key, $0.key, $0.value, nil) }))
    let content = try Self.smart(harness, at: moment)
    #expect(content["slot"]?.string == slot)
    #expect(content["suggestions"]?.array?.map { $0["id"]?.string } == (shoe.map { [$0] } ?? []))
    if shoe != nil {
      #expect(content["suggestions"]?[0]?["reason"]?.string == "Worn on 1 of your last 1 \(noun)")
      #expect(content["suggestions"]?[0]?["confidence"]?.int == 1)
    }
    try harness.expectConsistent("smart-suggestions", at: moment)
  }

  @Test("A shoe's share is of all sessions, even of shoes that are not shown; ties are ordered by name")
  func shares() throws {
    let harness = try FeedHarness()
    // Weekend middays before 2026-11-21: 1, 7, 8, 14, 15 November, and 24, 25 (the first in reach) and 31 October.
    let days = ["11-01", "11-07", "11-08", "11-14", "11-15", "10-25", "10-31"]
    func worn(_ shoe: String, _ count: Int) -> [String] {
      days.prefix(count).map { ShoesTests.session("\(shoe)\($0)", shoe, "2026-\($0)T13:00:00Z", nil) }
    }
    let outside = ["2026-10-18T13:00:00Z", "2026-11-21T12:30:00Z", "2026-11-20T13:00:00Z"]  // too old, today, a Friday
    let shoes = [
      ShoesTests.shoe("b", "Beta"), ShoesTests.shoe("c", "Alpha"), ShoesTests.shoe("d", "Alpha"),
      ShoesTests.shoe("e", "Eta"),
      ShoesTests.shoe("f", "Phi"), ShoesTests.shoe("z", "Z", #","archived":true"#),
    ]
    let sessions =
      worn("b", 6) + worn("c", 2) + worn("d", 2) + worn("e", 2) + worn("f", 1) + worn("z", 7) + worn("nobody", 1)
      + outside.map { ShoesTests.session($0, "f", $0, nil) }
    try harness.put("shoes/a.json", ShoesTests.file(shoes: shoes, sessions: sessions))
    let suggestions = try Self.smart(harness)["suggestions"]?.array ?? []
    // 6 + 2 + 2 + 2 + 1 + 7 + 1 = 21 sessions; 6/21 = 28.57 %, 2/21 = 9.52 %.
    #expect(suggestions.map { $0["id"]?.string } == ["b", "c", "d", "e"])
    #expect(suggestions.map { $0["match"]?.string } == ["28% match", "9% match", "9% match", "9% match"])
    #expect(suggestions.first?["reason"]?.string == "Worn on 6 of your last 21 weekend middays")
    #expect(suggestions.first?["confidence"]?.double == 6.0 / 21)
    #expect(suggestions.first?["shoeId"]?.string == "b")
  }

  @Test("The days before today are counted by the date of a session's start, even for hours after midnight")
  func reach() throws {
    let harness = try FeedHarness()
    // At 02:00 on Saturday the 21st it is still Friday's evening. The window is 24 October to 20 November by date.
    let starts = [
      "2026-10-24T02:00:00Z",  // Friday's evening; its date is in reach: counts
      "2026-10-23T23:00:00Z",  // the same evening, out of reach
      "2026-11-20T23:00:00Z",  // yesterday: counts
      "2026-11-21T01:00:00Z",  // this evening, but today by its date
    ]
    try harness.put("shoes/a.json", ShoesTests.file(sessions: starts.map { ShoesTests.session($0, "a", $0, nil) }))
    let content = try Self.smart(harness, at: "2026-11-21T02:00:00Z")
    #expect(content["suggestions"]?[0]?["reason"]?.string == "Worn on 2 of your last 2 weekday evenings")
  }

  // MARK: The insight

  @Test(
    "The insight compares the last seven full days with the seven before",
    arguments: [
      // (kilometres this week, the week before, the text; nil: null)
      (12.4, 11.4, "12.4 km this week, 8% more than last"),  // 8.77 %
      (11.4, 12.4, "11.4 km this week, 8% less than last"),  // 8.06 %
      (10, 10, "10.0 km this week, the same as last"),
      (10.099, 10, "10.1 km this week, the same as last"),
      (9.901, 10, "9.9 km this week, the same as last"),
      (10.7, 10, "10.7 km this week, 7% more than last"),  // as doubles 10.7 / 10 - 1 is less than 0.07
      (0.29, 1, "0.3 km this week, 71% less than last"),
      (12.35, 1, "12.4 km this week, 1135% more than last"),  // half up
      (12.349, 1, "12.3 km this week, 1134% more than last"),
      (0.04, 4, "0.0 km this week, 99% less than last"),
      (0, 4, nil), (4, 0, nil), (0, 0, nil), (0.0004, 4, nil),
    ] as [(Double, Double, String?)])
  func insight(week: Double, before: Double, text: String?) throws {
    let harness = try FeedHarness()
    // The 14th to the 20th, and the 7th to the 13th. Sessions outside them do not count.
    let sessions = [
      ("2026-11-20T23:59:59Z", week / 2), ("2026-11-14T00:00:00Z", week / 2), ("2026-11-13T23:00:00Z", before / 2),
      ("2026-11-07T00:00:00Z", before / 2), ("2026-11-06T23:00:00Z", 100), ("2026-11-21T00:00:00Z", 100),
    ].map { ShoesTests.session($0.0, "a", $0.0, $0.0, distance: $0.1) }
    try harness.put("shoes/a.json", ShoesTests.file(sessions: sessions))
    let insight = try Self.smart(harness)["insight"]
    #expect(insight?["text"]?.string == text)
    guard text != nil else {
      #expect(insight == .null)
      return
    }
    #expect(insight?["distance"]?.double == week && insight?["previousDistance"]?.double == before)
    let change = try #require(insight?["change"]?.double)
    #expect(abs(change - (week / before - 1)) < 1e-12)
  }

  @Test("A session that crosses the edge of a week is divided by time")
  func edges() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    // Local midnight is 05:00 UTC. 4 h, 3 of them before the 14th; 2 h, half before the 7th; 10 h, 1 before the 21st;
    // and 40 days that hold both weeks: 7/40 of 80 km are 14 km for each.
    let sessions = [
      ShoesTests.session("1", "a", "2026-11-14T02:00:00Z", "2026-11-14T06:00:00Z", distance: 8),
      ShoesTests.session("2", "a", "2026-11-07T04:00:00Z", "2026-11-07T06:00:00Z", distance: 3),
      ShoesTests.session("3", "a", "2026-11-21T04:00:00Z", "2026-11-21T14:00:00Z", distance: 5),
      ShoesTests.session("4", "a", "2026-11-02T05:00:00Z", "2026-12-12T05:00:00Z", distance: 80),
    ]
    try harness.put("shoes/a.json", ShoesTests.file(sessions: sessions))
    let insight = try Self.smart(harness)["insight"]
    #expect(insight?["distance"]?.double == 14 + 2 + 0.5)
    #expect(insight?["previousDistance"]?.double == 14 + 6 + 1.5)
    #expect(insight?["text"]?.string == "16.5 km this week, 23% less than last")  // 16.5 / 21.5 - 1 = -23.26 %
  }
}
