package import CacheSync
import CLinux
package import CacheSyncSystem
import Synchronization
import SystemPackage

/// The watches of one cache, and the names that may have changed since they were last claimed.
///
/// It knows every directory that may hold session files: each is watched, or is to be polled for a reason. The agent's thread
/// gives it events. The thread of the cache's disk walks directories and claims the news.
package final class CacheWatcher: InotifyListener {
  /// The names in a cache that may have changed. It holds no content.
  package struct News {
    /// Files to look at: written, created, deleted or moved away.
    package var files: Set<CachePath> = []
    /// Files that moved to another place in the cache: their absence counts at once.
    package var movedFiles: Set<CachePath> = []
    /// Directories that moved so, with all that was in them.
    package var movedDirectories: Set<CachePath> = []
    /// Directories to walk: created, moved in, or changed themselves.
    package var directories: Set<CachePath> = []
    /// Directories that are gone: the files that were in them are to be looked at.
    package var goneDirectories: Set<CachePath> = []
    /// Names that a directory of sessions could have, at which a link may have come or gone.
    package var possibleLinks: Set<CachePath> = []
    /// Names that a conflict copy could have, at which something may have come or gone.
    package var possibleCopies: Set<CachePath> = []
    /// When the first of the news was heard; nil when there are none.
    package var heardAt: Uptime?
    /// Whether something happened to a file that is no session.
    package var otherFiles = false
    package var settings = false
    /// Whether the kernel dropped events.
    package var overflow = false
    /// Whether the cache directory itself may be gone or replaced.
    package var rootMayBeLost = false
    /// Whether the agent's own directory was taken away, and with it the lock.
    package var stateIsGone = false

    package var isEmpty: Bool {
      files.isEmpty && movedFiles.isEmpty && movedDirectories.isEmpty && directories.isEmpty && goneDirectories.isEmpty
        && possibleLinks.isEmpty && possibleCopies.isEmpty && !otherFiles && !settings && !overflow && !rootMayBeLost
        && !stateIsGone
    }
  }

  private struct State {
    var layout: CacheLayout
    var watched: [CachePath: Int32] = [:]
    var polled: [CachePath: String] = [:]
    var news = News()
    /// The first halves of renames whose second half may follow.
    var departures: [UInt32: (path: CachePath, isDirectory: Bool)] = [:]
    var reportsOtherFiles = false
    var heardTouches = 0
  }

  private let table = WatchTable.shared
  private let state: Mutex<State>
  private let uptime: any UptimeClock
  private let hasNews: @LoopActor @Sendable () -> Void

  /// - Parameters:
  ///   - uptime: the clock by which the news say when they were heard.
  ///   - hasNews: called after every event that adds to the news.
  package init(layout: CacheLayout, uptime: any UptimeClock, hasNews: @escaping @LoopActor @Sendable () -> Void) {
    state = Mutex(State(layout: layout))
    self.uptime = uptime
    self.hasNews = hasNews
  }

  /// Ends every watch.
  package func stop() {
    state.withLock { state in
      for (path, watch) in state.watched { table.unwatch(watch, of: path, for: self) }
      state = State(layout: state.layout)
    }
  }

  /// Takes other files for session files from now on. The caller walks the cache afterwards, and forgets the directories that
  /// hold none any more.
  package func use(_ layout: CacheLayout) { state.withLock { $0.layout = layout } }

  package var watchCount: Int { state.withLock { $0.watched.count } }

  /// The directories to poll, each with the reason why it is not watched.
  package var polled: [CachePath: String] { state.withLock { $0.polled } }

  /// How many touches of ``CacheLayout/state`` were heard: proof that events arrive.
  package var heardTouches: Int { state.withLock { $0.heardTouches } }

  /// Whether files that are no sessions are news too, because a link may lead to one.
  ///
  /// - Returns: whether that is a change.
  @discardableResult
  package func reportOtherFiles(_ isWanted: Bool) -> Bool {
    state.withLock { state in
      defer { state.reportsOtherFiles = isWanted }
      return state.reportsOtherFiles != isWanted
    }
  }

  /// Watches an open directory. The caller lists it afterwards. One that cannot be watched is polled from now on.
  package func watch(_ path: CachePath, _ directory: Int32) {
    guard clinux_filesystem_has_events(clinux_filesystem_type(directory)) else {
      return poll(path, because: "its file system reports no events (network or FUSE mount)")
    }
    // Not under the lock: opening waits for the agent's thread, and that may be waiting for the lock.
    InotifyWatcher.openIfNeeded()
    do throws(Errno) {
      try state.withLock { state throws(Errno) in
        let watch = try table.watch(directory, as: path, for: self)
        if let old = state.watched[path], old != watch { table.unwatch(old, of: path, for: self) }
        state.watched[path] = watch
        state.polled[path] = nil
      }
    } catch {
      poll(path, because: Self.reason(for: error))
    }
  }

  /// Has a directory polled from now on, because it cannot be watched.
  package func poll(_ path: CachePath, because reason: String) {
    state.withLock { state in
      unwatch(path, &state)
      state.polled[path] = reason
    }
  }

  private func unwatch(_ path: CachePath, _ state: inout State) {
    if let watch = state.watched.removeValue(forKey: path) { table.unwatch(watch, of: path, for: self) }
  }

  private static func reason(for error: Errno) -> String {
    switch error {
    case .noSpace:
      "the limit of \(limit("max_user_watches")) watches is reached: raise the sysctl fs.inotify.max_user_watches"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      "the limit of \(limit("max_user_instances")) inotify instances is reached: raise the sysctl"
        + " fs.inotify.max_user_instances"
    case .permissionDenied: "it is not readable for this user"
    default: "it cannot be watched: \(error)"
    }
  }

  private static func limit(_ name: String) -> String {
    guard let file = try? FileDescriptor.open("/proc/sys/fs/inotify/\(name)", .readOnly) else { return "unknown" }
    defer { try? file.close() }
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
      let count = (try? file.read(into: buffer)) ?? 0
      return String(decoding: buffer[..<count].prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
    }
  }

  /// The directories that are watched or polled.
  package var directories: Set<CachePath> {
    state.withLock { Set($0.watched.keys).union($0.polled.keys) }
  }

  /// Ends the watches of directories that are gone. The caller names the directories below them too, unless their own events
  /// do.
  package func forget(_ directories: some Sequence<CachePath>) {
    state.withLock { state in for path in directories { forget(path, &state) } }
  }

  private func forget(_ path: CachePath, _ state: inout State) {
    unwatch(path, &state)
    state.polled[path] = nil
  }

  /// Hands out what was noted since the last time, and forgets it.
  package func claimNews() -> News {
    state.withLock { state in
      defer {
        state.news = News()
        state.departures = [:]
      }
      return state.news
    }
  }

  // MARK: Events

  package func overflowed() {
    state.withLock { state in
      state.news.overflow = true
      noteTime(&state)
    }
    hasNews()
  }

  package func receive(_ event: InotifyEvent, in directory: CachePath) {
    let isNews = state.withLock { state in
      let isNews = note(event, in: directory, &state)
      if isNews { noteTime(&state) }
      return isNews
    }
    if isNews { hasNews() }
  }

  private func noteTime(_ state: inout State) {
    if state.news.heardAt == nil { state.news.heardAt = uptime.now() }
  }

  // Each returns whether there is news.

  private func note(_ event: InotifyEvent, in directory: CachePath, _ state: inout State) -> Bool {
    if event.name.isEmpty { return note(event, aboutItself: directory, &state) }
    let path = directory.appending(event.name)
    return event.isDirectory ? note(event, aboutDirectory: path, &state) : note(event, aboutFile: path, &state)
  }

  private func note(_ event: InotifyEvent, aboutItself directory: CachePath, _ state: inout State) -> Bool {
    if event.isIgnored, state.watched[directory] == event.watch { state.watched[directory] = nil }
    guard event.isSelfGone || event.isIgnored else { return false }
    if directory.isRoot { state.news.rootMayBeLost = true } else { state.news.goneDirectories.insert(directory) }
    return true
  }

  private static let ownDirectory = CachePath(CacheLayout.state)

  private func note(_ event: InotifyEvent, aboutDirectory path: CachePath, _ state: inout State) -> Bool {
    if path == Self.ownDirectory {
      if event.isAttributes { state.heardTouches += 1 }
      guard event.isDelete || event.isMovedFrom else { return false }
      state.news.stateIsGone = true
      return true
    }
    // A directory in the place of settings or of a session file is a problem of that name.
    let isFileNews = noteFile(path, &state)
    guard state.layout.holdsSessions(path) else { return isFileNews }
    pairHalves(event, path, isDirectory: true, &state)
    if event.isDelete {
      // It was empty: the directories in it had events of their own. Searching for them here would make the deletion of a large
      // tree quadratic.
      forget(path, &state)
      state.news.goneDirectories.insert(path)
    } else if event.isMovedFrom {
      for known in state.watched.keys where known.isWithin(path) { unwatch(known, &state) }
      for known in state.polled.keys where known.isWithin(path) { state.polled[known] = nil }
      state.news.goneDirectories.insert(path)
    } else {
      state.news.directories.insert(path)
    }
    return true
  }

  private func note(_ event: InotifyEvent, aboutFile path: CachePath, _ state: inout State) -> Bool {
    let isNews = noteFile(path, &state)
    if case .session = state.layout.role(of: path) { pairHalves(event, path, isDirectory: false, &state) }
    // A link could be at this name. A link is never written to, so only its coming and going matter.
    if event.isCreate || event.isMovedTo || event.isDelete || event.isMovedFrom,
      state.layout.mayBeDirectory(path)
    {
      state.news.possibleLinks.insert(path)
      return true
    }
    return isNews
  }

  private func noteFile(_ path: CachePath, _ state: inout State) -> Bool {
    switch state.layout.role(of: path) {
    case .session:
      state.news.files.insert(path)
      return true
    case .settings:
      state.news.settings = true
      return true
    case .copy, .unclaimed, .ignored:
      let mayBeCopy = state.layout.mayBeCopy(path)
      if mayBeCopy { state.news.possibleCopies.insert(path) }
      if state.reportsOtherFiles { state.news.otherFiles = true }
      return mayBeCopy || state.reportsOtherFiles
    }
  }

  /// Joins the two events of a rename from one session's place to another, which counts at both ends in the same publication.
  ///
  /// A rename to a name that is not read, such as an editor's backup, does not count so: the file may be about to come back.
  private func pairHalves(_ event: InotifyEvent, _ path: CachePath, isDirectory: Bool, _ state: inout State) {
    if event.isMovedFrom {
      state.departures[event.cookie] = (path, isDirectory)
    } else if event.isMovedTo, let departure = state.departures.removeValue(forKey: event.cookie) {
      if departure.isDirectory {
        state.news.movedDirectories.insert(departure.path)
      } else {
        state.news.movedFiles.insert(departure.path)
      }
    }
  }
}
