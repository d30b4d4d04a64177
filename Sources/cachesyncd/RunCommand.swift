import ArgumentParser
import CLinux
import CacheSync
import CacheSyncAgent
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the agent in the foreground, until SIGTERM or SIGINT.",
    discussion: """
      SIGHUP reads the settings and everything else again. SIGINT twice ends it at once.

      Exit status 66: no such cache. 74: the disk hangs at the end. 75: another agent holds the cache. 77: not permitted. \
      78: its settings are invalid at the start.
      """)

  @OptionGroup var caches: CachesOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var logging: LoggingOptions

  func run() throws {
    // Before there is a second thread, each of which would get a heap of its own.
    clinux_tune_allocator()
    let (caches, environment, logger) = (
      caches, settings.environment(durability: publishing.durability), logging.logger
    )
    try reporting {
      try Supervisor.run { try await Self.serve(caches, environment, logger, $0) }
    }
  }

  private static func serve(
    _ caches: CachesOptions, _ environment: CacheEnvironment, _ logger: Logger, _ supervisor: Supervisor
  ) async throws -> ExitStatus {
    // Trapped before the agent starts: a signal during the first reading of a large cache must end the process in order.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    let agent = await CacheAgent(
      CacheAgent.Configuration(
        caches: caches.named, cachesIn: caches.collection, environment: environment, logger: logger))
    let service = AgentService(agent: agent, logger: logger)
    var quiet = logger
    quiet.logLevel = .critical  // The group logs its every step, which a daemon's journal does not need.
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)], logger: quiet))
    let listening = Task(executorPreference: supervisor) { await obey(signals, agent, group, supervisor) }
    defer { listening.cancel() }
    try await group.run()
    return await service.outcome.status
  }

  private static func obey(
    _ signals: UnixSignalsSequence, _ agent: CacheAgent, _ group: ServiceGroup, _ supervisor: Supervisor
  ) async {
    var interrupts = 0
    for await signal in signals {
      if signal == .sigint { interrupts += 1 }
      if interrupts > 1 { _exit(128 + SIGINT) }
      // Neither waits here: this loop must take the next signal while the agent is busy.
      if signal == .sighup {
        Task(executorPreference: supervisor) { await agent.reload() }
      } else {
        await group.triggerGracefulShutdown()
      }
    }
  }
}

/// The agent as a service that is shut down gracefully, also in the middle of its start.
private struct AgentService: Service {
  let agent: CacheAgent
  let logger: Logger
  let outcome = FinalStatus()
  private let hasStarted = Flag()

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  init(agent: CacheAgent, logger: Logger) {
    self.agent = agent
    self.logger = logger
  }

  /// What the process exits with.
  actor FinalStatus {
    private(set) var status = ExitStatus.success

    func note(_ status: ExitStatus) { self.status = max(self.status, status) }
  }

  /// How long a publication under way may take to finish. On a disk that hangs it takes longer; the process ends within 2 s of
  /// the signal all the same.
  private static let shutdownTimeout = Duration.milliseconds(1700)

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await serve()
    } onGracefulShutdown: {
      let hasStarted = hasStarted.value.load(ordering: .acquiring)
      Task.detached {
        // The first reading of a large cache takes long and is not finished first.
        if !hasStarted { await Self.endStart(of: agent) }
        try await Task.sleep(for: Self.shutdownTimeout)
        Terminal.error(
          "error: the disk does not answer; the publication under way is abandoned, what readers see is whole")
        _exit(ExitStatus.inputOutput.rawValue)
      }
    }
  }

  /// Ends the process in the middle of the start, after the publication under way.
  private static func endStart(of agent: CacheAgent) async {
    let end = ContinuousClock.now + shutdownTimeout
    while await agent.isPublishing, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
    _exit(ExitStatus.success.rawValue)
  }

  private func serve() async throws {
    let progress = ProgressLine()
    let start = await agent.start()
    hasStarted.value.store(true, ordering: .releasing)
    progress.end()
    for error in start.errors { Terminal.error(error.description) }
    let status = start.errors.map(\.status).max() ?? .success
    await outcome.note(status)
    guard let summary = start.summary else { return await outcome.note(status == .success ? .noInput : status) }
    logger.notice("serving \(summary); stop with ^C")
    try await gracefulShutdown()
    await agent.stop()
  }
}
