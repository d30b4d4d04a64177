package import CacheSync
import CLinux
import Glibc
import SystemPackage

/// The agent's own directory in a cache, `.cachesync`, and the lock in it.
package final class StateDirectory: Sendable {
  private let directory: Descriptor
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
      directory = try Self.open(root: root, creating: true)
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
    try OwnedDirectory.open(CacheLayout.state, in: root, mode: 0o700, isExact: true, creating: creating)
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

  /// Deletes the temporaries that a killed agent left behind.
  package func removeTemporaries() {
    guard let entries = try? Directory.list(raw) else { return }
    for entry in entries where entry.name.starts(with: Array(CacheLayout.temporaryPrefix.description.utf8)) {
      _ = CachePath(bytes: entry.name).withCString { unlinkat(raw, $0, 0) }
    }
  }
}

/// The directories in a cache that the agent writes into. It refuses a link in their place, and a directory of another user.
package enum OwnedDirectory {
  /// Throws when the directory is a link, or another user's. A directory that is missing, or cannot be opened now, is no error.
  package static func refuseForeign(_ name: String, in root: CacheRoot) throws(PublishError) {
    do throws(PublishError) {
      _ = try open(name, in: root, mode: 0o755, isExact: false, creating: false)
    } catch {
      if error.explanation != nil { throw error }
    }
  }

  /// - Parameters:
  ///   - isExact: whether the directory gets the mode whatever the umask is.
  ///   - creating: whether to make the directory, or to give it its exact mode, if need be.
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

  /// Sets the mode of a directory that the agent owns and cannot open.
  ///
  /// It goes by the descriptor of the directory that was checked: a moment later the name may be another user's link.
  private static func setMode(_ mode: UInt32, of name: String, in root: CacheRoot) {
    guard let directory = Descriptor(clinux_open_path_beneath(root.raw, name)),
      (try? Directory.identity(of: directory.raw))?.type == .directory, Directory.owner(of: directory.raw) == geteuid()
    else { return }
    // fchmod(2) takes no such descriptor; its entry in /proc leads to this directory and no other.
    chmod("/proc/self/fd/\(directory.raw)", mode)
  }
}
