package import CacheSync
package import CacheSyncPublishing
package import CacheSyncSystem
package import Foundation
package import SystemPackage

/// A cache directory on the real disk. It is removed when the test ends.
package final class TemporaryCache {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("cachesync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: FilePath { FilePath(url.path) }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  @discardableResult
  package func write(_ name: String, _ text: String) throws -> URL {
    let file = file(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(at: file(name)) }

  package func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(directory).path).sorted()
  }

  package func identity(_ name: String) throws -> FileIdentity {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    return try Directory.identity(of: CachePath(name), in: root.raw)
  }

  package var environment: CacheEnvironment { CacheEnvironment(zones: TimeZones(environment: "UTC")) }

  /// The environment one second later, when files that a test has just written are old enough to be read at once. The
  /// agent uses the change time, which a program cannot set.
  package var laterEnvironment: CacheEnvironment {
    var environment = environment
    environment.clock = FixedClock(instant: environment.clock.now() + .seconds(1))
    return environment
  }

  /// One pass, as in `cachesyncd sync`.
  @discardableResult
  package func sync(at instant: Instant? = nil, clock: any WallClock = SystemWallClock()) throws -> Int {
    var environment = environment
    environment.clock = clock
    return try syncOnce(path, environment: environment, at: instant)
  }
}

/// One pass, as in `cachesyncd sync`. Afterwards the lock is free.
@discardableResult
package func syncOnce(_ cache: FilePath, environment: CacheEnvironment, at instant: Instant? = nil) throws -> Int {
  defer { if let root = try? CacheRoot(resolved: try CacheRoot.resolve(cache)) { awaitFreeLock(of: root) } }
  return try OneShot.sync(cache, environment: environment, logger: quietLogger, at: instant)
}

/// Returns when no process holds the lock. A child that another test starts at the same time has this process's
/// descriptors, and so its locks, until it becomes its program.
package func awaitFreeLock(of root: CacheRoot) {
  let deadline = Uptime.now().advanced(by: .seconds(60))
  while StateDirectory.holder(of: root) != nil, Uptime.now() < deadline {
    SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(1)))
  }
}

/// A clock that shows the time that the test sets.
package struct FixedClock: WallClock {
  package var instant: Instant

  package init(instant: Instant) { self.instant = instant }

  package func now() -> Instant { instant }
}
