import CacheSync
import Testing

@Suite struct CheckCommandTests {
  /// A defect on line 2, column 16: a plan whose `is_finalized` is a number.
  static let broken = """
    {"id":"p","plan":[],"meals_snapshot":[],"history":[],
    "is_finalized":1,"created_at":"2026-11-15T08:00:00Z","updated_at":"2026-11-15T08:00:00Z"}
    """

  @Test("A valid cache gives no line and status 0")
  func valid() throws {
    let cache = try CommandCache(Sessions.all)
    let outcome = try cache.run("check")
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    #expect(try cache.run("check", "--json").output == #"{"problems":[]}"# + "\n")
    #expect(!cache.has(".cachesync") && !cache.has("snapshots"), "nothing is written")
  }

  @Test("Each defect is a line path:line:column: error: message [pointer], by path, the brackets only with a pointer")
  func lines() throws {
    let cache = try CommandCache([
      "meal-plan/b.json": Self.broken, "meal-plan/a/x.json": #"{"id""#, "tasks/t.json": "[]",
    ])
    let outcome = try cache.run("check")
    #expect(outcome.status == 65 && outcome.errors.isEmpty)
    try #require(outcome.lines.count == 2, "\(outcome)")
    #expect(outcome.lines[0].hasPrefix("meal-plan/a/x.json:1:6: error: ") && !outcome.lines[0].hasSuffix("]"))
    #expect(
      outcome.lines[1].hasPrefix("meal-plan/b.json:2:16: error: ") && outcome.lines[1].hasSuffix(" [/is_finalized]"))
  }

  @Test("check --json lists the problems with their six keys")
  func json() throws {
    let cache = try CommandCache(["meal-plan/b.json": Self.broken])
    let outcome = try cache.run("check", "--json")
    #expect(outcome.status == 65)
    let document = try cachesyncdTests.json(outcome.output)
    #expect(document.keys == ["problems"])
    let problem = try #require(document["problems"]?[0])
    #expect(problem.keys == ["column", "line", "message", "path", "pointer", "severity"])
    #expect(problem["column"] == .integer(16) && problem["line"] == .integer(2))
    #expect(problem["path"] == .string("meal-plan/b.json") && problem["pointer"] == .string("/is_finalized"))
    #expect(problem["message"]?.string?.isEmpty == false && problem["severity"] == .string("error"))
  }

  @Test("All defects of an unusable file are reported")
  func allDefects() throws {
    let plan = """
      {"id":7,"plan":[{"day_index":7,"meal_type":7}],"meals_snapshot":[{"id":1}],"history":[],
      "is_finalized":"yes","created_at":"2026-11-15T08:00:00Z","updated_at":"now"}
      """
    let cache = try CommandCache(["meal-plan/a.json": plan])
    let problems = try cachesyncdTests.json(try cache.run("check", "--json").output)["problems"]?.array ?? []
    let pointers = problems.compactMap { $0["pointer"]?.string }
    for pointer in ["/id", "/is_finalized", "/updated_at"] {
      #expect(pointers.contains(pointer), "\(pointers)")
    }
    let agent = try cache.agent()
    try cache.caughtUp()
    let told = try cache.status()["problems"]?.array ?? []
    #expect(told.count == 1 && told.first?["pointer"] == problems.first?["pointer"], "the agent names the first")
    withExtendedLifetime(agent) {}
  }

  @Test("Paths are relative to the cache in it, however they are given, and as given outside one")
  func paths() throws {
    let cache = try CommandCache(["meal-plan/b.json": Self.broken])
    let inside = ["meal-plan/b.json", cache.file("meal-plan/b.json"), cache.file("meal-plan"), cache.path]
    for path in inside {
      let outcome = try cache.run("check", path)
      #expect(outcome.status == 65 && outcome.output.hasPrefix("meal-plan/b.json:2:16: "), "\(path): \(outcome)")
    }
    let other = try CommandCache(["b.json": Self.broken])
    for (directory, path) in [(other.path, "b.json"), (other.path, "./b.json"), ("/", other.file("b.json"))] {
      let outcome = try Program.run(
        ["check", path, "--feed", "meal-plan", "--cache", cache.path], directory: directory)
      #expect(outcome.status == 65 && outcome.output.hasPrefix("\(path):2:16: "), "\(path): \(outcome)")
      let unnamed = try Program.run(["check", path, "--cache", cache.path], directory: directory)
      #expect(unnamed.status == 64 && unnamed.hasOneLineError, "nothing says which feed: \(unnamed)")
    }
  }

  @Test("A file whose name keeps it from being read is wrong usage, with the reason")
  func neverRead() throws {
    let cache = try CommandCache(["tasks/b.tmp.json": "[]", "tasks/c~/d.json": "[]"])
    for (path, reason) in [("tasks/b.tmp.json", "has the part 'tmp'"), ("tasks/c~/d.json", "ends in '~'")] {
      let outcome = try cache.run("check", cache.file(path))
      #expect(outcome.status == 64 && outcome.hasOneLineError && outcome.errors.contains(reason), "\(outcome)")
    }
  }

  @Test("Events that are left out of calendars are reported once, wherever the file is")
  func calendars() throws {
    let calendar =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:soon\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nDTSTART:20261123T080000Z\n"
      + "END:VEVENT\nEND:VCALENDAR\n"
    let second = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:c\nEND:VEVENT\nEND:VCALENDAR\n"
    let cache = try CommandCache(["events/a.ics": calendar, "events/b.ICS": second])
    let places = ["events/a.ics:4:1: warning: ", "events/b.ICS:2:1: warning: "]
    let every: [[String]] = [
      [], ["events"], ["events/a.ics", "events/b.ICS"], ["events/a.ics", "events/b.ICS", "--feed", "events"],
    ]
    for arguments in every {
      let outcome = try Program.run(["check"] + arguments + ["--cache", cache.path])
      #expect(outcome.status == 0 && outcome.lines.count == 2, "\(arguments): \(outcome)")
      for (line, place) in zip(outcome.lines, places) { #expect(line.hasPrefix(place), "\(arguments): \(outcome)") }
      #expect(outcome.lines.first?.hasSuffix(" [/VEVENT/0/DTSTART]") == true)
    }
    let other = try CommandCache(["a.ics": calendar])
    let outcome = try cache.run("check", other.file("a.ics"), "--feed", "events")
    #expect(outcome.status == 0 && outcome.lines.count == 1 && outcome.output.contains("a.ics:4:1: "), "\(outcome)")
    #expect(
      try cache.run("drop", "events", other.file("a.ics")).status == 0, "what is left out does not refuse the rest")
  }

  @Test("A directory with the name of a session is a problem, whether it is given or found")
  func directory() throws {
    let cache = try CommandCache(["tasks/dir.json/x.txt": ""])
    for arguments in [["check"], ["check", cache.file("tasks/dir.json")]] {
      let outcome = try Program.run(arguments + ["--cache", cache.path])
      #expect(outcome.output == "tasks/dir.json:1:1: error: is a directory, not a file\n", "\(outcome)")
      #expect(outcome.status == 65)
    }
  }

  @Test("Outside a cache, a link is checked as the file that it leads to")
  func outsideLink() throws {
    let (cache, other) = (try CommandCache(), try CommandCache(["a/real.json": "[]", "b/x": ""]))
    try other.link("b/link.json", to: other.file("a/real.json"))
    let outcome = try cache.run("check", other.file("b/link.json"), "--feed", "tasks")
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
  }

  @Test("A file that does not exist is status 66, and the others are still checked")
  func missing() throws {
    let cache = try CommandCache(["meal-plan/b.json": Self.broken])
    let outcome = try cache.run("check", "meal-plan/none.json", "meal-plan/b.json")
    #expect(outcome.status == 66 && outcome.hasOneLineError && outcome.lines.count == 1, "\(outcome)")
  }

  @Test("Names that would reverse the direction of a terminal's line are escaped")
  func escapedNames() throws {
    let cache = try CommandCache(["meal-plan/\u{1B}[2J\n.json": "{"])
    let outcome = try cache.run("check")
    #expect(
      outcome.output.hasPrefix(#"meal-plan/\x1b[2J\x0a.json:1:2: error: "#) && outcome.lines.count == 1, "\(outcome)")
  }
}
