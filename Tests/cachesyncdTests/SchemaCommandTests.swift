import CacheSync
import Testing

@Suite struct SchemaCommandTests {
  @Test(
    "A schema is one JSON document",
    arguments: [
      ["session", "tasks"], ["snapshot", "calendar"], ["intent", "add-task"], ["widget"], ["screen"], ["settings"],
      ["definition"], ["manifest"], ["day-index"],
    ])
  func prints(_ words: [String]) throws {
    let outcome = try Program.run(["schema"] + words)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(JSONValue(Array(outcome.output.utf8))?["$schema"]?.string?.contains("2020-12") == true)
  }

  @Test("The list has the words that print each schema")
  func list() throws {
    let lines = try Program.run(["schema", "--list"]).output.split(separator: "\n")
    #expect(lines.contains("session meal-plan") && lines.contains("snapshot calendar") && lines.contains("day-index"))
  }

  @Test(
    "Wrong usage names what exists",
    arguments: [
      (
        ["schema"],
        "name a file: session, snapshot, widget, screen, settings, definition, panels, intent, manifest, day-index"
      ),
      (["schema", "sesion"], "no schema of 'sesion': did you mean session?"),
      (["schema", "zzzzzz"], "use one of session, snapshot, widget, screen"),
      (["schema", "session"], "session needs a name: "),
      (["schema", "session", "taks"], "no schema of session 'taks': did you mean tasks?"),
      (["schema", "snapshot", "zzzzzz"], "use one of budget, "), (["schema", "widget", "x"], "widget needs no name"),
      (["schema", "--list", "session"], "--list needs no other words"),
    ])
  func wrongUsage(_ words: [String], expected: String) throws {
    let outcome = try Program.run(words)
    #expect(outcome.isWrongUsage && outcome.errors.contains(expected), "\(outcome)")
  }

  @Test("Kinds and marks of the cache's own feeds have schemas; its sessions may be any JSON")
  func ownFeeds() throws {
    let cache = try CommandCache([
      "feeds/bins.json": #"""
      {"version": 1, "marks": ["done"], "items": {"each": "$[*]", "id": "{title}", "fields": {"title": "@.title"}},
       "kinds": {"bins-text": {"show": "all", "items": {"title": "{title}"}}}}
      """#
    ])
    #expect(try cache.run("schema", "snapshot", "bins-text").status == 0)
    #expect(try cache.run("schema", "intent", "bins.done").output.contains(#""const":"bins.done""#))
    let session = try cache.run("schema", "session", "bins")
    #expect(session.isWrongUsage && session.errors.contains("no schema of session 'bins'"))
  }
}
