import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// The agent repairs outputs that another program removed, damaged or moved, and generations only grow.
@Suite struct RecoveryTests {
  private func manifest(_ cache: CommandCache) throws -> JSONValue { try cache.published("manifest") }

  private func generation(_ cache: CommandCache) throws -> Int { try #require(try manifest(cache)["generation"]?.int) }

  @Test("Generations continue after all outputs were removed while no agent ran")
  func outputsRemoved() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    _ = try cache.run("sync")
    try cache.write("meal-plan/a.json", Sessions.plan("Two"))
    _ = try cache.run("sync")
    #expect(try generation(cache) == 2)
    try FileManager.default.removeItem(atPath: cache.file("snapshots"))
    _ = try cache.run("sync")
    #expect(try generation(cache) == 3)
    // The same after an agent that was killed, once it has recorded what it published. That may take a second.
    let agent = try cache.agent()
    let size = try cache.text(".cachesync/sessions").utf8.count
    try cache.write("meal-plan/a.json", Sessions.plan("Three"))
    let last = try cache.caughtUp()
    #expect(try holds { try cache.text(".cachesync/sessions").utf8.count > size })
    agent.send(SIGKILL)
    _ = try agent.outcome()
    try FileManager.default.removeItem(atPath: cache.file("snapshots"))
    _ = try cache.run("sync")
    #expect(try generation(cache) > last)
  }

  @Test(
    "An edited manifest is written again",
    arguments: [
      (#""generation":2,"publishedAt""#, #""generation":1,"publishedAt""#), (#""schema":1"#, #""schema":7"#),
      (#","schema":1"#, ""), (#""publishedAt":""#, #""publishedAt":"soon"#), (#"{"files""#, #"{"extra":1,"files""#),
    ])
  func editedManifest(_ old: String, _ new: String) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    _ = try cache.run("sync")
    try cache.write("meal-plan/a.json", Sessions.plan("Two"))
    _ = try cache.run("sync")
    let text = try cache.text("snapshots/manifest.json")
    try #require(text.contains(old))
    try Data(text.replacingOccurrences(of: old, with: new).utf8).write(
      to: URL(fileURLWithPath: cache.file("snapshots/manifest.json")))
    #expect(try cache.run("sync").status == 0)
    #expect(try generation(cache) == 3)
    #expect(try manifest(cache).keys == ["files", "generation", "publishedAt", "schema"])
    #expect(try manifest(cache)["schema"]?.int == 1)
  }

  @Test("The generation of a damaged manifest is not used again")
  func damagedManifest() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    _ = try cache.run("sync")
    try Data(#"{"files":{},"generation":3000,"publ"#.utf8).write(
      to: URL(fileURLWithPath: cache.file("snapshots/manifest.json")))
    _ = try cache.run("sync")
    #expect(try generation(cache) == 3001)
  }

