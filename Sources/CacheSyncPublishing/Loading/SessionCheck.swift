package import CacheSync
import CacheSyncSystem
package import SystemPackage

/// The work of `check`: reports every defect of session files, and writes nothing.
///
/// It validates files as the agent does. It also validates documented fields that the agent does not need.
package struct SessionCheck {
  private let cache: FilePath
  private let environment: CacheEnvironment

  package init(cache: FilePath, environment: CacheEnvironment) {
    self.cache = cache
    self.environment = environment
  }

  /// Returns every problem in the cache, sorted by path and place.
  package func wholeCache() throws(CacheError) -> [Problem] {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache))
    let contents = CacheContents(root: root, environment: environment)
    contents.loadSettings(isPatient: false)
    contents.readDefinitions()
    var problems = [contents.settingsFile.problem?.problem].compactMap(\.self)
    problems += check(below: .root, contents)
    // Adds problems that appear only together with other files, such as an intent that names an unknown food.
    contents.readEverything(isPatient: false)
    problems += current(contents, except: problems)
    problems += contents.unfoundPaths()
    problems += contents.sharedProblems + contents.settings.warnings(knowing: contents.registry)
    return problems.sorted(by: Self.precedes)
  }

  private static func precedes(_ a: Problem, _ b: Problem) -> Bool {
    let (x, y) = (a.path ?? .root, b.path ?? .root)
    return x == y ? (a.line, a.column) < (b.line, b.column) : x < y
  }

  private func check(below start: CachePath, _ contents: CacheContents) -> [Problem] {
    var problems: [Problem] = []
    let reading = SessionReading(root: contents.root)
    DirectoryWalk(root: contents.root, layout: contents.layout).walk(
      from: start, enter: { _, _ in },
      file: { path, feed in
        problems += check(path, contents.registry.feed(named: feed), reading, limit: contents.maximumFileBytes)
      },
      link: { path in
        if let message = reading.messageOfLinkedDirectory(at: path) {
          problems.append(Problem(path: path, message: message))
        }
      },
      copy: { problems += ConflictCopyProblem.of($0, contents.layout, in: contents.root).map { [$0] } ?? [] },
      failed: { path, reason in problems.append(Problem(path: path, message: "cannot list this directory: \(reason)")) }
    )
    return problems
  }

  private func check(_ path: CachePath, _ feed: FeedDescriptor?, _ reading: SessionReading, limit: Int) -> [Problem] {
    guard let feed else { return [] }
    switch reading.look(at: path, limit: limit) {
    case .absent: return []
    case .unusable(_, let failure): return [Problem(path: path, message: failure.message)]
    case .file:
      do throws(Errno) {
        return try reading.read(path, limit: limit) { bytes, identity in
          feed.problems(
            of: bytes, at: path, times: FileTimes(of: identity, given: environment.clock.givenMoment))
        } ?? []
      } catch {
        return [Problem(path: path, message: SessionReading.Failure.system(error).message)]
      }
    }
  }

  /// Why a path from the command line cannot be checked.
  package enum Refusal: Error, Sendable {
    case missing
    /// Neither the path nor `--feed` determines the feed of the session.
    case noFeed
    /// The file is ignored because of its name, or the name of a directory around it.
    case notRead(reason: String)
  }

  /// Returns the problems of a file or directory from the command line. Paths in the cache are relative to it, others
  /// as given.
  package func file(_ path: FilePath, feed: FeedName?) throws(Refusal) -> [Problem] {
    guard let root = try? CacheRoot(resolved: CacheRoot.resolve(cache)) else { return try outside(path, feed) }
    let inCache = Self.place(of: path, in: root)
    // A path that does not exist from here may be relative to the cache, as `status` and snapshots print paths.
    if inCache == nil, !path.exists, path.isRelative {
      let other = CachePath(bytes: path.bytes)
      if (try? Directory.identity(of: other, in: root.raw)) != nil { return try inside(other, root, feed) }
    }
    return if let inCache { try inside(inCache, root, feed) } else { try outside(path, feed) }
  }

  /// Returns the path relative to the cache when the file is in it. It resolves the file's directory and not its name,
  /// which may be a link.
  private static func place(of path: FilePath, in root: CacheRoot) -> CachePath? {
    guard path.exists else { return nil }
    let base = root.path.bytes
    var resolved: [UInt8]
    if let last = path.lastComponent, last.kind == .regular {
      let parent = path.removingLastComponent()
      guard let directory = try? CacheRoot.resolve(parent.isEmpty ? "." : parent) else { return nil }
      resolved = directory.appending(last).bytes
    } else {
      guard let directory = try? CacheRoot.resolve(path) else { return nil }
      resolved = directory.bytes
    }
    if resolved == base { return .root }
    guard CachePath(bytes: resolved).isWithin(CachePath(bytes: base)) else { return nil }
    resolved.removeFirst(base.count + (base == [UInt8(ascii: "/")] ? 0 : 1))
    return CachePath(bytes: resolved)
  }

  private func inside(_ path: CachePath, _ root: CacheRoot, _ feed: FeedName?) throws(Refusal) -> [Problem] {
    let contents = CacheContents(root: root, environment: environment)
    contents.loadSettings(isPatient: false)
    contents.readDefinitions()
    let (registry, limit) = (contents.registry, contents.maximumFileBytes)
    let reading = SessionReading(root: root)
    if let identity = try? Directory.identity(of: path, in: root.raw), identity.type == .directory,
      feed == nil, registry.layout.holdsSessions(path) || !registry.layout.isNamedAsSession(path)
    {
      // Includes the directory itself: the agent would reject a directory that is named like a session.
      var own: [Problem] = []
      if case .session(let feed) = registry.layout.role(of: path) {
        own = check(path, registry.feed(named: feed), reading, limit: limit)
      }
      own += ConflictCopyProblem.of(path, registry.layout, in: root).map { [$0] } ?? []
      return (own + check(below: path, contents)).sorted(by: Self.precedes)
    }
    if path == CacheLayout.settings {
      return [contents.settingsFile.problem?.problem].compactMap(\.self)
        + contents.settings.warnings(knowing: contents.registry)
    }
    if let feed { return check(path, registry.feed(named: feed), reading, limit: limit) }
    if let copy = ConflictCopyProblem.of(path, registry.layout, in: root) { return [copy] }
    guard case .session(let feed) = registry.layout.role(of: path) else {
      if let reason = registry.layout.reasonToIgnore(path) { throw .notRead(reason: reason) }
      throw .noFeed
    }
    var own = check(path, registry.feed(named: feed), reading, limit: limit)
    if feed == DefinitionsFeed.name { own += contents.unfoundPaths(of: DefinitionsFeed.feed(definedBy: path)) }
    contents.readEverything(isPatient: false)
    return own + current(contents, except: own).filter { $0.path == path }
  }

  /// Returns the problems that feeds report about their files, except those that are known already.
  private func current(_ contents: CacheContents, except known: [Problem]) -> [Problem] {
    let known = Set(known)
    let moment = contents.moment(at: environment.clock.now())
    return contents.feeds.all.flatMap { $0.currentProblems(at: moment, feeds: contents.feeds) }.filter {
      !known.contains($0)
    }
  }

  private func outside(_ path: FilePath, _ feed: FeedName?) throws(Refusal) -> [Problem] {
    guard path.exists else { throw .missing }
    let registry = FeedRegistry.inForce(in: cache, environment)
    guard let feed else { throw .noFeed }
    // The file's own directory serves as the cache, so that the file is validated in the same way. A link is resolved
    // first, because there is no cache that its target could be outside of.
    let resolved = (try? CacheRoot.resolve(path)) ?? path
    let parent = resolved.removingLastComponent()
    guard let last = resolved.lastComponent,
      let root = try? CacheRoot(resolved: CacheRoot.resolve(parent.isEmpty ? "." : parent))
    else { throw .missing }
    let reading = SessionReading(root: root)
    let found = check(
      CachePath(bytes: FilePath(root: nil, [last]).bytes), registry.feed(named: feed), reading,
      limit: CacheSettings.defaultMaximumFileBytes)
    return found.map { problem in
      var problem = problem
      problem.path = CachePath(bytes: path.bytes)
      return problem
    }
  }
}
