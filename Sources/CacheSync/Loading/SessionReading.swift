import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// Opens session files and reads their bytes, never through a link that leaves the cache, never blocking, never more than
/// the limit.
package struct SessionReading: Sendable {
  package let root: CacheRoot

  package init(root: CacheRoot) { self.root = root }

  /// How many files this process has looked at, for who waits; it may be asked from any thread.
  package static var fileCount: Int { counter.load(ordering: .relaxed) }
  private static let counter = Atomic(0)

  /// What stands at a path.
  package enum Found: Sendable {
    case absent
    /// Not a session file, or one that cannot be read; the message is the problem's. For a bad link the link's identity.
    case unusable(FileIdentity, Failure)
    case file(FileIdentity, isLink: Bool)
  }

  package enum Failure: Equatable, Sendable {
    case tooLarge(limit: Int)
    case notAFile(String)
    case danglingLink, loopingLink, leavesCache
    case system(Errno)

    package var message: String {
      switch self {
      case .tooLarge(let limit): "larger than \(limit) bytes: raise maximumFileBytes in cachesync.json, or write less"
      case .notAFile(let what): "is \(what), not a file"
      case .danglingLink: "is a link to something that does not exist"
      case .loopingLink: "is a link that leads back to itself"
      case .leavesCache: "is a link that leaves the cache"
      case .system(let reason): "cannot be read: \(reason)"
      }
    }

    /// Whether reading may work later without any event, so that it is tried again.
    package var mayPass: Bool {
      if case .system = self { true } else { false }
    }

    /// A FIFO or a bad link does not make its feed present; a file that is unusable does.
    package var makesFeedPresent: Bool {
      switch self {
      case .tooLarge, .system: true
      default: false
      }
    }
  }

  /// Looks at what stands at a path, without opening it.
  package func look(at path: CachePath, limit: Int) -> Found {
    Self.counter.add(1, ordering: .relaxed)
    let identity: FileIdentity
    do throws(Errno) {
      identity = try Directory.identity(of: path, in: root.raw)
    } catch {
      return Self.isAbsence(error) ? .absent : .unusable(Self.unknown, .system(error))
    }
    switch identity.type {
    case .regular:
      return identity.size > limit ? .unusable(identity, .tooLarge(limit: limit)) : .file(identity, isLink: false)
    case .link: return lookThroughLink(at: path, link: identity, limit: limit)
    case .directory: return .unusable(identity, .notAFile("a directory"))
    case .other: return .unusable(identity, .notAFile("a FIFO, socket or device"))
    }
  }

  /// An identity for what cannot be looked at; equal to no other file's.
  private static var unknown: FileIdentity {
    var about = stat()
    about.st_mode = S_IFREG
    return FileIdentity(about)
  }

  private static func isAbsence(_ reason: Errno) -> Bool {
    reason == .noSuchFileOrDirectory || reason == .notDirectory || reason == .fileNameTooLong
  }

  private func lookThroughLink(at path: CachePath, link: FileIdentity, limit: Int) -> Found {
    let result = openTarget(of: path)
    switch result {
    case .failure(let failure): return .unusable(link, failure)
    case .success(let target):
      defer { close(target) }
      guard let identity = try? Directory.identity(of: target) else { return .unusable(link, .danglingLink) }
      guard identity.type == .regular else { return .unusable(link, .notAFile("a link to something that is no file")) }
      return identity.size > limit ? .unusable(link, .tooLarge(limit: limit)) : .file(identity, isLink: true)
    }
  }

  private enum Target {
    case success(Int32)
    case failure(Failure)
  }

  /// Opens what a link leads to without opening it for reading (O_PATH), and only where it lies inside the cache.
  private func openTarget(of path: CachePath) -> Target {
    let target = path.withCString { clinux_open_path(root.raw, $0, true) }
    guard target >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return .failure(.danglingLink)
      case ELOOP: return .failure(.loopingLink)
      default: return .failure(.system(Errno(rawValue: errno)))
      }
    }
    guard let place = Self.realPath(of: target), let base = Self.realPath(of: root.raw),
      CachePath(bytes: place).isWithin(CachePath(bytes: base)), place.count > base.count
    else {
      close(target)
      return .failure(.leavesCache)
    }
    return .success(target)
  }

  private static func realPath(of descriptor: Int32) -> [UInt8]? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
    return length > 0 ? target.prefix(length).map { UInt8(bitPattern: $0) } : nil
  }

  /// Reads the file that ``look(at:limit:)`` found, and gives its bytes to `body`; nil when it changed its nature meanwhile.
  ///
  /// The identity returned is the one from before the reading, so that a write during it shows as a change.
  package func read<Result>(
    _ path: CachePath, limit: Int, _ body: (UnsafeRawBufferPointer, FileIdentity) -> Result
  ) throws(Errno) -> Result? {
    guard let file = try open(path) else { return nil }
    let identity = try Directory.identity(of: file.raw)
    guard identity.type == .regular, identity.size <= limit else { return nil }
    // Nothing is kept between two reads: a buffer for each of thousands of caches would stay resident. One byte more than
    // the file should hold tells of one that grows, about which an event is on its way.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(identity.size) + 1, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    while count < buffer.count, let base = buffer.baseAddress {
      let got = Glibc.read(file.raw, base + count, buffer.count - count)
      if got < 0 {
        if errno == EINTR { continue }
        throw Errno(rawValue: errno)
      }
      if got == 0 { break }
      count += got
    }
    guard count < buffer.count else { return nil }
    return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), identity)
  }

  private func open(_ path: CachePath) throws(Errno) -> Descriptor? {
    let direct = path.withCString { clinux_open_beneath(root.raw, $0, O_RDONLY | O_NONBLOCK | O_NOCTTY) }
    if let file = Descriptor(direct) { return file }
    switch errno {
    case ENOENT, ENOTDIR: return nil
    case ELOOP:
      guard case .success(let target) = openTarget(of: path) else { return nil }
      defer { close(target) }
      guard let identity = try? Directory.identity(of: target), identity.type == .regular else { return nil }
      guard let file = Descriptor(Glibc.open("/proc/self/fd/\(target)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) else {
        throw Errno(rawValue: errno)
      }
      return file
    default: throw Errno(rawValue: errno)
    }
  }
}
