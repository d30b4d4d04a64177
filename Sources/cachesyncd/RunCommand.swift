import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import Glibc
import Logging
import ServiceLifecycle
import Synchronization

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the agent in the foreground, until SIGTERM or SIGINT.",
    discussion: """
      SIGHUP reads the settings and everything else again. SIGINT twice ends it at once.

      \(HelpText.examples(
        "cachesyncd run", "cachesyncd run --cache /srv/cache --time-zone Europe/Berlin",
        "cachesyncd run --caches-in /srv/caches"))

      Exit status 66: no such cache. 71: too few open files are allowed. 74: the disk hangs at the end. 75: another agent holds the cache. 77: not permitted. \
      78: its settings are invalid at the start.
      """)

  @OptionGroup var caches: CachesOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func run() throws {
    // Before there is a second thread, each of which would get a heap of its own.
    useOneHeap()
    // Also before the agent starts: a signal during the first reading of a large cache must end the process in order.
    let signals = Signals(blocking: SIGTERM, SIGINT, SIGHUP)
    let (caches, logger) = (caches, logging.logger)
    try reporting {
      try DescriptorBudget.raise()
      let environment = try settings.environment(durability: publishing.durability)
      if let warning = environment.zoneWarning { logger.warning("\(warning)") }
      return try Supervisor.run { try await Self.serve(caches, environment, logger, signals, $0) }
    }
  }

  private static func serve(
    _ caches: CachesOptions, _ environment: CacheEnvironment, _ logger: Logger, _ signals: Signals,
    _ supervisor: Supervisor
  ) async throws -> ExitStatus {
    let agent = await CacheAgent(
      CacheAgent.Configuration(
        caches: try caches.named, cachesIn: caches.collection, environment: environment, logger: logger))
    let manager = ServiceManager(logger: logger)
    await manager?.follow(agent)
    let service = AgentService(agent: agent, logger: logger, supervisor: supervisor)
    var quiet = logger
    quiet.logLevel = .critical  // The group logs its every step, which a daemon's journal does not need.
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)], logger: quiet))
    obey(signals, agent, group, manager, supervisor)
    try await group.run()
    return await service.outcome.status
  }

  private static func obey(
    _ signals: Signals, _ agent: CacheAgent, _ group: ServiceGroup, _ manager: ServiceManager?,
    _ supervisor: Supervisor
  ) {
    let interrupts = Atomic(0)
    let isEnding = Atomic(false)
    signals.receive { signal in
      if signal == SIGINT, interrupts.add(1, ordering: .relaxed).newValue > 1 { _exit(128 + SIGINT) }
      // Nothing here waits: the next signal must be taken while the agent is busy.
      if signal == SIGHUP {
        Task(executorPreference: supervisor) {
          let isTold = await manager?.beginReload() ?? false
          await agent.reload()
          if isTold { await manager?.endReload() }
        }
      } else {
        // Here, because the supervisor's thread may be writing to a terminal that is stopped.
        if !isEnding.exchange(true, ordering: .relaxed) { _ = SystemThread.start { AgentService.endAfterTimeout() } }
        // Before anything that the shutdown asks of the agent's thread.
        if let manager { AgentActor.perform { manager.stop() } }
        Task(executorPreference: supervisor) { await group.triggerGracefulShutdown() }
      }
    }
  }
}

/// The agent as a service that is shut down gracefully, also in the middle of its start.
private struct AgentService: Service {
  let agent: CacheAgent
  let logger: Logger
  let supervisor: Supervisor
  let outcome = FinalStatus()
  private let hasStarted = Flag()
  /// Ends when the agent must. The library's own `gracefulShutdown()` waits with Swift's shared pool, for the reason not to use
  /// which see ``Signals``.
  private let shutdown = AsyncStream.makeStream(of: Void.self)

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  init(agent: CacheAgent, logger: Logger, supervisor: Supervisor) {
    self.agent = agent
    self.logger = logger
    self.supervisor = supervisor
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
      shutdown.continuation.finish()
      // The first reading of a large cache takes long and is not finished first.
      if !hasStarted.value.load(ordering: .acquiring) {
        Task(executorPreference: supervisor) { await Self.endStart(of: agent) }
      }
    }
  }

  static func endAfterTimeout() {
    SystemSleep.sleep(until: Uptime.now().advanced(by: shutdownTimeout))
    if StandardError.takesMore {
      StandardError.log(
        "the disk does not answer; the publication under way is abandoned, what readers see is whole", .error)
    }
    _exit(ExitStatus.inputOutput.rawValue)
  }

  /// Ends the process in the middle of the start, after the publication under way.
  private static func endStart(of agent: CacheAgent) async {
    let end = Uptime.now().advanced(by: shutdownTimeout)
    // The supervisor's thread sleeps here, which has nothing else to do any more.
    while await agent.isPublishing, Uptime.now() < end {
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(5)))
    }
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
    logger.notice("\(summary)\(StandardError.stopHint)")
    for await _ in shutdown.stream {}
    await agent.stop()
  }
}
