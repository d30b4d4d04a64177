package import CacheSync
import CLinux
package import CacheSyncSystem
import Synchronization
import SystemPackage

/// The watches of one cache, and the names that may have changed since they were last claimed.
///
/// It knows every directory that may contain session files: each is watched, or polled for a recorded reason. The
/// agent's thread passes it events. The thread of the cache's disk walks directories and claims the news.
package final class CacheWatcher: InotifyListener {
  /// The names in a cache that may have changed, without any content.
  package struct News {
    /// Files to check: written, created, deleted or moved away.
    package var files: Set<CachePath> = []
    /// Files that moved to another place in the cache; their absence counts at once.
    package var movedFiles: Set<CachePath> = []
    /// Directories that moved to another place in the cache, with everything in them.
    package var movedDirectories: Set<CachePath> = []
    /// Directories to walk: created, moved in, or changed themselves.
    package var directories: Set<CachePath> = []
    /// Directories that disappeared; the files that were in them must be checked.
    package var goneDirectories: Set<CachePath> = []
    /// Names that a directory of sessions could have, at which a link may have appeared or disappeared.
    package var possibleLinks: Set<CachePath> = []
    /// Names that a conflict copy could have, at which a file may have appeared or disappeared.
    package var possibleCopies: Set<CachePath> = []
    /// When the first of the news arrived; nil when there is none.
    package var receivedAt: Uptime?
    /// Whether an event concerned a file that is not a session.
    package var otherFiles = false
    package var settings = false
    /// Whether the kernel dropped events.
    package var overflow = false
    /// Whether the cache directory itself may be gone or replaced.
    package var rootMayBeLost = false
    /// Whether the agent's own directory was removed, and the lock with it.
    package var stateIsGone = false
    /// Whether something was removed from ``CacheLayout/snapshots``, or the directory itself.
    package var outputsRemoved = false
    /// Whether something was removed anywhere. By itself it is not news.
    package var hasRemovals = false
    /// Whether another process asks if the cache has a holder (``HolderToken``).
    package var isAsked = false

    package var isEmpty: Bool {
      files.isEmpty && movedFiles.isEmpty && movedDirectories.isEmpty && directories.isEmpty && goneDirectories.isEmpty
        && possibleLinks.isEmpty && possibleCopies.isEmpty && !otherFiles && !settings && !overflow && !rootMayBeLost
        && !stateIsGone && !outputsRemoved && !isAsked
    }
  }

  private struct State {
    var layout: CacheLayout
    var watched: [CachePath: Int32] = [:]
    var polled: [CachePath: String] = [:]
    /// The watch of ``CacheLayout/snapshots``.
    var outputs: Int32?
    var news = News()
    /// The first halves of renames whose second half may follow.
    var departures: [UInt32: (path: CachePath, isDirectory: Bool)] = [:]
    var reportsOtherFiles = false
    var touchCount = 0
    var expectsTouch = false
  }

  private let table = WatchTable.shared
  private let state: Mutex<State>
  private let uptime: any UptimeClock
  private let hasNews: @LoopActor @Sendable () -> Void

  /// - Parameters:
  ///   - uptime: the clock that times the news.
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
      unwatchOutputs(&state)
      state = State(layout: state.layout)
    }
  }

  /// Changes which files count as session files. Afterwards the caller walks the cache, and forgets the directories
  /// that no longer contain any.
  package func use(_ layout: CacheLayout) { state.withLock { $0.layout = layout } }

  /// How many directories are watched besides ``CacheLayout/snapshots``.
  package var watchCount: Int { state.withLock { $0.watched.count } }

  /// The directories to poll, each with the reason why it is not watched.
  package var polled: [CachePath: String] { state.withLock { $0.polled } }

  /// How many touches of ``CacheLayout/state`` were received, which proves that events arrive.
  package var touchCount: Int { state.withLock { $0.touchCount } }

  /// Sets whether touches of ``CacheLayout/state`` are this process's own, and no questions.
  package func expectsTouch(_ isExpected: Bool) { state.withLock { $0.expectsTouch = isExpected } }

  /// Sets whether files that are not sessions are news too, because a link may lead to one.
  ///
  /// - Returns: whether the value has changed.
  @discardableResult
  package func reportOtherFiles(_ isWanted: Bool) -> Bool {
    state.withLock { state in
      defer { state.reportsOtherFiles = isWanted }
      return state.reportsOtherFiles != isWanted
    }
  }

  /// Watches an open directory, which the caller lists afterwards. If the watch fails, the directory is polled from now
  /// on.
  package func watch(_ path: CachePath, _ directory: Int32) {
    guard clinux_filesystem_has_events(clinux_filesystem_type(directory)) else {
      if polled[path] == nil, let identity = try? Directory.identity(of: directory) {
        ChangingInodes.record(true, on: identity.device)
      }
      return poll(path, because: "its file system reports no events (network or FUSE mount)")
    }
    // Outside the lock: opening waits for the agent's thread, which may be waiting for the lock.
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

  private static let outputs = CachePath(CacheLayout.snapshots)

  package var watchesOutputs: Bool { state.withLock { $0.outputs != nil } }

  /// Watches the open ``CacheLayout/snapshots`` for removals. A watch that fails is not replaced by polling: a sweep
  /// looks there too.
  package func watchOutputs(_ directory: Int32) {
    InotifyWatcher.openIfNeeded()
    state.withLock { state in
      state.outputs = try? table.watch(directory, as: Self.outputs, for: self, onlyRemovals: true)
    }
  }

  private func unwatchOutputs(_ state: inout State) {
    if let watch = state.outputs { table.unwatch(watch, of: Self.outputs, for: self) }
    state.outputs = nil
  }

  /// Polls a directory from now on, because it cannot be watched.
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

  /// Ends the watches of directories that disappeared. The caller also names the directories below them, unless those
  /// have events of their own.
  package func remove(_ directories: some Sequence<CachePath>) {
    state.withLock { state in for path in directories { remove(path, &state) } }
  }

  private func remove(_ path: CachePath, _ state: inout State) {
    unwatch(path, &state)
    state.polled[path] = nil
  }

  /// Returns and clears the recorded news.
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
      recordTime(&state)
    }
    hasNews()
  }

  package func receive(_ event: InotifyEvent, in directory: CachePath) {
    let isNews = state.withLock { state in
      let isNews = recordEvent(event, in: directory, &state)
      if isNews { recordTime(&state) }
      return isNews
    }
    if isNews { hasNews() }
  }

  private func recordTime(_ state: inout State) {
    if state.news.receivedAt == nil { state.news.receivedAt = uptime.now() }
  }

  // Each of these functions returns whether there is news.

  private func recordEvent(_ event: InotifyEvent, in directory: CachePath, _ state: inout State) -> Bool {
    if event.isDelete || event.isMovedFrom || event.isSelfGone { state.news.hasRemovals = true }
    if directory == Self.outputs { return recordOutputsEvent(event, &state) }
    if event.name.isEmpty { return recordOwnEvent(event, of: directory, &state) }
    let path = directory.appending(event.name)
    return event.isDirectory ? recordDirectoryEvent(event, at: path, &state) : recordFileEvent(event, at: path, &state)
  }

  private func recordOwnEvent(_ event: InotifyEvent, of directory: CachePath, _ state: inout State) -> Bool {
    if event.isIgnored, state.watched[directory] == event.watch { state.watched[directory] = nil }
    guard event.isSelfGone || event.isIgnored else { return false }
    if directory.isRoot { state.news.rootMayBeLost = true } else { state.news.goneDirectories.insert(directory) }
    return true
  }

  private func recordOutputsEvent(_ event: InotifyEvent, _ state: inout State) -> Bool {
    if event.isSelfGone || event.isIgnored, state.outputs == event.watch { unwatchOutputs(&state) }
    guard event.isDelete || event.isMovedFrom || event.isSelfGone else { return false }
    state.news.outputsRemoved = true
    return true
  }

  private static let ownDirectory = CachePath(CacheLayout.state)

  private func recordDirectoryEvent(_ event: InotifyEvent, at path: CachePath, _ state: inout State) -> Bool {
    if path == Self.ownDirectory {
      if event.isAttributes {
        state.touchCount += 1
        if !state.expectsTouch { state.news.isAsked = true }
        return !state.expectsTouch
      }
      guard event.isDelete || event.isMovedFrom else { return false }
      state.news.stateIsGone = true
      return true
    }
    // A directory in place of the settings or of a session file is a problem with that name.
    let isFileNews = recordFile(path, &state)
    guard state.layout.holdsSessions(path) else { return isFileNews }
    pairHalves(event, path, isDirectory: true, &state)
    if event.isDelete {
      // The directory was empty: its subdirectories had events of their own. A search for them here would make the
      // deletion of a large tree quadratic.
      remove(path, &state)
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

  private func recordFileEvent(_ event: InotifyEvent, at path: CachePath, _ state: inout State) -> Bool {
    let isNews = recordFile(path, &state)
    if case .session = state.layout.role(of: path) { pairHalves(event, path, isDirectory: false, &state) }
    // A link could have this name. Links are never written to, so only their creation and removal matter.
    if event.isCreate || event.isMovedTo || event.isDelete || event.isMovedFrom,
      state.layout.mayBeDirectory(path)
    {
      state.news.possibleLinks.insert(path)
      return true
    }
    return isNews
  }

  private func recordFile(_ path: CachePath, _ state: inout State) -> Bool {
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

  /// Pairs the two events of a rename from one session's path to another, so that one publication includes both ends.
  ///
  /// A rename to an ignored name, such as an editor's backup, is not paired: the file may be about to return.
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
