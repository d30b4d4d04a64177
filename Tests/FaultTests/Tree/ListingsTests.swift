import CacheSync
import Testing

extension Faults {
  /// "One listing is never proof of absence" (contract.md section 6). On btrfs a listing lacks a file that another
  /// process replaces now and then; here a tracer takes the name out of every listing.
  @Suite("Listings that lack a name", .needsPtrace) struct Listings {
    static let definition = """
      {"version":1,"items":{"each":"$[*]","fields":{"title":"@.title"},"start":{"day":"@.day"}},
      "kinds":{"KIND":{"show":"nextDay","within":14,"items":{"title":"{title}"}}}}
      """
    static let items = #"[{"title":"Paper","day":"\#((Instant.now + .seconds(2 * 86_400)).rfc3339().prefix(10))"}]"#

    let cache: TestCache
    let shared: TestCache

    init() throws {
      cache = try TestCache()
      shared = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.drop("tasks/later/b.json", Sessions.task(2))
      try cache.drop("feeds/bins.json", Self.definition.replacing("KIND", with: "bins"))
      try cache.drop("bins/c.json", Self.items)
      try cache.drop("widgets/mine.json", #"{"kind":"task-count"}"#)
      try cache.drop("others/d.json", Self.items)
      try shared.drop("others.json", Self.definition.replacing("KIND", with: "others"))
    }

    private var hidden: String { cache.path + ".hidden" }

    private func hide(_ name: String) throws { try TestCache.put(hidden, Array(name.utf8)) }

    private func sync() throws -> Int? {
      let sync = try ChildProcess.run(
        Machine.helper, "hide", hidden, Machine.agent, "sync", "--cache", cache.path, "--feeds", shared.path,
        "--time-zone", Machine.zone)
      #expect(sync.status == 0 && sync.error.isEmpty, "\(sync)")
      return try cache.generation()
    }

    /// Checks how many items or tasks the kinds have.
    private func expect(_ counts: Int..., sourceLocation: SourceLocation = #_sourceLocation) throws {
      let found = try ["bins", "mine", "others"].map { try cache.output($0)?["entries"]?[0]?["content"]?["count"]?.int }
      #expect(found == counts, sourceLocation: sourceLocation)
    }

    @Test(
      "What an earlier run knew is read, whichever name the listings lack: sessions, definitions, widgets, directories",
      arguments: [
        "a.json", "b.json", "later", "tasks", "bins.json", "feeds", "mine.json", "widgets", "c.json", "bins",
        "others.json", "d.json", "others",
      ])
    func known(name: String) throws {
      let generation = try sync()
      try expect(1, 2, 1)
      try hide(name)
      #expect(try sync() == generation)
      try expect(1, 2, 1)
    }

    @Test("Without an earlier run the name is not there, so the tracer does hide it")
    func unknown() throws {
      try hide("b.json")
      _ = try sync()
      try expect(1, 1, 1)
    }

    @Test("An agent that sweeps, or reads the definitions again, keeps what it knows")
    func agent() throws {
      let agent = try Agent(
        cache, prefix: [Machine.helper, "hide", hidden], arguments: ["--feeds", shared.path])
      let generation = try agent.settled()
      for name in ["b.json", "tasks", "bins.json", "feeds", "mine.json", "c.json"] {
        try hide(name)
        #expect(try agent.ask("wait", "--sweep").status == 0)
        #expect(try cache.generation() == generation, "\(name)")
      }
      try hide("others.json")
      try cache.drop("further/e.json", Self.items)
      try shared.drop("further.json", Self.definition.replacing("KIND", with: "further"))
      try until("the new definition is in force") { cache.has("snapshots/further.json") }
      try expect(1, 2, 1)
    }

    @Test("An agent that lists its caches again keeps those that it knows", .needsFUSE)
    func caches() throws {
      // On FUSE there are no events, so the agent lists the caches every 2 s.
      let mount = try TestCache()
      let behind = try TestCache()
      try ChildProcess.shell("bindfs '\(behind.path)' '\(mount.path)'")
      let caches = try CachesDirectory(
        ["first", "second"], in: mount, prefix: [Machine.helper, "hide", hidden])
      try hide("second")
      try mount.drop("third/tasks/a.json", Sessions.task(1, "new"))
      try until("the caches were listed again") { try caches.title(in: "third") == "new" }
      try caches.drop("after", in: "second")
      try until("the hidden one is served") { try caches.title(in: "second") == "after" }
      #expect(caches.process.error.split(separator: "\n").count { $0.contains("second") } == 1, "it was never let go")
    }
  }
}
