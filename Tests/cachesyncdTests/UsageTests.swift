import CacheSync
import Foundation
import Glibc
import Testing

@Suite struct UsageTests {
  @Test(
    "Invalid arguments are wrong usage: status 64, one error and the usage on standard error",
    arguments: [
      ["nope"], ["--nope"], ["run", "--time-zone", "Mars/Olympus"], ["run", "--time-zone", "GMT+99:00"],
      ["run", "--durability", "never"], ["run", "--log-level", "loud"], ["run", "--cache", ""],
      ["sync", "--at", "2026-11-31"], ["sync", "--at", "25:00"], ["sync", "--at", "5"], ["show", "--at", "soon"],
      ["show", "nope"], ["show", "meal-plan", "nope"],
      ["show", "--cache", "/tmp", "--cache", "/tmp"], ["show", "--time-zone", ""],
      ["next", "--at", "2026-02-30T00:00:00Z"],
      ["next", "--count", "x"], ["next", "--count=-1"], ["check", "--feed", "nope", "/dev/null"],
      ["status", "--json", "--prometheus"], ["check", ""], ["watch", "nope"], ["watch", "--format", "nope"],
      ["watch", "--"],
      ["watch", "meal-plan", "true"], ["watch", "--timeout", "5"], ["watch", "--timeout", "0", "--", "true"],
      ["show", "--format", "nope"],
      ["wait", "--timeout", "x"],
      ["wait", "--timeout=-1"],
      ["drop"], ["drop", "nope", "-"], ["drop", "meal-plan", "a", "b"], ["intent"], ["intent", "nope"],
      ["intent", "log-food"], ["intent", "log-food", "foodId"], ["intent", "end-session", "shoeId=1"],
      ["intent", "add-task", "title=a", "title=b"], ["intent", "add-task", "title=a", "dueDate=soon"],
      ["intent", "log-food", "foodId=a", "quantity=much"], ["feed", "new", "manifest"],
    ])
  func wrongUsage(_ arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.isWrongUsage, "\(arguments): \(outcome)")
  }

  @Test(
    "Help and version are on standard output, with status 0", arguments: [["--help"], ["--version"], ["help", "drop"]])
  func help(_ arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test("A command's help is the same however it is asked for", arguments: [["feed", "--help"], ["help", "feed"]])
  func helpOfGroup(_ words: [String]) throws {
    let outcome = try Program.run(words)
    #expect(outcome.output.contains("USAGE: cachesyncd feed <subcommand>"), "\(outcome)")
    #expect(try outcome.output == Program.run(["feed"]).output)
  }

  /// Its own tests have what it prints.
  @Test(
    "The help of what the pictures program implements is its own, in both forms; without it one line says what to install",
    arguments: ["render", "serve"])
  func picturesHelp(_ command: String) throws {
    let folder = try CommandCache()
    // Programs that this process wrote itself could not be run: a child of another test may still have them open.
    func shell(_ script: String) throws -> Outcome {
      try Child([folder.path], through: ["/bin/sh", "-c", script]).outcome()
    }
    #expect(try shell(#"cp "$0" "$1""#).status == 0)
    let forms = ["help \(command)", "\(command) --help"]
    for words in forms {
      let outcome = try shell("exec \"$1/cachesyncd\" \(words)")
      #expect(outcome.status == 69 && outcome.hasOneLineError && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("install cachesync-pictures beside cachesyncd"), "\(outcome)")
    }
    let script = #"printf '#!/bin/sh\necho "$@"\n' >"$1/cachesync-pictures" && chmod +x "$1/cachesync-pictures""#
    #expect(try shell(script).status == 0)
    for words in forms {
      #expect(try shell("exec \"$1/cachesyncd\" \(words)").output == "\(command) --help\n")
    }
  }

  @Test("The usage of every command has the options that its help explains, and --cache once if it is an option")
  func usage() throws {
    func commands(_ words: String...) throws -> [String] {
      let listed = try #require(try Program.run(words + ["--help"]).output.split(separator: "SUBCOMMANDS:\n").last)
      return listed.split(separator: "\n").compactMap {
        $0.prefixMatch(of: #/ {2}([a-z-]+) .*/#).map { (words + [String($0.1)]).joined(separator: " ") }
      }
    }
    let all = try commands() + commands("feed")
    #expect(all.count > 18 && Set(all).isSuperset(of: ["run", "export", "feed", "feed new", "serve"]), "\(all)")
    #expect(Set(all).subtracting(["feed", "render", "serve"]) == Set(CommandWords.all.map(\.name)))
    for command in CommandWords.all { try usage(of: command) }
  }

  /// The statuses in the row of a command in commands.md.
  private static func documentedStatuses(of command: String) throws -> Set<String> {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/reference/commands.md").standardized
    let section = try #require(
      try String(contentsOf: page, encoding: .utf8).split(separator: "\n## Exit status\n").last)
    let row = try #require(section.split(separator: "\n").first { $0.hasPrefix("| `\(command)` | ") })
    return Set(row.matches(of: /\b[67][0-9]\b/).map { String($0.0) })
  }

  private func usage(of command: CommandWords) throws {
    let help = try command.help()
    let options = try command.options()
    // A command may have several forms, a line each.
    let usage = try #require(help.firstRange(of: "USAGE: cachesyncd \(command.name)").map { help[$0.lowerBound...] })
      .split(separator: "\n\n")[0]
    #expect(Set(usage.matches(of: /--[a-z-]+/).map { String($0.0) }) == options)
    #expect(usage.contains("[--cache <dir> ...]") == options.contains("--caches-in") || command.name == "status")
    #expect(help.contains("Exit status "))
    // Every command may end with 64 and 74.
    let statuses = try command.statuses().subtracting(["64", "74"])
    #expect(
      try Self.documentedStatuses(of: command.name).subtracting(["74"]) == statuses, "commands.md, \(command.name)")
    #expect(help.contains("\nExamples:\n  cachesyncd \(command.name)"), "the help of \(command.name) has examples")
  }

  @Test(
    "An unknown name is reported with the nearest valid one, or with all names if none is near",
    arguments: [
      (["shwo"], "unknown command 'shwo': did you mean show?"),
      (["--cache", "/tmp", "show"], "unexpected 'show': a command comes before the options, as in cachesyncd show "),
      (["--cache", "/tmp", "shwo"], "unexpected 'shwo': a command comes before the options, as in cachesyncd show "),
      (["help", "shwo"], "unknown command 'shwo': did you mean show?"),
      (["chekc", "--json"], "unknown command 'chekc': did you mean check?"),
      (["status ", "x"], "unknown command 'status ': did you mean status?"),
      (["feed", "nw"], "unknown command 'nw': did you mean new?"),
      (["help", "feed", "tset"], "unknown command 'tset': did you mean test?"),
      (["show", "--hlep"], "Unknown option '--hlep'. Did you mean '--help'?"),
      (["sync", "--verison"], "Unknown option '--verison'. Did you mean '--version'?"),
      (["show", "--time-zone", "Europe/Berln"], "unknown time zone 'Europe/Berln': did you mean Europe/Berlin?"),
      (["show", "--time-zone", "Berlin"], "unknown time zone 'Berlin': did you mean Europe/Berlin?"),
      (["show", "--time-zone", "PST"], "unknown time zone 'PST': use an IANA name such as Europe/Berlin, or GMT"),
      (
        ["feed", "test", "--first-weekday", "mondy", "x"],
        "The value 'mondy' is invalid for '--first-weekday <weekday>': did you mean monday?"
      ),
      (["drop", "screen", "-"], "unknown feed 'screen': did you mean screens?"),
      (["nope"], "unknown command 'nope': use one of run, sync, show,"),
      (["show", "calender"], "unknown kind 'calender': did you mean calendar?"),
      (["watch", "budge"], "unknown kind 'budge': did you mean budget?"),
      (["show", "x"], "unknown kind 'x': use one of budget, calendar,"),
      (["show", "Calendar"], "unknown kind 'Calendar': did you mean calendar?"),
      (["show", "taks"], "unknown kind 'taks': did you mean tasks?"),
      (["show", "intents"], "unknown kind 'intents': use one of budget, calendar,"),
      (["drop", "calendar", "-"], "unknown feed 'calendar': calendar is a kind of the feed events"),
      (["show", "--at", "tomorow"], "invalid time 'tomorow': did you mean tomorrow?"),
      (["show", "--at", "soon"], "invalid time 'soon': use 2026-12-01, 09:00, 2026-12-01T09:00, today,"),
      (["drop", "taks", "-"], "unknown feed 'taks': did you mean tasks?"),
      (["check", "--feed", "evnts"], "unknown feed 'evnts': did you mean events?"),
      (["intent", "add-tsak"], "unknown intent type \"add-tsak\": did you mean add-task?"),
    ])
  func nearest(_ words: [String], _ message: String) throws {
    let outcome = try Program.run(words)
    #expect(outcome.isWrongUsage && outcome.errors.hasPrefix("cachesyncd: \(message)"), "\(outcome)")
    #expect(!outcome.errors.contains("Usage: cachesyncd run"))
  }

  @Test("Of each mistyped option of each command, the error names the nearest, whatever follows it")
  func mistypedOptions() throws {
    for command in CommandWords.all {
      for option in try command.options() {
        let typed = "--\(option.dropFirst(2).prefix(1))\(option.dropFirst(2))"
        let outcome = try Program.run(command.name.split(separator: " ").map(String.init) + ["a", typed, "x"])
        let message = "Unknown option '\(typed)'. Did you mean '\(option)'?\nUsage: cachesyncd \(command.name)"
        #expect(outcome.isWrongUsage && outcome.errors.hasPrefix("cachesyncd: \(message)"), "\(outcome)")
      }
    }
  }

  @Test("An error of a running command has its own usage, and words that an option takes are in one line")
  func ownUsage() throws {
    for (words, command) in [
      (["show", "nope"], "show"), (["feed", "new", "Bad"], "feed new"), (["export"], "export"),
    ] {
      let errors = try Program.run(words).errors
      #expect(errors.contains("\nUsage: cachesyncd \(command) "), "\(errors)")
      #expect(errors.hasSuffix("\n  See 'cachesyncd \(command) --help' for more information.\n"), "\(errors)")
    }
    let level = try Program.run(["run", "--log-level", "loud"]).errors
    #expect(level.contains(" Please provide one of trace, debug, info, notice, warning, error, critical\n"), "\(level)")
  }

  @Test("The hint for a missing default cache ends with a command to paste; another directory's hint does not")
  func makingTheDefaultCache() throws {
    let home = try CommandCache()
    for (variables, line) in [
      (["XDG_CACHE_HOME": "", "HOME": home.path], "mkdir -p \(home.path)/.cache/cachesync\n"),
      (["XDG_CACHE_HOME": "../here", "HOME": home.path], "mkdir -p \(home.path)/.cache/cachesync\n"),
      (["CACHESYNC_CACHE": home.path + "/it's new"], "mkdir -p '\(home.path)/it'\\''s new'\n"),
    ] {
      for command in [["show"], ["status"]] {
        let outcome = try Program.run(command, environment: variables)
        #expect(outcome.status == 66 && outcome.hasOneLineError && outcome.errors.hasSuffix(line), "\(outcome)")
      }
    }
    let other = try Program.run(["show", "--cache", home.path + "/other"], environment: ["HOME": home.path])
    #expect(other.status == 66 && !other.errors.contains("mkdir"))
  }

  @Test(
    "run, drop and feed new make the missing default cache for its user alone, and say so; drop only for a good file")
  func madeCache() throws {
    let home = try CommandCache()
    func run(_ words: [String], in name: String, _ input: String = "[]") throws -> Outcome {
      try Program.run(words, input: input, environment: ["CACHESYNC_CACHE": home.path + "/" + name])
    }
    let new = try run(["feed", "new", "bins"], in: "a/b")
    #expect(new.status == 0 && new.errors == "cachesyncd: made the cache \(home.path)/a/b\n", "\(new)")
    var about = stat()
    #expect(stat(home.path + "/a/b", &about) == 0 && about.st_mode & 0o777 == 0o700)
    #expect(try run(["feed", "new", "tins"], in: "a/b").errors.isEmpty)
    let plan = try run(["drop", "meal-plan", "-"], in: "c", Sessions.plan())
    #expect(plan.status == 0 && plan.errors.hasPrefix("cachesyncd: made the cache "), "\(plan)")
    #expect(try run(["drop", "nothing", "-"], in: "d").isWrongUsage && !home.has("d"))
    #expect(try run(["show"], in: "e").status == 66 && !home.has("e"))
    let empty = try run(["show"], in: "a")
    #expect(empty.output.contains("or make a feed of your own JSON: cachesyncd feed new NAME FILE"), "\(empty)")
  }

  @Test("Without HOME the home directory in the password database is used")
  func passwordDatabase() throws {
    let home = try #require(getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) })
    for script in ["unset HOME", "HOME="] {
      let child = try Child(["check"], through: ["/bin/sh", "-c", "\(script); exec \"$0\" \"$@\""])
      let outcome = try child.outcome()
      // The machine that runs the tests may have a cache there.
      #expect(outcome.status == 0 || outcome.errors.contains(" \(home)/.cache/cachesync does not exist"), "\(outcome)")
    }
  }

  @Test(
    "Without HOME and an entry in the password database, the error names HOME",
    .enabled(if: geteuid() == 0, "wants root"))
  func noHome() throws {
    let child = try Child(
      ["check"], environment: ["HOME": ""], through: ["/usr/bin/unshare", "--user", "--map-user=43210"])
    let outcome = try child.outcome()
    #expect(outcome.status == 66 && outcome.hasOneLineError && outcome.errors.contains("HOME"), "\(outcome)")
  }

  @Test("Hints name the user's service if its unit is installed, for the cache that it serves")
  func service() throws {
    let home = try CommandCache(["cachesync/tasks/a.json": "{}"])
    let variables = ["XDG_CACHE_HOME": home.path, "XDG_CONFIG_HOME": home.file("configuration")]
    let command = "start one with systemctl --user start cachesyncd\n"
    func hint(_ words: String..., more: [String: String] = [:]) throws -> String {
      try Program.run(words, environment: variables.merging(more) { $1 }).errors
    }
    // The machine that runs the tests may have the unit.
    if try !hint("status").hasSuffix(command) {
      #expect(try hint("status").hasSuffix("start one with cachesyncd run\n"))
    }
    try home.write("configuration/systemd/user/cachesyncd.service", "[Unit]")
    #expect(try hint("status").hasSuffix(command) && hint("wait").hasSuffix(command))
    #expect(try hint("status", "-C", home.file("cachesync/../cachesync/")).hasSuffix(command))
    #expect(try !hint("status", "-C", home.path).contains("systemctl"), "another cache has another agent")
    #expect(try !hint("status", more: ["CACHESYNC_CACHE": home.path]).contains("systemctl"))
    let odd = home.file("a b")
    try home.write("a b/tasks/a.json", "{}")
    #expect(try hint("status", "-C", odd).hasSuffix("start one with cachesyncd run --cache '\(odd)'\n"))
  }

  @Test("-C is --cache, and --color overrides the terminal and NO_COLOR")
  func shortAndColour() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    func show(_ words: String..., environment: [String: String] = [:]) throws -> String {
      let outcome = try Program.run(["show", "-C", cache.path] + words, environment: environment)
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.output
    }
    #expect(try show().contains("Meal plan") && !show().contains("\u{1B}"))
    #expect(try show("--color", "always", environment: ["NO_COLOR": "1"]).contains("\u{1B}[1m"))
    #expect(try !show("--color=never").contains("\u{1B}"))
    #expect(try Program.run(["show", "-C", cache.path, "--cache", cache.path]).isWrongUsage)
  }

  @Test("A cache directory that does not exist is status 66 and one line", arguments: CommandWords.all)
  func missingCache(_ command: CommandWords) throws {
    // Those that describe the built-in kinds and feeds need no cache.
    if ["kinds", "schema", "feed schema", "feed test"].contains(command.name) { return }
    let cache = try CommandCache()
    let outcome = try Program.run(command.words + ["--cache", cache.path + "/none"], input: Sessions.plan())
    #expect(outcome.status == 66 && outcome.hasOneLineError && outcome.output.isEmpty, "\(outcome)")
    #expect(!cache.has("none"), "the cache directory is never created")
  }

  @Test("A command takes the common options that its help explains, and another one is wrong usage")
  func commonOptions() throws {
    let cache = try CommandCache()
    // `run` and `watch` do not end.
    for command in CommandWords.all where !["run", "watch"].contains(command.name) {
      let options = try command.options()
      for (option, value) in [
        ("--time-zone", "Asia/Tokyo"), ("--durability", "rename"), ("--log-level", "error"), ("--color", "never"),
        ("--feeds", cache.path), ("--cache", cache.path),
      ] {
        let place = options.contains("--cache") && option != "--cache" ? ["--cache", cache.path] : []
        let outcome = try Program.run(command.words + place + [option, value], input: Sessions.plan())
        #expect(outcome.isWrongUsage != options.contains(option), "\(command.name) \(option): \(outcome)")
        if outcome.isWrongUsage { #expect(outcome.errors.contains(option), "\(command.name): \(outcome)") }
      }
    }
  }

  @Test("run and watch accept their options")
  func commonOptionsOfRunAndWatch() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let options = ["--time-zone", "Asia/Tokyo", "--durability", "rename", "--log-level", "notice"]
    let agent = try Child(["run"] + options + ["--cache", cache.path])
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    let watch = try Child(["watch", "--log-level", "notice", "--cache", cache.path])
    var round = 0
    // Nothing reports when the command listens, so the test repeats the change until it shows.
    #expect(
      try holds {
        round += 1
        try cache.write("meal-plan/a.json", Sessions.plan("Soup \(round)"))
        try cache.caughtUp()
        return !watch.output.isEmpty || watch.exitStatus() != nil
      })
    #expect(watch.exitStatus() == nil && agent.exitStatus() == nil, "\(watch.errors) \(agent.errors)")
    #expect(try json(watch.output.split(separator: "\n")[0] + "\n")["timeZone"] == .string("Asia/Tokyo"))
  }

  @Test("The cache is --cache, else $CACHESYNC_CACHE, else $XDG_CACHE_HOME/cachesync, else ~/.cache/cachesync")
  func defaultCache() throws {
    let home = try CommandCache()
    let (named, cacheHome) = (home.file("named"), home.file("xdg"))
    let places = [
      "named": ["CACHESYNC_CACHE": named, "XDG_CACHE_HOME": cacheHome, "HOME": home.path],
      "xdg/cachesync": ["CACHESYNC_CACHE": "", "XDG_CACHE_HOME": cacheHome, "HOME": home.path],
      ".cache/cachesync": ["XDG_CACHE_HOME": "", "HOME": home.path],
    ]
    for (place, variables) in places {
      #expect(try Program.run(["sync"], environment: variables).status == 66, "before \(place) is there")
      try home.write("\(place)/meal-plan/a.json", Sessions.plan())
      let outcome = try Program.run(["sync"], environment: variables)
      #expect(outcome.status == 0, "\(place): \(outcome)")
      #expect(home.has("\(place)/snapshots/meal-plan.json"))
    }
    let other = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    #expect(try other.run("sync", environment: ["CACHESYNC_CACHE": named + "/none"]).status == 0)
    #expect(other.has("snapshots/meal-plan.json"))
  }
}
