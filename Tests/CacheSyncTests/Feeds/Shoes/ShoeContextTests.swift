import CacheSync
import CacheSyncSystem
import Testing

@Suite("Shoes in context")
struct ShoeContextTests {
  /// Saturday midday in UTC. The slot ends at 18:00.
  private static let noon = ShoesTests.noon

  private static func shoe(_ id: String, _ tags: String...) -> String {
    ShoesTests.shoe(id, id, #","tags":[\#(tags.map { "\"\($0)\"" }.joined(separator: ","))]"#)
  }

  /// Four sessions of weekend middays: three of "a" and one of "b".
  private static let habits = (0..<4).map { index in
    let day = ["07", "08", "14", "15"][index]
    return #"{"id":\#(index),"shoeId":"\#(index == 3 ? "b" : "a")","start":"2026-11-\#(day)T13:00:00Z","#
      + #""end":"2026-11-\#(day)T14:00:00Z","steps":1,"distance":1}"#
  }

  private func harness(
    _ shoes: [String], habits: [String] = habits, context: String? = nil, events: String..., zone: String = "UTC"
  ) throws -> FeedHarness {
    let harness = try FeedHarness(zone: zone)
    let context = context.map { #","context":\#($0)"# } ?? ""
    try harness.put(
      "shoes/a.json",
      #"{"shoes":[\#(shoes.joined(separator: ","))],"sessions":[\#(habits.joined(separator: ","))]\#(context),"#
        + #""lastUpdated":"2026-11-21T08:00:00Z"}"#)
    if !events.isEmpty { try harness.put("events/a.json", "[\(events.joined(separator: ","))]") }
    return harness
  }

  private func suggestions(_ harness: FeedHarness, at moment: String = noon) throws -> [String] {
    (try harness.content("smart-suggestions", at: moment)["suggestions"]?.array ?? []).map { shoe in
      "\(shoe["id"]?.string ?? "") \(shoe["confidence"]?.double ?? -1) \(shoe["match"]?.string ?? "") \(shoe["reason"]?.string ?? "")"
    }
  }

  private static let here = #"{"place":"Gym","at":"2026-11-21T11:00:00Z"}"#
  private static let spinning = eventJSON(
    "1", "Spinning", "2026-11-21T17:00:00Z", "2026-11-21T18:30:00Z", location: "Town gym")

  /// By hand: habits give a 3/4 and b 1/4. Place and plan add 1/4 each, to at most 1.
  @Test("A place and a plan add a quarter each, and are given as the reason")
  func table() throws {
    let shoes = [Self.shoe("a"), Self.shoe("b", "GYM"), Self.shoe("c", "town-gym", "x"), Self.shoe("d", "hills")]
    #expect(
      try suggestions(harness(shoes)) == [
        "a 0.75 75% match Worn on 3 of your last 4 weekend middays",
        "b 0.25 25% match Worn on 1 of your last 4 weekend middays",
      ])
    #expect(
      try suggestions(harness(shoes, context: Self.here)) == [
        "a 0.75 75% match Worn on 3 of your last 4 weekend middays", "b 0.5 50% match Gym",
      ])
    #expect(
      try suggestions(harness(shoes, events: Self.spinning)) == [
        "a 0.75 75% match Worn on 3 of your last 4 weekend middays", "b 0.5 50% match Spinning at 17:00",
        "c 0.25 25% match Spinning at 17:00",
      ])
    #expect(
      try suggestions(harness(shoes, context: Self.here, events: Self.spinning)) == [
        "a 0.75 75% match Worn on 3 of your last 4 weekend middays", "b 0.75 75% match Spinning at 17:00",
        "c 0.25 25% match Spinning at 17:00",
      ])
    let both = [Self.shoe("a", "gym")]
    #expect(
      try suggestions(harness(both, context: Self.here, events: Self.spinning)) == [
        "a 1.0 100% match Spinning at 17:00"
      ])
    #expect(
      try suggestions(harness([Self.shoe("c", "gym")], habits: [], context: Self.here)) == ["c 0.25 25% match Gym"])
  }

  @Test("Of several events the first to begin counts, and an all-day event contributes only its title")
  func events() throws {
    let shoe = [Self.shoe("c", "gym")]
    let early = eventJSON("2", "Gym early", "2026-11-21T11:30:00Z", "2026-11-21T12:30:00Z")
    let other = eventJSON("3", "Gym", "2026-11-21T18:00:00Z", "2026-11-21T19:00:00Z")
    #expect(
      try suggestions(harness(shoe, habits: [], events: Self.spinning, early)) == [
        "c 0.25 25% match Gym early at 11:30"
      ])
    #expect(
      try suggestions(harness(shoe, habits: [], events: Self.spinning, early), at: "2026-11-21T12:30:00Z")
        == ["c 0.25 25% match Spinning at 17:00"])
    // The next slot begins at the same time as this one.
    #expect(try suggestions(harness(shoe, habits: [], events: other)) == [])
    #expect(
      try suggestions(harness(shoe, habits: [], events: other), at: "2026-11-21T18:00:00Z") == [
        "c 0.25 25% match Gym at 18:00"
      ])
    let harness = try harness(shoe, habits: [])
    try harness.put("events/b.ics", Calendars.text("UID:w\nDTSTART:20261121\nSUMMARY:Gym day"))
    #expect(try suggestions(harness) == ["c 0.25 25% match Gym day"])
  }

  @Test(
    "All words of a tag must match; a word is letters and digits, and a tag without words matches nothing",
    arguments: [
      ("gym", "The GYM!", true), ("gym", "Gymnastics", false), ("yoga class", "Class of yoga", true),
      ("yoga class", "Yoga", false), ("5k", "Parkrun 5k", true), ("-", "- -", false), ("", "x", false),
      ("café", "CAFÉ", true),
    ])
  func words(tag: String, title: String, fits: Bool) throws {
    let event = eventJSON("1", title, "2026-11-21T13:00:00Z", "2026-11-21T14:00:00Z")
    #expect(try (suggestions(harness([Self.shoe("c", tag)], habits: [], events: event)).count == 1) == fits)
  }

  @Test("The place counts for three hours, with a boundary at both ends; the greatest date and path win")
  func context() throws {
    let harness = try harness([Self.shoe("c", "gym")], habits: [], context: Self.here)
    func isKnown(_ moment: String) throws -> Bool { try suggestions(harness, at: moment).count == 1 }
    #expect(try !isKnown("2026-11-21T10:59:59.999Z") && isKnown("2026-11-21T11:00:00Z"))
    #expect(try isKnown("2026-11-21T13:59:59.999Z") && !isKnown("2026-11-21T14:00:00Z"))
    let dates = try harness.timeline("smart-suggestions", at: "2026-11-21T08:00:00Z").entries.map(\.date.description)
    #expect(dates.contains("2026-11-21T11:00:00Z") && dates.contains("2026-11-21T14:00:00Z"))
    try harness.expectConsistent("smart-suggestions", at: "2026-11-21T08:00:00Z")
    try harness.put("shoes/b.json", #"{"context":{"place":"Home","at":"2026-11-21T11:00:00Z"}}"#)
    #expect(try !isKnown("2026-11-21T12:00:00Z"))
    try harness.put("shoes/b.json", #"{"context":{"at":"2026-11-21T12:30:00Z"}}"#)
    #expect(try isKnown("2026-11-21T12:00:00Z") && !isKnown("2026-11-21T13:00:00Z"))
    harness.remove("shoes/b.json")
    #expect(try isKnown("2026-11-21T13:00:00Z"))
  }

  @Test("Starts and ends of matching events are boundaries, but events alone do not make the kind present")
  func boundaries() throws {
    let harness = try harness([Self.shoe("c", "gym")], habits: [], events: Self.spinning)
    let dates = try harness.timeline("smart-suggestions", at: "2026-11-21T08:00:00Z").entries.map(\.date.description)
    #expect(dates.contains("2026-11-21T18:30:00Z"), "\(dates)")
    try harness.expectConsistent("smart-suggestions", at: "2026-11-21T08:00:00Z")
    let kind = try #require(FeedRegistry.builtIn.kind(named: "smart-suggestions"))
    #expect(kind.presentWith == ["shoes"] && kind.feeds.contains("events"))
    harness.remove("shoes/a.json")
    #expect(try harness.state("smart-suggestions", at: Self.noon) == "empty")
  }

  /// An event in a list or in a calendar, and whether a reason quotes it at some moment of the timeline.
  @Test(
    "The files of events are sources if a reason quotes an event",
    arguments: [
      ("events/a.json", "Gym", "21", true), ("cachedEvents.json", "Gym", "21", true),
      ("events/b.ics", "Gym", "21", true),
      ("events/club/c.ics", "Gym", "22", true), ("events/a.json", "Dentist", "21", false),
      ("events/b.ics", "Dentist", "21", false),
      ("events/a.json", "Gym", "29", false),
    ])
  func sources(file: String, title: String, day: String, isQuoted: Bool) throws {
    let harness = try harness([Self.shoe("c", "gym")])
    let list = "[\(eventJSON("1", title, "2026-11-\(day)T13:00:00Z", "2026-11-\(day)T14:00:00Z"))]"
    let calendar = Calendars.text("UID:w\nDTSTART:202611\(day)T130000Z\nSUMMARY:\(title)")
    try harness.put(file, file.hasSuffix(".ics") ? calendar : list)
    let timeline = try harness.timeline("smart-suggestions", at: Self.noon)
    let quotes = try timeline.entries.contains { try "\(harness.value($0.content))".contains(title) }
    #expect(quotes == isQuoted)
    #expect(Set(timeline.sources.named.map(\.description)) == (isQuoted ? ["shoes/a.json", file] : ["shoes/a.json"]))
    #expect(try harness.timeline("quick-selection", at: Self.noon).sources.named.map(\.description) == ["shoes/a.json"])
    try harness.put("shoes/z.json", ShoesTests.file(suggestions: [ShoeSuggestionsTests.given("c", "0.1")]))
    #expect(try harness.timeline("smart-suggestions", at: Self.noon).sources.count == 2, "the app's own suggestions")
  }

  @Test("The app's own suggestions are used unchanged")
  func given() throws {
    let harness = try harness([Self.shoe("c", "gym"), Self.shoe("d")], context: Self.here)
    try harness.put("shoes/z.json", ShoesTests.file(suggestions: [ShoeSuggestionsTests.given("d", "0.1")]))
    #expect(try suggestions(harness) == ["d 0.1 10% match r"])
  }

  @Test("shoe-status has the current shoe and its day")
  func status() throws {
    let open = #"{"id":9,"shoeId":"a","start":"2026-11-21T09:30:00Z","end":null,"steps":40,"distance":0.1}"#
    let done =
      #"{"id":8,"shoeId":"b","start":"2026-11-21T07:00:00Z","end":"2026-11-21T08:15:00Z","steps":1000,"distance":1}"#
    let harness = try harness([Self.shoe("a"), Self.shoe("b")], habits: [open, done])
    let status = try harness.content("shoe-status", at: Self.noon)
    #expect(status["currentShoe"]?["id"]?.string == "a" && status["activeSince"]?.string == "2026-11-21T09:30:00Z")
    #expect(
      status["steps"]?.int == 1040 && status["distance"]?.double == 1.1 && status["activeText"]?.string == "1 h 15 min")
    #expect(try harness.content("daily-stats", at: Self.noon)["activeText"]?.string == "1 h 15 min")
  }

  @Test(
    "Active time is in hours and minutes",
    arguments: [("00:00:59", "0 min"), ("00:45:00", "45 min"), ("01:00:00", "1 h 0 min"), ("11:59:59", "11 h 59 min")])
  func duration(end: String, words: String) throws {
    let session =
      #"{"id":8,"shoeId":"a","start":"2026-11-21T00:00:00Z","end":"2026-11-21T\#(end)Z","steps":1,"distance":1}"#
    let harness = try harness([Self.shoe("a")], habits: [session])
    #expect(try harness.content("daily-stats", at: Self.noon)["activeText"]?.string == words)
  }

  @Test("A widget shows one shoe or a list")
  func options() throws {
    let open = #"{"id":9,"shoeId":"a","start":"2026-11-21T09:30:00Z","end":null,"steps":40,"distance":0.1}"#
    let done =
      #"{"id":8,"shoeId":"b","start":"2026-11-21T07:00:00Z","end":"2026-11-21T08:15:00Z","steps":1000,"distance":1}"#
    let retired = ShoesTests.shoe("z", "z", #","archived":true"#)
    let harness = try harness([Self.shoe("a"), Self.shoe("b"), retired], habits: [open, done])
    func content(_ kind: KindName, _ options: TextMap<JSONValue>) throws -> JSONValue {
      let widget = WidgetConfiguration(name: "mine", kind: kind, options: options)
      let kind = try #require(FeedRegistry.builtIn.adding([widget]).kind(named: "mine"))
      let timeline = TimelineProjector(feeds: harness.feeds, moment: try harness.moment(Self.noon))
        .timeline(of: kind)
      return try harness.value(timeline.entries[0].content)
    }
    let b = try content("daily-stats", ["shoe": .string("b")])
    #expect(b["currentShoe"]?["id"]?.string == "b" && b["currentShoe"]?["since"] == .null && b["activeSince"] == .null)
    #expect(b["steps"]?.int == 1000 && b["activeSeconds"]?.int == 4500)
    let a = try content("daily-stats", ["shoe": .string("a")])
    #expect(a["steps"]?.int == 40 && a["activeSeconds"]?.int == 0 && a["activeSince"]?.string == "2026-11-21T09:30:00Z")
    #expect(try content("daily-stats", ["shoe": .string("?")])["currentShoe"] == .null)
    let lock = try content("current-shoe", ["shoe": .string("b")])
    #expect(lock["inline"]?.string == "b" && lock["rectangular"]?["subtitle"] == .null)
    let ids = JSONValue.array(["z", "b", "?", "a"].map(JSONValue.string))
    let top = try content("quick-selection", ["shoes": ids])["top"]?.array ?? []
    #expect(top.map { $0["id"]?.string } == ["b", "a"])
  }
}
