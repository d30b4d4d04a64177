import Testing

@testable import CacheSyncValues

/// The five definitions of definitions.md section 8, with their items as read from the samples, and the contents and
/// times that the section states.
@Suite struct DefinedSamplesTests {
  @Test func bins() throws {
    let kind = DefinedKind(.nextDay) {
      $0.within = 14
      $0.values = [ValueRule("when", .first("start")), ValueRule("names", .list("title"))]
      $0.content = templates(["text": "{when:relative}: {names}"])
      $0.empty = templates(["text": "Nothing soon"])
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind), zone: "Europe/London")
    try feed.put([
      DefinedItem([.text("Rubbish")], start: "2026-11-24", end: "2026-11-24T10:00"),
      DefinedItem([.text("Food Bin")], start: "2026-11-24", end: "2026-11-24T10:00"),
    ])
    #expect(
      try feed.changes(from: "2026-11-22T05:00:00Z", days: 7, "text") == [
        #"2026-11-22T00:00:00Z "Tuesday: Rubbish, Food Bin""#,
        #"2026-11-23T00:00:00Z "tomorrow: Rubbish, Food Bin""#,
        #"2026-11-24T00:00:00Z "today: Rubbish, Food Bin""#,
        #"2026-11-24T10:00:00Z "Nothing soon""#,
      ])
  }

  @Test func meds() throws {
    let kind = DefinedKind(.coming, items: ["title": "{title}", "detail": "{dose}"]) {
      $0.within = 1
      $0.limit = 3
      $0.values = [
        ValueRule("at", .first("start")), ValueRule("what", .first("title")), ValueRule("dose", .first("dose")),
      ]
      $0.content = templates(["text": "{at:HH:mm} {what}, {dose}"])
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title", "dose"], kind))
    func medicine(_ title: String, _ dose: String, _ start: String) throws -> DefinedItem {
      try DefinedItem([.text(title), .text(dose)], start: start) {
        $0.end = .lasts(days: 0, seconds: 3_600)
        $0.rule = try? RecurrenceRule("FREQ=DAILY")
      }
    }
    try feed.put([
      medicine("Metformin", "500 mg", "2026-11-01T08:00"), medicine("Metformin", "500 mg", "2026-11-01T20:00"),
      medicine("Ramipril", "5 mg", "2026-11-23T08:00"),
    ])
    #expect(
      try feed.changes(from: "2026-11-22T11:00:00Z", days: 2, "text") == [
        #"2026-11-22T08:00:00Z "20:00 Metformin, 500 mg""#,
        #"2026-11-22T20:00:00Z "08:00 Metformin, 500 mg""#,
        #"2026-11-23T08:00:00Z "20:00 Metformin, 500 mg""#,
        #"2026-11-23T20:00:00Z "08:00 Metformin, 500 mg""#,
      ])
    #expect(try feed.titles(at: "2026-11-22T20:00:00Z") == "Metformin Ramipril Metformin")
  }

  @Test func school() throws {
    let kind = DefinedKind(.today, items: ["title": "{title}", "detail": "{start:HH:mm} {room}"]) {
      $0.limit = 12
      $0.content = templates(["text": "{count} {count:lesson|lessons}"])
      $0.empty = templates(["text": "No school"])
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title", "room"], kind))
    func lesson(_ title: String, _ room: String, _ day: String, _ start: String, _ end: String, _ every: Int) throws
      -> DefinedItem
    {
      try DefinedItem([.text(title), .text(room)], start: "\(day)T\(start)", end: "\(day)T\(end)") {
        $0.rule = try? RecurrenceRule("FREQ=WEEKLY;INTERVAL=\(every);BYDAY=MO")
      }
    }
    try feed.put([
      lesson("Maths", "12", "2026-08-31", "08:00", "08:45", 1), lesson("Art", "3", "2026-08-31", "08:55", "09:40", 2),
      lesson("Music", "5", "2026-09-07", "08:55", "09:40", 2),
    ])
    #expect(
      try feed.changes(from: "2026-11-22T11:00:00Z", days: 7, "text") == [
        #"2026-11-21T23:00:00Z "No school""#, #"2026-11-22T23:00:00Z "2 lessons""#,
        #"2026-11-23T23:00:00Z "No school""#,
      ])
    #expect(
      try feed.content(at: "2026-11-22T23:00:00Z")["items"]?.array?.map(\.bytes).map {
        String(decoding: $0, as: UTF8.self)
      }
        == [
          #"{"detail":"08:00 12","end":"2026-11-23T07:45:00Z","start":"2026-11-23T07:00:00Z","title":"Maths"}"#,
          #"{"detail":"08:55 3","end":"2026-11-23T08:40:00Z","start":"2026-11-23T07:55:00Z","title":"Art"}"#,
        ])
    #expect(try feed.titles(at: "2026-11-29T23:00:00Z") == "Maths Music")
  }

  @Test func power() throws {
    var cheap = ValueRule("cheap", .least("price", give: "start"))
    cheap.of = .show(.today)
    let kind = DefinedKind(.now, items: nil) {
      $0.template = .value
      $0.values = [ValueRule("now", .first("price")), cheap]
      $0.content = templates(["value": "{now}", "unit": "ct/kWh", "text": "{now:0.0} ct, cheapest at {cheap:HH:mm}"])
      $0.empty = templates(["text": "No price yet"])
    }
    var definition = FeedDefinition(["price"], kind)
    definition.use = .newest
    let feed = try DefinedFeedHarness(definition)
    try feed.put([
      DefinedItem([.number(9.5)], start: "2026-11-22T21:00:00Z", end: "2026-11-22T22:00:00Z"),
      DefinedItem([.number(8.8)], start: "2026-11-22T22:00:00Z", end: "2026-11-22T23:00:00Z"),
    ])
    #expect(
      try feed.changes(from: "2026-11-22T21:30:00Z", days: 2, "text") == [
        #"2026-11-22T21:00:00Z "9.5 ct, cheapest at 23:00""#,
        #"2026-11-22T22:00:00Z "8.8 ct, cheapest at 23:00""#,
        #"2026-11-22T23:00:00Z "No price yet""#,
      ])
    #expect(
      String(decoding: feed.json(at: try moment("2026-11-22T22:00:00Z")), as: UTF8.self)
        == #"{"count":1,"more":1,"text":"8.8 ct, cheapest at 23:00","unit":"ct/kWh","value":8.8}"#)
  }

  @Test func weather() throws {
    func value(_ name: String, _ operation: ValueRule.Operation) -> ValueRule {
      var rule = ValueRule(name, operation)
      rule.of = .show(.today)
      return rule
    }
    let kind = DefinedKind(.now, items: nil) {
      $0.values = [
        ValueRule("t", .first("temp")), ValueRule("sky", .first("sky")), value("low", .min("temp")),
        value("high", .max("temp")),
      ]
      $0.content = templates(["value": "{t}", "unit": "°C", "text": "{sky}, {low} to {high} °C"])
      $0.empty = templates(["text": "No forecast"])
    }
    var definition = FeedDefinition(["temp", "sky"], kind)
    definition.use = .newest
    let feed = try DefinedFeedHarness(definition, zone: "UTC")
    var session = DefinedSession()
    session.zone = try TimeZoneDatabase().rules(named: "Europe/Berlin")
    session.items = try [
      ("2026-11-22T21:00", 4, "Overcast"), ("2026-11-22T22:00", 3, "Overcast"), ("2026-11-22T23:00", 1, "Rain"),
      ("2026-11-23T00:00", 1, "Rain"),
    ].map { (start, temp, sky) in
      try DefinedItem([.number(temp), .text(sky)], start: start) { $0.end = .next }
    }
    try feed.put(session)
    // The cache has another zone, to show that times are in the file's zone. The section's days are those of Berlin.
    let berlin = try DefinedFeedHarness(definition)
    try berlin.put(session)
    #expect(
      try berlin.changes(from: "2026-11-22T20:30:00Z", days: 2, "text") == [
        #"2026-11-22T20:00:00Z "Overcast, 1 to 4 °C""#,
        #"2026-11-22T22:00:00Z "Rain, 1 to 4 °C""#,
        #"2026-11-22T23:00:00Z "Rain, 1 to 1 °C""#,
        #"2026-11-23T00:00:00Z "No forecast""#,
      ])
    #expect(
      try berlin.changes(from: "2026-11-22T20:30:00Z", days: 2, "value") == [
        "2026-11-22T20:00:00Z 4", "2026-11-22T21:00:00Z 3", "2026-11-22T22:00:00Z 1", "2026-11-23T00:00:00Z null",
      ])
    #expect(try feed.content(at: "2026-11-22T21:00:00Z")["value"]?.int == 3)
  }
}
