import CacheSync
import Testing

@Suite struct IntentCommandTests {
  @Test("When --wait returns, readers see the effect of the intent")
  func effect() throws {
    let cache = try CommandCache(["tasks/today.json": Sessions.tasks])
    let agent = try cache.agent()
    let outcome = try cache.run("intent", "add-task", "title=Order beans", "--wait")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try cache.text("snapshots/todays-tasks.json").contains("Order beans"))
    withExtendedLifetime(agent) {}
  }

  @Test("The file has the given fields, under the intent's id, with a new id and the current time by default")
  func file() throws {
    let cache = try CommandCache()
    let outcome = try cache.run("intent", "log-food", "foodId=3", "quantity=1.5", "id=one", "at=2026-11-21T09:00:00Z")
    #expect(outcome.output == "intents/one.json\n" && outcome.status == 0)
    let intent = try json(try cache.text("intents/one.json"))
    #expect(
      intent
        == .object([
          "id": .string("one"), "type": .string("log-food"), "at": .string("2026-11-21T09:00:00Z"),
          "foodId": .string("3"), "quantity": .number(1.5),
        ]))
    let fresh = try cache.run("intent", "end-session").output
    let document = try json(try cache.text(String(fresh.dropLast())))
    #expect(document.keys == ["at", "id", "type"])
    #expect(fresh == "intents/\(document["id"]?.string ?? "").json\n")
    let at = try #require(document["at"]?.string.flatMap { Instant($0) })
    #expect(Instant.now - at < .seconds(30) && Instant.now >= at)
  }

  @Test(
    "An id that is not a valid file name gets a unique one", arguments: ["a/b", ".x", "x~", "", "\u{202E}x", "a\nb"])
  func unsafeNames(_ id: String) throws {
    let cache = try CommandCache()
    let outcome = try cache.run("intent", "end-session", "id=\(id)")
    #expect(outcome.status == 0, "\(outcome)")
    let names = try cache.names("intents")
    #expect(names.count == 1 && names != ["\(id).json"] && !names[0].contains("\n"), "\(names)")
  }

  @Test("A second intent with the same id keeps the first, because the earlier one counts")
  func secondWithSameID() throws {
    let cache = try CommandCache()
    _ = try cache.run("intent", "add-task", "title=First", "id=a")
    let first = try cache.text("intents/a.json")
    #expect(try cache.run("intent", "add-task", "title=Second", "id=a").status == 0)
    #expect(try cache.text("intents/a.json") == first && cache.names("intents").count == 2)
  }

  @Test("Without an agent, --wait exits with 69, and the intent is dropped")
  func withoutAgent() throws {
    let cache = try CommandCache()
    let outcome = try cache.run("intent", "end-session", "id=a", "--wait")
    #expect(outcome.status == 69 && outcome.hasOneLineError && cache.has("intents/a.json"), "\(outcome)")
  }

  @Test(
    "An intent without effect is dropped with a warning that says why; a session of tasks is of 08:00",
    arguments: [
      ("complete-task taskId=nope", #"unknown task "nope": the cache has 2 tasks"#),
      ("complete-task taskId=bena", #"unknown task "bena": did you mean "bean"?"#),
      (
        "complete-task taskId=bean at=2026-11-22T07:00:00Z",
        "2026-11-22T07:00:00Z is absorbed: the files of tasks were written later, 2026-11-22T08:00:00Z"
      ),
      ("end-session at=2026-11-01T07:00:00Z", "the intent of 2026-11-01T07:00:00Z ended 2026-11-08T07:00:00Z"),
      ("select-shoe shoeId=1", #"unknown shoe "1": the feed shoes has no session yet"#),
      ("bins.done item=Gray", #"unknown item "Gray": did you mean "Grey"?"#),
    ])
  func withoutEffect(words: String, reason: String) throws {
    let definition = FeedsCommandTests.definition.replacing(
      #"{"version":1,"items":{"#, with: #"{"version":1,"marks":["done"],"items":{"id":"{title}","#)
    let cache = try CommandCache([
      "tasks/a.json": Self.tasks, "feeds/bins.json": definition, "bins/a.json": FeedsCommandTests.sample,
    ])
    let outcome = try Program.run(
      ["intent"] + words.split(separator: " ").map(String.init) + ["id=a", "--cache", cache.path])
    #expect(outcome.status == 0 && outcome.output == "intents/a.json\n" && outcome.hasOneLineError, "\(outcome)")
    #expect(outcome.errors.hasPrefix("cachesyncd: intents/a.json:1:1: warning: "), "\(outcome)")
    #expect(outcome.errors.contains(reason), "\(outcome)")
  }

  private static let tasks = #"""
    {"tasks":[{"id":"bean","title":"Beans","completed":false,"createdAt":"2026-11-20T08:00:00Z"},
    {"id":"2","title":"Rice","completed":false,"createdAt":"2026-11-20T08:00:00Z"}],"lastUpdate":"2026-11-22T08:00:00Z"}
    """#

  @Test("With --wait it ends with 65; one that has an effect, also beside another intent, has no warning")
  func waiting() throws {
    let cache = try CommandCache(["tasks/a.json": Self.tasks])
    let agent = try cache.agent()
    let outcome = try cache.run("intent", "complete-task", "taskId=nope", "id=a", "--wait")
    #expect(outcome.status == 65 && outcome.output == "intents/a.json\n" && outcome.hasOneLineError, "\(outcome)")
    #expect(cache.has("intents/a.json"))
    for words in [
      ["complete-task", "taskId=bean"], ["add-task", "title=Oats", "id=b"], ["complete-task", "taskId=intent:b"],
    ] {
      let good = try Program.run(["intent", "--wait", "--cache", cache.path] + words)
      #expect(good.status == 0 && good.errors.isEmpty, "\(good)")
    }
    withExtendedLifetime(agent) {}
  }
}
