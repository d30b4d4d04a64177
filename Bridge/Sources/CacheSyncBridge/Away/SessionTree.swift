import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// Finds and reads the session files of a cache, as producers leave them, and reports changes.
///
/// A link is not followed, so a session file that is a link is not sent.
@LoopActor
final class SessionTree {
  enum Content {
    case absent
    case file(File)
    /// - Parameter byteCount: the size of the file.
    case tooLarge(byteCount: Int)
  }

  struct File {
    var bytes: [UInt8]
    var digest: String
    /// Nanoseconds since 1970.
    var modified: Int64
    /// Changes when the file does.
    var stamp: [Int64]
  }

  private let path: FilePath
  private let root: Int32
  private let watch: DirectoryWatch
  private let changed: @LoopActor (Place) -> Void
  private var tokens: [[UInt8]: DirectoryWatch.Token] = [:]
  /// Why a directory could not be watched. Changes in it are found at the next sweep.
  private(set) var failure: Errno?

  enum Place {
    /// A session file's path below the cache.
    case file([UInt8])
    /// A directory that was removed, by its path below the cache.
    case directory([UInt8])
  }

  /// - Parameters:
  ///   - root: the cache directory itself, which the caller keeps open.
  ///   - changed: receives each place that may have changed.
  init(
    at path: FilePath, _ root: Int32, watch: DirectoryWatch, _ changed: @escaping @LoopActor (Place) -> Void
  ) {
    self.path = path
    self.root = root
    self.watch = watch
    self.changed = changed
  }

  func close() {
    for token in tokens.values { watch.unwatch(token) }
    tokens = [:]
  }

  // MARK: Walking

  /// Follows every directory that holds session files, and reports each file in them.
  func scan() {
    failure = nil
    enter([])
  }

  private func enter(_ directory: [UInt8]) {
    guard Self.holdsSessions(directory) else { return }
    // Watch before listing, so that no change between the two is lost.
    if tokens[directory] == nil {
      do throws(Errno) {
        tokens[directory] = try watch.watch(full(directory)) { [weak self] in self?.receive($0, in: directory) }
      } catch {
        if error != .noSuchFileOrDirectory, error != .notDirectory { failure = error }
      }
    }
    guard let entries = try? list(directory) else { return }
    for entry in entries {
      let path = directory.isEmpty ? entry.name : directory + [UInt8(ascii: "/")] + entry.name
      if entry.isDirectory { enter(path) } else { notify(path) }
    }
  }

  /// Whether a session file may lie in a directory.
  private static func holdsSessions(_ directory: [UInt8]) -> Bool {
    directory.isEmpty || CachePlace(path: directory + Array("/x.json".utf8)) != .other
  }

  private func list(_ directory: [UInt8]) throws(Errno) -> [(name: [UInt8], isDirectory: Bool)] {
    guard !directory.isEmpty else { return try FileCall.entries(in: root) }
    let (parent, name) = try FileCall.parent(of: directory, in: root, making: false)
    defer { Glibc.close(parent) }
    let descriptor = try FileCall.directory(name, in: parent)
    defer { Glibc.close(descriptor) }
    return try FileCall.entries(in: descriptor)
  }

  private func full(_ directory: [UInt8]) -> FilePath {
    directory.isEmpty ? path : path.appending(bytes: directory)
  }

  private func notify(_ path: [UInt8]) { if CachePlace(path: path) != .other { changed(.file(path)) } }

  private func receive(_ event: InotifyInstance.Event, in directory: [UInt8]) {
    if event.has(IN_IGNORED) { tokens[directory] = nil }
    guard !event.name.isEmpty else { return }
    let path = directory.isEmpty ? event.name : directory + [UInt8(ascii: "/")] + event.name
    guard event.has(IN_ISDIR) else { return notify(path) }
    guard Self.holdsSessions(path) else { return }
    // The watch under this path belongs to an earlier directory.
    leave(path)
    if event.has(IN_CREATE | IN_MOVED_TO) { enter(path) } else { changed(.directory(path)) }
  }

  private func leave(_ directory: [UInt8]) {
    for (path, token) in tokens where path == directory || path.starts(with: directory + [UInt8(ascii: "/")]) {
      watch.unwatch(token)
      tokens[path] = nil
    }
  }

  // MARK: Reading

  /// The content at a path. A FIFO, a link, a directory, and a path that leads through one of them are not session
  /// files.
  ///
  /// - Parameter limit: larger files are not read.
  func content(of path: [UInt8], limit: Int) throws(Errno) -> Content {
    let file: Int32
    do throws(Errno) {
      let (parent, name) = try FileCall.parent(of: path, in: root, making: false)
      defer { Glibc.close(parent) }
      file = try FileCall.check(
        FileCall.withName(name) { openat(parent, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) })
    } catch {
      switch error {
      // ENXIO: a socket, or a FIFO's other end.
      case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .noSuchAddressOrDevice: return .absent
      default: throw error
      }
    }
    defer { Glibc.close(file) }
    guard try FileCall.about(file).st_mode & S_IFMT == S_IFREG else { return .absent }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileDescriptor(rawValue: file).readAll(limit: limit)
    } catch .fileTooLarge {
      return .tooLarge(byteCount: Int(try FileCall.about(file).st_size))
    }
    let about = try FileCall.about(file)
    let modified = Int64(about.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(about.st_mtim.tv_nsec)
    return .file(
      File(
        bytes: bytes, digest: SHA256.hex(bytes), modified: modified,
        stamp: [Int64(bitPattern: UInt64(about.st_ino)), Int64(about.st_size), modified]))
  }
}
