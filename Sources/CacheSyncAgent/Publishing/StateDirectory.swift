package import CacheSync
import CLinux
import Glibc
import SystemPackage

/// The agent's own directory in a cache, `.cachesync`, and the lock in it that makes its holder the cache's only writer.
///
/// The lock is the kernel's (flock(2)) on a descriptor that is open for reading only: it ends with its process, and it does
/// not keep the file system from being remounted read-only.
package final class StateDirectory: Sendable {
  private let directory: Descriptor
  private let lock: Descriptor

  package var raw: Int32 { directory.raw }

  /// Why a cache has no writer now.
  package enum Failure: Error {
    case heldByAnother
    case publish(PublishError)
  }

  /// Creates the directory if need be and takes the lock, without waiting.
  package init(root: CacheRoot) throws(Failure) {
    do throws(PublishError) {
      directory = try Self.open(root: root, creating: true)
    } catch {
      // Whoever may not write here may be told why nobody else should either.
      throw Self.isHeld(in: root) ? .heldByAnother : .publish(error)
    }
    // The lock's file may be there already on a disk that takes no new one.
    var file = openat(directory.raw, CacheLayout.lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if file < 0 {
      file = openat(directory.raw, CacheLayout.lock, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    }
    guard let file = Descriptor(file) else {
      throw .publish(PublishError(.create, "\(CacheLayout.state)/\(CacheLayout.lock)", Errno(rawValue: errno)))
    }
    guard clinux_flock_exclusive(file.raw) == 0, clinux_announce_lock(file.raw) == 0 else {
      if errno == EWOULDBLOCK { throw .heldByAnother }
      throw .publish(PublishError(.open, "\(CacheLayout.state)/\(CacheLayout.lock)", Errno(rawValue: errno)))
    }
    lock = file
  }

  /// Opens the directory for writing into it, or for reading what its owner keeps there.
  package static func open(root: CacheRoot, creating: Bool) throws(PublishError) -> Descriptor {
    try OwnedDirectory.open(CacheLayout.state, in: root, mode: 0o700, isExact: true, creating: creating)
  }

  /// Opens the directory for asking the agent, whoever's it is: root may ask anybody's, and the agent's word is judged by
  /// who it is.
  package static func openToAsk(root: CacheRoot) -> Descriptor? {
    Descriptor(openat(root.raw, CacheLayout.state, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// Whether the lock that we hold is still the one that others would find.
  package func isInPlace(in root: CacheRoot) -> Bool {
    let path = CachePath(CacheLayout.state).appending(CacheLayout.lock.utf8)
    guard let held = try? Directory.identity(of: lock.raw), let found = try? Directory.identity(of: path, in: root.raw)
    else { return false }
    return held.isSameFile(as: found)
  }

  /// Whether an agent or a `sync` holds the lock of a cache now. Looking takes no lock, which an agent that starts in that
  /// instant would take for another agent's.
  package static func isHeld(in root: CacheRoot) -> Bool {
    guard let state = openToAsk(root: root),
      let lock = Descriptor(openat(state.raw, CacheLayout.lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    else { return false }
    return clinux_is_lock_announced(lock.raw)
  }

  /// Deletes the temporaries that a killed agent left behind.
  package func removeTemporaries() {
    guard let entries = try? Directory.list(raw) else { return }
    for entry in entries where entry.name.starts(with: Array(CacheLayout.temporaryPrefix.description.utf8)) {
      _ = CachePath(bytes: entry.name).withCString { unlinkat(raw, $0, 0) }
    }
  }
}

/// Directories in a cache that the agent writes into: its own, not somebody else's and no link that was put in its place.
package enum OwnedDirectory {
  /// Throws when the directory is a link, or another user's. One that is missing, or cannot be opened now, may come.
  package static func refuseForeign(_ name: String, in root: CacheRoot) throws(PublishError) {
    do throws(PublishError) {
      _ = try open(name, in: root, mode: 0o755, isExact: false, creating: false)
    } catch {
      if error.explanation != nil { throw error }
    }
  }

  /// - Parameters:
  ///   - isExact: whether the mode holds whatever the umask.
  ///   - creating: whether the directory is made, or given its exact mode, if need be.
  package static func open(_ name: String, in root: CacheRoot, mode: UInt32, isExact: Bool, creating: Bool)
    throws(PublishError) -> Descriptor
  {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var result = openat(root.raw, name, flags)
    if result < 0, errno == ENOENT, creating {
      guard mkdirat(root.raw, name, mode) == 0 || errno == EEXIST else {
        throw PublishError(.create, name, Errno(rawValue: errno))
      }
      result = openat(root.raw, name, flags)
    }
    if result < 0, errno == EACCES, isExact, creating {
      // A umask may have taken away even what is needed to open it.
      setMode(mode, of: name, in: root)
      result = openat(root.raw, name, flags)
    }
    guard let directory = Descriptor(result) else {
      let reason = Errno(rawValue: errno)
      guard reason == .tooManySymbolicLinkLevels || reason == .notDirectory else {
        throw PublishError(.open, name, reason)
      }
      throw PublishError(
        .open, name, .notPermitted, explanation: "it is a link or a file: put a directory there, or remove it")
    }
    guard Directory.owner(of: directory.raw) == geteuid() else {
      throw PublishError(
        .open, name, .notPermitted, explanation: "it belongs to another user: run as its owner, or remove it")
    }
    if isExact, creating { fchmod(directory.raw, mode) }
    return directory
  }

  /// Sets the mode of a directory of ours that cannot be opened: of the directory that was found and checked, because by its
  /// name another user's link may lead elsewhere a moment later.
  private static func setMode(_ mode: UInt32, of name: String, in root: CacheRoot) {
    guard let directory = Descriptor(clinux_open_path_beneath(root.raw, name)),
      (try? Directory.identity(of: directory.raw))?.type == .directory, Directory.owner(of: directory.raw) == geteuid()
    else { return }
    // fchmod(2) takes no such descriptor; its entry in /proc leads to this directory and no other.
    chmod("/proc/self/fd/\(directory.raw)", mode)
  }
}
