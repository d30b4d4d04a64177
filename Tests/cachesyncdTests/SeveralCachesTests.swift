import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// One agent with several caches.
@Suite struct SeveralCachesTests {
  @Test("One bad cache does not keep the others from being served, and the greatest status is the exit status")
  func oneBad() throws {
    let good = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let invalid = try CommandCache(["cachesync.json": #"{"timeZone":"Mars"}"#])
    let caches = ["--cache", invalid.path, "--cache", good.path + "/none", "--cache", good.path]
    let outcome = try Program.run(["sync"] + caches)
    #expect(outcome.status == 78 && good.has("snapshots/meal-plan.json"), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome)")

    let agent = try Child(["run"] + caches)
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil }, "\(agent.errors)")
    try good.write("meal-plan/a.json", Sessions.plan("Stew"))
    try good.caughtUp()
    #expect(try good.text("snapshots/meal-plan.json").contains("Stew"))
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 78)
    #expect(try Program.run(["sync", "--cache", good.path + "/none", "--cache", good.path]).status == 66)
    #expect(try Program.run(["status", "--cache", good.path + "/none", "--cache", good.path]).status == 69)
  }

  @Test("Caches below --caches-in are added and removed while the others are served")
  func comeAndGo() throws {
    let collection = try CommandCache(["a/meal-plan/x.json": Sessions.plan(), "b/meal-plan/x.json": Sessions.plan()])
    let agent = try Child(["run", "--caches-in", collection.path])
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    func served() throws -> [String] {
      let outcome = try Program.run(["status", "--json", "--caches-in", collection.path])
      return try json(outcome.output).array?.compactMap { $0["alive"] == .bool(true) ? $0["cache"]?.string : nil } ?? []
    }
    func generation(_ name: String) throws -> Int {
      try collection.document("\(name)/snapshots/manifest.json")["generation"]?.int ?? 0
    }
    #expect(try served() == [collection.file("a"), collection.file("b")])
    try collection.write("b/meal-plan/x.json", Sessions.plan("Stew"))
    #expect(try holds { try generation("b") == 2 })
    // The agent may still save last good versions between the removal of the files and that of their directory.
    #expect(
      holds {
        try? FileManager.default.removeItem(atPath: collection.file("b"))
        return !collection.has("b")
      })
    #expect(try holds { try served() == [collection.file("a")] })
    try collection.write("a/meal-plan/x.json", Sessions.plan("Stew"))
    #expect(try holds { try collection.text("a/snapshots/meal-plan.json").contains("Stew") })
    try collection.write("b/meal-plan/x.json", Sessions.plan("Soup"))
    #expect(try holds { try collection.has("b/snapshots/manifest.json") && generation("b") > 2 }, "greater than before")
    #expect(try served() == [collection.file("a"), collection.file("b")])
    #expect(agent.exitStatus() == nil)
  }

  enum Departure: CaseIterable {
    case moved, deleted, deletedInSteps, replaced, stateDeleted
  }

  @Test("With --caches-in, the agent writes one line when a cache is removed", arguments: Departure.allCases)
  func departure(_ departure: Departure) throws {
    let folder = try CommandCache(["in/a/meal-plan/x.json": Sessions.plan(), "in/b/meal-plan/x.json": Sessions.plan()])
    let (path, other) = (folder.file("in/a"), try CommandCache(at: folder.file("in/b")))
    let agent = try Child(["run", "--caches-in", folder.file("in")])
    try #require(holds { agent.errors.contains("serving 2 caches") || agent.exitStatus() != nil }, "\(agent.errors)")
    func lines() -> [Substring] { agent.errors.split(separator: "\n").filter { $0.contains("in/a") } }

    var expected = "cachesyncd: notice: the cache directory \(path) is gone; not serving it any more"
    switch departure {
    case .moved: try #require(rename(path, folder.file("out")) == 0)
    case .deleted:
      // The agent may write a file between the removal of the files and that of their directory.
      #expect(
        holds {
          try? FileManager.default.removeItem(atPath: path)
          return !folder.has("in/a")
        })
    case .deletedInSteps:
      try FileManager.default.removeItem(atPath: path + "/.cachesync")
      #expect(try holds { try Program.run(["status", "--cache", path]).status == 69 })
      try FileManager.default.removeItem(atPath: path)
    case .replaced:
      try folder.write("new/tasks/x.json", Sessions.tasks)
      // The agent gets the events of both renames at once.
      agent.send(SIGSTOP)
      try #require(rename(path, folder.file("out")) == 0 && rename(folder.file("new"), path) == 0)
      agent.send(SIGCONT)
      expected = "cachesyncd: notice: serving another directory at \(path) now"
      #expect(holds { folder.has("in/a/snapshots/task-progress.json") }, "\(agent.errors)")
    case .stateDeleted:
      try FileManager.default.removeItem(atPath: path + "/.cachesync")
      expected = "cachesyncd: notice: serving \(path) again: .cachesync was removed"
    }
    #expect(holds { !lines().isEmpty }, "\(agent.errors)")
    try other.write("meal-plan/x.json", Sessions.plan("Stew"))
    try other.caughtUp()
    #expect(lines() == [Substring(expected)])
  }

  /// By hand: of 256 descriptors the agent inherits some, and keeps at least 32 for itself and for files that are open
  /// briefly. A cache takes four.
  @Test("With few descriptors the agent serves as many caches as fit, and these completely")
  func fewDescriptors() throws {
    let names = (0..<80).map { "c\($0)" }
    let collection = try CommandCache(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0)/meal-plan/a.json", Sessions.plan("Soup")) }))
    let agent = try Child(
      ["run", "--caches-in", collection.path], through: ["/bin/sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh"])
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    func count(of meal: String) -> Int {
      names.count { (try? collection.text("\($0)/snapshots/meal-plan.json").contains(meal)) == true }
    }
    #expect(holds { count(of: "Soup") >= 45 })
    let served = names.filter { collection.has("\($0)/snapshots/manifest.json") }
    #expect(served.count <= (256 - 32) / 4)
    #expect(agent.errors.contains("Too many open files: raise the limit with ulimit -n"))
    for name in served { try collection.write("\(name)/meal-plan/a.json", Sessions.plan("Stew")) }
    #expect(holds { count(of: "Stew") == served.count })
    #expect(!agent.errors.contains("snapshots"), "\(agent.errors)")
  }

  /// By hand: with standard input, output and error, an agent with one cache has 15 open, and the first publication
  /// needs six more.
  @Test("With too few descriptors for one cache, run exits with 71 and names both limits", arguments: [4, 6, 10, 20])
  func tooFewDescriptors(_ limit: Int) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let agent = try Child(
      ["run", "--cache", cache.path], through: ["/bin/sh", "-c", "ulimit -n \(limit) && exec \"$@\"", "sh"])
    #expect(holds { agent.exitStatus() == 71 }, "\(agent.errors)")
    #expect(agent.errors.hasPrefix("cachesyncd: too few open files"), "\(agent.errors)")
    #expect(agent.errors.contains("ulimit -n") && agent.errors.contains("LimitNOFILE="), "\(agent.errors)")
  }

  @Test("A cache that changes all the time does not delay the publications of the others")
  func fairness() throws {
    let names = (0..<5).map { "c\($0)" }
    let collection = try CommandCache(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0)/meal-plan/a.json", Sessions.plan()) }))
    let agent = try Child(["run", "--caches-in", collection.path])
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    let busy = collection.file("c0/tasks")
    try FileManager.default.createDirectory(atPath: busy, withIntermediateDirectories: true)
    var writers: [Thread] = []
    for _ in 0..<2 {
      let writer = Thread {
        var round = 0
        while !Thread.current.isCancelled {
          round += 1
          let bytes = Data(Sessions.tasks.replacing("Open up", with: "\(round)").utf8)
          try? bytes.write(to: URL(fileURLWithPath: "\(busy)/\(round % 50).json"), options: .atomic)
        }
      }
      writer.start()
      writers.append(writer)
    }
    defer { for writer in writers { writer.cancel() } }
    try #require(holds { collection.has("c0/snapshots/task-count.json") }, "the busy one is served too")
    for round in 0..<5 {
      for name in names.dropFirst() {
        try collection.write("\(name)/meal-plan/a.json", Sessions.plan("Stew \(round)"))
        #expect(try holds { try collection.text("\(name)/snapshots/meal-plan.json").contains("Stew \(round)") })
      }
    }
    #expect(agent.exitStatus() == nil)
  }

  @Test("Caches with a common midnight have one publication each, within a second")
  func commonMidnight() async throws {
    let names = (0..<6).map { "c\($0)" }
    let collection = try CommandCache(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0)/meal-plan/a.json", Sessions.plan()) }))
    func index(_ name: String) throws -> JSONValue { try collection.document("\(name)/snapshots/day-index.json") }
    let eve = try TimeFaultTests.beforeMidnight { environment in
      let agent = try Child(["run", "--caches-in", collection.path], environment: environment)
      try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
      return agent
    } preparing: { agent in
      (indices: try names.map { try index($0) }, stopwatch: Stopwatch(of: agent.pid))
    }
    let (end, before, stopwatch) = (eve.midnight, eve.before.indices, eve.before.stopwatch)
    #expect(before.allSatisfy { $0["today"]?["end"] == .string(end.description) })
    try await TimeFaultTests.sleep(until: end)
    for (name, before) in zip(names, before) {
      #expect(try holds { try index(name) != before })
      let after = try index(name)
      let published = try #require(after["publishedAt"]?.instant)
      let (late, wait) = (published - end, stopwatch.wait)
      #expect(
        TimeFaultTests.isPrompt(late, after: wait),
        "\(name): publishedAt is \(late) after midnight, \(wait) without a processor")
      #expect(after["today"]?["start"] == .string(end.description))
      // The manifest is the publication's last file.
      let generation = (before["generation"]?.int ?? 0) + 1
      #expect(
        try holds { try collection.document("\(name)/snapshots/manifest.json")["generation"]?.int == generation },
        "\(name)")
    }
    withExtendedLifetime(eve) {}
  }
}

extension CommandCache {
  func document(_ name: String) throws -> JSONValue { try json(try text(name)) }
}
