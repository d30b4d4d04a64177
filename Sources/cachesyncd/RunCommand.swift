import ArgumentParser
import CacheSync
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the agent in the foreground, until SIGTERM or SIGINT. (the default)",
    discussion: "SIGHUP reads the settings and everything else again. SIGINT twice ends it at once.")

  @OptionGroup var caches: CachesOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var logging: LoggingOptions

  func run() async throws {
    try await reporting {
      let logger = logging.logger
      let agent = await CacheAgent(
        CacheAgent.Configuration(
          caches: caches.named, cachesIn: caches.collection, environment: settings.environment, logger: logger))
      let errors = await agent.start()
      for error in errors { Terminal.error(error.description) }
      let status = errors.map(\.status).max() ?? .success
      guard await agent.isServing else { return status == .success ? .noInput : status }
      let summary = await agent.summary
      logger.notice("serving \(summary); stop with ^C")
      var quiet = logger
      quiet.logLevel = .critical  // The group tells of every step; a daemon's journal needs none of them.
      let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(
          services: [AgentService(agent: agent), SignalService(agent: agent)],
          gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
      try await group.run()
      return status
    }
  }
}

/// The agent as a service that is shut down gracefully.
private struct AgentService: Service {
  let agent: CacheAgent

  /// How long a publication under way may take to finish; a disk that hangs takes longer.
  private static let patience = Duration.seconds(2)

  func run() async throws {
    try await gracefulShutdown()
    let watchdog = Task.detached {
      try await Task.sleep(for: Self.patience)
      Terminal.error("error: the disk does not answer; the publication under way is abandoned, what readers see is whole")
      _exit(ExitStatus.inputOutput.rawValue)
    }
    await agent.stop()
    watchdog.cancel()
  }
}

/// The signals that do more than end the agent once.
private struct SignalService: Service {
  let agent: CacheAgent

  func run() async throws {
    var interrupts = 0
    for await signal in await UnixSignalsSequence(trapping: .sighup, .sigint).cancelOnGracefulShutdown() {
      if signal == .sighup { await agent.reload() } else { interrupts += 1 }
      if interrupts > 1 { _exit(128 + SIGINT) }
    }
  }
}
