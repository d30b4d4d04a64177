import CLinux
package import CacheSyncSystem
import Glibc
public import SystemPackage

/// Writes session files into a cache as producers should: validated, and whole from the first moment, by one rename.
///
///     let session = TasksSession(tasks: [.init(id: 1, title: "Buy milk", createdAt: .now)], lastUpdate: .now)
///     let writer = SessionWriter(cache: "/home/me/.cache/cachesync")
///     try writer.write(session, name: "my-app")
public struct SessionWriter: Sendable {
  /// The cache directory.
  public let cache: FilePath
  private let durability: Durability?
  private let registry: FeedRegistry

  /// Makes a writer of built-in feeds' files into the cache at a path. It opens nothing yet.
  ///
  /// - Parameter durability: what a written file survives; nil: as the cache's settings say. Their default is
  ///   ``Durability/flush``.
  public init(cache: FilePath, durability: Durability? = nil) {
    self.init(cache: cache, durability: durability, knowing: .builtIn)
  }

  package init(cache: FilePath, durability: Durability? = nil, knowing registry: FeedRegistry) {
    self.cache = cache
    self.durability = durability
    self.registry = registry
  }

  /// Why a session file was not written.
  public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No feed has that name.
    case unknownFeed(String)
    /// The agent would not read a file with that name.
    case unusableName(String)
    /// The agent would reject the content, or a file of its size: one line for each defect.
    case invalid([String])
    /// The cache directory does not exist; its path, escaped for people.
    case noCache(String)
    /// The system refused: what was tried, and its reason.
    case system(String, Errno)

