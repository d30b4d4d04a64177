import CacheSync
import Foundation
import Glibc
import Testing

/// The agent's directories and files as other programs see them (contract.md sections 1, 3, 4, 5).
@Suite struct DirectoryTests {
  private func mode(_ path: String) throws -> mode_t {
    var about = stat()
    try #require(lstat(path, &about) == 0, "\(path)")
    return about.st_mode & 0o7777
  }

  private func inode(_ path: String) throws -> ino_t {
    var about = stat()
    try #require(lstat(path, &about) == 0, "\(path)")
    return about.st_ino
  }

  @Test(
    "The agent's own directory is always 0700; outputs are 0644 and their directory 0755, less the umask",
    arguments: [0o000, 0o022, 0o027, 0o077] as [mode_t])
  func modes(umask: mode_t) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let wrapper = ["/bin/sh", "-c", "umask \(String(umask, radix: 8)) && exec \"$@\"", "sh"]
    let outcome = try Child(["sync", "--cache", cache.path], through: wrapper).outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try mode(cache.file(".cachesync")) == 0o700)
    #expect(try mode(cache.file("snapshots")) == 0o755 & ~umask)
    #expect(try mode(cache.file("snapshots/.tmp")) == 0o700)
    for name in try cache.names("snapshots") where name != ".tmp" {
      #expect(try mode(cache.file("snapshots/\(name)")) == 0o644 & ~umask, "\(name)")
    }
  }

  @Test("A feed stays present when its files are removed, and its kinds become empty")
  func staysPresent() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(), "events/a.json": Sessions.events])
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    #expect(try cache.published("calendar")["entries"]?[0]?["state"] == .string("current"))
    for name in ["meal-plan/a.json", "events/a.json"] { unlink(cache.file(name)) }
    let before = try cache.names("snapshots")
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    #expect(try cache.names("snapshots") == before)
    for kind in ["meal-plan", "calendar", "next-event"] {
      #expect(try cache.published(kind)["entries"]?[0]?["state"] == .string("empty"), "\(kind)")
      #expect(try cache.published(kind)["sources"] == .array([]), "\(kind)")
    }
  }

  @Test("Intents alone make the kinds of tasks present, except quick-add, and no others")
  func intentsAlone() throws {
    let cache = try CommandCache([
      "intents/a.json": #"{"id":"i","type":"add-task","title":"Open up","at":"2026-11-21T08:00:00Z"}"#
    ])
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    #expect(
      try cache.names("snapshots") == [
        ".tmp", "completed-today.json", "day-index.json", "manifest.json", "task-count.json",
        "task-progress.json",
        "todays-tasks.json",
      ])
    #expect(try cache.published("todays-tasks")["entries"]?[0]?["content"]?["count"] == .integer(1))
  }

  private static let canChangeOwner =
    geteuid() == 0
    && {
      guard let folder = try? TemporaryFolder() else { return false }
      return chown(folder.path, 65_534, 65_534) == 0
    }()

  @Test(
    "An agent's directory that belongs to another user is refused with 77 and not changed",
    .enabled(if: canChangeOwner, "needs root that may give files away"),
    arguments: ["snapshots", ".cachesync", "snapshots/.tmp"])
  func anotherOwner(_ name: String) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    if name.contains("/") { mkdir(cache.file("snapshots"), 0o755) }
    try #require(mkdir(cache.file(name), 0o755) == 0 && chown(cache.file(name), 65_534, 65_534) == 0)
    for command in ["sync", "run"] {
      let outcome = try cache.run(command)
      #expect(outcome.status == 77 && outcome.hasOneLineError && outcome.errors.contains(name), "\(outcome)")
    }
    #expect(try cache.names(name).isEmpty)
  }

  @Test("A change that affects some kinds does not touch the files of the others")
  func untouched() throws {
    let cache = try CommandCache(["health/a.json": Sessions.health, "meal-plan/a.json": Sessions.plan()])
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    let names = try cache.names("snapshots")
    let before = try names.map { try inode(cache.file("snapshots/\($0)")) }
    // Only `protein`, which the budget does not use.
    try cache.write(
      "health/b.json", #"{"samples":[{"id":"z","type":"protein","date":"2026-11-21T09:00:00Z","value":20}]}"#)
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    let after = try names.map { try inode(cache.file("snapshots/\($0)")) }
    let changed = zip(names, zip(before, after)).filter { $1.0 != $1.1 }.map(\.0)
    #expect(changed == ["day-index.json", "macros.json", "manifest.json", "overview.json"], "\(changed)")
    // Writing the same again changes nothing at all.
    try cache.write("health/a.json", Sessions.health)
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    #expect(try names.map { try inode(cache.file("snapshots/\($0)")) } == after)
  }

  @Test("At most 20 sources are listed, in order, and all are counted, even when the first of them are removed")
  func sources() throws {
    let cache = try CommandCache()
    for number in 10..<50 { try cache.write("tasks/\(number).json", "[]") }
    let agent = try cache.agent()
    func expectSources(_ numbers: Range<Int>) throws {
      try cache.caughtUp()
      let published = try cache.published("task-count")
      #expect(published["sources"]?.strings == numbers.prefix(20).map { "tasks/\($0).json" })
      #expect(published["sourceCount"] == .integer(numbers.count))
    }
    try expectSources(10..<50)
    for number in 10..<25 { unlink(cache.file("tasks/\(number).json")) }
    try expectSources(25..<50)
    withExtendedLifetime(agent) {}
  }

  @Test("The day index has six existing days before today and seven after, each up to the start of the next")
  func dayIndex() throws {
    // Apia had no 2011-12-30. Its 29th ended at 10:00 UTC, when the 31st began.
    let cache = try CommandCache([
      "meal-plan/a.json": Sessions.plan(), "cachesync.json": #"{"timeZone":"Pacific/Apia"}"#,
    ])
    #expect(try cache.run("sync", "--at", "2011-12-29T20:00:00Z").status == 0)
    let index = try cache.published("day-index")
    let days = index["days"]?.array ?? []
    let expected =
      (23...29).map { "2011-12-\($0)" } + ["2011-12-31"] + (1...6).map { "2012-01-0\($0)" }
    #expect(days.compactMap { $0["date"]?.string } == expected)
    #expect(index["today"]?["date"] == .string("2011-12-29"))
    for (day, next) in zip(days, days.dropFirst()) { #expect(day["end"] == next["start"], "\(day["date"] ?? .null)") }
    #expect(days[7]["start"] == .string("2011-12-30T10:00:00Z") && days.allSatisfy { $0["hours"] == .integer(24) })
    #expect(days.compactMap { $0["dayIndex"]?.int } == [4, 5, 6, 0, 1, 2, 3, 5, 6, 0, 1, 2, 3, 4])
  }

  @Test("A file of another program in the agent's directories stays, whatever the agent writes and cleans up")
  func deletesNothingElse() throws {
    let mine = [
      "snapshots/mine.txt", "snapshots/unknown.json", "snapshots/sub/x.json", ".cachesync/mine", "notes.txt",
      "meal-plan/.draft.json",
    ]
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    #expect(try cache.run("sync").status == 0)
    for name in mine { try cache.write(name, "mine") }
    try cache.write("meal-plan/a.json", Sessions.plan("Stew"))
    #expect(try cache.run("sync").status == 0)
    let agent = try cache.agent()
    try cache.write("meal-plan/a.json", Sessions.plan("Soup"))
    unlink(cache.file("snapshots/day-index.json"))
    try cache.caughtUp(sweeping: true)
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0)
    for name in mine { #expect(try cache.text(name) == "mine", "\(name)") }
  }
}
