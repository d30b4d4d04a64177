import Testing

@testable import CacheSyncValues

@Suite struct DefinitionReadingTests {
  private func read(_ json: String, _ name: String) throws -> FeedDefinition {
    let read = GoodDefinitions.read(json, named: name)
    #expect(read.defects == [])
    return try #require(read.definition)
  }

  @Test("The contract's definitions have no defect", arguments: GoodDefinitions.all)
  func contract(name: String, json: String) throws {
    let definition = try read(json, name)
    #expect(definition.name == FeedName(name))
    #expect(definition.kinds.map(\.name).first == KindName(name))
  }

  @Test("All parts of bins are read")
  func bins() throws {
    let definition = try read(GoodDefinitions.bins, "bins")
    var title = FieldRule("title", from: [ItemPath(.item, [.name("type")])])
    title.map = ["Grey Bin": .text("Rubbish")]
    let pattern = TimePattern([
      .digits(.day, 2...2), .literal("/"), .digits(.month, 2...2), .literal("/"), .digits(.year, 4...4),
    ])
    var start = TimeRule.DayRule(.paths([ItemPath(.item, [.name("collectionDate")])]))
    start.form = .pattern(pattern)
    var end = start
    end.time = .fixed(36_000)
    var items = ItemRules(each: [ItemPath(.document, [.name("bins"), .every])])
    items.fields = [title]
    items.start = .day(start)
    items.end = .time(.day(end))
    var kind = DefinedKind("bins", show: .nextDay)
    kind.within = 14
    kind.values = [ValueRule("when", .first("start")), ValueRule("names", .list("title"))]
    kind.content = [
      .init("text", TextTemplate([.value(name: "when", .relative), .literal(": "), .value(name: "names", nil)]))
    ]
    kind.empty = [.init("text", TextTemplate([.literal("Nothing soon")]))]
    kind.items = [.init("title", TextTemplate([.value(name: "title", nil)]))]
    #expect(definition == FeedDefinition(name: "bins", files: [.below(directory: "bins")], items: items, kinds: [kind]))
  }

  @Test("Every other part of a definition is read")
  func parts() throws {
    let school = try read(GoodDefinitions.school, "school")
    #expect(school.items.fields[3].map == ["A": .number(2), "B": .number(2)])
    #expect(school.items.fields[3].otherwise == .number(1))
    #expect(
      school.items.repeats?.parts == [
        .literal("FREQ=WEEKLY;INTERVAL="), .value(name: "every", nil), .literal(";BYDAY="), .value(name: "day", nil),
      ])
    #expect(school.items.except == ItemPath(.document, [.name("holidays"), .every]))
    #expect(
      school.kinds[0].content[0].text.parts == [
        .value(name: "count", nil), .literal(" "), .value(name: "count", .plural(["lesson", "lessons"])),
      ])

    let power = try read(GoodDefinitions.power, "power")
    #expect(power.use == .newest)
    #expect(power.items.start == .at([ItemPath(.item, [.name("start_timestamp")])], .unixMilliseconds))
    #expect(power.items.fields[0].scale == 0.1)
    #expect(power.items.fields[0].round == 1)
    #expect(power.kinds[0].values[1].operation == .least("price", give: "start"))
    #expect(power.kinds[0].values[1].of == .show(.today))
    #expect(power.kinds[0].template == .value)

    let weather = try read(GoodDefinitions.weather, "weather")
    #expect(weather.timeZone == .path(ItemPath(.document, [.name("timezone")])))
    #expect(weather.items.hasColumns)
    #expect(weather.items.end == .next)

    let trains = try read(GoodDefinitions.trains, "trains")
    #expect(trains.files == [.named("trains.json")])
    #expect(trains.staleAfter == .seconds(600))
    #expect(trains.updated == .at([ItemPath(.document, [.name("realtimeDataUpdatedAt")])], .unix))
    #expect(
      trains.items.condition == [
        .test(.field(4), .isNot, .bool(true)),
        .any([
          .test(.field(0), .has, .text("RE")), .test(.field(0), .in, .list([.text("S1"), .text("S2"), .null])),
        ]),
      ])
    #expect(trains.kinds[0].order == [.init("start", isDescending: false), .init("delay", isDescending: true)])
    #expect(trains.kinds[0].deepLink == "https://example.org/board?from=8011160")
    #expect(trains.kinds[0].items?.map(\.name) == ["deepLink", "in", "line", "platform", "to"])
  }

  @Test("A mark without a field becomes a field that is false unless something sets it")
  func marks() throws {
    let chores = try read(GoodDefinitions.chores, "chores")
    #expect(chores.marks == ["done"])
    #expect(chores.items.fields.map(\.name) == ["title", "chore", "done"])
    #expect(chores.items.fields[2].from == [])
    #expect(chores.items.fields[2].otherwise == .bool(false))
    #expect(chores.items.fields[1].otherwise == .null)
    #expect(chores.words == ["today": "heute", "Mon": "Mo"])
    #expect(chores.kinds[0].hours == [8, 18])
    #expect(chores.kinds[0].reach == .midnight)
    #expect(chores.kinds[1].name == "chores-open")
    #expect(chores.kinds[1].deepLink == "cachesync://chores-open")
    #expect(chores.kinds[0].content[0].text.parts == [.value(name: "who", nil), .literal(" {on duty}")])
    let own = GoodDefinitions.chores.replacing("\"chore\":", with: "\"done\":\"@.done\",\"chore\":")
    #expect(try read(own, "chores").items.fields.map(\.name) == ["title", "done", "chore"])
  }

  @Test("Null for an optional key counts as missing, except in a condition's comparison and in 'else'")
  func nulls() throws {
    let json = """
      {"version":1,"files":null,"use":null,"timeZone":null,"updated":null,"staleAfter":null,"marks":null,"words":null,
       "items":{"each":"$[*]","columns":null,"fields":null,"where":null,"id":null,"start":null,"end":null,"lasts":null,
       "repeats":null,"except":null},"kinds":{"bins":{"show":"all","within":null,"order":null,"values":null,"content":null,
       "items":{"title":"x","detail":null},"empty":null,"template":null,"deepLink":null,"widgetKind":null,"families":null,
       "where":{"field":"start","is":null}}}}
      """
    let definition = try read(json, "bins")
    var kind = DefinedKind("bins", show: .all)
    kind.condition = [.test(.start, .is, .null)]
    kind.items = [.init("title", TextTemplate([.literal("x")]))]
    let items = ItemRules(each: [ItemPath(.document, [.every])])
    #expect(definition == FeedDefinition(name: "bins", files: [.below(directory: "bins")], items: items, kinds: [kind]))
  }

  @Test(
    "Names of feeds are valid or invalid",
    arguments: [
      ("bins", true), ("a", true), ("a1", true), ("a234567890123456789012345678901", true), ("feeds", false),
      ("snapshots", false), ("", false), ("1a", false), ("A", false), ("a-b", false), ("ä", false), ("a/b", false),
      ("a2345678901234567890123456789012", false),
    ])
  func names(name: String, isName: Bool) {
    #expect(FeedDefinition.isName(name) == isName)
  }
}
