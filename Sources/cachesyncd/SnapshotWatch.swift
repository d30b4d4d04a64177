import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

/// Follows the snapshots of a cache on one thread, and writes a line for each changed one as soon as there is room for
/// it.
///
/// It reads a snapshot only when the line can be written. So a slow reader costs no memory, and gets the newest
/// snapshot of each kind.
struct SnapshotWatch: ~Copyable {
  enum Output {
    case standardOutput
    case command(CommandRunner)
  }

  private let format: SnapshotFormat
  private let listener: SnapshotListener
  private let timer: WallTimer
  /// The period in which the last entry read of each kind applies.
  private var periods: [String: Range<Instant>] = [:]
  /// The digest of the last line written, by kind.
  private var printed: [String: Int] = [:]

  /// Starts to follow: every publication after this call counts.
  ///
  /// - Parameter kinds: the order in which the current snapshots are written at the start; nil for all kinds.
  init(_ cache: FilePath, _ kinds: [String]?, _ format: SnapshotFormat, startingWithCurrent: Bool) throws {
    guard let timer = WallTimer() else {
      throw Failure("cannot create a timer: \(Errno(rawValue: errno))", .inputOutput)
    }
    self.timer = timer
    self.format = format
    listener = SnapshotListener(cache: cache, kinds: kinds, startingWithCurrent: startingWithCurrent)
    guard format.followsTime, !startingWithCurrent else { return }
    // The next entries of existing snapshots also count when they begin to apply.
    let reader = SnapshotReader(cache: cache)
    let now = Instant.now
    for kind in kinds ?? reader.kinds() { periods[kind] = (try? reader.snapshot(kind))?.period(at: now) }
  }

  /// Writes lines until their reader disconnects, or, for a command, until a signal ends this program.
  mutating func run(_ output: Output) throws -> Never {
    while true {
      readWhatIsDue()
      switch output {
      case .standardOutput:
        if listener.hasChanges {
          try wait(for: pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0))
          if let line = nextLine() { Terminal.line(line.bytes) }
        } else {
          // Without events, the kernel reports only that the reader disconnected.
          try waitForChanges(or: pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
        }
      case .command(let command):
        if let signal = command.endSignal() { EndSignals.end(by: signal) }
        if listener.hasChanges {
          if let line = nextLine() { command.run(line.bytes, for: line.change) }
        } else {
          try waitForChanges(or: pollfd(fd: command.descriptor, events: Int16(POLLIN), revents: 0))
        }
      }
    }
  }

  /// Returns the line of the next changed snapshot; nil when there is none, or when the line equals the last one of its
  /// kind.
  private mutating func nextLine() -> (bytes: [UInt8], change: CommandRunner.Change)? {
    guard let snapshot = listener.nextChanged() else { return nil }
    let now = Instant.now
    if format.followsTime { periods[snapshot.kind] = snapshot.period(at: now) }
    let line = format.line(of: snapshot, at: now)
    let digest = line.hashValue
    guard printed[snapshot.kind] != digest else { return nil }
    printed[snapshot.kind] = digest
    let change = CommandRunner.Change(
      kind: snapshot.kind, generation: snapshot.generation, state: snapshot.entry(at: now).state)
    return (line, change)
  }

  /// Requests the snapshots again whose entries have changed, through time or because the clock was set.
  private mutating func readWhatIsDue() {
    guard format.followsTime else { return }
    // Armed before the clock is read: the reading includes earlier steps of the clock, and the timer reports later
    // ones.
    timer.arm(at: periods.values.lazy.map(\.upperBound).min())
    let now = Instant.now
    let due = periods.filter { !$0.value.contains(now) }.keys.sorted()
    for kind in due { periods[kind] = nil }
    listener.readAgain(due)
  }

  private func waitForChanges(or output: pollfd) throws {
    try wait(for: output, orFor: [listener.descriptor, timer.descriptor], atMost: listener.milliseconds)
  }

  /// Waits for events. Ends the program quietly when the reader of its output has disconnected, as a write would.
  private func wait(for output: pollfd, orFor others: [Int32] = [], atMost milliseconds: Int? = nil) throws {
    var descriptors = [output] + others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds ?? -1))
    let found = Int32(descriptors[0].revents)
    if found & POLLNVAL != 0 { throw Failure("cannot write standard output: \(Errno.badFileDescriptor)", .inputOutput) }
    if found & (POLLERR | POLLHUP) != 0 { exit(0) }
  }
}
