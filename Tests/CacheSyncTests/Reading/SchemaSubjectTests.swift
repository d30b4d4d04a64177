import Testing

import CacheSync

@Suite struct SchemaSubjectTests {
  private func schema(_ words: String, in registry: FeedRegistry = .builtIn) throws -> JSONValue {
    let words = words.split(separator: " ").map(String.init)
    let subject = try #require(SchemaSubject(rawValue: words[0]))
    let schema = try #require(subject.schema(words.count > 1 ? words[1] : nil, in: registry))
    return try #require(JSONValue(schema))
  }

  private func names(_ value: JSONValue?) -> Set<String> { Set(value?.array?.compactMap(\.string) ?? []) }

  @Test("Every listed schema exists and names its version and its file", arguments: SchemaSubject.all(in: .builtIn))
  func listed(words: String) throws {
    let schema = try schema(words)
    #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["title"]?.string?.isEmpty == false && schema["type"] != nil)
  }

  @Test("Every feed, kind and type of intent has one")
  func complete() {
    let registry = FeedRegistry.builtIn
    let all = SchemaSubject.all(in: registry)
    #expect(all.count == registry.feeds.count + registry.kinds.count + registry.intents.all.count + 7)
    #expect(Set(all).count == all.count)
  }

  @Test(
    "There is none of another name",
    arguments: [("session", "nope"), ("session", nil), ("snapshot", "nope"), ("intent", "nope"), ("widget", "x")])
  func unknown(subject: String, name: String?) throws {
    #expect(try #require(SchemaSubject(rawValue: subject)).schema(name, in: .builtIn) == nil)
  }

  @Test("A required field is one that is not an optional and that the agent needs")
  func required() throws {
    let plan = try schema("session meal-plan")
    #expect(
      names(plan["required"])
        == ["id", "plan", "is_finalized", "updated_at"])
    #expect(names(plan["properties"]?["week_start"]?["type"]) == ["string", "number", "null"])
    let entry = plan["properties"]?["plan"]?["items"]?["else"]
    #expect(names(entry?["required"]) == ["day_index", "meal_type"])
    #expect(entry?["properties"]?["day_index"]?["maximum"]?.int == 6)
    #expect(entry?["properties"]?["meal_type"]?["examples"]?.array?.contains(.string("dinner")) == true)
  }

  @Test("Steps, distance and quantity are not negative")
  func notNegative() throws {
    let wearing = try schema("session shoes")["properties"]?["sessions"]?["items"]?["properties"]
    #expect(wearing?["steps"]?["minimum"]?.int == 0 && wearing?["distance"]?["minimum"]?.int == 0)
    #expect(try schema("intent log-food")["properties"]?["quantity"]?["minimum"]?.int == 0)
  }

  @Test("A session of tasks or events is an object or a bare list", arguments: ["tasks", "events"])
  func lists(feed: String) throws {
    let session = try schema("session \(feed)")
    #expect(names(session["type"]) == ["object", "array"])
    #expect(session["items"] == session["properties"]?[feed]?["items"])
  }

  @Test("A widget has the options of its kind and no others")
  func widgets() throws {
    let rules = try #require(schema("widget")["allOf"]?.array)
    let macros = try #require(
      rules.first { $0["if"]?["properties"]?["kind"]?["const"]?.string == "macros" }?["then"]?["properties"]?["options"]
    )
    #expect(macros["additionalProperties"]?.bool == false)
    let options = FeedRegistry.builtIn.plainKind(named: "macros")?.options.map(\.name) ?? []
    let keys = macros["properties"]?.object?.keys ?? []
    #expect(!options.isEmpty && Set(keys) == Set(options))
  }

  @Test("A snapshot's content has the members that the sample has")
  func content() throws {
    let entries = try schema("snapshot task-count")["properties"]?["entries"]
    let content = entries?["items"]?["properties"]?["content"]?["properties"]?.object
    let sample = try #require(Snapshot.sample(of: "task-count").entries.first?.content.object)
    let keys = Set(content?.keys ?? [])
    #expect(keys.isSuperset(of: sample.keys))
  }

  @Test("The manifest and the day index require every member that is written")
  func written() throws {
    let manifest = Manifest(files: ["a": .init(bytes: 1, generation: 1)], generation: 1, publishedAt: .referenceDate)
    let members = try #require(JSONValue(manifest.encoded())?.object)
    #expect(try names(schema("manifest")["required"]) == Set(members.keys))
    let days = try schema("day-index")["properties"]?["days"]
    #expect(days?["minItems"]?.int == 14 && days?["maxItems"]?.int == 14)
  }
}
