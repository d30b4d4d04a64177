import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import Testing
import TestSupport

/// The commands that send requests to an agent, with and without one.
@Suite struct AgentCommandTests {
  @Test("Without an agent, status and wait exit with 69 and print one line")
  func noAgent() throws {
    let cache = try CommandCache()
    for command in ["status", "wait"] {
      let outcome = try cache.run(command)
      #expect(outcome.status == 69 && outcome.hasOneLineError, "\(outcome)")
    }
    let report = try json(try cache.run("status", "--json").output)
    #expect(report["alive"] == .bool(false) && report["hearing"] == .bool(false) && report["pid"] == .null)
    #expect(report["version"] == .null && report["startedAt"] == .null && report["lastPublication"] == .null)
    #expect(report["publicationSeconds"]?["buckets"]?.array?.count == 14)
    let metrics = try cache.run("status", "--prometheus")
    #expect(metrics.status == 69 && metrics.output.hasSuffix("\ncachesync_up{cache=\"\(cache.path)\"} 0\n"))
  }

  @Test("If a bridge holds the cache, commands that need an agent exit at once with 69, and a second writer with 75")
  func bridge() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    try #require(mkdir(cache.file(".cachesync"), 0o700) == 0)
    let directory = open(cache.file(".cachesync"), O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    let lock = try CacheLock(in: directory, as: .bridge)
    for command in [["wait"], ["wait", "--sweep"], ["status"], ["sync"], ["sync", "--at", Sessions.noon]] {
      let outcome = try Program.run(command + ["--cache", cache.path])
      #expect(outcome.status == 69 && outcome.hasOneLineError, "\(outcome)")
      #expect(outcome.errors.contains("a bridge holds"), "\(outcome)")
    }
    let agent = try cache.run("run")
    #expect(agent.status == 75 && agent.hasOneLineError && agent.errors.contains("a bridge holds"), "\(agent)")
    #expect(!cache.has("snapshots"))
    withExtendedLifetime(lock) {}
  }

