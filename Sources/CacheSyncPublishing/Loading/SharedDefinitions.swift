package import CacheSync
package import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// The definitions for all caches, `--feeds DIR` (definitions.md section 1). Callable from any thread.
///
/// While a file there is invalid, the last good version that this process read applies. Each cache stores that version
/// in its log for the next process, ``CacheContents/recallShared(from:)``.
package final class SharedDefinitions: Sendable {
  package struct Document: Sendable, Equatable {
    package var definition: FeedDefinition
    var bytes: [UInt8]
    var identity: FileIdentity
  }

  /// The definitions that one reading found together.
  package struct Found: Sendable, Equatable {
    /// Sorted by name.
    package var documents: [Document] = []
    /// With the absolute paths of the files, sorted by path.
    package var problems: [Problem] = []

    package var definitions: [FeedDefinition] { documents.map(\.definition) }
  }

  /// The directory's absolute path. It may contain links, whose targets may change later.
  package let directory: FilePath
  private let found = Mutex(Found())
  /// The cache that logs the problems of the definitions.
  private let reporter = Mutex<FilePath?>(nil)

  /// - Throws: an error when the directory is missing or unreadable.
  package init(in directory: FilePath) throws(CacheError) {
    let name = EscapedText.forPeople(directory.bytes)
    do {
      self.directory = try Self.absolute(directory)
    } catch {
      throw CacheError(
        "the directory of definitions \(name) does not exist: make it, or name another with --feeds", status: .noInput)
    }
    var about = stat()
    let isDirectory = self.directory.withPlatformString { stat($0, &about) } == 0 && about.st_mode & S_IFMT == S_IFDIR
    if !isDirectory { throw CacheError("\(name) is not a directory: name one with --feeds", status: .noInput) }
    if self.directory.withPlatformString({ access($0, R_OK | X_OK) }) != 0 {
      throw CacheError(
        "cannot read the directory of definitions \(name): \(AccessAdvice.forReading(self.directory))",
        status: .noPermission)
    }
    read(isPatient: false)
  }

  /// Returns the absolute path of an existing directory. It keeps links, unless the path contains `..`, which might
  /// follow one.
  private static func absolute(_ directory: FilePath) throws(Errno) -> FilePath {
    let resolved = try directory.resolvingLinks()
    if directory.components.contains(where: { $0.kind == .parentDirectory }) { return resolved }
    return try directory.absolute().lexicallyNormalized()
  }

  package var current: Found { found.withLock { $0 } }

  /// Whether a cache logs the problems of the definitions: of several caches, the first that asks does.
  package func areReported(by cache: FilePath) -> Bool {
    reporter.withLock { reporter in
      reporter = reporter ?? cache
      return reporter == cache
    }
  }

  /// Lets another cache log the problems, because this one is not served any more.
  package func leave(_ cache: FilePath) { reporter.withLock { if $0 == cache { $0 = nil } } }

  package func path(of feed: FeedName) -> FilePath { directory.appending("\(feed).json") }

  /// Reads the directory again. If the directory is unreadable, the definitions do not change.
  ///
  /// - Parameter isPatient: whether a bad or missing file keeps its previous definition, because it may be in the
  ///   middle of a write. The caller then reads again a little later.
  /// - Returns: such files, each as it was read; nil: it is missing.
  @discardableResult
  package func read(isPatient: Bool) -> [CachePath: FileIdentity?] {
    FeedRegistry.builtInZones.refresh()
    let before = current
    let entries: [Directory.Entry]
    do throws(Errno) {
      entries = try list()
    } catch {
      return recordUnreadable(error, before: before, isPatient: isPatient)
    }
    var now = Found()
    var unsettled: [CachePath: FileIdentity?] = [:]
    // A listing does not prove that a file is gone (``Directory/list(_:)``), so the known ones are looked up by name.
    let known = before.documents.map { ExactText("\($0.definition.name).json") }
    let names = Set(entries.map { ExactText(String(decoding: $0.name, as: UTF8.self)) }).union(known)
    for name in names.sorted().map(\.wrappedValue) {
      if let original = CacheLayout.originalName(ofCopy: CachePath(name)), original.bytes.hasSuffix(".json") {
        let path = CachePath(bytes: directory.appending(bytes: Array(name.utf8)).bytes)
        var warning = ConflictCopyProblem.warning(path, copyOf: original)
        warning.belongsToNoKind = true
        now.problems.append(warning)
        continue
      }
      guard name.hasSuffix(".json"), CacheLayout.isReadable(CachePath(name)) else { continue }
      let feed = FeedName(String(name.dropLast(".json".count)))
      let (document, problems, identity) = read(feed)
      if let document {
        now.documents.append(document)
        now.problems += problems
        continue
      }
      // The file disappeared after the directory was listed.
      if problems.isEmpty { continue }
      let isKnown = before.problems.contains { problems.contains($0) }
      if isPatient, !isKnown {
        unsettled[CachePath(bytes: path(of: feed).bytes)] = .some(identity)
        now.problems += before.problems.filter { $0.path == problems.first?.path }
      } else {
        now.problems += problems
      }
      now.documents += before.documents.filter { $0.definition.name == feed }
    }
    if isPatient {
      let kept = Set(now.definitions.map(\.name))
      let gone = before.documents.filter { !kept.contains($0.definition.name) }
      for document in gone {
        unsettled[CachePath(bytes: path(of: document.definition.name).bytes)] = .some(nil)
      }
      now.documents = (now.documents + gone).sorted { $0.definition.name < $1.definition.name }
    }
    found.withLock { found in
      // Another thread may have looked one up meanwhile that the listing lacked.
      let known = Set((before.definitions + now.definitions).map(\.name))
      now.documents += found.documents.filter { !known.contains($0.definition.name) }
      now.documents.sort { $0.definition.name < $1.definition.name }
      found = now
    }
    return unsettled
  }

  /// Reads a definition that an earlier process knew, in case the listing lacked it (``Directory/list(_:)``).
  func lookUp(_ feed: FeedName) {
    func isFound(_ found: Found) -> Bool {
      found.definitions.contains { $0.name == feed } || found.problems.contains { $0.scope == feed }
    }
    if isFound(current) { return }
    let (document, problems, _) = read(feed)
    found.withLock { found in
      if isFound(found) { return }
      if let document { found.documents.append(document) }
      found.documents.sort { $0.definition.name < $1.definition.name }
      found.problems += problems
      found.problems.sort { ($0.path ?? .root) < ($1.path ?? .root) }
    }
  }

  private func list() throws(Errno) -> [Directory.Entry] {
    let opened = directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let descriptor = Descriptor(opened) else { throw Errno(rawValue: errno) }
    return try Directory.list(descriptor.raw)
  }

  /// - Returns: the directory, to be read again a little later, because another one may be about to replace it.
  private func recordUnreadable(_ reason: Errno, before: Found, isPatient: Bool) -> [CachePath: FileIdentity?] {
    var problem = Problem(
      path: CachePath(bytes: directory.bytes),
      message: "cannot be read: \(reason); the definitions that were in it stay in force until it can")
    problem.belongsToNoKind = true
    if before.problems.contains(problem) { return [:] }
    if !isPatient { found.withLock { $0.problems = [problem] + before.problems.filter { $0.path != problem.path } } }
    return isPatient ? [CachePath(bytes: directory.bytes): nil] : [:]
  }

  /// Reads a definition, which may have warnings. Returns neither a definition nor problems when the file is missing.
  private func read(_ feed: FeedName) -> (Document?, [Problem], FileIdentity?) {
    let path = CachePath(bytes: path(of: feed).bytes)
    func problem(_ message: String) -> Problem { Problem(path: path, message: message, scope: feed) }
    // Does not block on a FIFO, and reads no more than the maximum size of a definition.
    let file = Descriptor(
      self.path(of: feed).withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
    guard let file else {
      let reason = Errno(rawValue: errno)
      return (nil, reason == .noSuchFileOrDirectory ? [] : [problem("cannot be read: \(reason)")], nil)
    }
    do {
      let identity = try Directory.identity(of: file.raw)
      guard identity.type == .regular else { return (nil, [problem("is not a file")], identity) }
      guard identity.size <= FeedDefinition.maximumBytes else {
        return (nil, [problem("larger than \(FeedDefinition.maximumBytes) bytes")], identity)
      }
      let bytes = try FileDescriptor(rawValue: file.raw).readAll()
      let read = DefinitionsFeed.read(bytes, named: feed.description)
      let problems = read.problems.map { problem in
        var problem = problem
        problem.path = path
        problem.scope = feed
        return problem
      }
      if var definition = read.definition {
        definition.path = path
        return (Document(definition: definition, bytes: bytes, identity: identity), problems, identity)
      }
      // As for session files, the agent reports only the first problem.
      return (nil, Array(problems.prefix(1)), identity)
    } catch {
      return (nil, [problem("cannot be read: \(error)")], nil)
    }
  }
}
