import CacheSync
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// The directory of a pool's caches. All that is in it are working copies, and the bridge's own: the engine has what counts.
///
/// A cache comes whole, by a rename from `.bridge/arriving`, and goes whole, by a rename to `.bridge/leaving`. So the agent
/// never sees half of one.
@LoopActor
package final class PoolDirectory {
  /// The cache in which the bridge asks its agent whether it works; no key belongs to it.
  package nonisolated static let ownCache = "="
  /// What says that the directory is a pool's.
  private nonisolated static let mark = "pool"

  package let bridge: BridgeDirectory
  /// Where caches are built; emptied at every start.
  let arriving: Int32
  /// Where caches wait until the engine lacks nothing of them.
  let leaving: Int32
  let files: SessionFiles
  private(set) var leavings: LeavingCaches?

  package var path: FilePath { bridge.path }
  package var root: Int32 { bridge.root }

  /// Opens an empty directory, or one that a pool has used before. What an earlier run left in it is leaving then.
  package init(_ path: FilePath) throws(DirectoryRefusal) {
    do throws(Errno) {
      // Looked at before anything is made in it.
      try Self.check(path)
    } catch {
      if error == .directoryNotEmpty { throw .notEmpty(EscapedText.forPeople(path)) }
      throw DirectoryRefusal(path, error)
    }
    bridge = try BridgeDirectory(path)
    do throws(Errno) {
      try bridge.replace(Self.mark, with: [])
      // Finishes what an earlier run began in a cache, while that stands in its place.
      files = try SessionFiles(in: bridge, holding: .copies)
      arriving = try Self.folder("arriving", in: bridge.state)
      leaving = try Self.folder("leaving", in: bridge.state)
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

  private static func folder(_ name: String, in parent: Int32) throws(Errno) -> Int32 {
    if mkdirat(parent, name, 0o700) < 0, errno != EEXIST { throw Errno(rawValue: errno) }
    return try FileCall.directory(Array(name.utf8), in: parent)
  }

  /// Begins to put back what the engine lacks of the caches that earlier runs left.
  package func start(_ engine: Engine, _ namespace: Namespace, _ troubles: Troubles) {
    leavings = LeavingCaches(engine, namespace, self, troubles)
  }

  func path(of cache: CacheName) -> FilePath { Self.append(cache.bytes, to: path) }

  /// Where a cache is while it is built.
  func arrivingPath(of cache: CacheName) -> FilePath {
    Self.append(cache.bytes, to: path.appending(BridgeDirectory.name).appending("arriving"))
  }

  /// A name may be any bytes.
  private static func append(_ name: [UInt8], to path: FilePath) -> FilePath {
    let above = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
    let below = ([UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    return (above + below).withUnsafeBufferPointer { chars in
      guard let base = chars.baseAddress else { preconditionFailure("a path has its zero byte") }
      return FilePath(platformString: base)
    }
  }

  func isPresent(_ cache: CacheName) -> Bool {
    var about = stat()
    return FileCall.withName(cache.bytes) { fstatat(root, $0, &about, AT_SYMLINK_NOFOLLOW) } == 0
  }

  // MARK: Coming and going

  /// Moves a cache that is built into its place.
  func arrive(_ name: [UInt8]) throws(Errno) {
    let result = FileCall.withName(name) { renameat(arriving, $0, root, $0) }
    if result < 0, errno == ENOTEMPTY || errno == EEXIST {
      // It is in the way, and can only be something that is over.
      try leave(name)
      try FileCall.check(FileCall.withName(name) { renameat(arriving, $0, root, $0) })
      return
    }
    try FileCall.check(result)
  }

  /// Moves a cache out of the agent's sight. What still was leaving under its name is deleted.
  func leave(_ name: [UInt8]) throws(Errno) {
    try FileCall.removeTree(name, in: leaving)
    if FileCall.withName(name, { renameat(root, $0, leaving, $0) }) < 0, errno != ENOENT {
      throw Errno(rawValue: errno)
    }
  }
}
