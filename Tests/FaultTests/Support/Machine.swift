import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// The fault tests that can run in parallel with each other and with all other tests.
@Suite("Faults", .waiting) enum Faults {}

/// The fault tests that change the machine for every process. They run one after another, and no other test runs
/// meanwhile.
@Suite("Faults of the machine", .serialized) enum MachineFaults {}

/// What this machine allows a test to do. Being root is not enough, because a container's root may lack what a test
/// needs. So each thing is tried.
enum Machine {
  /// Where a tool is, or nil.
  static func tool(_ name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"
    return directories.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Products are in the same directory as the test bundle.
  static func product(_ name: String) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &target, target.count - 1)
    let path = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
  }

  static let agent = product("cachesyncd")
  static let helper = product("faulthelper")

  /// The zone of every agent without another: it is 09:05 there when the tests begin. So no day and no hour ends while
  /// outputs of two moments are compared.
  static let zone: String = {
    let minute = Instant.now.seconds / 60 % 1440
    var offset = (9 * 60 + 5 - minute + 1440) % 1440
    if offset > 720 { offset -= 1440 }
    return String(format: "GMT%@%02d:%02d", offset < 0 ? "-" : "+", abs(offset) / 60, abs(offset) % 60)
  }()

  // MARK: What is allowed here

  static let isRoot = geteuid() == 0

  /// Runs a command to see whether it works here.
  private static func works(_ command: String) -> Bool { (try? ChildProcess.shell(command)) != nil }

  static let canMount: Bool = {
    guard isRoot, let cache = try? TestCache() else { return false }
    return (try? cache.mountMemory("size=64k")) != nil
  }()

  static let hasLoop =
    canMount && tool("mkfs.ext4") != nil
    && {
      guard let cache = try? TestCache() else { return false }
      return (try? cache.mountDisk(megabytes: 1)) != nil
    }()

  /// Whether an image of a file system can be made and mounted.
  static func hasImages(of kind: String) -> Bool {
    guard canMount, tool("mkfs.\(kind)") != nil, let cache = try? TestCache() else { return false }
    return (try? cache.mountDisk(of: kind, megabytes: 320)) != nil
  }

  static let hasFUSE = canMount && tool("bindfs") != nil && access("/dev/fuse", R_OK | W_OK) == 0

  static let hasOverlay =
    canMount
    && {
      guard let upper = try? TestCache(), let mount = try? TestCache() else { return false }
      return (try? mount.mountOverlay(over: upper)) != nil
    }()

  static let canSetLimits = isRoot && access("/proc/sys/fs/inotify/max_queued_events", W_OK) == 0

  /// Whether the tests may trace other processes of the same user, as strace and `faulthelper` do.
  static let canTrace: Bool = {
    guard let process = try? ChildProcess(["sleep", "60"]) else { return false }
    guard let holding = try? ChildProcess([helper, "hold", String(process.pid)]) else { return false }
    // `faulthelper` prints "holding" after its first look, or ends if it may not trace anything.
    while holding.isRunning, !holding.output.contains("holding") { usleep(2000) }
    return holding.isRunning
  }()

  /// The command that gives a process its own mounts, so that the mounts of other tests do not wake it. Empty if that
  /// is not allowed; then no test mounts.
  ///
  /// It leaves out everything that tests have mounted so far: when a test removes the directory of a mount, the kernel
  /// ends that mount in every namespace.
  static let ownMounts: [String] = {
    let own = ["unshare", "--mount", "--propagation", "private"]
    guard works(own.joined(separator: " ") + " true") else { return [] }
    let unmounting =
      "awk 'index($5, \"\(Guardian.anyPrefix)\") == 1 { print $5 }' /proc/self/mountinfo | tac"
      + " | xargs -r -n 1 umount -l 2>/dev/null"
    return own + ["sh", "-c", "\(unmounting); exec \"$@\"", "sh"]
  }()

  static let canMakeDevices = isRoot && works("f=$(mktemp -u) && mknod $f c 1 3 && rm $f")

  /// Debian's small vim has no other name.
  static let vim = tool("vim") ?? tool("vim.tiny")
}

extension Trait where Self == ConditionTrait {
  static func needs(_ tools: String...) -> Self {
    .enabled(if: tools.allSatisfy { Machine.tool($0) != nil }, "needs \(tools.joined(separator: ", "))")
  }

  static var needsRoot: Self { .enabled(if: Machine.isRoot, "needs root") }
  static var needsMounts: Self { .enabled(if: Machine.canMount, "needs root that may mount") }
  static var needsLoopDevices: Self { .enabled(if: Machine.hasLoop, "needs root, mkfs.ext4 and a loop device") }
  static func needsImages(of kind: String) -> Self {
    .enabled(if: Machine.hasImages(of: kind), "needs root, mkfs.\(kind), a loop device and a kernel with \(kind)")
  }
  static var needsFUSE: Self { .enabled(if: Machine.hasFUSE, "needs root, bindfs and /dev/fuse") }
  static var needsOverlay: Self { .enabled(if: Machine.hasOverlay, "needs root that may mount an overlay") }
  static var needsEventQueue: Self {
    .enabled(if: Machine.canSetLimits, "needs root that may write /proc/sys/fs/inotify")
  }
  static var needsNamespaces: Self {
    .enabled(if: WatchLimits.isPossible, "needs user namespaces with limits of their own")
  }
  static var needsTracing: Self {
    .enabled(if: Machine.canTrace && Machine.tool("strace") != nil, "needs strace, and to be allowed to trace")
  }
  static var needsPtrace: Self { .enabled(if: Machine.canTrace, "needs to be allowed to trace") }
  static var needsDevices: Self { .enabled(if: Machine.canMakeDevices, "needs root that may make devices") }
}

struct TestFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A moment on the clock that measures waiting.
func secondsNow() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Checks again and again until the condition is true. Throws if it is not within `seconds`, which are enough for a
/// slow or busy machine. Returns how long it took.
@discardableResult
func until(
  _ what: String, within seconds: Double = 60, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) throws -> Double {
  let start = secondsNow()
  while true {
    let asked = secondsNow()
    if (try? condition()) == true { return secondsNow() - start }
    let now = secondsNow()
    if now - start > seconds {
      Issue.record("not within \(seconds) s: \(what)", sourceLocation: sourceLocation)
      throw TestFailure("not within \(seconds) s: \(what)")
    }
    // A request to the agent makes the agent work, or starts a process. With pauses shorter than three times its
    // length, the requests would keep a core busy.
    usleep(UInt32(min(max(0.01, 3 * (now - asked)), 0.1) * 1e6))
  }
}

/// Waits until the condition is true, and expects that the process needed at most so many seconds, as measured by
/// `Stopwatch`. Returns these seconds.
@discardableResult
func until(
  _ what: String, by process: ChildProcess, within seconds: Double, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) throws -> Double {
  let stopwatch = Stopwatch(of: process.pid)
  try until(what, sourceLocation: sourceLocation) {
    stopwatch.look()
    return try condition()
  }
  let taken = stopwatch.elapsed / .seconds(1)
  #expect(taken < seconds, "\(what), but late", sourceLocation: sourceLocation)
  return taken
}

/// A number from the environment, to reproduce a failure.
func setting(_ name: String, or value: UInt64) -> UInt64 {
  ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? value
}
