package import SystemPackage

/// Who wants to hear of a directory.
@AgentActor
package protocol InotifyListener: AnyObject {
  func receive(_ event: InotifyEvent, in directory: CachePath)
  /// The kernel dropped events: anything may have changed.
  func overflowed()
}

/// The process's watches: one inotify instance for all caches and readers, on the agent's thread.
///
/// The library's own map from watches to paths goes wrong when a directory is deleted and created again, so this is the map.
@AgentActor
package final class InotifyWatcher {
  package static let shared = InotifyWatcher()

  private struct Watch {
    weak var listener: (any InotifyListener)?
    var directory: CachePath
  }

  private var library: InotifyLibrary?
  /// With which the event loop knows the instance.
  private var token: UInt64?
  /// More than one listener may watch a directory: the kernel has one watch for it.
  private var watches: [Int32: [Watch]] = [:]
  private var batchEnds: [ObjectIdentifier: @AgentActor () -> Void] = [:]

  package private(set) var eventCount = 0
  package private(set) var overflowCount = 0

  /// How many events are taken before what they changed is published, so that a storm does not put off everything else.
  private static let batchLimit = 16_384

  private init() { try? open() }

  /// Opens the inotify instance unless it is open; throws what the kernel says when it gives none.
  package func open() throws(Errno) {
    guard library == nil else { return }
    let library = try InotifyLibrary()
    token = AgentActor.shared.loop.add(library.descriptor) { InotifyWatcher.shared.drain() }
    guard token != nil else { throw Errno.noMemory }
    self.library = consume library
  }

  /// Leaves events in the kernel until the rest ends, unless somebody asks for them with ``drain()``.
  package func rest() { listen(to: .nothing) }

  package func endRest() {
    listen(to: .readable)
    drain()
  }

  private func listen(to interest: EventLoop.Interest) {
    guard let descriptor = library?.descriptor, let token else { return }
    AgentActor.shared.loop.change(descriptor, token: token, to: interest)
  }

  package var watchCount: Int { watches.count }

  /// Calls `body` after every batch of events, until the owner calls ``forgetBatches(of:)``.
  package func onBatch(of owner: AnyObject, _ body: @escaping @AgentActor () -> Void) {
    batchEnds[ObjectIdentifier(owner)] = body
  }

  package func forgetBatches(of owner: AnyObject) { batchEnds[ObjectIdentifier(owner)] = nil }

  /// Watches an open directory. The path is what events in it will be told with.
  package func watch(_ directory: Int32, as path: CachePath, for listener: any InotifyListener) throws(Errno) -> Int32 {
    try open()
    guard let watch = try library?.watch(directory: directory) else { throw Errno.badFileDescriptor }
    var listeners = watches[watch] ?? []
    listeners.removeAll { $0.listener === listener || $0.listener == nil }
    listeners.append(Watch(listener: listener, directory: path))
    watches[watch] = listeners
    return watch
  }

  package func unwatch(_ watch: Int32, for listener: any InotifyListener) {
    guard var listeners = watches[watch] else { return }
    listeners.removeAll { $0.listener === listener || $0.listener == nil }
    if listeners.isEmpty {
      watches[watch] = nil
      library?.unwatch(watch)
    } else {
      watches[watch] = listeners
    }
  }

  /// Takes every event that is there and lets each be acted upon, batch by batch.
  package func drain() {
    var isMore = true
    while isMore {
      isMore = drainBatch()
      for end in batchEnds.values { end() }
    }
  }

  /// Takes events without acting upon them; true when there may be more.
  private func drainBatch() -> Bool {
    var count = 0
    while count < Self.batchLimit, let event = library?.next() {
      count += 1
      dispatch(event)
    }
    eventCount += count
    return count == Self.batchLimit
  }

  private func dispatch(_ event: InotifyEvent) {
    if event.isOverflow {
      // inotify(7): IN_Q_OVERFLOW carries wd -1.
      overflowCount += 1
      for listener in Set(watches.values.joined().compactMap { $0.listener.map(Listener.init) }) {
        listener.listener.overflowed()
      }
      return
    }
    guard let listeners = watches[event.watch] else { return }
    // The kernel dropped the watch: its directory is gone, or it was removed. The number is never used again.
    if event.isIgnored { watches[event.watch] = nil }
    for watch in listeners { watch.listener?.receive(event, in: watch.directory) }
  }

  private struct Listener: Hashable {
    let listener: any InotifyListener

    static func == (a: Listener, b: Listener) -> Bool { a.listener === b.listener }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(listener)) }
  }
}
