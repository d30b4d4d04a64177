import CacheSync
import Foundation
import Testing

@Suite struct DropCommandTests {
  private func cacheWithFile(_ name: String = "week.json") throws -> (cache: CommandCache, file: String) {
    let cache = try CommandCache()
    let file = cache.parent + "/" + name
    try Data(Sessions.plan().utf8).write(to: URL(fileURLWithPath: file))
    return (cache, file)
  }

  @Test("A file is dropped byte for byte as <feed>/<its name>, or as --name, with .json appended")
  func names() throws {
    let (cache, file) = try cacheWithFile()
    #expect(try cache.run("drop", "meal-plan", file).output == "meal-plan/week.json\n")
    #expect(try cache.text("meal-plan/week.json") == Sessions.plan())
    #expect(try cache.run("drop", "meal-plan", file, "--name", "this week").output == "meal-plan/this week.json\n")
    #expect(try cache.run("drop", "meal-plan", file, "--name", "a.json").output == "meal-plan/a.json\n")
    let (other, bare) = try cacheWithFile("bare")
    #expect(try other.run("drop", "meal-plan", bare).output == "meal-plan/bare.json\n")
    #expect(try cache.names("meal-plan") == ["a.json", "this week.json", "week.json"], "and no temporary stays")
  }

  private static let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nEND:VCALENDAR\r\n"

  @Test("A calendar on standard input is recognised and stored with .ics; an ending in upper case counts too")
  func calendars() throws {
    let cache = try CommandCache()
    func drop(_ input: String, _ arguments: String...) throws -> String {
      try Program.run(["drop", "events", "-", "--cache", cache.path] + arguments, input: input).output
    }
    #expect(try drop(Self.calendar, "--name", "family") == "events/family.ics\n")
    #expect(try cache.text("events/family.ics") == Self.calendar)
    #expect(try drop("\u{feff}\n" + Self.calendar.lowercased(), "--name", "small") == "events/small.ics\n")
    #expect(try drop(Self.calendar, "--name", "WORK.ICS") == "events/WORK.ICS\n")
    #expect(try drop(Self.calendar).hasSuffix(".ics\n"))
    #expect(try drop("[]", "--name", "LIST.JSON") == "events/LIST.JSON\n")
  }

  @Test("A feed without calendars refuses one with status 65, and the line names a feed with calendars")
  func refusedCalendar() throws {
    let cache = try CommandCache()
    for name in ["family", "family.json", "family.ics"] {
      let outcome = try cache.run("drop", "shoes", "-", "--name", name, input: Self.calendar)
      #expect(outcome.status == 65 && outcome.hasOneLineError, "\(outcome)")
      #expect(outcome.errors.contains("'tasks', 'events'"), "\(outcome)")
    }
    #expect(!cache.has("shoes"))
  }

  @Test("An existing file with the name is replaced")
  func replaced() throws {
    let cache = try CommandCache(["meal-plan/week.json": Sessions.plan("Soup")])
    let outcome = try cache.run("drop", "meal-plan", "-", "--name", "week", input: Sessions.plan("Stew"))
    #expect(outcome.status == 0)
    #expect(try cache.text("meal-plan/week.json") == Sessions.plan("Stew"))
  }

