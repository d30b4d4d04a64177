package import CacheSync
package import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// The definitions for all caches, `--feeds DIR` (definitions.md section 1). Any thread may ask.
///
/// While a file there is invalid, the last good version that this process read stays in force. Each cache keeps it in its log
/// for the next process, ``CacheContents/recallShared(from:)``.
package final class SharedDefinitions: Sendable {
  /// A definition, and the document that says so.
  package struct Document: Sendable, Equatable {
    package var definition: FeedDefinition
    var bytes: [UInt8]
    var identity: FileIdentity
  }

  /// The definitions as they were found together.
  package struct Found: Sendable, Equatable {
    /// By name.
    package var documents: [Document] = []
    /// With the files' absolute paths, by path.
    package var problems: [Problem] = []

    package var definitions: [FeedDefinition] { documents.map(\.definition) }
  }

  /// The directory's absolute path. It may have links in it, which may lead to another directory later.
  package let directory: FilePath
  private let found = Mutex(Found())

  /// - Throws: that there is no such directory, or that it may not be read.
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
      throw CacheError("cannot read the directory of definitions \(name): run as its owner", status: .noPermission)
    }
    read(isPatient: false)
  }

  /// The path of a directory that is there, from the root. Links in it stay, unless `..` follows one perhaps.
  private static func absolute(_ directory: FilePath) throws(Errno) -> FilePath {
    let resolved = try directory.resolvingLinks()
    if directory.components.contains(where: { $0.kind == .parentDirectory }) { return resolved }
    let base = directory.isAbsolute ? directory : try FilePath(".").resolvingLinks().pushing(directory)
    return base.lexicallyNormalized()
  }

  package var current: Found { found.withLock { $0 } }

  /// Where a definition of that name lies.
  package func path(of feed: FeedName) -> FilePath { directory.appending("\(feed).json") }

  /// Reads the directory again. Of one that cannot be read the definitions stay as they are.
  ///
  /// - Parameter isPatient: whether a file that is bad or gone keeps what it gave before, because it may be in the middle of
  ///   being written; the caller then reads again a little later.
  /// - Returns: whether such a file was met.
  @discardableResult
  package func read(isPatient: Bool) -> Bool {
    FeedRegistry.builtInZones.refresh()
    let before = current
    let entries: [Directory.Entry]
    do throws(Errno) {
      entries = try list()
    } catch {
      return noteUnreadable(error, before: before, isPatient: isPatient)
    }
    var now = Found()
    var mustWait = false
    for name in entries.map({ String(decoding: $0.name, as: UTF8.self) }).sorted(by: { isOrdered($0, before: $1) }) {
      if let original = CacheLayout.originalName(ofCopy: CachePath(name)), original.bytes.hasSuffix(".json") {
        let path = CachePath(bytes: directory.appending(bytes: Array(name.utf8)).bytes)
        var warning = ConflictCopyProblem.warning(path, copyOf: original)
        warning.belongsToNoKind = true
        now.problems.append(warning)
        continue
      }
      guard name.hasSuffix(".json"), CacheLayout.isReadable(CachePath(name)) else { continue }
      let feed = FeedName(String(name.dropLast(".json".count)))
      let (document, problems) = read(feed)
      if let document {
        now.documents.append(document)
        now.problems += problems
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
      now.documents += before.documents.filter { $0.definition.name == feed }
    }
    if isPatient {
      let kept = Set(now.definitions.map(\.name))
      let gone = before.documents.filter { !kept.contains($0.definition.name) }
      if !gone.isEmpty { mustWait = true }
      now.documents = (now.documents + gone).sorted { $0.definition.name < $1.definition.name }
    }
    found.withLock { $0 = now }
    return mustWait
  }

  private func list() throws(Errno) -> [Directory.Entry] {
    let opened = directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let descriptor = Descriptor(opened) else { throw Errno(rawValue: errno) }
    return try Directory.list(descriptor.raw)
  }

  /// - Returns: whether to read again a little later: another directory may be about to take its place.
  private func noteUnreadable(_ reason: Errno, before: Found, isPatient: Bool) -> Bool {
    var problem = Problem(
      path: CachePath(bytes: directory.bytes),
      message: "cannot be read: \(reason); the definitions that were in it stay in force until it can")
    problem.belongsToNoKind = true
    if before.problems.contains(problem) { return false }
    if !isPatient { found.withLock { $0.problems = [problem] + before.problems.filter { $0.path != problem.path } } }
    return isPatient
  }

  /// A definition may have warnings. Neither a definition nor problems: the file is gone.
  private func read(_ feed: FeedName) -> (Document?, [Problem]) {
    let path = CachePath(bytes: path(of: feed).bytes)
    func problem(_ message: String) -> Problem { Problem(path: path, message: message, scope: feed) }
    // Never waits for a FIFO, and never reads more than a definition may have.
    let file = Descriptor(
      self.path(of: feed).withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
    guard let file else {
      let reason = Errno(rawValue: errno)
      return (nil, reason == .noSuchFileOrDirectory ? [] : [problem("cannot be read: \(reason)")])
    }
    do {
      let identity = try Directory.identity(of: file.raw)
      guard identity.type == .regular else { return (nil, [problem("is not a file")]) }
      guard identity.size <= FeedDefinition.maximumBytes else {
        return (nil, [problem("larger than \(FeedDefinition.maximumBytes) bytes")])
      }
      let bytes = try FileDescriptor(rawValue: file.raw).readAll()
      let read = DefinitionsFeed.read(bytes, named: feed.description)
      let problems = read.problems.map { problem in
        var problem = problem
        problem.path = path
        problem.scope = feed
        return problem
      }
      if let definition = read.definition {
        return (Document(definition: definition, bytes: bytes, identity: identity), problems)
      }
      // As for session files, the agent tells the first.
      return (nil, Array(problems.prefix(1)))
    } catch {
      return (nil, [problem("cannot be read: \((error as? Errno) ?? .ioError)")])
    }
  }
}
