import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing

/// A cache whose path leads through links, which are swapped while the agent runs (commands.md, The cache directory).
@Suite struct SwappedLinkTests {
  /// Where the links are, and how a person or a tool swaps one of them.
  struct Layout: CustomTestStringConvertible {
    var name: String
    /// A shell command that leads `path` to `first/cache`.
    var setup: String
    var path: String
    /// A shell command that leads `path` to `second/cache`.
    var swap: String

    var testDescription: String { name }
  }

  static let layouts = [
    Layout(
      name: "a relative link, renamed over", setup: "ln -s first/cache link", path: "link",
      swap: "ln -s second/cache new; mv -T new link"),
    Layout(
      name: "an absolute link, removed and made again", setup: "ln -s $PWD/first/cache link", path: "link",
      swap: "rm link; ln -s $PWD/second/cache link"),
    Layout(
      name: "a link in the middle", setup: "ln -s first current", path: "current/cache", swap: "ln -sfn second current"),
    Layout(
      name: "a chain, swapped at its end", setup: "mkdir v; ln -s ../first v/..data; ln -s ..data/cache v/cache",
      path: "v/cache", swap: "ln -s ../second v/..tmp; mv -T v/..tmp v/..data"),
    Layout(
      name: "a chain, swapped at its beginning", setup: "ln -s first one; ln -s second two; ln -s one/cache link",
      path: "link", swap: "ln -s two/cache new; mv -T new link"),
    Layout(
      name: "a link removed for a while", setup: "ln -s first current", path: "current/cache",
      swap: "rm current; sleep 0.3; ln -s second current"),
  ]

  private static func task(_ title: String) -> String {
    #"[{"id":"\#(title)","title":"\#(title)","completed":false,"createdAt":"2026-11-01T08:00:05Z"}]"#
  }

