package import CacheSync
import Glibc
import Synchronization
package import SystemPackage

/// The definitions for all caches, `--feeds DIR` (OWNFEEDS section 1). Any thread may ask.
///
/// While a file there is invalid, the last good version that this process read stays in force.
package final class SharedDefinitions: Sendable {
  /// The definitions as they were found together.
  package struct Found: Sendable, Equatable {
    /// By name.
    package var definitions: [FeedDefinition] = []
    /// With the files' absolute paths, by path.
    package var problems: [Problem] = []
  }

  /// The directory's absolute path.
  package let directory: FilePath
  private let zones: TimeZones
  private let found = Mutex(Found())

  /// - Throws: that there is no such directory, or that it may not be read.
  package init(in directory: FilePath, zones: TimeZones) throws(CacheError) {
    self.zones = zones
    let name = EscapedText.forPeople(directory.bytes)
    do {
      self.directory = try directory.resolvingLinks()
    } catch {
      throw CacheError(
        "the directory of definitions \(name) does not exist: make it, or name another with --feeds", status: .noInput)
    }
    var about = stat()
    let isDirectory = self.directory.withPlatformString { stat($0, &about) } == 0 && about.st_mode & S_IFMT == S_IFDIR
    if !isDirectory { throw CacheError("\(name) is not a directory: name one with --feeds", status: .noInput) }
    if self.directory.withPlatformString({ access($0, R_OK | X_OK) }) != 0 {
      throw CacheError("cannot read the directory of definitions \(name): run as its owner", status: .noPermission)
    }
    read(isPatient: false)
  }

  package var current: Found { found.withLock { $0 } }

  /// Where a definition of that name lies.
  package func path(of feed: FeedName) -> FilePath { directory.appending("\(feed).json") }

  /// Reads the directory again. A directory that cannot be read changes nothing.
  ///
  /// - Parameter isPatient: whether a file that is bad or gone keeps what it gave before, because it may be in the middle of
  ///   being written; the caller then reads again a little later.
  /// - Returns: whether such a file was met.
  @discardableResult
  package func read(isPatient: Bool) -> Bool {
    guard let descriptor = Descriptor(directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }),
      let entries = try? Directory.list(descriptor.raw)
    else { return false }
    let before = current
    var now = Found()
    var mustWait = false
    for name in entries.map({ String(decoding: $0.name, as: UTF8.self) }).sorted(by: { isOrdered($0, before: $1) })
    where name.hasSuffix(".json") && !CacheLayout.isUnfinished(CachePath(name)) {
      let feed = FeedName(String(name.dropLast(".json".count)))
      let (definition, problems) = read(feed)
      if let definition {
        now.definitions.append(definition)
        continue
      }
      // Gone since the directory was listed.
      if problems.isEmpty { continue }
      let isKnown = before.problems.contains { problems.contains($0) }
      if isPatient, !isKnown {
        mustWait = true
        now.problems += before.problems.filter { $0.path == problems.first?.path }
      } else {
        now.problems += problems
      }
      now.definitions += before.definitions.filter { $0.name == feed }
    }
    if isPatient {
      let kept = Set(now.definitions.map(\.name))
      let gone = before.definitions.filter { !kept.contains($0.name) }
      if !gone.isEmpty { mustWait = true }
      now.definitions = (now.definitions + gone).sorted { $0.name < $1.name }
    }
    found.withLock { $0 = now }
    return mustWait
  }

  /// Neither a definition nor problems: the file is gone.
  private func read(_ feed: FeedName) -> (FeedDefinition?, [Problem]) {
    let path = CachePath(bytes: path(of: feed).bytes)
    func problem(_ message: String) -> Problem { Problem(path: path, message: message, scope: feed) }
    guard FeedDefinition.isName(feed.description) else {
      return (
        nil, [problem("is no name of a feed: name the file [a-z][a-z0-9]{0,30}.json, but not feeds or snapshots")]
      )
    }
    // Never waits for a FIFO, and never reads more than a definition may have.
    let file = Descriptor(
      self.path(of: feed).withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
    var about = stat()
    guard let file, fstat(file.raw, &about) == 0 else {
      let reason = Errno(rawValue: errno)
      return (nil, reason == .noSuchFileOrDirectory ? [] : [problem("cannot be read: \(reason)")])
    }
    guard about.st_mode & S_IFMT == S_IFREG else { return (nil, [problem("is not a file")]) }
    guard about.st_size <= FeedDefinition.maximumBytes else {
      return (nil, [problem("larger than \(FeedDefinition.maximumBytes) bytes")])
    }
    do {
      let bytes = try FileDescriptor(rawValue: file.raw).readAll()
      let read = bytes.withUnsafeBytes { bytes in
        let read = FeedDefinition.read(
          bytes, named: feed.description, reserved: .builtIn,
          isTimeZone: { (try? zones.rules(named: $0)) != nil })
        let places = JSONPlace.of(read.defects, in: bytes)
        return (read.definition, zip(read.defects, places).map { Problem(path: path, $0, at: $1, scope: feed) })
      }
      // As for session files, the agent tells the first.
      return (read.0, read.0 == nil ? Array(read.1.prefix(1)) : [])
    } catch {
      return (nil, [problem("cannot be read: \((error as? Errno) ?? .ioError)")])
    }
  }
}
