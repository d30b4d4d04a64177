package import CacheSyncSystem
import Glibc
package import SystemPackage

/// The directory of a pool's caches. Everything in it is the bridge's own working copy; the engine has the originals.
///
/// A cache arrives in one rename from `.bridge/arriving`, and leaves in one rename to `.bridge/leaving`. So the agent
/// never sees an incomplete cache.
@LoopActor
package final class PoolDirectory {
  /// The cache in which the bridge checks whether its agent works. No key belongs to it.
  package nonisolated static let ownCache = "="
  /// The file that marks the directory as a pool's.
  private nonisolated static let mark = "pool"

  package let bridge: BridgeDirectory
  /// Caches are built here. It is emptied at every start.
  let arriving: Int32
  /// Caches wait here until the engine lacks nothing of them.
  let leaving: Int32
  let files: SessionFiles
  private(set) var leavings: LeavingCaches?

  package var path: FilePath { bridge.path }
  package var root: Int32 { bridge.root }

  /// Opens an empty directory, or one that a pool has used before. Caches from an earlier run move to `leaving`.
  package init(_ path: FilePath) throws(DirectoryRefusal) {
    do throws(Errno) {
      // Check before anything is created in it.
      try Self.check(path)
    } catch {
      if error == .directoryNotEmpty { throw .notEmpty(EscapedText.forPeople(path)) }
      throw DirectoryRefusal(path, error)
    }
    bridge = try BridgeDirectory(path)
    do throws(Errno) {
      try bridge.replace(Self.mark, with: [])
      // Finishes what an earlier run began in a cache, while that cache is still in its place.
      files = try SessionFiles(in: bridge, holding: .copies)
      arriving = try FileCall.directory(Array("arriving".utf8), in: bridge.state, makingWith: 0o700)
      leaving = try FileCall.directory(Array("leaving".utf8), in: bridge.state, makingWith: 0o700)
      for name in try FileCall.entries(in: arriving).map(\.name) { try FileCall.removeTree(name, in: arriving) }
      for entry in try FileCall.entries(in: root) where entry.isDirectory {
        if CacheName(bytes: entry.name) != nil, entry.name != Array(Self.ownCache.utf8) { try leave(entry.name) }
      }
    } catch {
      throw DirectoryRefusal(path.appending(BridgeDirectory.name), error)
    }
  }

  deinit { for descriptor in [arriving, leaving] { close(descriptor) } }

  private static func check(_ path: FilePath) throws(Errno) {
    let directory = try FileCall.directory(at: path)
    defer { close(directory) }
    let names = try FileCall.names(in: directory)
    let marked = path.appending(BridgeDirectory.name).appending(mark).withPlatformString { access($0, F_OK) == 0 }
    guard marked || names.allSatisfy({ $0 == BridgeDirectory.name }) else { throw .directoryNotEmpty }
  }

  /// Begins to put back what the engine lacks of the caches from earlier runs.
  package func start(_ engine: Engine, _ namespace: Namespace, _ troubles: Troubles) {
    leavings = LeavingCaches(engine, namespace, self, troubles)
  }

  func path(of cache: CacheName) -> FilePath { path.appending(bytes: cache.bytes) }

  /// The path of a cache while it is built.
  func arrivingPath(of cache: CacheName) -> FilePath {
    path.appending(BridgeDirectory.name).appending("arriving").appending(bytes: cache.bytes)
  }

  func isPresent(_ cache: CacheName) -> Bool {
    var about = stat()
    return FileCall.withName(cache.bytes) { fstatat(root, $0, &about, AT_SYMLINK_NOFOLLOW) } == 0
  }

  // MARK: Coming and going

  /// Moves a finished cache into place.
  func arrive(_ name: [UInt8]) throws(Errno) {
    let result = FileCall.withName(name) { renameat(arriving, $0, root, $0) }
    if result < 0, errno == ENOTEMPTY || errno == EEXIST {
      // A cache in the way can only be one that this bridge has ended.
      try leave(name)
      try FileCall.check(FileCall.withName(name) { renameat(arriving, $0, root, $0) })
      return
    }
    try FileCall.check(result)
  }

  /// Moves a cache out of the agent's sight. Deletes an older copy of it that was still leaving.
  func leave(_ name: [UInt8]) throws(Errno) {
    try FileCall.removeTree(name, in: leaving)
    if FileCall.withName(name, { renameat(root, $0, leaving, $0) }) < 0, errno != ENOENT {
      throw Errno(rawValue: errno)
    }
  }
}
