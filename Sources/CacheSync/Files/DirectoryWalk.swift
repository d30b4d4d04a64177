package import CacheSyncSystem
package import SystemPackage

/// A walk over the directories of a cache that may contain session files.
///
/// It passes each directory to the caller before it lists it. The agent adds a watch at that moment, so it misses no
/// file that is written during the walk.
package struct DirectoryWalk {
  package let root: CacheRoot
  package let layout: CacheLayout

  package init(root: CacheRoot, layout: CacheLayout) {
    self.root = root
    self.layout = layout
  }

  /// - Parameters:
  ///   - enter: called with every open directory before it is listed.
  ///   - file: called with every session file and every directory that is named like one.
  ///   - link: called with every link whose name a directory of session files could have.
  ///   - copy: called with every name that a conflict copy of a session file, or of a directory of them, could have.
  ///   - unfinished: called with the names of unfinished files of writers, and their open directory.
  ///   - failed: called with every directory that could not be listed, except one that disappeared.
  package func walk(
    from start: CachePath, enter: (CachePath, Int32) -> Void, file: (CachePath, FeedName) -> Void,
    link: (CachePath) -> Void = { _ in }, copy: (CachePath) -> Void = { _ in },
    unfinished: ([UInt8], Int32) -> Void = { _, _ in }, failed: (CachePath, Errno) -> Void
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
          if layout.mayBeCopy(child) { copy(child) }
          if AtomicFile.isName(entry.name, of: CacheLayout.unfinishedPrefix) { unfinished(entry.name, directory.raw) }
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
