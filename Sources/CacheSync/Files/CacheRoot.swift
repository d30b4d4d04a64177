import CLinux
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// An open cache directory. Everything below it is reached through its descriptor, so another directory with the same
/// path is never mistaken for it.
package final class CacheRoot: @unchecked Sendable {
  /// The path; every link in it was resolved when the cache was first opened.
  package let path: FilePath
  package let identity: FileIdentity
  package let fileSystem: Int64
  private let place: Place
  private let descriptor: Descriptor

  package var raw: Int32 { descriptor.raw }

  /// Opens the directory at a resolved path, and refuses a link there.
  package init(resolved path: FilePath) throws(CacheError) {
    self.path = path
    let result = path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard let descriptor = Descriptor(result) else {
      throw CacheError(opening: path, Errno(rawValue: errno))
    }
    do throws(Errno) {
      identity = try Directory.identity(of: descriptor.raw)
      var place = try Place(of: descriptor.raw, "")
      // A directory of an image gets another birth time when something is first made in it.
      if clinux_filesystem_type(descriptor.raw) == Self.overlay { place.birth = 0 }
      self.place = place
    } catch {
      throw CacheError(opening: path, error)
    }
    fileSystem = clinux_filesystem_type(descriptor.raw)
    ChangingInodes.record(!clinux_filesystem_has_events(fileSystem), on: identity.device)
    self.descriptor = descriptor
  }

  /// Resolves every link in the path of a cache; done once at the start.
  package static func resolve(_ path: FilePath) throws(CacheError) -> FilePath {
    do {
      return try path.resolvingLinks()
    } catch {
      throw CacheError(opening: path, error)
    }
  }

  /// Whether the path still leads to this directory.
  package var isInPlace: Bool {
    guard let found = path.withPlatformString({ try? Place(of: AT_FDCWD, $0) }), found == place else { return false }
    // A subvolume that takes the place of a deleted one is equal in everything, but the deleted one has no device.
    return !isSubvolume || (try? Directory.identity(of: raw).device) == place.device
  }

  private static let overlay: Int64 = 0x794C_7630

  package var isOnOverlay: Bool { fileSystem == Self.overlay }

  /// Whether it is the root of a btrfs subvolume. When one is deleted, only its parent directory has an event.
  package var isSubvolume: Bool { fileSystem == 0x9123_683E && identity.inode == 256 }

  /// Whether both are the same directory.
  package func isSame(as other: CacheRoot) -> Bool { place == other.place && other.isInPlace }

  /// What tells a directory from another one at its path. A file system may give the inode of a deleted directory to a
  /// new one.
  private struct Place: Equatable {
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// When it was created; 0 when the file system does not say.
    var birth: Int64 = 0

    static func == (a: Place, b: Place) -> Bool {
      a.device == b.device && a.inode == b.inode && (a.birth == b.birth || a.birth == 0 || b.birth == 0)
    }

    init(of descriptor: Int32, _ path: UnsafePointer<CChar>) throws(Errno) {
      guard clinux_directory(descriptor, path, &device, &inode, &birth) == 0 else { throw Errno(rawValue: errno) }
    }
  }
}

/// Why a cache cannot be served: one line, and the matching exit status for scripts.
package struct CacheError: Error, Sendable, CustomStringConvertible {
  package var description: String
  package var status: ExitStatus
  /// Whether a `sync` holds the cache. It ends on its own, so the agent waits for it, even at its start.
  package var isHeldBySync = false
  /// Whether the holder reaches the files by another road. Each try asks it.
  package var isHeldElsewhere = false
  /// Whether the directory lost its path while it was being opened. Another one may be there already.
  package var isReplaced = false

  package init(_ description: String, status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// Another process holds the cache.
  ///
  /// - Parameter elsewhere: which process that is and where it reaches the files, if locks do not pass that road.
  package init(heldBy holder: CacheLock.Holder, _ path: FilePath, elsewhere: String? = nil) {
    let which = elsewhere.map { " (\($0))" } ?? ""
    self.init(
      "\(holder.another)\(which) holds \(EscapedText.forPeople(path.bytes)): stop it first, or use it",
      status: .temporaryFailure)
    isHeldBySync = holder == .sync
    isHeldElsewhere = elsewhere != nil
  }

  /// The directory lost its path while it was being opened.
  package init(replaced path: FilePath) {
    self.init(opening: path, .noSuchFileOrDirectory)
    isReplaced = true
  }

  /// A problem of a cache's settings, with the full path of the file.
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
      self.init(
        "cannot open the cache directory \(name): \(reason): \(AccessAdvice.forWriting(path))", status: .noPermission)
    case .tooManyOpenFiles:
      self.init(
        "cannot open the cache directory \(name): \(reason): raise the limit with ulimit -n or LimitNOFILE=",
        status: .systemError)
    default:
      self.init("cannot open the cache directory \(name): \(reason)", status: .noInput)
    }
  }
}
