package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

extension CacheContents {
  /// Reads every session file once, for the commands that do not watch.
  ///
  /// - Parameter isOwner: whether to remove the files that killed writers left behind.
  /// - Returns: the files that the directories list.
  @discardableResult
  package func readEverything(isPatient: Bool, isOwner: Bool = false) -> [(path: CachePath, feed: FeedName)] {
    readDefinitions()
    var found: [(path: CachePath, feed: FeedName)] = []
    DirectoryWalk(root: root, layout: layout).walk(
      from: .root, enter: { _, _ in }, file: { found.append(($0, $1)) }, link: lookForLinkedDirectory,
      copy: lookForCopy, unfinished: { if isOwner { removeAbandoned($0, in: $1) } }, failed: recordUnreadable)
    load(found, isPatient: isPatient)
    for (path, feed) in known(besides: Set(found.map(\.path)), where: { _ in true }) {
      load(path, feed: feed, isPatient: isPatient)
    }
    return found
  }

  /// The session files that this run or an earlier one knows and a walk has not found. A listing does not prove that a file
  /// is gone (``Directory/list(_:)``), so each is looked up by its name.
  ///
  /// - Parameter isInWalk: whether the walk would have found a path.
  func known(
    besides seen: Set<CachePath>, where isInWalk: (CachePath) -> Bool
  ) -> [(path: CachePath, feed: FeedName)] {
    let earlier =
      lastGood.earlier?.records.keys.filter { isInWalk($0) && files[$0] == nil && !seen.contains($0) } ?? []
    let known = files.paths.filter { isInWalk($0) && !seen.contains($0) }
    return (known + earlier.sorted()).compactMap { path in
      guard case .session(let feed) = layout.role(of: path) else { return nil }
      return (path, feed)
    }
  }

  /// Whether a file may seem missing or cut off while another program renames a new one over it, as on FUSE.
  package var mayShowGaps: Bool { !clinux_filesystem_has_events(root.fileSystem) }

  /// Compares the files below the given directories with what is known about them.
  ///
  /// It reads new and changed files, and starts a wait for missing ones. It goes through the known files once, however
  /// many directories are given.
  package func reconcile(_ directories: Set<CachePath>, enter: (CachePath, Int32) -> Void) {
    guard !directories.isEmpty else { return }
    let hasRoot = directories.contains(.root)
    var found: [(path: CachePath, feed: FeedName)] = []
    var failed: Set<CachePath> = []
    var linked: Set<CachePath> = []
    var copies: Set<CachePath> = []
    let walk = DirectoryWalk(root: root, layout: layout)
    for directory in hasRoot ? [.root] : directories where !directory.isBelow(anyOf: directories) {
      walk.walk(
        from: directory, enter: enter,
        file: { found.append(($0, $1)) },
        link: { linked.insert($0) },
        copy: { copies.insert($0) },
        unfinished: removeAbandoned,
        failed: { path, reason in
          failed.insert(path)
          recordUnreadable(path, reason)
        })
    }
    load(found)
    for path in linked.union(problems.linkedDirectories.keys) where hasRoot || path.isBelow(anyOf: directories) {
      lookForLinkedDirectory(at: path)
    }
    for path in copies.union(problems.conflictCopies.keys) where hasRoot || path.isBelow(anyOf: directories) {
      lookForCopy(at: path)
    }
    let seen = Set(found.map(\.path))
    for path in problems.unreadableDirectories.keys where !failed.contains(path) {
      if hasRoot || directories.contains(path) || path.isBelow(anyOf: directories) { problems.removeUnreadable(path) }
    }
    for (path, feed) in known(besides: seen, where: { hasRoot || $0.isBelow(anyOf: directories) }) {
      load(path, feed: feed)
    }
  }

  /// Runs ``reconcile(_:enter:)`` for the whole cache. Afterwards every file is judged by the current settings.
  package func reconcileAll(enter: (CachePath, Int32) -> Void) {
    if needsReading {
      needsReading = false
      // Files are checked against the new limit even if their identities are unchanged.
      files.distrustAll()
    }
    loadSettings()
    reconcile([.root], enter: enter)
  }

