package import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// Reads the kernel's events from the process's one inotify instance, and passes each to the listeners of its watch, on
/// the agent's thread.
@LoopActor
package final class InotifyWatcher {
  package static let shared = InotifyWatcher()

  private var library: InotifyLibrary?
  /// A low descriptor, reserved for an instance that is opened late: the library waits with select(2), which accepts
  /// none above 1,023.
  private var reserved: Descriptor?
  private var batchEnds: [ObjectIdentifier: @LoopActor () -> Void] = [:]

  package private(set) var eventCount = 0
  package private(set) var overflowCount = 0

  /// The most events in a batch, so that an event storm does not delay everything else.
  private static let batchLimit = 16_384

  private init() { try? open() }

  /// Opens the inotify instance unless it is open; throws the kernel's reason when it refuses one.
  package func open() throws(Errno) {
    guard library == nil else { return }
    reserved = nil
    defer { if library == nil { reserved = Descriptor(Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)) } }
    let library = try InotifyLibrary()
    guard LoopActor.shared.loop.add(library.descriptor, { InotifyWatcher.shared.drain() }) != nil else {
      throw Errno.noMemory
    }
    WatchTable.shared.use(library.descriptor)
    self.library = consume library
  }

  /// Requests an instance again if the kernel refused one before. Callable from any thread.
  package nonisolated static func openIfNeeded() {
    if WatchTable.shared.isOpen { return }
    LoopActor.performAndWait { try? InotifyWatcher.shared.open() }
  }

  /// Calls `body` after every batch of events, until the owner calls ``removeBatches(of:)``.
  package func onBatch(of owner: AnyObject, _ body: @escaping @LoopActor () -> Void) {
    batchEnds[ObjectIdentifier(owner)] = body
  }

  package func removeBatches(of owner: AnyObject) { batchEnds[ObjectIdentifier(owner)] = nil }

  /// Reads and passes on every queued event, and calls the owners of batches after each batch.
  package func drain() {
    var isMore = true
    while isMore {
      isMore = drainBatch()
      for end in batchEnds.values { end() }
    }
  }

  /// Runs ``drain()`` from any thread, and waits until it is done.
  ///
  /// - Returns: how many overflows the process has had.
  package nonisolated static func drainAndCountOverflows() -> Int {
    let count = Atomic(0)
    LoopActor.performAndWait {
      shared.drain()
      count.store(shared.overflowCount, ordering: .relaxed)
    }
    return count.load(ordering: .relaxed)
  }

  /// Reads and passes on one batch of events; true when there may be more.
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
      for listener in WatchTable.shared.listeners { listener.overflowed() }
      return
    }
    for entry in WatchTable.shared.entries(for: event) { entry.listener?.receive(event, in: entry.directory) }
  }
}
