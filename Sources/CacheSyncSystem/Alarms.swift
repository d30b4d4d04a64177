import CLinux
import Glibc

/// Closures that run on the loop's thread at a given moment or after a delay. They share one timer in the kernel
/// (CLOCK_BOOTTIME), so the thread does not wake until one is due.
@LoopActor
public final class Alarms {
  /// The alarms of the process, which share one timer.
  public static let shared = Alarms()

  /// The closure that runs when an alarm is due.
  public typealias Action = @LoopActor () -> Void

  private var waiting: [Int: (due: Uptime, action: Action)] = [:]
  private var count = 0
  /// When the timer is due; nil when it is not armed.
  private var armed: Uptime?
  /// Negative when the process has no descriptor left.
  private let timer = clinux_timerfd(CLOCK_BOOTTIME)

  private var token: UInt64?

  package init() { token = LoopActor.shared.loop.add(timer) { [weak self] in self?.fired() } }

  isolated deinit {
    if let token { LoopActor.shared.loop.remove(timer, token: token) }
    close(timer)
  }

  /// False when the process had no descriptor left for the timer; then no alarm ever rings.
  package var canRing: Bool { timer >= 0 }

  /// Runs a closure after a delay. The returned number can cancel it.
  @discardableResult
  public func set(after delay: Duration, _ action: @escaping Action) -> Int {
    set(at: Uptime.now().advanced(by: delay), action)
  }

  /// Runs a closure at the given moment, or soon if that has passed. The returned number can cancel it.
  @discardableResult
  public func set(at due: Uptime, _ action: @escaping Action) -> Int {
    count += 1
    waiting[count] = (due, action)
    if armed.map({ due < $0 }) ?? true { arm(at: due) }
    return count
  }

  /// Cancels an alarm. An alarm that has already rung is ignored.
  public func cancel(_ id: Int) {
    // If it was the earliest, the timer is armed for the next one, so that the thread does not wake for nothing.
    guard let alarm = waiting.removeValue(forKey: id), alarm.due == armed else { return }
    arm(at: next)
  }

  private func arm(at due: Uptime?) {
    armed = due
    // A delay, not a moment: libfaketime treats every moment as one of the wall clock. Zero disarms the timer.
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

  /// Runs the alarms that are due, the earliest first.
  package func ring(at now: Uptime) {
    armed = nil
    let due = waiting.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    // The action of one alarm may cancel another.
    for (id, _) in due { waiting.removeValue(forKey: id)?.action() }
    arm(at: next)
  }
}
