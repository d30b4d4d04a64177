import Glibc
package import SystemPackage

/// Directories that are watched. One that several watch is watched once: the kernel has one watch for each directory and
/// instance.
@BridgeActor
package final class DirectoryWatch {
  package typealias Handler = @BridgeActor (Inotify.Event) -> Void

  private var inotify: Inotify?
  private var handlers: [Int32: [Int: Handler]] = [:]
  private var nextToken = 0

  private let events: Int32

  private nonisolated static let entries =
    IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

  package struct Token: Sendable {
    fileprivate var watch: Int32
    fileprivate var number: Int
  }

  /// - Parameters:
  ///   - hearsWriting: whether the end of a write to a file is an event too.
  ///   - lost: the kernel dropped events: everything must be looked at.
  package init(hearsWriting: Bool = false, lost: @escaping @BridgeActor () -> Void) throws(Errno) {
    events = hearsWriting ? Self.entries | IN_CLOSE_WRITE : Self.entries
    inotify = try Inotify { [weak self] event in
      // inotify(7): IN_Q_OVERFLOW carries wd -1.
      if event.has(IN_Q_OVERFLOW) { lost() }
      guard let self else { return }
      for handler in (handlers[event.watch] ?? [:]).values { handler(event) }
      if event.has(IN_IGNORED) { handlers[event.watch] = nil }
    }
  }

  /// Handles what has happened so far.
  package func drain() { inotify?.drain() }

  package func watch(_ directory: FilePath, _ handler: @escaping Handler) throws(Errno) -> Token {
    guard let inotify else { throw .badFileDescriptor }
    let watch = try inotify.watch(directory, for: events)
    nextToken += 1
    handlers[watch, default: [:]][nextToken] = handler
    return Token(watch: watch, number: nextToken)
  }

  package func unwatch(_ token: Token) {
    handlers[token.watch]?[token.number] = nil
    guard handlers[token.watch]?.isEmpty == true else { return }
    handlers[token.watch] = nil
    inotify?.unwatch(token.watch)
  }
}