  /// The age from which the writer of an unfinished file is considered dead. A writer needs milliseconds.
  private static let abandonedAge = Duration.seconds(3600)

  /// Removes a file that a killed writer left behind (``SessionWriter``).
  private func removeAbandoned(_ name: [UInt8], in directory: Int32) {
    let path = CachePath(bytes: name)
    guard let identity = try? Directory.identity(of: path, in: directory), identity.type == .regular,
      identity.modified.advanced(by: Self.abandonedAge) < environment.clock.now()
    else { return }
    _ = path.withCString { unlinkat(directory, $0, 0) }
  }

  private func recordUnreadable(_ path: CachePath, _ reason: Errno) {
    problems.recordUnreadable(path, reason, at: environment.clock.now())
  }

  /// Checks whether there is a link at a name that a directory of session files could have.
  ///
  /// Such a link is a problem, because the agent reads nothing below it (contract.md section 1). A link to a file in
  /// the cache, such as a note next to the sessions, is not a problem.
  package func lookForLinkedDirectory(at path: CachePath) {
    let isLink = (try? Directory.identity(of: path, in: root.raw))?.type == .link
    problems.recordLink(
      path, isLink ? reading.messageOfLinkedDirectory(at: path) : nil, at: environment.clock.now())
  }

  /// Checks whether there is a conflict copy at a name that one could have (contract.md section 1).
  package func lookForCopy(at path: CachePath) {
    let problem = ConflictCopyProblem.of(path, layout, in: root)
    guard problems.recordCopy(path, problem, at: environment.clock.now()) else { return }
    if let original = layout.original(ofCopy: path, isDirectory: true), let feed = layout.feed(ofOriginal: original) {
      changedFeeds.insert(feed)
    }
  }
}

/// The warning about a copy that a sync tool created in a conflict.
package enum ConflictCopyProblem {
  /// Returns the warning about the copy at a path; nil when there is no such copy.
  package static func of(_ path: CachePath, _ layout: CacheLayout, in root: CacheRoot) -> Problem? {
    guard layout.mayBeCopy(path), let identity = try? Directory.identity(of: path, in: root.raw),
      let original = layout.original(ofCopy: path, isDirectory: identity.type == .directory)
    else { return nil }
    let feed = layout.feed(ofOriginal: original)
    var problem = warning(path, copyOf: original)
    if feed == DefinitionsFeed.name { problem.scope = DefinitionsFeed.feed(definedBy: original) }
    problem.belongsToNoKind = feed == nil
    return problem
  }

  static func warning(_ path: CachePath, copyOf original: CachePath) -> Problem {
    Problem(
      .warning, path: path,
      message: "a sync tool's conflict copy of '\(original)', not read: merge it into that one, then delete it")
  }
}

/// The files of a cache that look like session files and are not read.
package struct LeftFiles: Sendable {
  /// A file that is ignored because of its name.
  package struct Ignored: Sendable {
    package var path: CachePath
    package var reason: String
  }

  /// The `.json` files that no feed claims, in order.
  package private(set) var unclaimed: [CachePath] = []
  /// Sorted by path.
  package private(set) var ignored: [Ignored] = []

  package init() {}

  /// Walks through a whole cache.
  package init(in root: CacheRoot, _ layout: CacheLayout) {
    var waiting = [CachePath.root]
    while let path = waiting.popLast() {
      guard let directory = try? Directory.open(path, in: root.raw), let entries = try? Directory.list(directory.raw)
      else {
        continue
      }
      for entry in entries {
        let child = path.appending(entry.name)
        if entry.type == .directory {
          if layout.mayHoldUnclaimed(child) || layout.mayHoldIgnored(child) { waiting.append(child) }
        } else if layout.role(of: child) == .unclaimed {
          unclaimed.append(child)
        } else if let reason = layout.reasonToIgnore(child) {
          ignored.append(Ignored(path: child, reason: reason))
        }
      }
    }
    unclaimed.sort()
    ignored.sort { $0.path < $1.path }
  }
}
