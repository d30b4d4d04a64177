import Foundation
import Testing
import TestSupport

/// `status --check`, for monitors.
@Suite struct StatusCheckTests {
  @Test("It prints a line for each problem and ends with 1; with warnings alone, or nothing, it ends with 0")
  func problems() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay])
    let agent = try cache.agent()
    let quiet = try cache.run("status", "--check")
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")

    try cache.write("tasks/a (conflicted copy 2026-11-24).json", "{}")
    try cache.caughtUp()
    let warned = try cache.run("status", "--check")
    #expect(warned.status == 0 && warned.lines.count == 1 && warned.output.contains(":1:1: warning: "), "\(warned)")

    try cache.write("tasks/c.json", "{")
    try cache.caughtUp()
    let bad = try cache.run("status", "--check")
    #expect(bad.status == 1 && bad.lines.count == 2 && bad.errors.isEmpty, "\(bad)")
    #expect(bad.lines.last?.hasPrefix("tasks/c.json:1:2: error: ") == true, "\(bad)")
    #expect(try cache.run("status").status == 0)
    let formats = try [cache.run("status", "--check", "--json"), cache.run("status", "--check", "--prometheus")]
    #expect(formats.allSatisfy { $0.status == 1 } && formats[0].output.hasPrefix("{"), "\(formats)")
    #expect(agent.exitStatus() == nil)
  }

  @Test("A feed that is stale by its age is a line of its own, even if several of its kinds are")
  func stale() throws {
    let old = Sessions.tasksOfAnyDay.replacing("2026-11-21T08:00:00Z", with: "2020-01-01T00:00:00Z")
    let cache = try CommandCache([
      "cachesync.json": #"{"staleAfter":"PT1H"}"#, "tasks/a.json": old, "events/a.json": Sessions.events,
    ])
    let agent = try cache.agent()
    let outcome = try cache.run("status", "--check")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.count { $0.hasPrefix("error: the feed tasks is stale") } == 1, "\(outcome)")
    try cache.write("cachesync.json", "{}")
    try cache.caughtUp()
    #expect(try cache.run("status", "--check").output.isEmpty)
    #expect(agent.exitStatus() == nil)
  }

  @Test("Outputs that are missing and cannot be written are two lines; with several caches each line names its cache")
  func outputs() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay])
    let other = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay, "tasks/b.json": "{"])
    let agent = try Child(["run", "--cache", cache.path, "--cache", other.path])
    try #require(holds { agent.errors.contains("serving 2 caches") || agent.exitStatus() != nil }, "\(agent.errors)")
    try other.caughtUp()
    #expect(agent.errors.contains("warning: \(other.path)/tasks/b.json:1:2: "), "\(agent.errors)")
    try FileManager.default.removeItem(atPath: cache.file("snapshots"))
    try cache.write("snapshots", "a file in its place")
    func check() throws -> Outcome {
      try Program.run(["status", "--check", "--cache", cache.path, "--cache", other.path])
    }
    #expect(try holds { try check().lines.count == 3 })
    let outcome = try check()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines[0].hasPrefix("\(cache.path): error: cannot open snapshots"), "\(outcome)")
    #expect(outcome.lines[1].hasPrefix("\(cache.path)/snapshots:1:1: error: another program removed "), "\(outcome)")
    #expect(outcome.lines[2].hasPrefix("\(other.path)/tasks/b.json:1:2: error: "), "\(outcome)")
    let none = try Program.run(["status", "--check", "--cache", other.path, "--cache", cache.parent])
    #expect(none.status == 69 && none.lines.count == 1 && none.hasOneLineError, "the greater status wins: \(none)")
    #expect(agent.exitStatus() == nil)
  }
}
