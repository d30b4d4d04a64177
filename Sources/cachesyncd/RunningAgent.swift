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
    /// With the exit status of an end in order: some of the caches may not be served.
    case serving(ExitStatus)
    case ending
  }

  private let configuration: CacheAgent.Configuration
  private let manager: ServiceManager?
  private lazy var agent = CacheAgent(configuration)
  private var phase = Phase.starting

  /// How long a publication under way may take to finish. On a disk that hangs it takes longer; the process ends within 2 s of
  /// the signal all the same.
  private nonisolated static let endTimeout = Duration.milliseconds(1700)

  private nonisolated init(_ configuration: CacheAgent.Configuration) {
    self.configuration = configuration
    manager = ServiceManager(logger: configuration.logger)
  }

  /// Runs an agent until a signal ends the process, or until no cache can be served.
  ///
  /// The calling thread only takes signals. It never waits for the agent's thread, which may be looking up a path on a disk
  /// that hangs.
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
    // A terminal may be stopped, as by ^S, and the agent goes on all the same.
    if StandardError.takesMore || !SystemThread.start(report) { report() }
  }

  /// Reads everything again. The service manager is told before, and when what changed is published.
  private func reload() async {
    let isTold = manager?.beginReload() ?? false
    await agent.reload()
    if isTold { manager?.endReload() }
  }

  /// Finishes the publications under way and ends the process.
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

  /// Ends the process during the start, after the publication under way. The first reading of a large cache takes long and is
  /// not finished.
  private func endOnceStill() {
    guard agent.isPublishing else { _exit(ExitStatus.success.rawValue) }
    Alarms.shared.set(after: .milliseconds(5)) { self.endOnceStill() }
  }
}
