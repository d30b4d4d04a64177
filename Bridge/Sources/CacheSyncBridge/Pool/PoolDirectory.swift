import CacheSync
import Glibc
package import SystemPackage

/// The directory of a pool's caches. All that is in it are working copies, and the bridge's own: the engine has what counts.
///
/// A cache comes whole, by a rename from `.bridge/arriving`, and goes whole, by a rename to `.bridge/leaving`. So the agent
/// never sees half of one.
@BridgeActor
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

  package var path: FilePath { bridge.path }
  package var root: Int32 { bridge.root }

  /// Opens an empty directory, or one that a pool has used before. What an earlier run left in it is leaving then.
  package init(_ path: FilePath) throws(DirectoryRefusal) {
    do throws(Errno) {
      let isMarked = path.appending(BridgeDirectory.name).appending(Self.mark).withPlatformString {
        access($0, F_OK) == 0
      }
      // Looked at before anything is made in it.
      let found = try FileCall.directory(at: path)
      defer { close(found) }
      let names = try FileCall.names(in: found).filter { $0 != BridgeDirectory.name }
      guard isMarked || names.isEmpty else { throw .directoryNotEmpty }
    } catch {
      if error == .directoryNotEmpty { throw .notEmpty(EscapedText.forPeople(path.string)) }
      throw DirectoryRefusal(path, error)
    }
    bridge = try BridgeDirectory(path)
    do throws(Errno) {
      try bridge.replace(Self.mark, with: [])
      files = try SessionFiles(in: bridge)
      arriving = try Self.folder("arriving", in: bridge.state)
      leaving = try Self.folder("leaving", in: bridge.state)
    } catch {
      throw DirectoryRefusal(path.appending(BridgeDirectory.name), error)
    }
  }

  deinit { for descriptor in [arriving, leaving] { close(descriptor) } }

  private static func folder(_ name: String, in parent: Int32) throws(Errno) -> Int32 {
    if mkdirat(parent, name, 0o700) < 0, errno != EEXIST { throw Errno(rawValue: errno) }
    return try FileCall.directory(Array(name.utf8), in: parent)
  }
}
