import CacheSync
import CacheSyncAgent
import Foundation
import SystemPackage
import Testing

/// A cache directory on the real disk that goes when the test ends.
final class TemporaryCache {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("cachesync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: FilePath { FilePath(url.path) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> URL {
    let file = file(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: file(name)), as: UTF8.self) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: file(name)) }

  func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(directory).path).sorted()
  }

  func identity(_ name: String) throws -> FileIdentity {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    return try Directory.identity(of: CachePath(name), in: root.raw)
  }

  /// Makes a file look as if nobody had touched it for a while: the agent's patience is judged by the change time, which
  /// nobody can set, so this waits until it is old enough.
  func settle() async throws { try await Task.sleep(for: CacheContents.stillness + .milliseconds(30)) }

  var environment: CacheEnvironment { CacheEnvironment(zones: TimeZones(environment: "UTC")) }

  /// One pass, as `sync` does it.
  @discardableResult
  func sync(at instant: Instant? = nil, clock: any WallClock = SystemWallClock()) throws -> Int {
    var environment = environment
    environment.clock = clock
    return try OneShot.sync(path, environment: environment, logger: quietLogger, at: instant)
  }
}

/// A clock that stands where the test puts it.
struct FixedClock: WallClock {
  var instant: Instant

  func now() -> Instant { instant }
}
