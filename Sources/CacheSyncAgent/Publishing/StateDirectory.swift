package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// The agent's own directory in a cache, `.cachesync`, and the lock in it.
package final class StateDirectory: Sendable {
  /// It may outlive the lock, in the hands of who writes or flushes here.
  package let directory: SharedDescriptor
  private let lock: CacheLock

  package var raw: Int32 { directory.raw }

  /// Why a process could not become the cache's writer.
  package enum Failure: Error {
    case held(by: CacheLock.Holder)
    case publish(PublishError)
  }

  /// Creates the directory if need be and takes the lock, without waiting.
  ///
  /// - Parameter holder: what sort of process this is.
  package init(root: CacheRoot, as holder: CacheLock.Holder = .agent) throws(Failure) {
    do throws(PublishError) {
      directory = SharedDescriptor(try Self.open(root: root, creating: true))
    } catch {
      // That another process holds the cache is the better answer, also for a user who may not write here.
      throw Self.holder(of: root).map { .held(by: $0) } ?? .publish(error)
    }
    do throws(CacheLock.Failure) {
      lock = try CacheLock(in: directory.raw, as: holder)
    } catch {
      let name = "\(CacheLayout.state)/\(CacheLayout.lock)"
      switch error {
      case .held(let holder): throw .held(by: holder)
      case .create(let reason): throw .publish(PublishError(.create, name, reason))
      case .system(let reason): throw .publish(PublishError(.open, name, reason))
      }
    }
  }

  /// Opens the directory for writing into it, or for reading what its owner keeps there.
  package static func open(root: CacheRoot, creating: Bool) throws(PublishError) -> Descriptor {
    try OwnedDirectory(CacheLayout.state, in: root.raw, mode: creating ? 0o700 : nil, isExact: true).opened()
  }

  /// Opens the directory for asking the agent, also when it is another user's: root may ask every agent. The client checks
  /// which user's process answers.
  package static func openToAsk(root: CacheRoot) -> Descriptor? {
    Descriptor(openat(root.raw, CacheLayout.state, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// Whether the file of the lock that this process holds is still in its place, where other processes look for it.
  package func isInPlace(in root: CacheRoot) -> Bool {
    let path = CachePath(CacheLayout.state).appending(CacheLayout.lock.utf8)
    guard let held = try? Directory.identity(of: lock.raw), let found = try? Directory.identity(of: path, in: root.raw)
    else { return false }
    return held.isSameFile(as: found)
  }

  /// Which sort of process holds the lock of a cache now; nil: none.
  package static func holder(of root: CacheRoot) -> CacheLock.Holder? {
    guard let state = openToAsk(root: root) else { return nil }
    return CacheLock.holder(in: state.raw)
  }

  /// Deletes the temporaries that a killed agent left behind, here and in `snapshots`.
  package func removeTemporaries(in root: CacheRoot) {
    (try? OwnedDirectory(CacheLayout.state, in: root.raw, mode: nil))?.removeTemporaries()
    OutputDirectory.removeTemporaries(in: root)
  }

  // MARK: Durability

  /// Whether everything under `snapshots` is on disk, as far as earlier runs know: all of it, or all but what the last one was
  /// publishing when it was killed.
  ///
  /// A file in this directory says so. It need not survive power loss: what a start reads after one is on disk.
  var hasFlushed: Bool {
    get { (try? Directory.identity(of: CachePath(CacheLayout.flushed), in: raw)) != nil }
    set {
      if newValue {
        _ = Descriptor(
          openat(raw, CacheLayout.flushed, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600))
      } else {
        unlinkat(raw, CacheLayout.flushed, 0)
      }
    }
  }
}
