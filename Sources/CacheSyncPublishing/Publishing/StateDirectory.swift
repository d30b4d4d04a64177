package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// The agent's own directory in a cache, `.cachesync`, and the lock in it.
package final class StateDirectory: Sendable {
  /// It may outlive the lock, while other code still writes or flushes here.
  package let directory: SharedDescriptor
  private let lock: CacheLock
  private let lockIdentity: FileIdentity?
  private let token: HolderToken
  /// The token of a dead process that could not be replaced.
  private let dead: HolderToken?

  package var raw: Int32 { directory.raw }

  /// Why a process could not become the cache's writer.
  package enum Failure: Error {
    /// - elsewhere: the process that reaches the files by a road that locks do not pass.
    case held(by: CacheLock.Holder, elsewhere: HolderToken? = nil)
    case publish(PublishError)
  }

  /// Creates a missing directory and takes the lock, without waiting.
  ///
  /// - Parameters:
  ///   - holder: the type of this process.
  ///   - patience: how long to wait for the answer of a holder by another road.
  package init(
    root: CacheRoot, as holder: CacheLock.Holder = .agent, waiting patience: Duration = HolderToken.patience
  ) throws(Failure) {
    do throws(PublishError) {
      directory = SharedDescriptor(try Self.open(root: root, creating: true))
    } catch {
      // If another process holds the cache, that is the more useful error, even for a user who may not write here.
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
    lockIdentity = try? Directory.identity(of: lock.raw)
    let other = HolderToken.read(in: directory.raw)
    if let other, other.isAlive(in: directory.raw, waiting: patience) {
      throw .held(by: other.holder, elsewhere: other)
    }
    token = HolderToken(of: root, as: holder)
    token.write(in: directory.raw)
    token.setHeld(true)
    dead = other
    // If the other one is alive after all, it looks now, and gives way.
    if other != nil { clinux_touch(directory.raw) }
  }

  deinit { token.setHeld(false) }

  /// Shows other processes that this one holds the cache.
  ///
  /// - Returns: the process that has taken the cache by another road; nil: none has.
  package func beat() -> HolderToken? {
    let found = HolderToken.read(in: raw)
    if found == token { token.beat(in: raw) }
    return found == token || found == dead ? nil : found
  }

  /// Removes what tells other processes that this one holds the cache. The lock stays.
  package func leave() { token.remove(from: raw) }

  /// Opens the directory for writing, or for reading its owner's files.
  package static func open(root: CacheRoot, creating: Bool) throws(PublishError) -> Descriptor {
    try OwnedDirectory(CacheLayout.state, in: root.raw, mode: creating ? 0o700 : nil, isExact: true).opened()
  }

  /// Opens the directory to contact the agent, even another user's: root may query every agent. The client checks which
  /// user's process answers.
  package static func openToAsk(root: CacheRoot) -> Descriptor? {
    Descriptor(openat(root.raw, CacheLayout.state, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// Returns the owner of the directory if it is closed to this process, which then cannot know who holds the cache.
  package static func otherOwner(in root: CacheRoot) -> UInt32? {
    let opened = openat(root.raw, CacheLayout.state, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    let reason = errno
    if Descriptor(opened) != nil || reason != EACCES { return nil }
    var about = stat()
    return fstatat(root.raw, CacheLayout.state, &about, AT_SYMLINK_NOFOLLOW) == 0 ? about.st_uid : nil
  }

  /// Whether the lock file of this process is still where other processes look for it.
  ///
  /// It follows a link at `.cachesync`, which needs one call instead of three: no process takes a lock behind a link.
  package func isInPlace(in root: CacheRoot) -> Bool {
    var about = stat()
    guard fstatat(root.raw, "\(CacheLayout.state)/\(CacheLayout.lock)", &about, AT_SYMLINK_NOFOLLOW) == 0 else {
      return false
    }
    return lockIdentity?.isSameFile(as: FileIdentity(about)) ?? false
  }

  /// Returns the type of the process that holds the lock of a cache now; nil when none does.
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

  /// Whether everything in `snapshots` is on disk, as far as earlier runs know. If the last run was killed, its
  /// unfinished publication may be missing.
  ///
  /// A file in this directory marks that. It need not survive power loss: everything that a start reads after one is on
  /// disk.
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
