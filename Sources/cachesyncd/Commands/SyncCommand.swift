import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Logging
import SystemPackage

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Publish once and exit: for cron and scripts.",
    discussion: """
      If an agent is running, sync asks it to publish, and waits. Invalid session files do not make it fail.

      \(HelpText.examples("cachesyncd sync", "cachesyncd sync --caches-in /srv/caches --durability rename"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.unavailable, "a bridge holds the cache"),
        (.cannotCreate, "a file cannot be created"),
        (.inputOutput, "a file cannot be written"),
        (.temporaryFailure, "the agent that holds the cache does not answer; or --at while an agent runs"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @OptionGroup var caches: CachesOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var logging: LoggingOptions

  func run() throws {
    try reporting {
      let environment = try settings.environment(durability: publishing.durability)
      let logger = logging.logger
      if let warning = environment.zoneWarning { logger.warning("\(warning)") }
      let progress = ProgressLine()
      defer { progress.end() }
      var status = ExitStatus.success
      for path in try caches.all() {
        do {
          try sync(path, environment, logger)
        } catch {
          let failure = Failure(error, in: path)
          Terminal.error(failure.description)
          status = max(status, failure.status)
        }
      }
      return status
    }
  }

  private func sync(_ path: FilePath, _ environment: CacheEnvironment, _ logger: Logger) throws {
    do {
      try publish(path, environment, logger)
    } catch is OneShot.HeldByAnother {
      if try ask(path) { return }
      // The agent ended before it answered.
      do {
        try publish(path, environment, logger)
      } catch is OneShot.HeldByAnother {
        throw Self.silence(of: path)
      }
    }
  }

  private func publish(_ path: FilePath, _ environment: CacheEnvironment, _ logger: Logger) throws {
    var environment = environment
    environment.moment = time.instant(in: path, settings)
    _ = try OneShot.sync(path, environment: environment, logger: logger, at: environment.moment)
  }

  private static func silence(of path: FilePath) -> Failure {
    let name = EscapedText.forPeople(path.bytes)
    return Failure("another process holds \(name) and does not answer: retry when it has ended", .temporaryFailure)
  }

  /// Requests the publication from the agent that holds the cache; false when the agent ends without an answer.
  private func ask(_ path: FilePath) throws -> Bool {
    let name = EscapedText.forPeople(path.bytes)
    switch try StateDirectory.holder(of: CacheRoot(resolved: CacheRoot.resolve(path))) {
    case .bridge: throw AgentConnection.bridgeHolds(path)
    case .sync where time.at != nil:
      throw Failure("another sync holds \(name): retry when it has ended, or use show --at", .temporaryFailure)
    case .agent where time.at != nil:
      throw Failure(
        "an agent holds \(name): stop it to publish for another moment, or use show --at", .temporaryFailure)
    case .agent, .sync, nil: break
    }
    switch try AgentConnection.ask("sync", path, timeout: .seconds(600)) {
    case .line(let bytes):
      let answer = bytes.withUnsafeBytes { JSONValue.parse($0) }
      if let message = answer?["failure"]?.string {
        let status = answer?["status"]?.int.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) }
        throw Failure("the agent of \(name) \(message)", status ?? .inputOutput)
      }
      return true
    case .timedOut: throw Self.silence(of: path)
    case .closed, nil: return false
    }
  }
}
