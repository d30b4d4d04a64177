import CLinux
import SystemPackage

/// The watches of one cache, and what they told since somebody last asked: names, never content.
///
/// It knows every directory that may hold session files: watched, or to be polled with the reason why it is not heard.
@AgentActor
package final class CacheWatcher: InotifyListener {
  /// What may have changed.
  package struct News {
    /// Files to look at: written, created, deleted or moved away.
    package var files: Set<CachePath> = []
    /// How often one of them was written or moved to its place.
    package var writeCount = 0
    /// Files that moved to another place in the cache, whose absence counts at once.
    package var movedFiles: Set<CachePath> = []
    /// Directories that did so with all that is in them.
    package var movedDirectories: Set<CachePath> = []
    /// Directories to walk: created, moved in, or changed themselves.
    package var directories: Set<CachePath> = []
    /// Directories whose files are to be looked at because they are gone.
    package var goneDirectories: Set<CachePath> = []
    /// Whether something happened to a file that is no session.
    package var otherFiles = false
    package var settings = false
    /// Whether the kernel dropped events.
    package var overflow = false
    /// Whether the cache directory itself may be gone or another one.
    package var rootMayBeLost = false
    /// Whether the agent's own directory was taken away, and with it the lock.
    package var stateIsGone = false

    package var isEmpty: Bool {
      files.isEmpty && movedFiles.isEmpty && movedDirectories.isEmpty && directories.isEmpty && goneDirectories.isEmpty
        && !otherFiles && !settings && !overflow && !rootMayBeLost && !stateIsGone
    }
  }

  /// Whether files that are no sessions are news, because a link may lead to one.
  package var hearsOfOtherFiles = false

  private let root: CacheRoot
  private let layout: CacheLayout
  private let hub = InotifyWatcher.shared
  private var watched: [CachePath: Int32] = [:]
  package private(set) var polled: [CachePath: String] = [:]
  private var news = News()
  /// The first halves of renames whose second half may follow.
  private var departures: [UInt32: (path: CachePath, isDirectory: Bool)] = [:]
  private let hasNews: @AgentActor () -> Void
  /// How often the agent's own touch of ``CacheLayout/state`` was heard, which proves that events arrive.
  package private(set) var heardTouches = 0

  package init(root: CacheRoot, layout: CacheLayout, hasNews: @escaping @AgentActor () -> Void) {
    self.root = root
    self.layout = layout
    self.hasNews = hasNews
  }

  package func stop() {
    for watch in watched.values { hub.unwatch(watch, for: self) }
    watched = [:]
    polled = [:]
  }

  package var watchCount: Int { watched.count }

  /// Watches a directory that is open, before it is listed. One that cannot be watched is polled from now on.
  package func enter(_ path: CachePath, _ directory: Int32) {
    guard clinux_filesystem_has_events(clinux_filesystem_type(directory)) else {
      return poll(path, because: "its file system reports no events (network or FUSE mount)")
    }
    do throws(Errno) {
      let watch = try hub.watch(directory, as: path, for: self)
      if let old = watched[path], old != watch { hub.unwatch(old, for: self) }
      watched[path] = watch
      polled[path] = nil
    } catch {
      poll(path, because: Self.reason(for: error))
    }
  }

  /// Looks at a directory every now and then, because nothing tells of changes in it.
  package func poll(_ path: CachePath, because reason: String) {
    if let watch = watched.removeValue(forKey: path) { hub.unwatch(watch, for: self) }
    polled[path] = reason
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

  /// Gives up the watch of a directory that was deleted, and so was empty: what was in it told of its own end. Looking for it
  /// would make the deletion of a large tree quadratic.
  private func forget(_ directory: CachePath) {
    if let watch = watched.removeValue(forKey: directory) { hub.unwatch(watch, for: self) }
    polled[directory] = nil
  }

  /// Gives up the watches of directories that are gone, whose end the kernel may have told among events that it dropped.
  package func forgetWhatIsGone(butFor found: Set<CachePath>) {
    for path in watched.keys where !found.contains(path) && !isDirectory(path) { forget(path) }
    stopPolling(Set(polled.keys.filter { !found.contains($0) && !isDirectory($0) }))
  }

  private func isDirectory(_ path: CachePath) -> Bool {
    (try? Directory.identity(of: path, in: root.raw))?.type == .directory
  }

  /// Gives up the watches of a directory that is gone, and of all below it.
  package func leave(_ directory: CachePath) {
    for path in watched.keys where path.isWithin(directory) {
      if let watch = watched.removeValue(forKey: path) { hub.unwatch(watch, for: self) }
    }
    for path in polled.keys where path.isWithin(directory) { polled[path] = nil }
  }

  /// Polls some directories no longer, because they are gone.
  package func stopPolling(_ paths: Set<CachePath>) { for path in paths { polled[path] = nil } }

  /// What was told since the last time.
  package func takeNews() -> News {
    defer {
      news = News()
      departures = [:]
    }
    return news
  }

  // MARK: Events

  package func overflowed() {
    news.overflow = true
    hasNews()
  }

  package func receive(_ event: InotifyEvent, in directory: CachePath) {
    if event.name.isEmpty { return receiveAboutItself(event, directory) }
    let path = directory.appending(event.name)
    if event.isDirectory { receive(event, aboutDirectory: path) } else { receive(event, aboutFile: path) }
  }

  private func receiveAboutItself(_ event: InotifyEvent, _ directory: CachePath) {
    if event.isIgnored, watched[directory] == event.watch { watched[directory] = nil }
    guard event.isSelfGone || event.isIgnored else { return }
    if directory.isRoot { news.rootMayBeLost = true } else { news.goneDirectories.insert(directory) }
    hasNews()
  }

  private func receive(_ event: InotifyEvent, aboutDirectory path: CachePath) {
    if path == Self.state {
      if event.isAttributes { heardTouches += 1 }
      if event.isDelete || event.isMovedFrom {
        news.stateIsGone = true
        hasNews()
      }
      return
    }
    // A directory in the place of settings or of a session file is a problem of that name.
    noteFile(path)
    guard layout.holdsSessions(path) else { return pairHalves(event, path, isDirectory: true, isSession: false) }
    pairHalves(event, path, isDirectory: true, isSession: true)
    if event.isMovedFrom || event.isDelete {
      if event.isDelete { forget(path) } else { leave(path) }
      news.goneDirectories.insert(path)
    } else {
      news.directories.insert(path)
    }
    hasNews()
  }

  private static let state = CachePath(CacheLayout.state)

  private func receive(_ event: InotifyEvent, aboutFile path: CachePath) {
    let isSession = noteFile(path)
    if isSession, event.isCloseWrite || event.isMovedTo { news.writeCount += 1 }
    pairHalves(event, path, isDirectory: false, isSession: isSession)
  }

  @discardableResult
  private func noteFile(_ path: CachePath) -> Bool {
    switch layout.role(of: path) {
    case .session:
      news.files.insert(path)
      hasNews()
      return true
    case .settings:
      news.settings = true
      hasNews()
      return false
    case .unclaimed, .ignored:
      if hearsOfOtherFiles {
        news.otherFiles = true
        hasNews()
      }
      return false
    }
  }

  /// A rename from one session's place to another counts at both ends in the same publication. One to a name that is not
  /// read, such as an editor's backup, does not: the file may be about to come back.
  private func pairHalves(_ event: InotifyEvent, _ path: CachePath, isDirectory: Bool, isSession: Bool) {
    guard isSession else { return }
    if event.isMovedFrom {
      departures[event.cookie] = (path, isDirectory)
    } else if event.isMovedTo, let departure = departures.removeValue(forKey: event.cookie) {
      if departure.isDirectory {
        news.movedDirectories.insert(departure.path)
      } else {
        news.movedFiles.insert(departure.path)
      }
    }
  }
}
