import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import Logging

/// The agent of the program: its start, its reloads and its end, on the agent's thread.
@LoopActor
final class RunningAgent {
  private enum Phase {
    case starting
    /// With the exit status for a clean end, because some of the caches may not be served.
    case serving(ExitStatus)
    case ending
  }

  private let configuration: CacheAgent.Configuration
  private let manager: ServiceManager?
  private lazy var agent = CacheAgent(configuration)
  private var phase = Phase.starting

  /// How long the current publication may take to finish after a signal. On a hanging disk it takes longer; the process
  /// still ends within 2 s of the signal.
  private nonisolated static let endTimeout = Duration.milliseconds(1700)

  private nonisolated init(_ configuration: CacheAgent.Configuration) {
    self.configuration = configuration
    manager = ServiceManager(logger: configuration.logger)
  }

  /// Runs an agent until a signal ends the process, or until no cache can be served.
  ///
  /// The calling thread only handles signals. It never waits for the agent's thread, which may be resolving a path on a
  /// hanging disk.
  nonisolated static func run(_ configuration: CacheAgent.Configuration, obeying signals: Signals) -> Never {
    let running = RunningAgent(configuration)
    LoopActor.task { await running.start() }
    var interruptCount = 0
    var deadline: Uptime?
    while let signal = signals.next(until: deadline) {
      if signal == SIGHUP {
        LoopActor.task { await running.reload() }
        continue
      }
      if signal == SIGINT { interruptCount += 1 }
      if interruptCount > 1 { _exit(128 + SIGINT) }
      if deadline == nil { deadline = Uptime.now().advanced(by: endTimeout) }
      LoopActor.task { await running.end() }
    }
    if StandardError.takesMore {
      StandardError.log(
        "disk not responding: gave up the current publication; existing snapshots are intact", .error)
    }
    _exit(ExitStatus.inputOutput.rawValue)
  }

  private func start() async {
    manager?.follow(agent)
    let progress = ProgressLine()
    let start = await agent.start()
    guard case .starting = phase else { return }
    let status = start.errors.map(\.status).max()
    phase = .serving(status ?? .success)
    let logger = configuration.logger
    let report: @Sendable () -> Void = {
      progress.end()
      for error in start.errors { Terminal.error(error.description) }
      guard let summary = start.summary else { exit((status ?? .noInput).rawValue) }
      logger.notice("\(summary)\(StandardError.stopHint)")
    }
    // A terminal may be stopped, as by ^S; the agent continues in any case.
    if StandardError.takesMore || !SystemThread.start(report) { report() }
  }

  /// Reads everything again. The service manager is notified before, and when the changes are published.
  private func reload() async {
    let isTold = manager?.beginReload() ?? false
    await agent.reload()
    if isTold { manager?.endReload() }
  }

  /// Finishes the publications in progress and ends the process.
  private func end() async {
    manager?.stop()
    switch phase {
    case .starting:
      phase = .ending
      endOnceStill()
    case .serving(let status):
      phase = .ending
      await agent.stop()
      exit(status.rawValue)
    case .ending: break
    }
  }

  /// Ends the process during the start, after the publication in progress and any other file that is being written. It
  /// does not wait for the first reading, which takes long for a large cache.
  private func endOnceStill() {
    guard agent.isPublishing || AtomicFile.isWriting else { _exit(ExitStatus.success.rawValue) }
    Alarms.shared.set(after: .milliseconds(5)) { self.endOnceStill() }
  }
}
