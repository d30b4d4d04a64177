import CLinux
import Glibc

/// Closures that run on the loop's thread at a moment or after a delay. All of them wait on one timer in the kernel
/// (CLOCK_BOOTTIME), so nothing runs until one is due.
@LoopActor
public final class Alarms {
  /// The process's, so that one timer serves all of them.
  public static let shared = Alarms()

  /// What runs when an alarm is due.
  public typealias Action = @LoopActor () -> Void

  private var waiting: [Int: (due: Uptime, action: Action)] = [:]
  private var count = 0
  /// When the timer is due; nil: never.
  private var armed: Uptime?
  /// Negative when the process has no descriptor left.
  private let timer = clinux_timerfd(CLOCK_BOOTTIME)

  private var token: UInt64?

  package init() { token = LoopActor.shared.loop.add(timer) { [weak self] in self?.fired() } }

  isolated deinit {
    if let token { LoopActor.shared.loop.remove(timer, token: token) }
    close(timer)
  }

  /// False when the process had no descriptor left for the timer: then no alarm ever rings.
  public var canRing: Bool { timer >= 0 }

  /// Runs a closure after a delay, unless it is cancelled with the number that this returns.
  @discardableResult
  public func set(after delay: Duration, _ action: @escaping Action) -> Int {
    set(at: Uptime.now().advanced(by: delay), action)
  }

  /// Runs a closure at a moment, or soon when that is past, unless it is cancelled with the number that this returns.
  @discardableResult
  public func set(at due: Uptime, _ action: @escaping Action) -> Int {
    count += 1
    waiting[count] = (due, action)
    if armed.map({ due < $0 }) ?? true { arm(at: due) }
    return count
  }

  /// Takes an alarm back. One that has rung already is ignored.
  public func cancel(_ id: Int) {
    // Where it was the earliest, the next one is waited for, so that nothing wakes for it.
    guard let alarm = waiting.removeValue(forKey: id), alarm.due == armed else { return }
    arm(at: next)
  }

  private func arm(at due: Uptime?) {
    armed = due
    // A length of time, not a moment: libfaketime takes every moment for one of the wall clock. None at all is written as zero.
    let rest = due.map { max($0.nanoseconds - Uptime.now().nanoseconds, 1) } ?? 0
    _ = clinux_timerfd_arm(timer, rest / 1_000_000_000, rest % 1_000_000_000, false)
  }

  private func fired() {
    var expirations: UInt64 = 0
    _ = read(timer, &expirations, 8)
    ring(at: Uptime.now())
  }

  /// When the next alarm is due.
  package var next: Uptime? { waiting.values.map(\.due).min() }

  /// Runs what is due at a moment, the earliest first.
  package func ring(at now: Uptime) {
    armed = nil
    let due = waiting.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    // The action of one alarm may cancel another.
    for (id, _) in due { waiting.removeValue(forKey: id)?.action() }
    arm(at: next)
  }
}
