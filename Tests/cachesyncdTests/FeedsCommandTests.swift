import CacheSync
import Foundation
import Glibc
import Testing

@Suite struct FeedsCommandTests {
  static let definition = """
    {"version":1,"items":{"each":"$.bins[*]","fields":{"title":"@.type"},"start":"@.day"},
    "kinds":{"bins":{"show":"coming","content":{"text":"{count} soon"},"items":{"title":"{title}"}}}}
    """
  static let sample = #"{"bins":[{"type":"Grey","day":"2026-11-24"}]}"#

  // MARK: feeds

  @Test("feeds lists every feed with its six keys, even an invalid definition")
  func feeds() throws {
    let cache = try CommandCache([
      "feeds/bins.json": Self.definition, "bins/a.json": Self.sample, "bins/b.json": "{", "feeds/bad.json": "{}",
    ])
    let outcome = try cache.run("feeds", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let feeds = try json(outcome.output)["feeds"]?.array ?? []
    #expect(feeds.allSatisfy { $0.keys == ["claims", "defined", "feed", "files", "kinds", "problems"] })
    func feed(_ name: String) throws -> JSONValue { try #require(feeds.first { $0["feed"]?.string == name }) }
    let bins = try feed("bins")
    #expect(bins["defined"] == .string("cache") && bins["files"] == .integer(2))
    #expect(bins["claims"]?.strings == ["bins/**"] && bins["kinds"]?.strings == ["bins"])
    #expect(bins["problems"]?.array?.compactMap { $0["path"]?.string } == ["bins/b.json"])
    #expect(try feed("tasks")["defined"] == .null)
    #expect(try feed("bad")["kinds"]?.strings == [])
    #expect(try feed("bad")["problems"]?[0]?["path"] == .string("feeds/bad.json"))
    let text = try cache.run("feeds").output
    #expect(text.contains("\nbins  2 files  (defined in the cache, feeds/bins.json)\n  reads  bins/**\n  kinds  bins"))
  }

  @Test("feed test, drop and check warn of a path that finds nothing in any item of the feed; all end with 0")
  func unfoundPaths() throws {
    let definition = Self.definition.replacing(#""title":"@.type""#, with: #""title":"@.typ","extra":"@.rare""#)
    let cache = try CommandCache(["feeds/bins.json": definition, "bins/a.json": Self.sample])
    let message = "@.typ is found in none of 1 item; did you mean @.type? [/items/fields/title]"
    let tried = try cache.run("feed", "test", "bins", "--at", "2026-11-22T12:00:00Z")
    #expect(tried.status == 0 && tried.errors.contains("warning: \(message)\n"), "\(tried)")
    let checked = try cache.run("check")
    #expect(checked.status == 0 && checked.errors.isEmpty && checked.output.contains(message), "\(checked)")
    #expect(checked.lines.allSatisfy { $0.hasPrefix("feeds/bins.json:1:") } && checked.lines.count == 2)
    #expect(try cache.run("check", "feeds/bins.json").lines == checked.lines)
    #expect(try cache.run("check", "bins/a.json").output.isEmpty)
    let rare = #"{"bins":[{"typ":"Brown","day":"2026-11-25"}]}"#
    let dropped = try cache.run("drop", "bins", "-", "--name", "b", input: rare)
    #expect(dropped.status == 0 && dropped.output == "bins/b.json\n" && dropped.hasOneLineError, "\(dropped)")
    #expect(dropped.errors.contains("warning: @.rare is found in none of 2 items"), "another file has @.typ")
    let replaced = try cache.run("drop", "feeds", "-", "--name", "bins", input: Self.definition)
    #expect(replaced.status == 0 && replaced.errors.isEmpty, "\(replaced)")
  }

  @Test(
    "--feeds and $CACHESYNC_FEEDS name definitions for all caches; a cache's own definition with the same name wins")
  func shared() throws {
    let others = try CommandCache(["bins.json": Self.definition, "bad.json": "{", "notes.txt": "x"])
    let cache = try CommandCache(["bins/a.json": Self.sample])
    for (words, variables) in [(["--feeds", others.path], [:]), ([], ["CACHESYNC_FEEDS": others.path])] {
      let run = try Program.run(["feeds", "--json", "-C", cache.path] + words, environment: variables)
      let feeds = try json(run.output)["feeds"]?.array ?? []
      let bins = feeds.first { $0["feed"] == .string("bins") }
      #expect(bins?["defined"]?.string?.hasSuffix("/bins.json") == true && bins?["files"] == .integer(1), "\(run)")
      let bad = feeds.first { $0["feed"] == .string("bad") }
      #expect(bad?["problems"]?[0]?["path"]?.string?.hasPrefix("/") == true, "\(run)")
    }
    let at = ["--at", "2026-11-22T12:00:00Z"]
    let show = try Program.run(
      ["show", "bins", "--format", "entry", "-C", cache.path, "--feeds", others.path] + at)
    #expect(show.output.contains("1 soon"), "\(show)")
    try cache.write("feeds/bins.json", Self.definition.replacing("soon", with: "here"))
    let own = try Program.run(["show", "bins", "--format", "entry", "-C", cache.path, "--feeds", others.path] + at)
    #expect(own.output.contains("1 here"), "\(own)")
    #expect(try Program.run(["drop", "bins", "-", "-C", cache.path], input: Self.sample).status == 0)
  }

  @Test("A directory of definitions that does not exist is status 66 and one line, for every command that takes one")
  func missing() throws {
    let cache = try CommandCache()
    for command in try CommandWords.all.filter({ try $0.options().contains("--feeds") }) {
      let words = command.words + ["--cache", cache.path, "--feeds", cache.path + "/none"]
      let outcome = try Program.run(words, input: "{}")
      #expect(outcome.status == 66 && outcome.hasOneLineError, "\(command.name): \(outcome)")
    }
    #expect(try cache.run("show", "--feeds", "").isWrongUsage)
  }

  @Test("wait waits for a bad shared definition to count, also if other files beside it change meanwhile")
  func otherChangesMeanwhile() throws {
    let others = try CommandCache(["bins.json": Self.definition])
    let cache = try CommandCache(["bins/a.json": #"{"bins":[{"type":"Grey","day":"2099-11-24"}]}"#])
    let agent = try cache.agent("--feeds", others.path)
    for bad in ["{", "{ ", "{  "] {
      try others.write("bins.json", Self.definition)
      try cache.caughtUp()
      try others.write("bins.json", bad)
      let waiting = try Child(["wait", "--cache", cache.path])
      while waiting.exitStatus() == nil { try others.write("notes.txt", "x") }
      let problems = try cache.published("bins")["problems"]?.array ?? []
      #expect(problems.contains { $0["path"]?.string?.hasSuffix("/bins.json") == true }, "\(bad): \(agent.errors)")
    }
  }

  @Test("The agent applies a change of a shared definition immediately, and keeps the last good one")
  func sharedWhileServing() throws {
    let others = try CommandCache()
    let cache = try CommandCache(["bins/a.json": #"{"bins":[{"type":"Grey","day":"2099-11-24"}]}"#])
    let always = Self.definition.replacing("coming", with: "all")
    let agent = try cache.agent("--feeds", others.path)
    try cache.caughtUp()
    func text() throws -> String? { try cache.published("bins")["entries"]?[0]?["content"]?["text"]?.string }
    func reportsBins(_ problems: JSONValue?) -> Bool {
      problems?.array?.contains { $0["path"]?.string?.hasSuffix("/bins.json") == true } == true
    }
    /// Changes the definition. Its effect is visible as soon as the agent has caught up.
    func define(_ text: String) throws {
      try others.write("bins.json", text)
      try cache.caughtUp()
    }
    try define(always)
    #expect(try text() == "1 soon", "\(agent.errors)")
    try define(always.replacing("soon", with: "here"))
    #expect(try text() == "1 here")
    for bad in ["{", #"{"version":1,"#] {
      try define(bad)
      #expect(try reportsBins(cache.status()["problems"]), "\(bad)")
      #expect(try reportsBins(cache.published("bins")["problems"]))
      #expect(try text() == "1 here", "the last good version stays in force")
    }
    try define(always)
    #expect(try text() == "1 soon")
    #expect(try cache.published("bins")["problems"]?.array?.isEmpty == true)
    try define(always.replacing(#""bins":{"show"#, with: #""bins-other":{"show"#))
    #expect(try cache.published("bins")["policy"]?["reload"]?.string == "never", "its kind left it")
    #expect(try cache.published("bins-other")["entries"]?[0]?["state"]?.string == "current")
    try FileManager.default.removeItem(atPath: others.file("bins.json"))
    try cache.caughtUp()
    #expect(try cache.published("bins-other")["policy"]?["reload"]?.string == "never")
    #expect(try cache.status()["removable"]?.strings == ["snapshots/bins-other.json", "snapshots/bins.json"])
    withExtendedLifetime(agent) {}
  }

  @Test("The last good version of a shared definition stays across restarts, if the directory has the same name")
  func sharedAcrossRestarts() throws {
    let others = try CommandCache(["bins.json": Self.definition.replacing("coming", with: "all")])
    let sample = #"{"bins":[{"type":"Grey","day":"2099-11-24"}]}"#
    let cache = try CommandCache(["bins/a.json": sample])
    func text() throws -> String? { try cache.published("bins")["entries"]?[0]?["content"]?["text"]?.string }
    let first = try cache.agent("--feeds", others.path)
    try cache.caughtUp()
    first.send(SIGTERM)
    #expect(try first.outcome().status == 0)
    try others.write("bins.json", "{")
    // Twice, because what was read from the log must be in the log again.
    for other in [#"{"bins":[]}"#, sample] {
      try cache.write("bins/a.json", other)
      let next = try cache.agent("--feeds", others.path)
      try cache.caughtUp()
      #expect(try text() == (other == sample ? "1 soon" : "0 soon"), "\(next.errors)")
      #expect(try cache.published("bins")["problems"]?[0]?["path"]?.string?.hasSuffix("/bins.json") == true)
      let shown = try cache.run("show", "bins", "--json", "--feeds", others.path)
      #expect(shown.status == 0, "commands that read find it too: \(shown)")
      next.send(SIGTERM)
      #expect(try next.outcome().status == 0)
    }
    try FileManager.default.removeItem(atPath: others.file("bins.json"))
    #expect(try cache.run("sync", "--feeds", others.path).status == 0)
    try others.write("bins.json", "{")
    #expect(try cache.run("show", "bins", "--feeds", others.path).status == 65, "one that was gone holds nothing")
  }

  @Test(
    "Another directory of definitions replaces the first immediately, and a missing one changes nothing",
    arguments: ["moved", "link", "link on the way", "link inside", "link's target moved"])
  func replacedDirectory(_ way: String) throws {
    let definition = Self.definition.replacing("coming", with: "all")
    let there = definition.replacing("soon", with: "there")
    let place = try CommandCache(["a/feeds/bins.json": definition, "b/feeds/bins.json": there])
    let cache = try CommandCache(["bins/a.json": #"{"bins":[{"type":"Grey","day":"2099-11-24"}]}"#])
    func text() throws -> String? {
      cache.has("snapshots/bins.json") ? try cache.published("bins")["entries"]?[0]?["content"]?["text"]?.string : nil
    }
    func point(_ name: String, to target: String) throws {
      try place.link(name + ".new", to: target)
      try #require(rename(place.file(name + ".new"), place.file(name)) == 0)
    }
    let named: String
    switch way {
    case "moved": named = "a/feeds"
    case "link", "link's target moved":
      try point("feeds", to: "a/feeds")
      named = "feeds"
    case "link on the way":
      try point("current", to: "a")
      named = "current/feeds"
    default:
      try FileManager.default.createDirectory(atPath: place.file("c"), withIntermediateDirectories: false)
      try point("c/..data", to: "../a/feeds")
      try point("c/bins.json", to: "..data/bins.json")
      named = "c"
    }
    let agent = try cache.agent("--feeds", place.file(named))
    try cache.caughtUp()
    #expect(try text() == "1 soon")
    switch way {
    case "moved", "link's target moved":
      try #require(rename(place.file("a/feeds"), place.file("a/away")) == 0)
      #expect(
        try holds {
          try cache.status()["problems"]?.array?.contains { $0["path"]?.string?.hasSuffix(named) == true } == true
        })
      #expect(try text() == "1 soon")
      #expect(try cache.published("bins")["problems"]?.array?.isEmpty == true)
      try #require(rename(place.file("b/feeds"), place.file("a/feeds")) == 0)
    case "link": try point("feeds", to: "b/feeds")
    case "link on the way": try point("current", to: "b")
    default: try point("c/..data", to: "../b/feeds")
    }
    #expect(try holds { try text() == "1 there" }, "\(agent.errors)")
    try place.write(
      way == "moved" || way == "link's target moved" ? "a/feeds/bins.json" : "b/feeds/bins.json", definition)
    if way != "link inside" { #expect(try holds { try text() == "1 soon" }, "the new one is watched") }
    #expect(try cache.status()["problems"]?.array?.isEmpty == true)
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0)
  }

  @Test(
    "drop puts a file where the first entry of a definition's files matches",
    arguments: [
      (#""one.json""#, "one.json"), (#"["one.json","bins/**"]"#, "one.json"), (#"["one/**","bins/**"]"#, "one/a.json"),
      (#"["one/**","one.json"]"#, "one/a.json"), (#""bins/**""#, "bins/a.json"),
    ])
  func dropPlace(files: String, path: String) throws {
    let definition = Self.definition.replacing(#"{"version":1,"#, with: #"{"version":1,"files":\#(files),"#)
    let cache = try CommandCache(["feeds/bins.json": definition])
    let drop = try cache.run("drop", "bins", "-", "--name", "a", input: Self.sample)
    #expect(drop.output == "\(path)\n" && cache.has(path), "\(drop)")
    #expect(try cache.run("show", "bins").status == 0)
  }

  // MARK: feed test

  @Test("feed test shows the items and when readers see what; --json has the format of show")
  func test() throws {
    let folder = try CommandCache(["bins.json": Self.definition, "sample.json": Self.sample])
    let words = ["feed", "test", "bins.json", "sample.json", "--at", "2026-11-22T12:00:00Z", "--time-zone", "UTC"]
    let outcome = try Program.run(words, directory: folder.path)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.lines.prefix(2) == ["1 item, times in UTC", "  Tue 2026-11-24, all day  title: Grey"])
    #expect(outcome.output.contains("kind bins\n  Sun 2026-11-22 00:00\n") && outcome.output.contains("1 soon"))
    let document = try json(try Program.run(words + ["--json"], directory: folder.path).output)
    #expect(document.keys == ["bins"])
    let cache = try CommandCache(["feeds/bins.json": Self.definition, "bins/sample.json": Self.sample])
    let shown = try json(
      try cache.run("show", "bins", "--json", "--at", "2026-11-22T12:00:00Z", "--time-zone", "UTC").output)
    #expect(document == shown)
    #expect(
      try Program.run(["feed", "test", "bins.json", "-"], input: Self.sample, directory: folder.path).status == 0)
  }

  @Test("feed test reports defects like check, with status 65, and a missing file is status 66")
  func invalid() throws {
    let folder = try CommandCache([
      "bins.json": Self.definition, "bad.json": Self.definition.replacing("{title}", with: "{tittle}"),
      "sample.json": #"{"bins":[{"type":"Grey"}]}"#, "Bins.json": Self.definition, "good.json": Self.sample,
    ])
    func run(_ words: String...) throws -> Outcome {
      try Program.run(["feed", "test"] + words, directory: folder.path)
    }
    let definition = try run("bad.json", "sample.json")
    #expect(definition.status == 65 && definition.lines.allSatisfy { $0.hasPrefix("bad.json:") }, "\(definition)")
    let sample = try run("./bins.json", "./sample.json")
    #expect(sample.status == 65 && sample.output.hasPrefix("./sample.json:1:"), "\(sample)")
    for words in [["bins.json", "none.json"], ["none.json", "sample.json"]] {
      let outcome = try run(words[0], words[1])
      #expect(outcome.status == 66 && outcome.hasOneLineError, "\(outcome)")
    }
    #expect(try run("Bins.json", "good.json").status == 64)
    #expect(try run("bins.json", "good.json", "./good.json").status == 64)
    #expect(try run("bins.json").isWrongUsage)
  }

  @Test("feed test shows warnings of the definition and of a sample, and goes on; a text may be a whole kind")
  func warnings() throws {
    let never = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
    for (rule, place) in [(never, "bins.json:1:95"), ("{rule}", "s.json:1:37")] {
      let folder = try CommandCache([
        "bins.json": #"{"version":1,"items":{"each":"$.bins[*]","fields":{"rule":"@.rule"},"start":"@.day","repeats":"#
          + "\"\(rule)\"}," + #""kinds":{"bins":{"show":"all","content":{"text":"{count} of all"}}}}"#,
        "s.json": #"{"bins":[{"day":"2026-11-24","rule":"\#(never)"}]}"#,
      ])
      let words = ["feed", "test", "bins.json", "s.json", "--at", "2026-11-22T12:00:00Z"]
      let outcome = try Program.run(words, directory: folder.path)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output.hasPrefix("\(place): warning: the rule \"\(never)\" never gives"), "\(outcome)")
      #expect(outcome.output.contains("    0 of all\n"), "\(outcome)")
    }
  }

  @Test("feed test warns of a sample from the future as the agent would, also on standard input")
  func futureSample() throws {
    let folder = try CommandCache([
      "bins.json": #"{"version":1,"updated":"$.at","items":{"each":"$.bins[*]","start":"@.day"},"#
        + #""kinds":{"bins":{"show":"all","content":{"text":"{count} of all"}}}}"#,
      "s.json": #"{"at":"2999-01-01T00:00:00Z","bins":[{"day":"2026-11-24"}]}"#,
    ])
    let sample = try folder.text("s.json")
    for name in ["s.json", "-"] {
      let words = ["feed", "test", "bins.json", name]
      let outcome = try Program.run(words, input: sample, directory: folder.path)
      #expect(
        outcome.status == 0 && outcome.output.contains("in the future: is the device's clock right?"), "\(outcome)")
    }
    // A given moment stands for the arrival.
    let words = ["feed", "test", "bins.json", "s.json", "--at", "2998-12-31T12:00:00Z"]
    let outcome = try Program.run(words, directory: folder.path)
    #expect(outcome.status == 0 && !outcome.output.contains("in the future"), "\(outcome)")
  }

  // MARK: feed new, feed schema

  @Test("feed new writes a valid definition, prints what it guessed, and never replaces one")
  func new() throws {
    let cache = try CommandCache(["s.json": Self.sample])
    let now = "2026-11-23T12:00:00Z"
    let outcome = try cache.run("feed", "new", "bins", cache.file("s.json"), "--at", now)
    #expect(outcome.status == 0 && outcome.lines.first == "feeds/bins.json", "\(outcome)")
    for word in ["items: $.bins[*]", "title: @.type", "start: @.day"] {
      #expect(outcome.output.contains("\n  \(word)"), "\(outcome)")
    }
    let test = try cache.run("feed", "test", cache.file("feeds/bins.json"), cache.file("s.json"), "--at", now)
    #expect(test.status == 0 && outcome.output.contains("\n\n\(test.output)\n"), "what feed test prints: \(outcome)")
    #expect(outcome.output.contains("tomorrow: Grey"), "\(outcome)")
    #expect(outcome.lines.last?.contains("try it again: cachesyncd feed test ") == true, "\(outcome)")
    #expect(try cache.run("check").status == 0)
    #expect(try cache.run("drop", "bins", cache.file("s.json")).status == 0)
    let show = try cache.run("show", "bins", "--format", "entry", "--at", now)
    #expect(show.output.contains("tomorrow: Grey"), "\(show)")
    let text = try cache.text("feeds/bins.json")
    let again = try cache.run("feed", "new", "bins")
    #expect(again.status == 73 && again.hasOneLineError, "\(again)")
    #expect(try cache.text("feeds/bins.json") == text)
    #expect(try cache.run("feed", "new", "other").status == 0)
    #expect(try cache.run("feed", "new", "piped", "-", input: Self.sample).status == 0)
    #expect(try cache.run("check").status == 0)
  }

  @Test("feed new counts days in the cache's zone, and says what to change if nothing is shown")
  func newInZone() throws {
    let cache = try CommandCache([
      "cachesync.json": #"{"timeZone":"Asia/Tokyo"}"#, "s.json": Self.sample, "none.json": #"{"bins":[]}"#,
    ])
    // In Tokyo it is already the day of the sample.
    let outcome = try cache.run("feed", "new", "bins", cache.file("s.json"), "--at", "2026-11-23T20:00:00Z")
    #expect(outcome.output.contains("today: Grey") && outcome.output.contains("times in Asia/Tokyo"), "\(outcome)")
    let empty = try cache.run("feed", "new", "empty", cache.file("none.json"))
    #expect(empty.status == 0 && empty.output.contains("\nnothing to show was found: name the path"), "\(empty)")
  }

  @Test(
    "feed new prints the first items and entries and how many more there are, and what may be wrong on standard error")
  func newIsBrief() throws {
    let hours = (0..<48).map {
      #"{"at":"2026-11-\#(23 + $0 / 24)T\#($0 % 24 < 10 ? "0" : "")\#($0 % 24):00:00Z","amountMinor":\#($0),"currency":"JPY","cost":\#($0)}"#
    }
    let cache = try CommandCache(["s.json": "[\(hours.joined(separator: ","))]"])
    let outcome = try cache.run("feed", "new", "power", cache.file("s.json"), "--at", "2026-11-23T00:00:00Z")
    #expect(outcome.status == 0 && outcome.lines.count < 45, "\(outcome)")
    #expect(outcome.output.contains("\n  and 43 more\n\nkind power\n"), "\(outcome)")
    #expect(outcome.output.contains("\n  and 45 more\n"), "\(outcome)")
    #expect(outcome.errors.hasPrefix("cachesyncd: @.amountMinor is not shown, "), "\(outcome)")
    let test = try cache.run(
      "feed", "test", cache.file("feeds/power.json"), cache.file("s.json"), "--at", "2026-11-23T00:00:00Z")
    #expect(test.lines.count > 100, "\(test)")
  }

  @Test("feed new refuses invalid names of feeds, and invalid samples")
  func newRefused() throws {
    let cache = try CommandCache(["bad.json": "{"])
    for name in ["Bins", "1bins", "a-b", "feeds", "snapshots", "tasks", "budget", "", "../x"] {
      #expect(try cache.run("feed", "new", name).isWrongUsage, "\(name)")
    }
    let bad = try cache.run("feed", "new", "bins", cache.file("bad.json"))
    #expect(bad.status == 65 && bad.hasOneLineError && bad.errors.contains("bad.json:1:2: error: "), "\(bad)")
    #expect(try cache.run("feed", "new", "bins", cache.file("none.json")).status == 66)
    #expect(try Program.run(["feed", "new", "bins", "-C", cache.path + "/none"]).status == 66)
    #expect(!cache.has("feeds"))
    try cache.write(
      "feeds/a.json",
      Self.definition.replacing("\"bins\"", with: "\"a\"").replacing("{\"v", with: "{\"files\":\"bins/**\",\"v")
    )
    #expect(try cache.run("feed", "new", "bins").status == 64, "another feed reads bins/**")
  }

  @Test("feed schema prints a JSON document")
  func schema() throws {
    let outcome = try Program.run(["feed", "schema"])
    #expect(outcome.status == 0)
    #expect(try json(outcome.output)["$schema"]?.string?.contains("2020-12") == true)
  }

  @Test(
    "Wrong usage is refused",
    arguments: [["feed", "nope"], ["feed", "new"], ["feed", "test"], ["feeds", "x"], ["feed", "schema", "x"]])
  func wrongUsage(_ words: [String]) throws {
    #expect(try Program.run(words).isWrongUsage, "\(words)")
  }

  @Test(
    "The usage has the options that the help explains, and the command accepts them",
    arguments: [["feeds"], ["feed", "new"], ["feed", "test"], ["feed", "schema"], ["schema"]])
  func usage(_ command: [String]) throws {
    let help = try Program.run(command + ["--help"]).output
    let words = command.joined(separator: " ")
    let usage = try #require(help.split(separator: "\n").first { $0.hasPrefix("USAGE: cachesyncd \(words)") })
    let explained = Set(help.matches(of: /\n  (?:-[A-Za-z], )?(--[a-z-]+)/).map { String($0.1) })
    #expect(Set(usage.matches(of: /--[a-z-]+/).map { String($0.0) }) == explained.subtracting(["--version", "--help"]))
    #expect(help.contains("Examples:\n  cachesyncd \(words)"))
    let cache = try CommandCache(["bins.json": Self.definition, "s.json": Self.sample])
    let more =
      [
        "feed new": ["bins"], "feed test": [cache.file("bins.json"), cache.file("s.json")], "schema": ["manifest"],
      ][words] ?? []
    let options = [
      ("--time-zone", "Asia/Tokyo"), ("--durability", "rename"), ("--feeds", cache.path), ("--cache", cache.path),
    ].filter { explained.contains($0.0) }
    let outcome = try Program.run(command + more + options.flatMap { [$0.0, $0.1] })
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test("With --cache, the time zone of that cache counts")
  func cacheOfTest() throws {
    let cache = try CommandCache(["bins.json": Self.definition, "s.json": Self.sample])
    // 11:00 on the 22nd in UTC is the 23rd on Kiritimati, which is 14 hours ahead.
    func heading(_ words: String...) throws -> String? {
      let test = ["feed", "test", cache.file("bins.json"), cache.file("s.json"), "--at", "2026-11-22T11:00:00Z"]
      return try Program.run(test + words, environment: ["TZ": "UTC"]).lines.first
    }
    let utc = try heading("--time-zone", "UTC")
    let ahead = try heading("--time-zone", "Pacific/Kiritimati")
    #expect(utc != ahead)
    #expect(try heading("--cache", cache.path) == utc)
    try cache.write("cachesync.json", #"{"timeZone":"Pacific/Kiritimati"}"#)
    #expect(try heading("--cache", cache.path) == ahead)
    #expect(try heading("--cache", cache.path, "--time-zone", "UTC") == utc)
  }

  @Test("--color decides whether the kinds' headings are bold")
  func colourOfTest() throws {
    let cache = try CommandCache(["bins.json": Self.definition, "s.json": Self.sample])
    let test = ["feed", "test", cache.file("bins.json"), cache.file("s.json"), "--at", "2026-11-22T11:00:00Z"]
    #expect(try Program.run(test + ["--color", "always"]).output.contains("\n\u{1B}[1mkind bins"))
    #expect(try !Program.run(test + ["--color", "never"]).output.contains("\u{1B}"))
  }

  @Test("With --json, standard output has JSON alone, and problems are on standard error")
  func testJSON() throws {
    let cache = try CommandCache([
      "x.json":
        #"{"version":1,"items":{"each":"$[*]","fields":{"title":"@.t"},"start":"@.s"},"kinds":{"x":{"show":"all","items":{"title":"{title}"}}}}"#,
      "a.json": #"[{"t":"Rake","s":"someday"},{"t":"Form","s":"2026-11-24"}]"#,
    ])
    let run = try cache.run("feed", "test", "\(cache.path)/x.json", "\(cache.path)/a.json", "--json")
    #expect(run.status == 0)
    #expect(try json(run.output)["x"] != nil)
    #expect(run.errors.contains(#"a.json:1:18: warning: "Rake": expected a date or a day"#))
    let text = try cache.run("feed", "test", "\(cache.path)/x.json", "\(cache.path)/a.json")
    #expect(text.output.contains(#"a.json:1:18: warning: "Rake": "#))
  }

  @Test("feed test lists what repeats by its days, and warns of a ring above 1 with the ways to divide")
  func repeatsAndRing() throws {
    let cache = try CommandCache([
      "x.json": """
      {"version":1,"items":{"each":"$[*]","fields":{"rule":"@.r"},"start":"@.s","end":"@.e","repeats":"{rule}"},
       "kinds":{"x":{"show":"all","template":"ring","values":{"n":{"count":true}},"content":{"progress":"{n}"}}}}
      """,
      "a.json": """
      [{"s":"2026-11-03T08:00","e":"2026-11-03T08:45","r":"FREQ=WEEKLY"},{"s":"2026-11-03","r":"FREQ=DAILY"},
       {"s":"2026-11-03T08:00","r":"FREQ=WEEKLY;BYDAY=MO,FR"},{"s":"2026-11-03T08:00","r":"FREQ=MONTHLY"},
       {"s":"2026-11-03T08:00","e":"9999-12-31"},{"s":"2026-11-03","e":"2999-01-01"}]
      """,
    ])
    let at = ["--at", "2026-11-04T12:00", "--time-zone", "Europe/Berlin"]
    let run = try Program.run(["feed", "test", "\(cache.path)/x.json", "\(cache.path)/a.json"] + at)
    for words in [
      "  every Tue 08:00 to 08:45  ", "  every day, all day  ", "  every Mon, Fri 08:00  ",
      "  Tue 2026-11-03 08:00  and repeats  ", "  Tue 2026-11-03 08:00, open end  ",
      "  Tue 2026-11-03 00:00, open end  ",
    ] { #expect(run.output.contains(words), "\(run)") }
    let warning = #"and a full ring is 1; divide it in its field: "per": "@.goal", or "scale": 0.01"#
    #expect(run.status == 0 && (run.output + run.errors).contains(warning), "\(run)")
  }

  @Test("A text where a number is needed is named with its value, at its place in the definition")
  func numberNeeded() throws {
    let cache = try CommandCache([
      "x.json": """
      {"version":1,"items":{"each":"$[*]"},
       "kinds":{"x":{"show":"all","template":"ring","content":{"progress":"{count:0.00}"}}}}
      """, "a.json": "[1,2]",
    ])
    let run = try cache.run("feed", "test", "\(cache.path)/x.json", "\(cache.path)/a.json")
    #expect(run.status == 65)
    #expect(run.output.contains("x.json:2:69: error: "))
    #expect(run.output.contains(#"found "2.00""#))
    #expect(run.output.contains("[/kinds/x/content/progress]"))
  }
}
