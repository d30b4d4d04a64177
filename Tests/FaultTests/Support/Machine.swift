import Foundation
import Glibc
import Testing

/// Every fault test. Serialized, because they share the machine: its limits, its loop devices, its two cores.
@Suite("Faults", .serialized) enum Faults {}

/// What this machine lets a test do.
enum Machine {
  static let isRoot = geteuid() == 0

  /// Where a tool is, or nil.
  static func tool(_ name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"
    return directories.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Products lie beside the test bundle.
  static func product(_ name: String) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &target, target.count - 1)
    let path = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
  }

  static let agent = product("cachesyncd")
  static let helper = product("faulthelper")
}

extension Trait where Self == ConditionTrait {
  static var needsRoot: Self { .enabled(if: Machine.isRoot, "needs root") }

  static func needs(_ tools: String...) -> Self {
    .enabled(
      if: Machine.isRoot && tools.allSatisfy { Machine.tool($0) != nil },
      "needs root and \(tools.joined(separator: ", "))")
  }
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

/// Asks again and again until the condition holds; throws when it does not within `seconds`. Returns how long it took.
@discardableResult
func until(
  _ what: String, within seconds: Double = 10, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) throws -> Double {
  let start = secondsNow()
  while true {
    if (try? condition()) == true { return secondsNow() - start }
    if secondsNow() - start > seconds {
      Issue.record("not within \(seconds) s: \(what)", sourceLocation: sourceLocation)
      throw TestFailure("not within \(seconds) s: \(what)")
    }
    usleep(10_000)
  }
}

/// splitmix64: the same numbers on every run of a seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// A number from the environment, so that a failure can be played again.
func setting(_ name: String, or value: UInt64) -> UInt64 {
  ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? value
}
