import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import SystemPackage
import TestSupport

/// A cache directory on a real disk. It is removed with everything in it.
final class TestCache: Sendable {
  let path: String
  private static let number = Atomic<Int>(0)

  init() throws {
    path = Guardian.prefix + "\(Self.number.add(1, ordering: .relaxed).newValue)"
    guard mkdir(path, 0o755) == 0 else { throw TestFailure("cannot create \(path)") }
  }

  deinit {
    while umount2(path, Int32(MNT_DETACH)) == 0 {}
    _ = try? ChildProcess.shell("rm -rf '\(path)' '\(path)'.*")
  }

  func at(_ relative: String) -> String { "\(path)/\(relative)" }

  func makeDirectory(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: at(relative), withIntermediateDirectories: true)
  }

  /// Puts a file in one step, like a careful producer.
  func drop(_ relative: String, _ text: String) throws {
    let target = at(relative)
    let slash = target.lastIndex(of: "/") ?? target.endIndex
    let directory = String(target[..<slash])
    if access(directory, F_OK) != 0 {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    let temporary = "\(directory)/.drop-\(Self.number.add(1, ordering: .relaxed).newValue)"
    try Self.put(temporary, Array(text.utf8))
    guard rename(temporary, target) == 0 else { throw TestFailure("cannot rename to \(relative)") }
  }

  /// Writes a file in place.
  func write(_ relative: String, _ text: String) throws { try Self.put(at(relative), Array(text.utf8)) }

  static func put(_ path: String, _ bytes: [UInt8]) throws {
    try ChildProcess.starting.withLock { _ in
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw TestFailure("cannot open \(path): \(String(cString: strerror(errno)))") }
      defer { close(file) }
      guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw TestFailure("cannot write \(path)") }
    }
  }

  func remove(_ relative: String) { unlink(at(relative)) }

  func has(_ relative: String) -> Bool { access(at(relative), F_OK) == 0 }

  /// Whether the agent has saved last good versions: their log has more than its header.
  var hasLastGood: Bool { (Self.read(at(".cachesync/sessions"))?.count ?? 0) > 50 }

  static func read(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

  /// Deletes the cache like a user. The agent waits 250 ms for a missing session file, and does not touch a cache
  /// without its manifest for half a second. On a busy machine rm may take longer and find new files. Then it is run
  /// again.
  func delete() throws {
    while true {
      let start = secondsNow()
      let result = try ChildProcess.run("rm", "-rf", path)
      if result.status == 0 { return }
      let seconds = secondsNow() - start
      guard seconds >= 0.25 else { throw TestFailure("cannot delete the cache in \(seconds) s: \(result.error)") }
    }
  }

  /// A published file, parsed, or nil if there is none.
  func output(_ name: String) throws -> JSONValue? {
    guard let bytes = Self.read(at("snapshots/\(name).json")) else { return nil }
    guard let value = bytes.withUnsafeBytes({ JSONValue.parse($0) }) else { throw TestFailure("\(name) is no JSON") }
    return value
  }

  /// The content of a kind's first entry, which is the current one at publication.
  func content(_ kind: String) throws -> JSONValue? { try output(kind)?["entries"]?[0]?["content"] }

  func taskCount() throws -> Int? { try content("todays-tasks")?["count"]?.int }

  func firstTitle() throws -> String? { try content("todays-tasks")?["tasks"]?[0]?["title"]?.string }

  func generation() throws -> Int? { try output("manifest")?["generation"]?.int }

  /// The bytes of everything published, by name.
  func outputs() -> [String: [UInt8]] { Self.files(in: at("snapshots")) }

  static func files(in directory: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      files[name] = read("\(directory)/\(name)")
    }
    return files
  }

  var temporaries: [String] {
    func names(_ directory: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: at(directory))) ?? []
    }
    return names(".cachesync").filter { $0.hasPrefix("tmp") } + names("snapshots/.tmp")
      + names("snapshots").filter { $0 != ".tmp" && !$0.hasSuffix(".json") }
  }

  /// Every output without the members that may differ between two runs.
  func comparable() throws -> TextMap<JSONValue> { try Self.comparable(outputs()) }

  static func comparable(_ outputs: [String: [UInt8]]) throws -> TextMap<JSONValue> {
    var values: TextMap<JSONValue> = [:]
    for (name, bytes) in outputs {
      guard var members = bytes.withUnsafeBytes({ JSONValue.parse($0) })?.object else {
        throw TestFailure("\(name) is not whole: \(bytes.count) bytes")
      }
      members["generation"] = nil
      members["publishedAt"] = nil
      if name == "manifest.json" {
        members["files"] = .array((members["files"]?.object ?? [:]).keys.sorted().map { .string($0) })
      }
      values[name] = .object(members)
    }
    return values
  }

  /// Whether the manifest agrees with every other output.
  func manifestIsCorrect() throws -> Bool {
    let outputs = outputs()
    let files = try output("manifest")?["files"]?.object ?? [:]
    guard Set(files.keys) == Set(outputs.keys).subtracting(["manifest.json"]) else { return false }
    return files.allSatisfy { name, file in
      let value = outputs[name]?.withUnsafeBytes { JSONValue.parse($0) }
      return value?["generation"]?.int == file["generation"]?.int && outputs[name]?.count == file["bytes"]?.int
    }
  }

  /// The outputs of a fresh `sync` of the same session files.
  func freshlySynced() throws -> TextMap<JSONValue> {
    let other = try TestCache()
    try ChildProcess.shell(
      "cd '\(path)' && tar cf - --exclude=./snapshots --exclude=./.cachesync . | tar xpf - -C '\(other.path)'")
    try other.sync()
    return try other.comparable()
  }

  /// Publishes like the command `sync`, with the command's own code: starting a debug build's process takes most of its
  /// time.
  func sync(durability: Durability? = nil) throws {
    let overrides = SettingsOverrides(timeZone: Machine.zone, durability: durability)
    try syncOnce(
      FilePath(path), environment: CacheEnvironment(zones: TimeZones(environment: "UTC"), overrides: overrides))
  }
}

/// When a file was changed, by the kernel's clock.
struct FileStamps {
  /// The kernel stamps files with the time of its last tick, so a stamp may be early by this much.
  static let tick = Duration.milliseconds(10)

  var inode: UInt
  /// When its content, its names or its permissions were last changed.
  var changed: Instant

  /// Nil where there is no such file.
  init?(_ path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    self.init(about)
  }

  /// The stamps of an open file, which may no longer have a name.
  init?(of descriptor: Int32) {
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { return nil }
    self.init(about)
  }

  private init(_ about: stat) {
    inode = about.st_ino
    let time = about.st_ctim
    changed = Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}

/// Session files as producers write them.
enum Sessions {
  /// A tasks session of one task without a due date, which is due every day.
  static func task(_ id: Int, _ title: String? = nil) -> String {
    """
    {"tasks":[{"id":\(id),"title":"\(title ?? "t\(id)")","completed":false,"createdAt":"2026-11-01T00:00:00Z"}],\
    "lastUpdate":"2026-11-21T10:00:00Z"}
    """
  }

  static func tasks(_ count: Int) -> String {
    let tasks = (0..<count).map {
      #"{"id":\#($0),"title":"t\#($0)","completed":false,"createdAt":"2026-11-01T00:00:00Z"}"#
    }
    return #"{"tasks":[\#(tasks.joined(separator: ","))],"lastUpdate":"2026-11-21T10:00:00Z"}"#
  }
}
