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
}
