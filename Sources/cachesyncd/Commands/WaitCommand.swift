import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Return when everything written before is published, and print the generation.",
    usage: "cachesyncd wait [--timeout <timeout>] [--sweep] [--cache <dir>]",
    discussion: """
      \(HelpText.examples("cachesyncd wait", "cp plan.json ~/.cache/cachesync/\(HelpText.feed)/ && cachesyncd wait --sweep"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.unavailable, "no agent holds the cache, or a bridge does"),
        (.temporaryFailure, "not published in time"),
        (.noPermission, "permission denied")))
      """)

  @Option(name: .long, help: "How many seconds to wait.")
  var timeout: Double = 10

  @Flag(name: .long, help: "Also read files again whose changes caused no event, such as writes through a memory map.")
  var sweep = false

  @OptionGroup var cache: CacheOptions

  func validate() throws {
    guard timeout >= 0, timeout <= 1e9 else { throw ValidationError("--timeout takes a number of seconds, 0 or more") }
  }

  func run() throws {
    try reporting {
      Terminal.line(String(try Self.wait(cache.path, sweeping: sweep, timeout: .milliseconds(Int(timeout * 1000)))))
      return .success
    }
  }

  /// Waits for the agent of a cache and returns the generation.
  static func wait(_ path: FilePath, sweeping: Bool, timeout: Duration) throws -> Int {
    switch try AgentConnection.ask(sweeping ? "sweep" : "wait", path, timeout: timeout, grace: .seconds(1)) {
    case .line(let bytes):
      let answer = bytes.withUnsafeBytes { JSONValue.parse($0) }
      guard let generation = answer?["generation"]?.int else { throw AgentConnection.noAgent(path) }
      return generation
    case .timedOut:
      throw Failure(
        "the agent has not published everything within \(timeout): see cachesyncd status, or give it longer with cachesyncd wait --timeout",
        .temporaryFailure)
    case .closed, nil: throw AgentConnection.noAgent(path)
    }
  }
}
