package import CacheSyncSystem
import Glibc
package import SystemPackage

/// Why the bridge does not serve a directory.
package enum DirectoryRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  case missing(String)
  case notDirectory(String)
  /// Another bridge holds it.
  case held(String)
  /// An agent serves it.
  case heldByAgent(String)
  /// A `cachesyncd sync` holds the cache; it ends by itself.
  case heldBySync(String)
  /// `.bridge` is a link, or belongs to another user.
  case foreign(String)
  /// A pool needs a directory that holds only its own working copies, and this one has other content.
  case notEmpty(String)
  case system(String, Errno)

  package init(_ path: FilePath, _ reason: Errno) {
    let name = EscapedText.forPeople(path)
    switch reason {
    case .noSuchFileOrDirectory: self = .missing(name)
    case .notDirectory, .tooManySymbolicLinkLevels: self = .notDirectory(name)
    default: self = .system(name, reason)
    }
  }

  package var description: String {
    switch self {
    case .missing(let path): "the directory \(path) does not exist: create it, or name another"
    case .notDirectory(let path): "\(path) is not a directory: name another"
    case .held(let path): "another bridge has \(path): stop it first"
    case .heldByAgent(let path): "an agent holds \(path): stop it, or use cachesync-bridge home beside it"
    case .heldBySync(let path): "a sync holds \(path): try again when it has ended"
    case .foreign(let path): "\(path)/.bridge is a link, or another user's: remove it"
    case .notEmpty(let path):
      "\(path) is not empty, and no pool has used it: a pool needs a directory of its own, name an empty one"
    case .system(let path, let reason): "cannot use \(path): \(reason)"
    }
  }
}

/// A directory with the bridge's own `.bridge` in it. It is locked as long as this object lives.
@LoopActor
package final class BridgeDirectory {
  package nonisolated static let name = ".bridge"

  package let path: FilePath
  /// The directory itself.
  package let root: Int32
  /// Its `.bridge`.
  let state: Int32
  private let lock: Int32

  /// Opens an existing directory, and creates `.bridge` in it.
  package init(_ path: FilePath) throws(DirectoryRefusal) {
    self.path = path
    var opened: [Int32] = []
    func failure(_ refusal: DirectoryRefusal) -> DirectoryRefusal {
      for descriptor in opened { close(descriptor) }
      return refusal
    }
    do throws(Errno) {
      root = try FileCall.directory(at: path)
      opened.append(root)
      if mkdirat(root, Self.name, 0o700) < 0, errno != EEXIST { throw Errno(rawValue: errno) }
    } catch {
      throw failure(DirectoryRefusal(path, error))
    }
    let text = EscapedText.forPeople(path)
    do throws(Errno) {
      state = try FileCall.directory(Array(Self.name.utf8), in: root)
      opened.append(state)
      guard try FileCall.about(state).st_uid == geteuid() else { throw .notPermitted }
      lock = try FileCall.check(openat(state, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
      opened.append(lock)
    } catch {
      let isForeign = [.notPermitted, .notDirectory, .tooManySymbolicLinkLevels].contains(error)
      throw failure(isForeign ? .foreign(text) : .system(text + "/" + Self.name, error))
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw failure(.held(text)) }
  }

  deinit { for descriptor in [lock, state, root] { close(descriptor) } }

  /// Whether the path still leads to this directory, and `.bridge` and its lock are still linked.
  package var isInPlace: Bool { isSameDirectory && isLinked(state) && isLinked(lock) }

  /// Whether the path still leads to this directory. Its content does not matter.
  package var isSameDirectory: Bool {
    var found = stat()
    guard path.withPlatformString({ lstat($0, &found) }) == 0, let own = try? FileCall.about(root) else { return false }
    return found.st_dev == own.st_dev && found.st_ino == own.st_ino
  }

  private func isLinked(_ descriptor: Int32) -> Bool {
    (try? FileCall.about(descriptor).st_nlink).map { $0 > 0 } ?? false
  }

  // MARK: Nonces

  /// The nonces of this bridge's earlier runs, the latest at the end. A record with one of them is this bridge's own.
  package var nonces: [String] {
    let bytes = (try? FileCall.read(Array("owners".utf8), in: state)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Stores a nonce before it is used. Up to 32 earlier ones stay: this run may end before the engine has its nonce,
  /// and an engine that was rolled back has an earlier one.
  package func keep(nonce: String) throws(Errno) {
    let text = (nonces.filter { $0 != nonce }.suffix(32) + [nonce]).joined(separator: "\n") + "\n"
    try replace("owners", with: Array(text.utf8))
  }

  /// Replaces a file in `.bridge` atomically: even after a power failure, either the old or the new file is there.
  func replace(_ name: String, with bytes: [UInt8]) throws(Errno) {
    try FileCall.write(bytes, as: Array((name + ".new").utf8), in: state, mode: 0o600, isFlushed: true)
    try FileCall.check(renameat(state, name + ".new", state, name))
    try FileCall.check(fsync(state))
  }
}
