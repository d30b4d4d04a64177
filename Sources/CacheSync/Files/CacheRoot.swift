import CLinux
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// An open cache directory: everything below it is reached through its descriptor, so that a directory put in its place is
/// never mistaken for it.
package final class CacheRoot: @unchecked Sendable {
  /// The path with every link resolved when the cache was first opened.
  package let path: FilePath
  package let identity: FileIdentity
  package let fileSystem: Int64
  private let descriptor: Descriptor

  package var raw: Int32 { descriptor.raw }

  /// Opens the directory at a path that is already resolved; a link in its place is refused.
  package init(resolved path: FilePath) throws(CacheError) {
    self.path = path
    let result = path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard let descriptor = Descriptor(result) else {
      throw CacheError(opening: path, Errno(rawValue: errno))
    }
    do {
      identity = try Directory.identity(of: descriptor.raw)
    } catch {
      throw CacheError(opening: path, error)
    }
    fileSystem = clinux_filesystem_type(descriptor.raw)
    self.descriptor = descriptor
  }

  /// The path of a cache with every link resolved, as it is done once at the start.
  package static func resolve(_ path: FilePath) throws(CacheError) -> FilePath {
    do {
      return try path.resolvingLinks()
    } catch {
      throw CacheError(opening: path, error)
    }
  }

  /// Whether the path still leads to this directory.
  package var isInPlace: Bool {
    var about = stat()
    guard path.withPlatformString({ lstat($0, &about) }) == 0 else { return false }
    return FileIdentity(about).isSameFile(as: identity)
  }
}

/// Why a cache cannot be served, in one line, with the exit status that says the same to a script.
package struct CacheError: Error, Sendable, CustomStringConvertible {
  package var description: String
  package var status: ExitStatus
  /// Whether a `sync` holds the cache, which ends by itself: the agent waits for that, also at its start.
  package var isHeldBySync = false

  package init(_ description: String, status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// Another process holds the cache.
  package init(heldBy holder: CacheLock.Holder, _ path: FilePath) {
    self.init(
      "\(holder.another) holds \(EscapedText.forPeople(path.bytes)): stop it first, or use it",
      status: .temporaryFailure)
    isHeldBySync = holder == .sync
  }

  /// A problem of a cache's settings, with the whole path of the file.
  package init(settings problem: Problem, in cache: FilePath) {
    let file = cache.appending(bytes: CacheLayout.settings.bytes)
    self.init(problem.line(path: EscapedText.forPeople(file.bytes)), status: .configuration)
  }

  package init(opening path: FilePath, _ reason: Errno) {
    let name = EscapedText.forPeople(path.bytes)
    switch reason {
    case .noSuchFileOrDirectory:
      self.init(
        "the cache directory \(name) does not exist. \(DefaultCache.advice(forMissing: name))",
        status: .noInput)
    case .notDirectory, .tooManySymbolicLinkLevels:
      self.init("\(name) is not a directory: name a cache directory with --cache", status: .noInput)
    case .permissionDenied, .notPermitted:
      self.init("cannot open the cache directory \(name): \(reason): run as its owner", status: .noPermission)
    case .tooManyOpenFiles:
      self.init(
        "cannot open the cache directory \(name): \(reason): raise the limit with ulimit -n or LimitNOFILE=",
        status: .systemError)
    default:
      self.init("cannot open the cache directory \(name): \(reason)", status: .noInput)
    }
  }
}
