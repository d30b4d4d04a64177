import CacheSync
import Foundation
import Testing
import TestSupport

@Suite struct ExportCommandTests {
  private static let feeds = ["events", "meal-plan", "tasks"]

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// The number of a file, which another file with its name does not have.
  private static func inode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
  }

  @Test("All calendars are the files that export prints one by one, and only changed ones are written again")
  func all() throws {
    let cache = try CommandCache(Sessions.all)
    let directory = cache.parent + "/new/calendars"
    func export() throws { #expect(try cache.run("export", "--all", directory, "--at", Sessions.noon).status == 0) }
    try export()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == Self.feeds.map { $0 + ".ics" })
    let files = Self.feeds.map { "\(directory)/\($0).ics" }
    for (feed, file) in zip(Self.feeds, files) {
      #expect(try cache.run("export", feed, "--at", Sessions.noon).output == Self.text(file), "\(feed)")
    }
    let before = try files.map(Self.inode)
    let event = #"{"id":1,"title":"New","startTime":"2026-11-21T15:00:00Z","endTime":"2026-11-21T16:00:00Z"}"#
    try cache.write("events/new.json", "[\(event)]")
    try export()
    let after = try files.map(Self.inode)
    #expect(after[0] != before[0] && after[1...] == before[1...])
    #expect(Self.text(files[0]).contains("SUMMARY:New\r\n"))
  }

  @Test(
    "A directory that cannot be made is one line and status 73",
    arguments: ["/proc/none", "/proc/none/deep", "/dev/null", "/dev/null/deep"])
  func wrongDirectory(path: String) throws {
    let outcome = try CommandCache(Sessions.all).run("export", "--all", path)
    #expect(outcome.status == 73 && outcome.hasOneLineError && outcome.errors.contains("choose another place"))
  }

  @Test(
    "Options that do not go together are wrong usage",
    arguments: [
      [], ["--watch"], ["tasks", "--watch"], ["tasks", "--all", "x"], ["--all", ""], ["health"], ["none"],
      ["--all", "x", "--watch", "--at", Sessions.noon],
    ])
  func wrongUsage(arguments: [String]) throws {
    #expect(try Program.run(["export"] + arguments).isWrongUsage)
  }

  /// The export at a midnight of Berlin. A day before, the first day of meal-plan.ics is 2026-11-20, a week before.
  private func watching(_ cache: CommandCache, into directory: String) throws -> Child {
    // On a busy machine a program may need long to start, and then gets more time before midnight.
    for lead in [5, 20, 60, 200] {
      let start = try #require(Instant("2026-11-27T23:00:00Z")) + .seconds(-lead)
      let fake = "@" + start.description.dropLast().replacing("T", with: " ")
      let child = try Child(
        ["export", "--all", directory, "--watch", "--cache", cache.path, "--time-zone", "Europe/Berlin"],
        environment: try TimeFaultTests.faketime(["FAKETIME": fake]))
      let file = directory + "/meal-plan.ics"
      #expect(holds { FileManager.default.fileExists(atPath: file) || child.exitStatus() != nil })
      if Self.text(file).contains("VALUE=DATE:20261120") { return child }
      try #require(child.exitStatus() == nil, "\(child.errors)")
      // Ends with its last reference.
      try FileManager.default.removeItem(atPath: file)
    }
    throw CancellationError()
  }

  @Test(
    "With --watch the calendars follow publications and midnight, and failures pass",
    .enabled(if: TimeFaultTests.faketime != nil, "needs libfaketime"))
  func watch() throws {
    let cache = try CommandCache(Sessions.all)
    let directory = cache.parent + "/calendars"
    let watch = try watching(cache, into: directory)
    func file(_ feed: String) -> String { Self.text("\(directory)/\(feed).ics") }
    #expect(holds { !file("meal-plan").contains("VALUE=DATE:20261120") }, "\(watch.errors)")

    let event = #"{"id":1,"title":"New","startTime":"2026-11-28T15:00:00Z","endTime":"2026-11-28T16:00:00Z"}"#
    try cache.write("events/new.json", "[\(event)]")
    #expect(try cache.run("sync").status == 0)
    #expect(holds { file("events").contains("SUMMARY:New\r\n") }, "\(watch.errors)")

    // Invalid settings at a publication, which later are valid again.
    try cache.write("cachesync.json", "{")
    try cache.write("events/new.json", "[\(event.replacing("New", with: "Newer" as String))]")
    try cache.write("snapshots/calendar.json", cache.text("snapshots/calendar.json") + " ")
    #expect(holds { watch.errors.contains("cachesync.json") })
    #expect(watch.exitStatus() == nil && file("events").contains("SUMMARY:New\r\n"))
    try cache.write("cachesync.json", "{}")
    try cache.write("snapshots/calendar.json", cache.text("snapshots/calendar.json") + " ")
    #expect(holds { file("events").contains("SUMMARY:Newer\r\n") }, "\(watch.errors)")
  }

  @Test(
    "With --watch it ends by the signal that ends it, and leaves no temporary file",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func ended(by signal: Int32) throws {
    let cache = try CommandCache(Sessions.all)
    let directory = cache.parent + "/calendars"
    func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }
    let watch = try Child(["export", "--all", directory, "--watch", "--cache", cache.path])
    #expect(holds { !names().isEmpty }, "\(watch.errors)")
    watch.send(signal)
    let outcome = try watch.outcome()
    #expect(outcome.status == -signal && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    #expect(names().filter { !$0.hasSuffix(".ics") } == [])
  }

  @Test("With --watch it waits for a cache that does not exist yet, and invalid settings at the start end it")
  func watchBeforeTheCache() throws {
    let cache = try CommandCache(["cachesync.json": "{"])
    let directory = cache.parent + "/calendars"
    #expect(try Program.run(["export", "--all", directory, "--watch", "--cache", cache.path]).status == 78)
    try FileManager.default.removeItem(atPath: cache.path)
    let watch = try Child(["export", "--all", directory, "--watch", "--cache", cache.path])
    #expect(holds { watch.errors.contains(cache.path) })
    try FileManager.default.createDirectory(atPath: cache.path, withIntermediateDirectories: false)
    try cache.write("events/a.json", Sessions.all["events/a.json"] ?? "[]")
    #expect(try cache.run("sync").status == 0)
    #expect(holds { Self.text("\(directory)/events.ics").hasSuffix("END:VCALENDAR\r\n") }, "\(watch.errors)")
    #expect(watch.exitStatus() == nil)
  }
}
