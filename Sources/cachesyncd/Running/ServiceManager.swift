import CacheSync
import CacheSyncAgent
import CacheSyncSystem
import Glibc
import Logging

/// Reports the agent's state to the service manager that started it. It uses systemd's protocol (sd_notify(3),
/// "Notes"): each message is one datagram to the socket in `NOTIFY_SOCKET`.
///
/// Everything here runs on the agent's thread, at events that the agent has anyway, so a service manager costs no
/// thread and no wake-up. That thread receives the kernel's events, keeps time and answers commands, and a `WATCHDOG=1`
/// proves that it does. It accesses no disk, so it continues while a disk hangs. `status` reports a hanging disk, and a
/// restart would not fix it.
@LoopActor
final class ServiceManager {
  private let address: sockaddr_un
  private let addressLength: socklen_t
  private let logger: Logger
  /// The interval between two `WATCHDOG=1`; nil when the service manager has no watchdog.
  private let watchdogInterval: Duration?

  private enum Phase {
    case starting, serving, stopping
  }

  private var phase = Phase.starting
  /// Kept open, so that a process without a free descriptor can still report that it is alive.
  private var socket: Descriptor?
  private var alarm: Int?
  private var status: String?
  /// How many reloads were reported to the service manager and have not finished.
  private var reloadCount = 0

  private static let firstExtension = Duration.seconds(5)
  private static let extensionInterval = Duration.seconds(10)
  /// How much time each later message of the start requests: six times the interval.
  private static let extensionMicroseconds = 60_000_000
  /// A watchdog's period above this, 31 years, is meaningless, and its nanoseconds would overflow.
  private nonisolated static let longestWatchdogMicroseconds = 1_000_000_000_000_000

  /// Nil, without a system call, when there is no service manager: `NOTIFY_SOCKET` is not set, or is neither a path nor
  /// an abstract name with `@` (unix(7)).
  nonisolated init?(logger: Logger) {
    guard let name = getenv("NOTIFY_SOCKET") else { return nil }
    var bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
    self.logger = logger
    watchdogInterval = Self.watchdogInterval
    if first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { path in
      guard bytes.count <= path.count else { return false }
      path.copyBytes(from: bytes)
      return true
    }
    guard fits else {
      logger.debug("NOTIFY_SOCKET is longer than a socket name can be: not reporting to the service manager")
      return nil
    }
    self.address = address
    addressLength = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
  }

  /// Half of `WATCHDOG_USEC`, as sd_watchdog_enabled(3) recommends, if it is for this process.
  private nonisolated static var watchdogInterval: Duration? {
    guard let period = getenv("WATCHDOG_USEC").flatMap({ Int(String(cString: $0)) }),
      (2...longestWatchdogMicroseconds).contains(period)
    else { return nil }
    if let process = getenv("WATCHDOG_PID"), Int32(String(cString: process)) != getpid() { return nil }
    return .microseconds(period / 2)
  }

  /// Reports on an agent that is about to start, from now on.
  func follow(_ agent: CacheAgent) {
    agent.servingChanged = { [weak self] in self?.servingChanged(to: $0) }
    agent.swept = { [weak self] in self?.ping() }
    setAlarm(after: Self.firstExtension) { $0.extendStart(of: agent) }
  }

  // MARK: Start

  /// Requests more time while files are read. If no file was read within an interval, a disk hangs; the start then ends
  /// with the caches of the other disks.
  private func extendStart(of agent: CacheAgent, since before: Int? = nil) {
    let count = SessionReading.fileCount
    if count == before { agent.endStartWithoutSilentDisks() }
    send("EXTEND_TIMEOUT_USEC=\(Self.extensionMicroseconds)\nSTATUS=reading session files: \(count) so far")
    setAlarm(after: Self.extensionInterval) { $0.extendStart(of: agent, since: count) }
  }

  private func servingChanged(to summary: ServingSummary) {
    let words = summary.description
    switch phase {
    case .starting:
      phase = .serving
      status = words
      send("READY=1\nSTATUS=\(words)")
      setWatchdogAlarm()
    case .serving where words != status:
      status = words
      send("STATUS=\(words)")
    case .serving, .stopping: break
    }
  }

  // MARK: Reload and end

  /// Reports that SIGHUP arrived. During the start it sends nothing, because the end of the reload would look like the
  /// end of the start.
  ///
  /// - Returns: whether to call ``endReload()``.
  func beginReload() -> Bool {
    guard phase == .serving else { return false }
    reloadCount += 1
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
    return true
  }

  /// Reports that the result of a reload is published. Of several reloads at once, only the end of the last is
  /// reported.
  func endReload() {
    reloadCount -= 1
    if phase == .serving, reloadCount == 0 { send("READY=1") }
  }

  /// Reports that a signal ends the agent, and sends nothing afterwards.
  func stop() {
    if phase == .stopping { return }
    send("STOPPING=1")
    phase = .stopping
    cancelAlarm()
  }

  // MARK: Watchdog

  /// Reports that the agent's thread is alive.
  private func ping() {
    guard phase == .serving, watchdogInterval != nil else { return }
    send("WATCHDOG=1")
    setWatchdogAlarm()
  }

  /// Sets the alarm for the next ping that no sweep causes. Each sweep postpones it. With the units' period of 45
  /// minutes it rings only if no cache was swept for 22 minutes: a disk hangs, or there is no cache.
  private func setWatchdogAlarm() {
    cancelAlarm()
    if let watchdogInterval { setAlarm(after: watchdogInterval) { $0.ping() } }
  }

  // MARK: Sending

  private func setAlarm(after delay: Duration, _ action: @escaping @LoopActor (ServiceManager) -> Void) {
    alarm = Alarms.shared.set(after: delay) { [weak self] in if let self { action(self) } }
  }

  private func cancelAlarm() {
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
  }

  /// Sends one datagram without waiting: a publication is more important than a service manager that does not read.
  private func send(_ message: String) {
    if socket == nil {
      let type = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      socket = Descriptor(Glibc.socket(AF_UNIX, Int32(type), 0))
    }
    let raw = socket?.raw ?? -1
    let bytes = Array(message.utf8)
    let sent = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(raw, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), $0, addressLength)
      }
    }
    if sent < 0 { logger.debug("cannot report to the service manager: \(String(cString: strerror(errno)))") }
  }
}