  @Test("Standard input gets a unique name")
  func unique() throws {
    let cache = try CommandCache()
    for _ in 0..<2 { #expect(try cache.run("drop", "meal-plan", "-", input: Sessions.plan()).status == 0) }
    let names = try cache.names("meal-plan")
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".json") })
  }

  @Test(
    "A name that is empty, has a slash, is too long or is never read is wrong usage, and nothing is written",
    arguments: [
      "", "a/b", "../x", ".x", "..", ".json", "x~", "a.tmp", "a.part.json", "a.swp", "a.nosync", "A.TMP",
      "a.sync-conflict-20261124-101500-ABCDEF7", "a (conflicted copy 2026-11-24 101500).json",
      String(repeating: "x", count: 251), String(repeating: "é", count: 126),
    ])
  func refusedNames(_ name: String) throws {
    let cache = try CommandCache()
    let outcome = try cache.run("drop", "meal-plan", "-", "--name", name, input: Sessions.plan())
    #expect(outcome.isWrongUsage, "\(outcome)")
    #expect(!cache.has("meal-plan"))
  }

  @Test("The longest name that a file system allows is accepted")
  func longestName() throws {
    let cache = try CommandCache()
    let name = String(repeating: "x", count: 250)
    #expect(try cache.run("drop", "meal-plan", "-", "--name", name, input: Sessions.plan()).status == 0)
    #expect(try cache.names("meal-plan") == [name + ".json"])
  }

  @Test("An invalid session is status 65 with its place on standard error, and is not dropped")
  func invalid() throws {
    let cache = try CommandCache()
    let outcome = try cache.run("drop", "meal-plan", "-", "--name", "x", input: #"{"id":1}"#)
    #expect(outcome.status == 65 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("meal-plan/x.json:1:7: error: ") && outcome.errors.contains("[/id]"), "\(outcome)")
    #expect(!cache.has("meal-plan"))
  }

  @Test("Warnings follow the path on standard error, and the file is dropped")
  func warnings() throws {
    let cache = try CommandCache([
      "feeds/bins.json": #"{"version":1,"items":{"each":"$[*]","fields":{"r":"@"},"start":{"day":"2026-11-24"},"#
        + #""repeats":"{r}"},"kinds":{"bins":{"show":"all","content":{"text":"x"}}}}"#
    ])
    let file = "[\"FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30\",\n \"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31\"]"
    let outcome = try cache.run("drop", "bins", "-", "--name", "x", input: file)
    #expect(outcome.status == 0 && outcome.output == "bins/x.json\n" && cache.has("bins/x.json"), "\(outcome)")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("cachesyncd: bins/x.json:1:2: warning: the rule"), "\(outcome)")
    #expect(lines[1].hasPrefix("cachesyncd: bins/x.json:2:2: warning: ") && lines[1].hasSuffix(" [/1]"), "\(outcome)")
  }

  @Test("A file larger than the settings allow is status 65, and one of exactly that size is accepted")
  func tooLarge() throws {
    let session = Sessions.plan()
    let cache = try CommandCache(["cachesync.json": "{\"maximumFileBytes\":\(session.utf8.count)}"])
    #expect(try cache.run("drop", "meal-plan", "-", "--name", "a", input: session).status == 0)
    let outcome = try cache.run("drop", "meal-plan", "-", "--name", "b", input: session + " ")
    #expect(outcome.status == 65 && outcome.errors.hasPrefix("cachesyncd: meal-plan/b.json:1:1: error: "), "\(outcome)")
    #expect(!cache.has("meal-plan/b.json"))
  }

  @Test("A directory with the file's name is an error, and is not changed")
  func directory() throws {
    let cache = try CommandCache(["tasks/a.json/inner.json": "[]"])
    let outcome = try cache.run("drop", "tasks", "-", "--name", "a", input: "[]")
    #expect(outcome.status == 74 && outcome.hasOneLineError, "\(outcome)")
    #expect(try cache.has("tasks/a.json/inner.json") && cache.names("tasks") == ["a.json"])
  }

  @Test("A file or a cache that does not exist is status 66")
  func missing() throws {
    let (cache, file) = try cacheWithFile()
    let noFile = try cache.run("drop", "meal-plan", cache.path + "/none.json")
    #expect(noFile.status == 66 && noFile.hasOneLineError, "\(noFile)")
    let noCache = try Program.run(["drop", "meal-plan", file, "--cache", cache.path + "/none"])
    #expect(noCache.status == 66 && noCache.hasOneLineError, "\(noCache)")
    let noDirectory = try Program.run(["drop", "meal-plan", file, "--cache", file])
    #expect(noDirectory.status == 66 && noDirectory.hasOneLineError, "\(noDirectory)")
  }

  @Test("drop --wait without an agent drops the file and exits with 69; with one it returns when the file is published")
  func waiting() throws {
    let cache = try CommandCache()
    let alone = try cache.run("drop", "meal-plan", "-", "--name", "a", "--wait", input: Sessions.plan("Soup"))
    #expect(alone.status == 69 && alone.hasOneLineError && cache.has("meal-plan/a.json"), "\(alone)")
    let agent = try cache.agent()
    let waited = try cache.run("drop", "meal-plan", "-", "--name", "a", "--wait", input: Sessions.plan("Stew"))
    #expect(waited.status == 0)
    #expect(try cache.text("snapshots/meal-plan.json").contains("Stew"))
    withExtendedLifetime(agent) {}
  }
}
