package import CacheSyncSystem
import Glibc
package import SystemPackage

/// Watches directories. Several watches of one directory share one kernel watch, because the kernel has one for each
/// directory and instance.
@LoopActor
package final class DirectoryWatch {
  package typealias Handler = @LoopActor (InotifyInstance.Event) -> Void

  private let inotify = InotifyInstance()
  private let events: Int32
  private let lost: @LoopActor () -> Void
  private var readiness: UInt64?
  private var handlers: [Int32: [Int: Handler]] = [:]
  private var nextToken = 0

  private nonisolated static let entries =
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

  package struct Token: Sendable {
    fileprivate var watch: Int32
    fileprivate var number: Int
  }

  /// - Parameters:
  ///   - reportsWriting: whether the end of a write to a file is an event too.
  ///   - lost: called when the kernel dropped events, so that everything must be checked.
  package init(reportsWriting: Bool = false, lost: @escaping @LoopActor () -> Void) throws(Errno) {
    events = reportsWriting ? Self.entries | IN_CLOSE_WRITE : Self.entries
    self.lost = lost
    guard inotify.isOpen else { throw .tooManyOpenFiles }
    readiness = LoopActor.shared.loop.add(inotify.queue) { [weak self] in self?.drain() }
  }

  isolated deinit {
    if let readiness { LoopActor.shared.loop.remove(inotify.queue, token: readiness) }
  }

  /// Handles all pending events, even before the thread reaches them.
  package func drain() {
    var queued: [InotifyInstance.Event] = []
    inotify.drainEvents { queued.append($0) }
    for event in queued {
      // inotify(7): IN_Q_OVERFLOW carries wd -1.
      if event.has(IN_Q_OVERFLOW) { lost() }
      for handler in (handlers[event.watch] ?? [:]).values { handler(event) }
      if event.has(IN_IGNORED) { handlers[event.watch] = nil }
    }
  }

  package func watch(_ directory: FilePath, _ handler: @escaping Handler) throws(Errno) -> Token {
    let watch = try inotify.watch(directory, for: events)
    nextToken += 1
    handlers[watch, default: [:]][nextToken] = handler
    return Token(watch: watch, number: nextToken)
  }

  package func unwatch(_ token: Token) {
    handlers[token.watch]?[token.number] = nil
    guard handlers[token.watch]?.isEmpty == true else { return }
    handlers[token.watch] = nil
    inotify.unwatch(token.watch)
  }
}
