package import CacheSync
import CLinux
package import SystemPackage

/// A walk over the directories of a cache that may hold session files.
///
/// It gives each directory to the caller before it lists it. The agent watches the directory then, so that it misses no file
/// that is written meanwhile.
package struct DirectoryWalk {
  package let root: CacheRoot
  package let layout: CacheLayout

  package init(root: CacheRoot, layout: CacheLayout) {
    self.root = root
    self.layout = layout
  }

  /// - Parameters:
  ///   - enter: called with every directory, open, before it is listed.
  ///   - file: called with every session file and every directory that is named like one.
  ///   - link: called with every link at a name that a directory of session files could have.
  ///   - failed: called with every directory that could not be listed, except one that vanished.
  package func walk(
    from start: CachePath, enter: (CachePath, Int32) -> Void, file: (CachePath, FeedName) -> Void,
    link: (CachePath) -> Void = { _ in }, failed: (CachePath, Errno) -> Void
  ) {
    var waiting = [start]
    while let path = waiting.popLast() {
      do throws(Errno) {
        let directory = try Directory.open(path, in: root.raw)
        enter(path, directory.raw)
        for entry in try Directory.list(directory.raw) {
          let child = path.appending(entry.name)
          if isDirectory(entry, child), layout.holdsSessions(child) { waiting.append(child) }
          if case .session(let feed) = layout.role(of: child) { file(child, feed) }
          if entry.type == .link, layout.mayBeDirectory(child) { link(child) }
        }
      } catch {
        if error != .noSuchFileOrDirectory, error != .notDirectory, error != .tooManySymbolicLinkLevels {
          failed(path, error)
        }
      }
    }
  }

  private func isDirectory(_ entry: Directory.Entry, _ path: CachePath) -> Bool {
    switch entry.type {
    case .directory: true
    case .unknown: (try? Directory.identity(of: path, in: root.raw))?.type == .directory
    default: false
    }
  }
}

extension CacheContents {
  /// Reads every session file once, for the commands that do not watch.
  package func readEverything(isPatient: Bool) {
    readDefinitions()
    var found: [(path: CachePath, feed: FeedName)] = []
    DirectoryWalk(root: root, layout: layout).walk(
      from: .root, enter: { _, _ in }, file: { found.append(($0, $1)) }, link: lookForLinkedDirectory,
      failed: noteUnreadable)
    load(found, isPatient: isPatient)
  }

  /// Compares the files below some directories with what is known of them.
  ///
  /// It reads new and changed files, and begins to wait for vanished ones. It goes through the known files once, however many
  /// directories there are.
  package func reconcile(_ directories: Set<CachePath>, enter: (CachePath, Int32) -> Void) {
    guard !directories.isEmpty else { return }
    let hasRoot = directories.contains(.root)
    var found: [(path: CachePath, feed: FeedName)] = []
    var failed: Set<CachePath> = []
    var linked: Set<CachePath> = []
    let walk = DirectoryWalk(root: root, layout: layout)
    for directory in hasRoot ? [.root] : directories where !directory.isBelow(anyOf: directories) {
      walk.walk(
        from: directory, enter: enter,
        file: { found.append(($0, $1)) },
        link: { linked.insert($0) },
        failed: { path, reason in
          failed.insert(path)
          noteUnreadable(path, reason)
        })
    }
    load(found)
    for path in linked.union(linkedDirectories.keys) where hasRoot || path.isBelow(anyOf: directories) {
      lookForLinkedDirectory(at: path)
    }
    let seen = Set(found.map(\.path))
    for path in unreadableDirectories.keys where !failed.contains(path) {
      if hasRoot || directories.contains(path) || path.isBelow(anyOf: directories) { unreadableDirectories[path] = nil }
    }
    for path in files.paths where !seen.contains(path) && (hasRoot || path.isBelow(anyOf: directories)) {
      guard case .session(let feed) = layout.role(of: path) else { continue }
      load(path, feed: feed)
    }
  }

  /// ``reconcile(_:enter:)`` for the whole cache. Afterwards every file is judged by the present settings.
  package func reconcileAll(enter: (CachePath, Int32) -> Void) {
    if needsReading {
      needsReading = false
      // Files are compared with the new limit even if their identities are the same.
      files.distrustAll()
    }
    loadSettings()
    reconcile([.root], enter: enter)
  }

  private func noteUnreadable(_ path: CachePath, _ reason: Errno) {
    let problem = Problem(path: path, message: "cannot list this directory: \(reason)")
    unreadableDirectories[path] =
      unreadableDirectories[path]?.recurring(as: problem) ?? ProblemNote(problem, since: environment.clock.now())
  }

  /// Looks whether there is a link at a name that a directory of session files could have.
  ///
  /// Such a link is a problem, because nothing below it is read (CONTRACT section 1). One that leads to a file in the cache,
  /// such as a note beside the sessions, is none.
  package func lookForLinkedDirectory(at path: CachePath) {
    guard let identity = try? Directory.identity(of: path, in: root.raw), identity.type == .link,
      let message = reading.messageOfLinkedDirectory(at: path)
    else {
      linkedDirectories[path] = nil
      return
    }
    let problem = Problem(path: path, message: message)
    if linkedDirectories[path]?.problem != problem {
      linkedDirectories[path] = ProblemNote(problem, since: environment.clock.now())
    }
  }

  /// The `.json` files that no feed claims, anywhere in a cache, in order.
  package static func unclaimed(in root: CacheRoot, _ layout: CacheLayout) -> [CachePath] {
    var found: [CachePath] = []
    var waiting = [CachePath.root]
    while let path = waiting.popLast() {
      guard let directory = try? Directory.open(path, in: root.raw), let entries = try? Directory.list(directory.raw)
      else {
        continue
      }
      for entry in entries {
        let child = path.appending(entry.name)
        if entry.type == .directory, layout.mayHoldUnclaimed(child) { waiting.append(child) }
        if entry.type != .directory, layout.role(of: child) == .unclaimed { found.append(child) }
      }
    }
    return found.sorted()
  }
}
