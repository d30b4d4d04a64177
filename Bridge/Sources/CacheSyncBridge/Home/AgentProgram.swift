import CacheSync
import CacheSyncSystem
import Glibc
import Subprocess
import SystemPackage

/// Runs the agent's program for what only the agent knows.
enum AgentProgram {
  /// The paths of the session files that have no effect any more, as `cachesyncd status` lists them. nil when no agent
  /// answers.
  static func removable(in cache: FilePath) async -> [String]? {
    let words = ["status", "--json", "--cache", cache.string]
    let result = try? await Subprocess.run(
      executable, arguments: Arguments(words), output: .bytes(limit: largestAnswer), error: .discarded)
    guard let result, case .exited(0) = result.terminationStatus else { return nil }
    return JSONValue(result.standardOutput)?["removable"]?.array?.compactMap(\.string)
  }

  /// Whether an agent has published everything that was written to a cache before.
  static func hasPublished(in cache: FilePath) async -> Bool {
    let words = ["wait", "--timeout", "2", "--cache", cache.string]
    let result = try? await Subprocess.run(
      executable, arguments: Arguments(words), output: .discarded, error: .discarded)
    return result?.terminationStatus == .exited(0)
  }

  /// The program beside this one; if it is missing, the first on the `PATH`.
  private static var executable: Executable {
    guard let beside = try? ProgramPath.beside(name) else { return .name(name) }
    return beside.withPlatformString { access($0, X_OK) } == 0 ? .path(beside) : .name(name)
  }

  private static let name = "cachesyncd"
  /// Far above the answer for a cache of many thousand files.
  private static let largestAnswer = 16 << 20
}
