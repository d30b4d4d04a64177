import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import Foundation
import Glibc
import Testing

/// What the commands report if the agent's files cannot be written.
@Suite struct WritingTests {
  @Test(
    "A link in place of an agent's directory is refused with 77",
    arguments: ["snapshots", ".cachesync", "snapshots/.tmp"])
  func links(_ name: String) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let elsewhere = cache.parent + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    if name.contains("/") { mkdir(cache.file("snapshots"), 0o755) }
    try cache.link(name, to: elsewhere)
    for command in ["sync", "run"] {
      let outcome = try cache.run(command)
      #expect(outcome.status == 77 && outcome.hasOneLineError && outcome.errors.contains(name), "\(outcome)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  @Test("A running agent treats a link in place of snapshots as not writable, and continues when it is removed")
  func linkWhileRunning() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")])
    let agent = try cache.agent()
    try cache.caughtUp()
    let elsewhere = cache.parent + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: cache.file("snapshots"), toPath: cache.parent + "/old")
    try cache.link("snapshots", to: elsewhere)
    try cache.write("meal-plan/a.json", Sessions.plan("Stew"))
    #expect(try holds { try cache.status()["writable"] == .bool(false) })
    #expect(try cache.run("status").status == 0, "it lives and hears")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    try FileManager.default.removeItem(atPath: cache.file("snapshots"))
    #expect(holds { (try? cache.text("snapshots/meal-plan.json").contains("Stew")) == true })
    withExtendedLifetime(agent) {}
  }

  @Test("A link or FIFO with an output's name is replaced and never opened", arguments: ["link", "fifo"])
  func plantedOutputs(_ what: String) throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(), "snapshots/x": ""])
    let target = cache.parent + "/target"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
    if what == "link" {
      try cache.link("snapshots/meal-plan.json", to: target)
    } else {
      try #require(mkfifo(cache.file("snapshots/meal-plan.json"), 0o666) == 0)
    }
    #expect(try cache.run("sync").status == 0)
    #expect(try cache.published("meal-plan")["kind"] == .string("meal-plan"))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
  }

  @Test(
    "A read-only disk is status 73 for sync, and a full one 73 or 74; each is reported in one line",
    .enabled(if: Disk.isAllowed))
  func disks() throws {
    let disk = try Disk(kilobytes: 256)
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()], at: disk.path + "/cache")
    try disk.remount(readOnly: true)
    let readOnly = try cache.run("sync")
    #expect(readOnly.status == 73 && readOnly.hasOneLineError, "\(readOnly)")
    #expect(try cache.run("show").status == 0, "showing writes nothing")
    let intent = try cache.run("intent", "end-session")
    #expect([73, 74].contains(intent.status) && intent.hasOneLineError, "\(intent)")
    try disk.remount(readOnly: false)
    try disk.fill()
    let full = try cache.run("sync")
    #expect([73, 74].contains(full.status) && full.hasOneLineError, "\(full)")
    let dropped = try cache.run("drop", "meal-plan", "-", input: Sessions.plan())
    #expect([73, 74].contains(dropped.status) && dropped.hasOneLineError, "\(dropped)")
  }

  @Test(
    "An agent on a read-only disk answers status with writable false, and publishes once it can",
    .enabled(if: Disk.isAllowed))
  func agentOnDisk() throws {
    let disk = try Disk(kilobytes: 512)
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup")], at: disk.path + "/cache")
    try disk.remount(readOnly: true)
    let agent = try cache.agent()
    let outcome = try cache.run("status", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try json(outcome.output)["writable"] == .bool(false) && json(outcome.output)["hearing"] == .bool(true))
    #expect(try json(outcome.output)["problems"]?[0]?["path"] == .null)
    try disk.remount(readOnly: false)
    #expect(holds { cache.has("snapshots/manifest.json") })
    #expect(try cache.status()["writable"] == .bool(true))
    agent.send(SIGTERM)
    #expect(try agent.outcome().status == 0)
  }

  /// The record of the version that arrived while the disk was full does not fit into the log's last page.
  @Test("The agent saves last good versions as soon as a full disk has space again", .enabled(if: Disk.isAllowed))
  func lastGoodOnAFullDisk() throws {
    let disk = try Disk(kilobytes: 1024)
    let long = String(repeating: "oo", count: 500)
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("S\(long)p")], at: disk.path + "/cache")
    let agent = try cache.agent()
    try cache.caughtUp()
    // It has more than the header.
    #expect(try holds { try cache.size(".cachesync/sessions") > 50 })
    agent.send(SIGSTOP)
    try cache.overwrite("meal-plan/a.json", Sessions.plan("B\(long)p"))
    try disk.fill()
    agent.send(SIGCONT)
    #expect(try holds { try cache.status()["writable"] == .bool(false) })
    let size = try cache.size(".cachesync/sessions")
    try disk.empty()
    #expect(holds { (try? cache.text("snapshots/meal-plan.json").contains("B\(long)p")) == true })
    #expect(try holds { try cache.size(".cachesync/sessions") > size + 7 * long.utf8.count })
    agent.send(SIGKILL)
    _ = try agent.outcome()
    try cache.write("meal-plan/a.json", "{")
    #expect(try cache.run("sync").status == 0)
    #expect(try cache.text("snapshots/meal-plan.json").contains("B\(long)p"))
  }

  /// A publication of all files at once needs space for all of them. If the files are replaced one by one, space for
  /// the largest is enough, and for an old one that a reader has open.
  @Test(
    "If the disk has no space to publish many caches together, the agent publishes them one by one",
    .enabled(if: Disk.isAllowed))
  func togetherOnAFullDisk() throws {
    let disk = try Disk(kilobytes: 1024)
    let names = (0..<6).map { "c\($0)" }
    let collection = try CommandCache(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0)/meal-plan/a.json", Sessions.plan("Soup")) }),
      at: disk.path + "/caches")
    let agent = try Child(["run", "--durability", "flush", "--caches-in", collection.path])
    try #require(holds { agent.errors.contains("serving") || agent.exitStatus() != nil })
    for name in names {
      #expect(try Program.run(["wait", "--timeout", "60", "--cache", collection.file(name)]).status == 0)
    }
    // The agent has saved its last good versions, so no save happens in between.
    #expect(try holds { try names.allSatisfy { try collection.size("\($0)/.cachesync/sessions") > 50 } })
    agent.send(SIGSTOP)
    for name in names {
      try collection.overwrite("\(name)/meal-plan/a.json", Sessions.plan("Stew"))
    }
    let outputs = try collection.names("c0/snapshots").filter { $0.hasSuffix(".json") }
    let sizes = try outputs.map {
      try collection.text("c0/snapshots/\($0)").utf8.count
    }
    // This test is a reader: it may read an old file at the moment when the agent replaces it.
    try disk.fill(leaving: 2 * ((#require(sizes.max()) + 4095) / 4096 * 4096))
    agent.send(SIGCONT)
    for name in names {
      #expect(holds { (try? collection.text("\(name)/snapshots/meal-plan.json").contains("Stew")) == true }, "\(name)")
    }
    #expect(!agent.errors.contains("No space left"), "\(agent.errors)")
  }
}

/// A small file system for one test. Needs root.
final class Disk {
  private let folder = try? TemporaryFolder()
  let path: String

  static var isAllowed: Bool { (try? Disk(kilobytes: 64)) != nil }

  init(kilobytes: Int) throws {
    let mounted = try #require(folder).path + "/disk"
    path = mounted
    try FileManager.default.createDirectory(atPath: mounted, withIntermediateDirectories: true)
    guard geteuid() == 0, mount("tmpfs", mounted, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      throw POSIXError(.EPERM)
    }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  func remount(readOnly: Bool) throws {
    let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
    try #require(mount("tmpfs", path, "tmpfs", flags, nil) == 0)
  }

  func empty() throws { try FileManager.default.removeItem(atPath: path + "/filler") }

  /// Fills the disk, except for so many bytes.
  func fill(leaving rest: Int = 0) throws {
    let file = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let block = [UInt8](repeating: 0, count: 4096)
    while write(file, block, block.count) > 0 {}
    try #require(errno == ENOSPC)
    try #require(ftruncate(file, lseek(file, 0, SEEK_CUR) - off_t(rest)) == 0)
  }
}
