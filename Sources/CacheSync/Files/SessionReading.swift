import CLinux
package import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// Opens session files and reads their bytes. It never follows a link out of the cache, never blocks, and never reads
/// more than the limit.
package struct SessionReading: Sendable {
  package let root: CacheRoot

  package init(root: CacheRoot) { self.root = root }

  /// How many files this process has looked at, for the progress line of a slow start. Callable from any thread.
  package static var fileCount: Int { counter.load(ordering: .relaxed) }
  private static let counter = Atomic(0)

  /// What is at a path.
  package enum Found: Sendable {
    case absent
    /// Not a session file, or one that cannot be read; the message is the problem's. For a bad link this is the link's
    /// identity.
    case unusable(FileIdentity, Failure)
    case file(FileIdentity, isLink: Bool)
  }

  package enum Failure: Error, Equatable {
    case tooLarge(limit: Int)
    case notAFile(String)
    case danglingLink, loopingLink, leavesCache
    case system(Errno)

    package var message: String {
      switch self {
      case .tooLarge(let limit):
        "larger than \(counted(limit, "byte")): raise maximumFileBytes in cachesync.json, or write less"
      case .notAFile(let what): "is \(what), not a file"
      case .danglingLink: "is a link to something that does not exist"
      case .loopingLink: "is a link that leads back to itself"
      case .leavesCache: "is a link that leaves the cache"
      case .system(let reason): "cannot be read: \(reason)"
      }
    }

    /// Whether a retry may succeed without any event.
    package var mayPass: Bool {
      switch self {
      // What a link leads to may be outside of what the agent watches, such as a directory of git-annex.
      case .system, .danglingLink: true
      default: false
      }
    }

    /// A FIFO or a bad link does not make its feed present; an unusable file does.
    package var makesFeedPresent: Bool {
      switch self {
      case .tooLarge, .system: true
      default: false
      }
    }
  }

  /// Looks at a path without opening it.
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

  /// The identity of a file that cannot be looked at; it equals no other file's.
  private static var unknown: FileIdentity {
    var about = stat()
    about.st_mode = S_IFREG
    return FileIdentity(about)
  }

  /// A file below a linked directory is not a session file.
  private static func isAbsence(_ reason: Errno) -> Bool {
    switch reason {
    case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels: true
    default: false
    }
  }

  private func lookThroughLink(at path: CachePath, link: FileIdentity, limit: Int) -> Found {
    do throws(Failure) {
      let identity = try identity(of: try openTarget(of: path))
      return identity.size > limit ? .unusable(link, .tooLarge(limit: limit)) : .file(identity, isLink: true)
    } catch {
      return .unusable(link, error)
    }
  }

  /// The problem of a link that replaces a directory, below which the agent reads nothing; nil if it leads to a file in
  /// the cache.
  package func messageOfLinkedDirectory(at path: CachePath) -> String? {
    let advice = "no file below it is read: put the directory itself there"
    do throws(Failure) {
      _ = try openTarget(of: path)
      return nil
    } catch {
      return error == Self.linkToNoFile ? "is a link; \(advice)" : "\(error.message); \(advice)"
    }
  }

  private func identity(of file: borrowing Descriptor) throws(Failure) -> FileIdentity {
    do throws(Errno) {
      return try Directory.identity(of: file.raw)
    } catch {
      throw .system(error)
    }
  }

  /// The kernel's limit of links in a path (path_resolution(7)).
  private static let maximumLinks = 40

  /// Opens the file that a link leads to, without opening it for reading (O_PATH).
  ///
  /// It resolves the link name by name. It compares names above the cache with the cache's own path only: looking at
  /// anything outside may start an automount, or wait for a file system that does not respond.
  private func openTarget(of path: CachePath) throws(Failure) -> Descriptor {
    let base = CachePath(bytes: root.path.bytes).components
    var place = path.components
    // The remaining names to resolve, the next one last, and how many levels above the cache the link has led.
    var names = [place.removeLast()]
    var levelsAbove = 0
    var linkCount = 0
    while let name = names.popLast() {
      if name.isEmpty || name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        if place.popLast() == nil { levelsAbove = min(levelsAbove + 1, base.count) }
        continue
      }
      if levelsAbove > 0 {
        guard name == base[base.count - levelsAbove] else { throw .leavesCache }
        levelsAbove -= 1
        continue
      }
      place.append(name)
      let found = try openPath(place)
      switch try identity(of: found).type {
      case .directory: continue
      case .regular where names.isEmpty: return found
      case .other where names.isEmpty: throw Self.linkToNoFile
      case .regular, .other: throw .danglingLink
      case .link:
        linkCount += 1
        guard linkCount <= Self.maximumLinks else { throw .loopingLink }
        let target = try readLink(found)
        place.removeLast()
        if target.first == UInt8(ascii: "/") {
          place = []
          levelsAbove = base.count
        }
        names += target.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).reversed()
      }
    }
    throw levelsAbove > 0 || place.isEmpty ? .leavesCache : Self.linkToNoFile
  }

  private static let linkToNoFile = Failure.notAFile("a link to a directory, FIFO, socket or device")

  /// Opens a path below the cache that has no link in it.
  private func openPath(_ place: [ArraySlice<UInt8>]) throws(Failure) -> Descriptor {
    let path = CachePath(bytes: Array(place.joined(separator: [UInt8(ascii: "/")])))
    if let found = Descriptor(path.withCString { clinux_open_path_beneath(root.raw, $0) }) { return found }
    throw errno == ENOENT || errno == ENOTDIR ? .danglingLink : .system(Errno(rawValue: errno))
  }

  private func readLink(_ link: borrowing Descriptor) throws(Failure) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlinkat(link.raw, "", &target, target.count)
    guard length >= 0 else { throw .system(Errno(rawValue: errno)) }
    return target.prefix(length).map { UInt8(bitPattern: $0) }
  }

  /// Reads the file that ``look(at:limit:)`` found, and passes its bytes to `body`; nil if it became another kind of
  /// file meanwhile.
  ///
  /// The returned identity is the one from before the reading, so that a write during it counts as a change.
  package func read<Result>(
    _ path: CachePath, limit: Int, _ body: (UnsafeRawBufferPointer, FileIdentity) -> Result
  ) throws(Errno) -> Result? {
    guard let file = try open(path) else { return nil }
    let identity = try Directory.identity(of: file.raw)
    guard identity.type == .regular, identity.size <= limit else { return nil }
    // Allocated for each read: buffers kept for thousands of caches would stay resident. One byte more than the file's
    // size shows that the file has grown; the kernel reports that growth as an event.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(identity.size) + 1, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    while count < buffer.count, let base = buffer.baseAddress {
      let got = Glibc.read(file.raw, base + count, buffer.count - count)
      if got < 0 {
        if errno == EINTR { continue }
        throw Errno(rawValue: errno)
      }
      count += got
      // The kernel told the size before: at it the file ends, and another call would say only that.
      if got == 0 || count == identity.size { break }
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
      // A link, or a file below one, which is not a session file.
      guard let target = try? openTarget(of: path) else { return nil }
      guard let file = Descriptor(Glibc.open("/proc/self/fd/\(target.raw)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) else {
        throw Errno(rawValue: errno)
      }
      return file
    default: throw Errno(rawValue: errno)
    }
  }
}