  private func shell(_ command: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func title(_ cache: CommandCache) -> String? {
    (try? cache.published("todays-tasks"))?["entries"]?[0]?["content"]?["tasks"]?[0]?["title"]?.string
  }

  private func generation(_ cache: CommandCache) throws -> Int {
    try #require(try cache.published("manifest")["generation"]?.int)
  }

  /// Both directories, and a cache at the layout's path.
  private func caches(_ layout: Layout, _ folder: TemporaryFolder) throws -> (CommandCache, CommandCache, CommandCache)
  {
    let first = try CommandCache(["tasks/a.json": Self.task("first")], at: folder.path + "/first/cache")
    let second = try CommandCache(["tasks/a.json": Self.task("second")], at: folder.path + "/second/cache")
    try shell(layout.setup, in: folder)
    return (first, second, try CommandCache(at: "\(folder.path)/\(layout.path)"))
  }

  @Test(
    "A swapped link is followed with a greater generation, in one line, and the commands find the agent through it",
    arguments: layouts, [true, false])
  func swapped(_ layout: Layout, _ isOldRemoved: Bool) throws {
    let folder = try TemporaryFolder()
    let (first, second, cache) = try caches(layout, folder)
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    #expect(title(cache) == "first")
    let before = try generation(cache)
    try shell(layout.swap + (isOldRemoved ? "; rm -rf first" : ""), in: folder)
    #expect(holds { title(cache) == "second" })
    #expect(try cache.caughtUp() > before && generation(cache) > before)
    let directory = FilePath(second.path).string
    #expect(try cache.status()["directory"]?.string == directory)
    #expect(try cache.run("status").output.contains("\ndirectory    \(directory)\n"))
    // The link may also have led to its own place for a while.
    #expect(agent.errors.split(separator: "\n").count { $0.contains("\(directory) now: serving that directory") } == 1)
    if !isOldRemoved {
      #expect(title(first) == "first", "the old one keeps its snapshots")
      #expect(throws: Never.self) { try first.lock(as: .agent) }
    }
    // What is written through the link is published at once.
    #expect(try cache.run("drop", "tasks", "-", "--name", "a", "--wait", input: Self.task("third")).status == 0)
    #expect(title(cache) == "third" && title(second) == "third")
    #expect(try cache.run("sync").status == 0)
    #expect(try cache.run("show", "todays-tasks").output.contains("third"))
  }

  @Test("The generation is greater than those that are found, even if nothing else changes")
  func foundGeneration() throws {
    let folder = try TemporaryFolder()
    let layout = Self.layouts[0]
    let (_, second, cache) = try caches(layout, folder)
    #expect(try second.run("sync").status == 0)
    for name in try second.names("snapshots") where name.hasSuffix(".json") {
      let text = try second.text("snapshots/\(name)")
      try second.write(
        "snapshots/\(name)", text.replacingOccurrences(of: #""generation":1,"#, with: #""generation":500,"#))
    }
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    try shell(layout.swap, in: folder)
    #expect(holds { title(cache) == "second" && (try? generation(cache)) ?? 0 > 500 })
    try shell("ln -sfn first/cache link", in: folder)
    #expect(holds { title(cache) == "first" && (try? generation(cache)) ?? 0 > 501 })
  }

  @Test(
    "While a link leads nowhere, its cache counts as missing; then the new directory is served, on another disk too")
  func dangling() throws {
    let folder = try TemporaryFolder()
    let (_, _, cache) = try caches(Self.layouts[0], folder)
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    let before = try generation(cache)
    // A file system of its own, on most machines.
    let elsewhere = "/dev/shm/cachesyncd-tests-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try shell("ln -s \(elsewhere) new; mv -T new link", in: folder)
    #expect(holds { agent.errors.contains("\(elsewhere) does not exist") })
    #expect(try cache.run("status").status == 66)
    #expect(mkdir(elsewhere, 0o755) == 0)
    try cache.write("tasks/a.json", Self.task("elsewhere"))
    // The manifest is the last file of a publication.
    #expect(holds { title(cache) == "elsewhere" && (try? generation(cache)) ?? 0 > before })
  }

  @Test("A directory that a rename further up brings is served after the next sweep")
  func renamedFurtherUp() throws {
    let folder = try TemporaryFolder()
    try shell("mkdir -p up/a up/b", in: folder)
    _ = try CommandCache(["tasks/a.json": Self.task("first")], at: folder.path + "/top/up/one")
    _ = try CommandCache(["tasks/a.json": Self.task("second")], at: folder.path + "/other/up/two")
    try shell("ln -s one top/up/link; ln -s two other/up/link", in: folder)
    let cache = try CommandCache(at: folder.path + "/top/up/link")
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    try shell("mv top away; mv other top", in: folder)
    agent.send(SIGHUP)
    #expect(holds { title(cache) == "second" })
  }

  @Test("A link that replaces the directory itself is refused, whether or not there are links on the way to it")
  func replacedByLink() throws {
    let folder = try TemporaryFolder()
    let (_, _, cache) = try caches(Self.layouts[2], folder)
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    try shell("mv first/cache first/old; ln -s ../second/cache first/cache", in: folder)
    #expect(holds { agent.errors.contains("/first/cache is not a directory") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/second/cache") == ["tasks"])
    try shell("rm first/cache; mv first/old first/cache", in: folder)
    try cache.write("tasks/a.json", Self.task("again"))
    #expect(holds { title(cache) == "again" })
  }

  @Test("A link that is swapped to and fro every moment gets a line for each directory, not for each swap")
  func flapping() throws {
    let folder = try TemporaryFolder()
    let (_, _, cache) = try caches(Self.layouts[0], folder)
    let agent = try cache.agent()
    defer { agent.send(SIGTERM) }
    for target in ["second", "first", "second", "first", "second"] {
      try shell("ln -s \(target)/cache new; mv -T new link", in: folder)
      let directory = "\(folder.path)/\(target)/cache"
      #expect(try holds { try cache.status()["directory"]?.string == directory })
    }
    #expect(agent.errors.split(separator: "\n").count { $0.contains("now: serving that directory") } == 2)
  }
}
