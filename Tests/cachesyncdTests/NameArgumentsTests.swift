import CacheSync
import Foundation
import Testing

@Suite("Names on the command line")
struct NameArgumentsTests {
  private static let good = FeedsCommandTests.definition.replacing(#""bins":{"show""#, with: #""room":{"show""#)

  @Test(
    "A command that names a broken feed, its kinds or its intents names the mistake with its place",
    arguments: [
      ["drop", "room", "-"], ["show", "room"], ["show", "room-table"], ["watch", "room-table"], ["kinds", "room"],
      ["check", "--feed", "room"], ["export", "room"], ["schema", "session", "room"], ["schema", "snapshot", "room-a"],
      ["intent", "room.done", "item=a"], ["show", "calendar", "room-x"],
    ])
  func broken(words: [String]) throws {
    let cache = try CommandCache(["feeds/room.json": "{\n oops}"])
    let outcome = try Program.run(words + ["--cache", cache.path])
    #expect(outcome.status == 65 && outcome.output.isEmpty && outcome.hasOneLineError, "\(outcome)")
    #expect(outcome.errors.hasPrefix("cachesyncd: feeds/room.json:2:2: error: "), "\(outcome)")
  }

  @Test("A broken widget is named with its mistake, and with a last good version that is a warning")
  func brokenWidget() throws {
    let cache = try CommandCache(["tasks/a.json": "[]", "widgets/few-tasks.json": #"{"kind":"task-cuont"}"#])
    let place = "cachesyncd: widgets/few-tasks.json:1:9: "
    for words in [["show", "few-tasks"], ["kinds", "few-tasks"], ["watch", "few-tasks"]] {
      let outcome = try Program.run(words + ["--cache", cache.path])
      #expect(outcome.status == 65 && outcome.output.isEmpty && outcome.hasOneLineError, "\(outcome)")
      #expect(outcome.errors.hasPrefix(place + "error: "), "\(outcome)")
    }
    try cache.write("widgets/few-tasks.json", #"{"kind":"task-count"}"#)
    #expect(try cache.run("sync").status == 0)
    try cache.write("widgets/few-tasks.json", #"{"kind":"task-cuont"}"#)
    let outcome = try cache.run("show", "few-tasks")
    #expect(outcome.status == 0 && outcome.errors.hasPrefix(place + "warning: "), "\(outcome)")
    #expect(try cache.run("show", "task-count").errors.isEmpty, "another kind")
  }

  @Test("Of a broken definition for all caches the path is its own; other unknown names are unknown as before")
  func brokenForAll() throws {
    let (cache, others) = (try CommandCache(), try CommandCache(["room.json": "["]))
    let outcome = try cache.run("drop", "room", "-", "--feeds", others.path)
    #expect(outcome.status == 65 && outcome.errors.contains("\(others.path)/room.json:1:2: error: "), "\(outcome)")
    let other = try cache.run("show", "roomtable", "--feeds", others.path)
    #expect(other.isWrongUsage && other.errors.contains("unknown kind 'roomtable'"), "\(other)")
  }

  @Test("With a last good version the command goes on, and the mistake is a warning")
  func lastGood() throws {
    let cache = try CommandCache(["feeds/room.json": Self.good, "room/a.json": FeedsCommandTests.sample])
    #expect(try cache.run("sync").status == 0)
    try cache.write("feeds/room.json", "{")
    let warning = "cachesyncd: feeds/room.json:1:2: warning: "
    for words in [["show", "room"], ["kinds", "room"], ["export", "room"], ["drop", "room", "-"]] {
      let outcome = try Program.run(words + ["--cache", cache.path], input: FeedsCommandTests.sample)
      #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.hasOneLineError, "\(words): \(outcome)")
      #expect(
        outcome.errors.hasPrefix(warning) && outcome.errors.contains("the last good version counts"), "\(outcome)")
    }
    #expect(try cache.run("show", "calendar").errors.isEmpty, "another feed's kind")
  }

  @Test("A feed means its kinds, with its widgets, unless a kind has its name")
  func feedsAsKinds() throws {
    let cache = try CommandCache([
      "feeds/bins.json": FeedsCommandTests.definition, "widgets/events.json": #"{"kind":"calendar"}"#,
      "widgets/mine.json": #"{"kind":"task-count"}"#,
    ])
    func shown(_ word: String) throws -> [String] { try json(try cache.run("show", "--json", word).output).keys }
    let tasks = try shown("tasks")
    #expect(tasks.contains("task-count") && tasks.contains("mine") && !tasks.contains("calendar"), "\(tasks)")
    #expect(try shown("events") == ["events"] && shown("bins") == ["bins"] && shown("meal-plan") == ["meal-plan"])
    let lines = try cache.run("show", "tasks", "--format", "line").output.split(separator: "\n")
    #expect(lines.count == tasks.count)
    let several = try cache.run("kinds", "tasks", "--example")
    #expect(several.isWrongUsage && several.errors.contains("--example needs one kind"), "\(several)")
  }

  @Test("watch takes a feed for its kinds")
  func watched() throws {
    let cache = try CommandCache(["tasks/a.json": #"{"tasks":[],"lastUpdate":"2026-11-22T08:00:00Z"}"#])
    #expect(try cache.run("sync").status == 0)
    let watch = try Child(["watch", "tasks", "--now", "--format", "entry", "--cache", cache.path])
    #expect(holds { watch.output.contains(#""kind":"task-count""#) }, "\(watch.output)")
    #expect(!watch.output.contains(#""kind":"calendar""#))
  }

  @Test("feed list is feeds; feed test takes the name of a feed, and its own files")
  func feedCommands() throws {
    let cache = try CommandCache([
      "feeds/bins.json": FeedsCommandTests.definition, "bins/a.json": FeedsCommandTests.sample, "feeds/room.json": "{",
    ])
    #expect(try cache.run("feed", "list", "--json").output == cache.run("feeds", "--json").output)
    let usage = try cache.run("feed", "list", "extra").errors
    #expect(usage.contains("Usage: cachesyncd feed list [") && usage.contains("See 'cachesyncd feed list "), "\(usage)")
    let own = try cache.run("feed", "test", "bins", "--at", "2026-11-22T12:00:00Z")
    #expect(own.status == 0 && own.output.contains("Grey"), "\(own)")
    let given = try cache.run("feed", "test", "bins", cache.file("bins/a.json"), "--at", "2026-11-22T12:00:00Z")
    #expect(given.output == own.output)
    let broken = try cache.run("feed", "test", "room")
    #expect(broken.status == 65 && broken.output.contains("feeds/room.json:1:2: error: "), "\(broken)")
    let unknown = try cache.run("feed", "test", "bin")
    #expect(unknown.status == 66 && unknown.errors.contains("did you mean bins?"), "\(unknown)")
    #expect(try cache.run("feed", "test", "x.json").isWrongUsage)
  }
}
