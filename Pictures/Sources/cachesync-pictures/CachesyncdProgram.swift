import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Subprocess
import SystemPackage

/// Runs the agent's program beside this one. Only that program computes views from session files.
struct CachesyncdProgram: Sendable {
  /// The option of every call: `--cache DIR`.
  var cache: [CommandLineWord]
  /// Those of the calls that compute something, such as `--time-zone ID`.
  var settings: [CommandLineWord]

  var options: [CommandLineWord] { cache + settings }

  /// The snapshots of these kinds, or of all kinds of the cache, as `cachesyncd show` computes them.
  ///
  /// - Parameter time: RFC 3339; nil: now.
  /// - Throws: ``Failure`` with the message and the exit status of `cachesyncd`.
  func show(_ kinds: [String] = [], at time: String? = nil) async throws -> [Snapshot] {
    var words: [CommandLineWord] = ["show", "--json"]
    if let time { words += ["--at", CommandLineWord(argument: time)] }
    words += options + ["--"]
    words += kinds.map { CommandLineWord(argument: $0) }
    return try Snapshot.computed(try await output(of: words))
  }

  /// The output of a command.
  ///
  /// - Parameter accepted: exit statuses of a valid answer.
  /// - Throws: ``Failure`` with the message of `cachesyncd`, and any other exit status.
  func output(of words: [CommandLineWord], accepting accepted: [ExitStatus] = [.success]) async throws -> [UInt8] {
    // Subprocess treats bytes as C strings, which end with a zero.
    let arguments = Arguments(words.map { $0.bytes + [0] })
    let result = try await Subprocess.run(
      .path(try Self.path()), arguments: arguments, output: .bytes(limit: Self.largestOutput),
      error: .string(limit: Self.longestError))
    guard case .exited(let status) = result.terminationStatus else {
      throw Failure("cachesyncd ended by a signal: \(result.terminationStatus); try again", .inputOutput)
    }
    guard accepted.contains(where: { $0.rawValue == status }) else {
      let message = result.standardError.split(separator: "\n").first.map(String.init) ?? "cachesyncd failed"
      let prefix = "cachesyncd: "
      throw Failure(
        String(message.hasPrefix(prefix) ? message.dropFirst(prefix.count) : message[...]),
        ExitStatus(rawValue: status) ?? .inputOutput)
    }
    return result.standardOutput
  }

  private static func path() throws -> FilePath {
    do throws(Errno) {
      return try ProgramPath.beside("cachesyncd")
    } catch {
      throw Failure("cannot tell where cachesync-pictures lies: \(error); mount /proc", .unavailable)
    }
  }

  /// Far above the size of all kinds with their timelines.
  private static let largestOutput = 64 << 20
  private static let longestError = 64 << 10
}