    /// What happened and what to do, on one line (for invalid content one line for each defect).
    public var description: String {
      switch self {
      case .unknownFeed(let feed):
        "unknown feed '\(EscapedText.forPeople(feed))': "
          + NearestName.advice(for: feed, among: FeedRegistry.builtIn.feeds.map { "\($0.name)" })
      case .unusableName(let name):
        "'\(EscapedText.forPeople(name))' would never be read: use a name of 255 bytes at most without '/', that does not begin"
          + " with '.', end in '~', have one of \(NameObstacle.unfinishedParts.joined(separator: ", ")) after a dot, or look"
          + " like a sync tool's conflict copy"
      case .invalid(let lines): lines.joined(separator: "\n")
      case .noCache(let path):
        "the cache directory \(path) does not exist. \(DefaultCache.advice(forMissing: path))"
      case .system(let what, let reason): "\(what): \(reason)"
      }
    }
  }

  /// Writes a session into a file of its feed, as ``write(_:feed:name:)`` writes its JSON.
  ///
  /// - Throws: ``Failure/invalid(_:)`` also for a number that JSON does not have, such as one that is not finite.
  @discardableResult
  public func write(_ session: some FeedSession, name: String) throws(Failure) -> String {
    let document: JSONValue
    do {
      document = try JSONValue(encoding: session)
    } catch {
      throw .invalid(["\(error)"])
    }
    return try write(document.bytes, feed: type(of: session).feed, name: name)
  }

  /// Writes a session file; it replaces a file with the same name. A reader or an agent sees the old file or the new
  /// one.
  ///
  /// It creates the feed's directory if that is missing, but never the cache. With ``Durability/flush`` the file is on
  /// disk when this returns, so it survives power loss. The file's mode is 0666 less the umask.
  ///
  /// - Parameters:
  ///   - bytes: the JSON document.
  ///   - feed: the feed's name, which is also the directory.
  ///   - name: the file's name; this function adds `.json`, or `.ics` for a calendar.
  /// - Returns: the file's path relative to the cache.
  /// - Throws: a ``Failure``; the file that had this name before stays as it was.
  @discardableResult
  public func write(_ bytes: [UInt8], feed: String, name: String) throws(Failure) -> String {
    try put(bytes, feed: feed, name: Array(name.utf8)).path.description
  }

  /// Writes a session file whose name is any bytes, and returns the warnings about it.
  ///
  /// - Parameter moment: when it arrives, for the warning about stamps in the future; nil: there is none.
  package func put(_ bytes: [UInt8], feed: String, name: [UInt8], arriving moment: Instant? = nil) throws(Failure) -> (
    path: CachePath, warnings: [Problem]
  ) {
    let settings = settings
    let limit = settings == nil ? .max : settings?.maximumFileBytes ?? CacheSettings.defaultMaximumFileBytes
    let checked = try Self.validated(bytes, feed: feed, name: name, in: registry, limit: limit, arriving: moment)
    try put(bytes, at: checked.path, isFlushing: durability ?? settings?.durability ?? .flush == .flush)
    return checked
  }

  /// Validates a session file for a cache that is elsewhere, so that another program can carry it there.
  ///
  /// - Parameters: as for ``write(_:feed:name:)``.
  /// - Returns: the path that the file has in a cache, relative to it.
  /// - Throws: a ``Failure`` for a feed, a name or a content that an agent with its default settings rejects.
  public static func check(_ bytes: [UInt8], feed: String, name: [UInt8]) throws(Failure) -> [UInt8] {
    try validated(bytes, feed: feed, name: name, in: .builtIn, limit: CacheSettings.defaultMaximumFileBytes).path.bytes
  }

  private static func validated(
    _ bytes: [UInt8], feed: String, name: [UInt8], in registry: FeedRegistry, limit: Int,
    arriving moment: Instant? = nil
  ) throws(Failure) -> (path: CachePath, warnings: [Problem]) {
    guard let type = registry.feed(named: FeedName(feed)) else { throw .unknownFeed(feed) }
    let other = registry.feeds.flatMap(\.claims.endings).first { $0.fits(bytes) }
    if let other, !type.claims.endings.contains(other) { throw .invalid([refusal(of: other, by: type.name, registry)]) }
    let path = try Self.path(feed: feed, name: name, adding: other?.text ?? CacheLayout.ending, in: registry)
    guard bytes.count <= limit else {
      throw .invalid([Problem(path: path, message: SessionReading.Failure.tooLarge(limit: limit).message).line()])
    }
    let times = moment.map { FileTimes(modified: $0, arrived: $0) }
    let problems = bytes.withUnsafeBytes { type.problems(of: $0, at: path, times: times) }
    guard problems.allSatisfy({ $0.severity == .warning }) else { throw .invalid(problems.map { $0.line() }) }
    return (path, problems)
  }

  private static func refusal(of ending: CacheLayout.Ending, by feed: FeedName, _ registry: FeedRegistry) -> String {
    let others = registry.feeds.filter { $0.claims.endings.contains(ending) }.map { "'\($0.name)'" }
    return "the document is \(ending.noun), which the feed '\(feed)' does not read: drop it into "
      + others.joined(separator: ", ")
  }

  /// The settings of the cache; nil if there is no cache.
  private var settings: CacheSettings? {
    (try? CacheRoot(resolved: CacheRoot.resolve(cache))).map { CacheSettings.inForce(in: $0) }
  }

  /// The path of a session file by its name; throws for a name that the agent never reads.
  ///
  /// For a feed with a definition the first entry of `files` decides. If that entry is a single file, the name is
  /// ignored.
  ///
  /// - Parameters:
  ///   - name: any bytes.
  ///   - ending: added to a name that has none of the feed's endings.
  package static func path(
    feed: String, name: [UInt8], adding ending: String = CacheLayout.ending, in registry: FeedRegistry = .builtIn
  ) throws(Failure) -> CachePath {
    let claims = registry.feed(named: FeedName(feed))?.claims ?? CacheLayout.Claims(directories: [feed])
    var directory = claims.directories.first { isSameText($0, feed) } ?? claims.directories.first ?? feed
    switch registry.definitions.first(where: { $0.name == FeedName(feed) })?.files.first {
    case .named(let file)?: return CachePath(file.wrappedValue)
    case .below(let first)?: directory = first.wrappedValue
    case nil: break
    }
    let hasEnding = ([CacheLayout.ending] + claims.endings.map(\.text)).contains { name.hasEnding($0) }
    let fileName = hasEnding ? name : name + Array(ending.utf8)
    let path = CachePath(directory).appending(fileName)
    // A name that ends in "~" is an editor's backup; with ".json" added it would look like a session file.
    guard !name.isEmpty, name != Array(".json".utf8), !name.hasSuffix("~"), !fileName.contains(UInt8(ascii: "/")),
      !fileName.contains(0),
      fileName.count <= Int(NAME_MAX), case .session = registry.layout.role(of: path)
    else { throw .unusableName(EscapedText.forPrograms(name)) }
    return path
  }

  private func put(_ bytes: [UInt8], at path: CachePath, isFlushing: Bool) throws(Failure) {
    let root = cache.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let root = Descriptor(root) else {
      let reason = Errno(rawValue: errno)
      if reason == .noSuchFileOrDirectory || reason == .notDirectory {
        throw .noCache(EscapedText.forPeople(cache.bytes))
      }
      throw .system("cannot open the cache directory \(EscapedText.forPeople(cache.bytes))", reason)
    }
    let parent = CachePath(bytes: Array(path.components.dropLast().joined()))
    let name = CachePath(bytes: Array(path.components.last ?? []))
    guard parent.isRoot || mkdirat(root.raw, parent.description, 0o777) == 0 || errno == EEXIST else {
      throw .system("cannot create the directory \(parent.forPeople)", Errno(rawValue: errno))
    }
    do throws(Errno) {
      let directory = try Directory.open(parent, in: root.raw)
      // The temporary name is one that the agent never reads. The file is in the feed's directory, because the agent's
      // own directory is closed to producers.
      let file = try AtomicFile(in: directory.raw, mode: 0o666, prefix: CacheLayout.unfinishedPrefix)
      try file.write(bytes)
      if isFlushing { try file.flush() }
      try file.publish(as: name, in: directory.raw)
      guard isFlushing else { return }
      try Directory.flush(directory.raw)
      // Another process may have made the directory a moment ago.
      if !parent.isRoot { try Directory.flush(root.raw) }
    } catch {
      throw .system("cannot write \(path.forPeople)", error)
    }
  }
}