  @Test("A directory with an output's name is moved aside, with its contents")
  func directoryInTheWay() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    _ = try cache.run("sync")
    unlink(cache.file("snapshots/meal-plan.json"))
    mkdir(cache.file("snapshots/meal-plan.json"), 0o755)
    try Data().write(to: URL(fileURLWithPath: cache.file("snapshots/meal-plan.json/kept")))
    #expect(try cache.run("sync").status == 0)
    #expect(try cache.published("meal-plan")["kind"] == .string("meal-plan"))
    let aside = try cache.names(".cachesync").filter { $0.hasPrefix("replaced-") }
    #expect(aside.count == 1 && cache.has(".cachesync/\(aside.first ?? "")/kept"))
  }

  @Test("The agent restores an output that was changed without a change of size and times, and its permissions")
  func tracelessChange() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    let agent = try cache.agent()
    try cache.caughtUp()
    let good = try cache.text("snapshots/meal-plan.json")
    let file = cache.file("snapshots/meal-plan.json")
    var about = stat()
    try #require(stat(file, &about) == 0)
    let handle = try #require(FileHandle(forWritingAtPath: file))
    handle.write(Data(good.replacingOccurrences(of: "One", with: "Eno").utf8))
    try handle.close()
    var times = [about.st_atim, about.st_mtim]
    utimensat(AT_FDCWD, file, &times, 0)
    try cache.caughtUp(sweeping: true)
    #expect(try cache.text("snapshots/meal-plan.json").contains("One"))
    chmod(file, 0)
    try cache.caughtUp(sweeping: true)
    try #require(stat(file, &about) == 0)
    #expect(about.st_mode & 0o777 == 0o644)
    withExtendedLifetime(agent) {}
  }

  @Test("If the lock is removed, the agent creates it again, and a second agent is refused")
  func lockRemoved() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    let agent = try cache.agent()
    unlink(cache.file(".cachesync/lock"))
    try cache.write("meal-plan/a.json", Sessions.plan("Two"))
    try cache.caughtUp()
    #expect(cache.has(".cachesync/lock"))
    #expect(try cache.run("run").status == 75)
    withExtendedLifetime(agent) {}
  }

  @Test("After a sweep the agent goes on by itself: it waits for a bad file, and publishes at the next boundary")
  func sweepArmsTimers() throws {
    let cache = try CommandCache(["tasks/t.json": Sessions.tasks, "events/e.json": "[]"])
    let agent = try cache.agent()
    let outside = cache.parent + "/link.json"
    try #require(Glibc.link(cache.file("tasks/t.json"), outside) == 0)
    let events = cache.parent + "/events.json"
    try #require(Glibc.link(cache.file("events/e.json"), events) == 0)
    try cache.caughtUp()
    // The kernel reports no event for a write through a name outside the cache.
    func write(_ text: String, _ path: String) throws {
      let file = open(path, O_WRONLY | O_TRUNC)
      defer { close(file) }
      try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    }
    let stopwatch = Stopwatch(of: agent.pid)
    try write(#"{"x""#, outside)
    let bad = try cache.written("tasks/t.json")
    try cache.caughtUp(sweeping: true)
    #expect(try cache.published("task-count")["problems"]?.array?.count == 1)
    // Something else, such as a mount, may make an agent without timers look again, but only later.
    #expect(try cache.written("snapshots/task-count.json") - bad - stopwatch.wait < .seconds(5))

    func text() throws -> JSONValue? { try cache.published("next-event")["entries"]?[0]?["content"]?["text"] }
    // The sweep must end well before the event starts, and so must the saving of last good versions a second later,
    // which must not cause a publication. On a busy machine it may take longer, and the test tries a later event.
    var isInTime = false
    var start = Instant.now
    for lead in [3, 10, 30, 100] where !isInTime {
      start = Instant.now + .seconds(lead)
      try write(#"[{"id":1,"title":"Soon","startTime":"\#(start)","endTime":"\#(start)"}]"#, events)
      try cache.caughtUp(sweeping: true)
      let shown = try text()
      isInTime = .now + .seconds(2) < start
      if isInTime { #expect(shown == .string("Soon")) }
    }
    #expect(isInTime, "a sweep takes longer than 100 s")
    // From here on, no command sends a request to the agent.
    #expect(try holds(within: 160) { try text() == .string("No upcoming events") })
    #expect(try cache.written("snapshots/next-event.json") - start - stopwatch.wait < .seconds(5))
    withExtendedLifetime(agent) {}
  }

  @Test("watch continues in a cache that was deleted and created again, even with the same generation")
  func watchGoesOn() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("One")])
    _ = try cache.run("sync")
    let watch = try Child(["watch", "meal-plan", "--cache", cache.path])
    // The command is listening once it prints a change.
    var meal = 0
    #expect(
      try holds {
        meal += 1
        try cache.write("meal-plan/a.json", Sessions.plan("Meal \(meal)"))
        _ = try cache.run("sync")
        return watch.output.contains("Meal")
      })
    try FileManager.default.removeItem(atPath: cache.path)
    try cache.write("meal-plan/a.json", Sessions.plan("Anew"))
    _ = try cache.run("sync")
    #expect(holds { watch.output.contains("Anew") }, "\(watch.output.suffix(200))")
  }

  @Test("With --caches-in, a cache is served as soon as it can be, even after its directory is created again")
  func collection() throws {
    let collection = try TemporaryFolder()
    let path = collection.path + "/caches"
    mkdir(path, 0o755)
    let agent = try Child(["run", "--caches-in", path])
    #expect(holds { agent.errors.contains("serving") })

    // The agent also serves a new cache with wrong settings, like one whose settings become wrong while it is served.
    let bad = try CommandCache(["meal-plan/a.json": Sessions.plan("Bad"), "cachesync.json": #"{"x":1}"#])
    try FileManager.default.moveItem(atPath: bad.path, toPath: path + "/bad")
    let moved = try CommandCache(at: path + "/bad")
    #expect(holds { moved.has("snapshots/meal-plan.json") }, "\(agent.errors)")
    func problems() throws -> Int? { try moved.status()["problems"]?.array?.count }
    #expect(try problems() == 1)
    try moved.write("cachesync.json", "{}")
    #expect(try holds { try problems() == 0 })

    try FileManager.default.removeItem(atPath: path)
    let again = try CommandCache(["meal-plan/a.json": Sessions.plan("Again")], at: path + "/again")
    #expect(holds { again.has("snapshots/meal-plan.json") }, "\(agent.errors)")
  }

  @Test("run takes over a cache that another agent holds when that one ends, and serves the others meanwhile")
  func heldByAnother() throws {
    let (held, free) = (
      try CommandCache(["meal-plan/a.json": Sessions.plan()]), try CommandCache(["meal-plan/a.json": Sessions.plan()])
    )
    let first = try held.agent()
    let second = try Child(["run", "--cache", held.path, "--cache", free.path])
    #expect(holds { free.has("snapshots/manifest.json") })
    first.send(SIGTERM)
    #expect(try first.outcome().status == 0)
    #expect(holds { (try? held.status()["pid"]?.int) == Int(second.pid) }, "\(second.errors)")
  }
}