  @Test("An agent waits while a sync holds the cache, then serves it, and exits with 75 if another agent holds it")
  func besideSync() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    var lock: CacheLock? = try cache.lock(as: .sync)
    let agent = try Child(["run", "--cache", cache.path])
    let line = "cachesyncd: notice: waiting for the sync that holds \(cache.path) to end\n"
    try #require(holds { agent.errors == line }, "\(agent.errors)")
    let status = try cache.run("status")
    #expect(status.status == 69 && status.hasOneLineError && status.errors.contains("a sync does"), "\(status)")
    #expect(try cache.run("wait", "--timeout", "0.2").status == 75)
    let waiting = try Child(["wait", "--cache", cache.path])
    // If it has not checked yet, it could miss the sync and exit with 69.
    try #require(holds { waiting.isBetweenTwoLooks })
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try waiting.outcome().status == 0)
    #expect(holds { agent.errors == line + "cachesyncd: notice: serving \(cache.path)\n" }, "\(agent.errors)")
    let other = try cache.run("run")
    #expect(other.status == 75 && other.hasOneLineError && other.errors.contains("another agent holds"), "\(other)")
    withExtendedLifetime(agent) {}
  }

  @Test("Of two agents that wait for a sync one serves, and the other exits with 75")
  func twoBesideSync() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    var lock: CacheLock? = try cache.lock(as: .sync)
    let agents = try [Child(["run", "--cache", cache.path]), Child(["run", "--cache", cache.path])]
    try #require(holds { agents.allSatisfy { $0.errors.contains("waiting for the sync") } })
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(holds { agents.contains { $0.exitStatus() == 75 } })
    #expect(holds { agents.contains { $0.exitStatus() == nil && $0.errors.contains("serving") } })
  }

  @Test("SIGTERM ends an agent that waits for a sync with status 0")
  func endBesideSync() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let lock = try cache.lock(as: .sync)
    let agent = try Child(["run", "--cache", cache.path])
    try #require(holds { agent.errors.contains("waiting for the sync") })
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0 && !cache.has("snapshots"))
    withExtendedLifetime(lock) {}
  }

  @Test("A cache that a sync holds does not delay the others")
  func severalBesideSync() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let other = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    var lock: CacheLock? = try cache.lock(as: .sync)
    let agent = try Child(["run", "--cache", cache.path, "--cache", other.path])
    try #require(holds { agent.errors.contains("serving 1 cache; waiting for 1\n") }, "\(agent.errors)")
    #expect(other.has("snapshots/manifest.json") && !cache.has("snapshots"))
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(holds { agent.errors.hasSuffix("serving \(cache.path): the sync that held it has ended\n") })
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0)
  }

  @Test("The program, its agent and status report one version, and status also the agent's start")
  func version() throws {
    #expect(try Program.run(["--version"]).output == CacheSyncVersion.current + "\n")
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let agent = try cache.agent()
    let text = try cache.run("status").output
    #expect(text.contains("\nversion      \(CacheSyncVersion.current)\nsince        20"), "\(text)")
    let metrics = try cache.run("status", "--prometheus")
    #expect(metrics.status == 0 && metrics.output.contains("version=\"\(CacheSyncVersion.current)\"} 1\n"))
    #expect(agent.exitStatus() == nil)
  }

  @Test("status --json has every member, of its type")
  func statusMembers() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(), "meal-plan/b.json": "{", "other/c.json": "{}"])
    try cache.write("meal-plan/d.part.json", "{}")
    try cache.write("intents/old.json", #"{"id":"old","type":"end-session","at":"2020-01-01T00:00:00Z"}"#)
    let agent = try cache.agent()
    try cache.caughtUp()
    let outcome = try cache.run("status", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let status = try json(outcome.output)
    let names = [
      "alive", "counters", "directory", "generation", "hearing", "ignored", "lastPublication", "mode", "nextBoundary",
      "pid", "polled", "problems", "publicationSeconds", "removable", "stale", "startedAt", "timeZone", "unclaimed",
      "version", "watches", "writable",
    ]
    #expect(status.keys == names && status["directory"] == .string(cache.path))
    #expect(status["alive"] == .bool(true) && status["hearing"] == .bool(true) && status["writable"] == .bool(true))
    #expect(status["pid"] == .integer(Int(agent.pid)) && status["mode"] == .string("inotify"))
    #expect((status["watches"]?.int ?? 0) >= 3 && status["polled"] == .array([]))
    #expect(status["unclaimed"] == .array([.string("other/c.json")]))
    #expect(status["ignored"]?[0]?["path"] == .string("meal-plan/d.part.json"))
    #expect(status["ignored"]?[0]?.keys == ["path", "reason"] && status["ignored"]?.array?.count == 1)
    #expect(status["removable"] == .array([.string("intents/old.json")]))
    let next = try #require(status["nextBoundary"]?.string.flatMap { Instant($0) })
    #expect(next > .now)
    #expect(try status["generation"] == cache.published("manifest")["generation"])
    let counters = ["batches", "events", "overflows", "publications", "rejected", "rescans", "retries"]
    #expect(status["counters"]?.keys == counters)
    #expect(counters.allSatisfy { status["counters"]?[$0]?.int != nil })
    #expect(status["version"] == .string(CacheSyncVersion.current))
    #expect(try status["lastPublication"] == cache.published("manifest")["publishedAt"])
    #expect(try #require(status["startedAt"]?.instant) <= .now)
    let durations = try #require(status["publicationSeconds"])
    #expect(durations.keys == ["buckets", "count", "sum"])
    #expect(durations["count"] == status["counters"]?["publications"] && (durations["sum"]?.double ?? 0) > 0)
    #expect(durations["buckets"]?.array?.count == 14 && durations["buckets"]?[0]?.keys == ["count", "le"])
    let problem = try #require(status["problems"]?[0])
    #expect(problem.keys == ["column", "count", "line", "message", "path", "pointer", "severity", "since"])
    #expect(problem["path"] == .string("meal-plan/b.json") && problem["column"] == .integer(2))
    #expect((problem["count"]?.int ?? 0) >= 1 && problem["since"]?.string.flatMap { Instant($0) } != nil)
  }

  @Test("status as text names the agent, its problems and the files that no feed claims")
  func statusText() throws {
    let cache = try CommandCache(["meal-plan/b\u{1B}.json": "{", "other/c.json": "{}"])
    let agent = try cache.agent()
    try cache.caughtUp()
    let text = try cache.run("status").output
    #expect(text.contains("pid \(agent.pid)") && text.contains(#"meal-plan/b\x1b.json:1:2: "#), "\(text)")
    #expect(text.contains("other/c.json") && !text.contains("\u{1B}"))
  }

  @Test("status as text has the next change in UTC and in the cache's local time")
  func statusLocalTime() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"GMT+03:37"}"#])
    let agent = try cache.agent()
    try cache.caughtUp()
    let line = try #require(try cache.run("status").lines.first { $0.hasPrefix("next change  ") })
    #expect(line.contains("T20:23:00Z  ") && line.hasSuffix(" 00:00:00"), "\(line)")
    withExtendedLifetime(agent) {}
  }

  @Test("status as text prints a problem that concerns no file without a path and a place")
  func statusOfNoFile() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")])
    let agent = try cache.agent()
    try cache.caughtUp()
    try FileManager.default.removeItem(atPath: cache.file("snapshots"))
    try cache.link("snapshots", to: cache.parent)
    try cache.write("meal-plan/a.json", Sessions.plan("Stew"))
    #expect(
      try holds { try cache.run("status").lines.contains { $0.hasPrefix("problem      cannot open snapshots: ") } })
    withExtendedLifetime(agent) {}
  }

  @Test("For a stopped agent, status exits with 70 within five seconds")
  func stoppedAgent() throws {
    let cache = try CommandCache()
    let agent = try cache.agent()
    agent.send(SIGSTOP)
    defer { agent.send(SIGCONT) }
    let command = try Child(["status", "--json", "--cache", cache.path])
    let stopwatch = Stopwatch(of: command.pid)
    let outcome = try command.outcome(stopwatch)
    // The command waits 5 s for the agent. A slow machine may need 3 s for the rest.
    #expect(stopwatch.elapsed < .seconds(5 + 3))
    #expect(outcome.status == 70 && outcome.hasOneLineError, "\(outcome)")
    let status = try json(outcome.output)
    #expect(status["alive"] == .bool(true) && status["hearing"] == .bool(false))
    #expect(status["pid"] == .integer(Int(agent.pid)))
    let late = try cache.run("wait", "--timeout", "0.2")
    #expect(late.status == 75 && late.hasOneLineError && late.output.isEmpty, "\(late)")
  }

  @Test("With several caches status is an array with each cache, and exits with the greatest status of any")
  func severalCaches() throws {
    let (one, two) = (try CommandCache(), try CommandCache())
    let agent = try one.agent()
    let outcome = try Program.run(["status", "--json", "--cache", one.path, "--cache", two.path])
    #expect(outcome.status == 69)
    let reports = try json(outcome.output).array ?? []
    #expect(reports.map { $0["cache"]?.string } == [one.path, two.path])
    #expect(reports.map { $0["alive"]?.bool } == [true, false])
    let missing = try Program.run(["status", "--json", "--cache", one.path, "--cache", two.path + "/none"])
    #expect(missing.status == 66 && missing.hasOneLineError, "\(missing)")
    #expect(try json(missing.output).array?.map { $0["alive"]?.bool } == [true, false])
    withExtendedLifetime(agent) {}
  }

  @Test("--caches-in serves every directory inside, except hidden ones, and those that are added later")
  func cachesIn() throws {
    let collection = try CommandCache([
      "a/meal-plan/x.json": Sessions.plan(), ".hidden/meal-plan/x.json": Sessions.plan(),
    ])
    #expect(try Program.run(["sync", "--caches-in", collection.path]).status == 0)
    #expect(collection.has("a/snapshots/meal-plan.json") && !collection.has(".hidden/snapshots"))
    let agent = try Child(["run", "--caches-in", collection.path])
    try #require(holds { agent.errors.contains("serving") })
    try collection.write("b/meal-plan/x.json", Sessions.plan())
    #expect(holds { collection.has("b/snapshots/manifest.json") })
    let outcome = try Program.run(["status", "--json", "--caches-in", collection.path])
    #expect(outcome.status == 0, "\(outcome)")
    let reports = try json(outcome.output).array ?? []
    #expect(reports.map { $0["cache"]?.string } == [collection.file("a"), collection.file("b")])
    #expect(reports.allSatisfy { $0["pid"] == .integer(Int(agent.pid)) })
    #expect(!collection.has(".hidden/snapshots"))
  }

  @Test("wait prints only the generation, after everything written before is published")
  func wait() throws {
    let cache = try CommandCache()
    let agent = try cache.agent()
    var last = try cache.caughtUp()
    for meal in ["Soup", "Stew", "Salad"] {
      try cache.write("meal-plan/a.json", Sessions.plan(meal))
      let outcome = try cache.run("wait", "--timeout", "60")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output == "\(last + 1)\n")
      #expect(try cache.text("snapshots/meal-plan.json").contains(meal))
      last += 1
    }
    withExtendedLifetime(agent) {}
  }

  @Test("The agent publishes the last of a storm of files, and the next file, without a request by a command")
  func storm() throws {
    let cache = try CommandCache()
    let agent = try cache.agent()
    let first = try cache.caughtUp()
    for number in 0..<500 { try cache.write("meal-plan/\(number).json", Sessions.plan("Meal \(number)")) }
    // Among sessions with the same date the agent takes the greatest id, then the greatest path.
    #expect(try holds { try cache.text("snapshots/meal-plan.json").contains("\"Meal 99\"") })
    #expect(try cache.caughtUp() < first + 500)
    try cache.write("tasks/a.json", "[]")
    #expect(holds { cache.has("snapshots/todays-tasks.json") })
    withExtendedLifetime(agent) {}
  }

  @Test("A link counts as soon as its target exists, and its last good version when the target is removed")
  func lateTarget() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")])
    try cache.link("meal-plan/b.json", to: ".target")
    let agent = try cache.agent()
    func problems() throws -> Int { try cache.status()["problems"]?.array?.count ?? 0 }
    #expect(try holds { try problems() == 1 })
    let rejected = try cache.status()["counters"]?["rejected"]
    try cache.write("meal-plan/a.json", Sessions.plan("Soup", id: "plan-2"))
    try cache.caughtUp()
    #expect(try cache.status()["counters"]?["rejected"] == rejected, "an event elsewhere is no second rejection")
    try cache.write("meal-plan/.target", Sessions.plan("Stew", updated: "2026-11-21T08:00:00Z"))
    #expect(holds { (try? cache.text("snapshots/meal-plan.json").contains("Stew")) == true })
    #expect(try problems() == 0)
    try FileManager.default.removeItem(atPath: cache.file("meal-plan/.target"))
    #expect(try holds { try problems() == 1 })
    #expect(try cache.text("snapshots/meal-plan.json").contains("Stew"))
    withExtendedLifetime(agent) {}
  }

  @Test("wait --sweep also publishes a change without an event, and restores an output that was removed")
  func sweep() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")])
    let agent = try cache.agent()
    try cache.caughtUp()
    // A hard link outside the cache: writing through it causes no event inside.
    let outside = cache.parent + "/outside.json"
    try #require(link(cache.file("meal-plan/a.json"), outside) == 0)
    try cache.caughtUp()
    try Data(Sessions.plan("Leek soup").utf8).write(to: URL(fileURLWithPath: outside))
    try FileManager.default.removeItem(atPath: cache.file("snapshots/day-index.json"))
    let outcome = try cache.run("wait", "--sweep", "--timeout", "60")
    #expect(outcome.status == 0 && Int(outcome.output.dropLast()) != nil, "\(outcome)")
    #expect(try cache.text("snapshots/meal-plan.json").contains("Leek soup"))
    #expect(cache.has("snapshots/day-index.json"))
    withExtendedLifetime(agent) {}
  }

  @Test("watch prints each snapshot that changes on one line, and only the requested ones")
  func watch() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup"), "tasks/a.json": "[]"])
    let agent = try cache.agent()
    try cache.caughtUp()
    let all = try Child(["watch", "--cache", cache.path])
    let one = try Child(["watch", "task-count", "--cache", cache.path])
    // The test repeats the change until both commands print it. Then both are listening.
    var tries = 0
    let isListening = try holds {
      tries += 1
      try cache.write("tasks/a.json", Sessions.tasksOfAnyDay.replacing("Count the cups", with: "Count \(tries)"))
      try cache.write(
        "tasks/b.json", tries % 2 == 0 ? "[]" : Sessions.tasksOfAnyDay.replacing("\"id\":1", with: "\"id\":9"))
      try cache.caughtUp()
      return !all.output.isEmpty && !one.output.isEmpty
    }
    try #require(isListening)
    try cache.write("meal-plan/a.json", Sessions.plan("Stew"))
    try cache.caughtUp()
    // Lines of the last repetition may arrive late, before this one or after it.
    let line = try cache.text("snapshots/meal-plan.json")
    #expect(line.contains("Stew") && line.hasSuffix("\n"))
    #expect(holds { ("\n" + all.output).contains("\n" + line) }, "byte for byte, as one line")
    for line in one.output.split(separator: "\n") { #expect(try json(line + "\n")["kind"] == .string("task-count")) }
    withExtendedLifetime(agent) {}
  }

  @Test("watch --now begins with the published snapshots, in the order of the feeds' kinds, and repeats no line")
  func watchNow() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup"), "tasks/a.json": "[]"])
    try #require(try cache.run("sync").status == 0)
    let watch = try Child(["watch", "--now", "--format", "entry", "--cache", cache.path])
    let kinds = ["meal-plan", "todays-tasks", "task-count", "task-progress", "completed-today", "quick-add"]
    func printedKinds() throws -> [String?] {
      try watch.output.split(separator: "\n").map { try json($0 + "\n")["kind"]?.string }
    }
    #expect(try holds { try printedKinds() == kinds }, "\(watch.output)")
    // Each publication of another plan changes one kind's line. Publishing the same plan changes none.
    for name in ["Soup", "Stew"] {
      try cache.write("meal-plan/a.json", Sessions.plan(name, updated: "2026-11-20T08:00:0\(name.count)Z"))
      try #require(try cache.run("sync").status == 0)
    }
    #expect(try holds { try printedKinds() == kinds + ["meal-plan"] }, "\(watch.output)")
    #expect(watch.output.hasSuffix("\n") && watch.exitStatus() == nil)
  }

  @Test(
    "sync with a running agent sends it a request and waits; for another moment it exits with 75, like a second agent")
  func secondWriter() throws {
    let cache = try CommandCache()
    let agent = try cache.agent()
    try cache.write("meal-plan/a.json", Sessions.plan())
    #expect(try cache.run("sync").status == 0)
    #expect(cache.has("snapshots/meal-plan.json"))
    for command in [["sync", "--at", Sessions.noon], ["run"]] {
      let outcome = try Program.run(command + ["--cache", cache.path])
      #expect(outcome.status == 75 && outcome.hasOneLineError, "\(outcome)")
    }
    #expect(try agent.exitStatus() == nil && cache.status()["hearing"] == .bool(true))
  }
}
