import ArgumentParser
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import Logging

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the agent in the foreground, until SIGTERM or SIGINT.",
    discussion: """
      SIGHUP makes the agent read the settings and all files again. A second SIGINT ends it at once.

      \(HelpText.examples(
        "cachesyncd run", "cachesyncd run --cache /srv/cache --time-zone Europe/Berlin",
        "cachesyncd run --caches-in /srv/caches"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.systemError, "too few open files are allowed"),
        (.inputOutput, "the disk hung at the end"),
        (.temporaryFailure, "another agent or a bridge holds the cache"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid at the start")))
      """)

  @OptionGroup var caches: CachesOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var publishing: PublishingOptions
  @OptionGroup var logging: LoggingOptions

  func run() throws {
    // Called before a second thread exists, because each thread would get a separate heap.
    useOneHeap()
    // Also before the agent starts: a signal during the first reading of a large cache must end the process cleanly.
    let signals = Signals(blocking: SIGTERM, SIGINT, SIGHUP)
    try reporting {
      let logger = logging.logger
      try DescriptorBudget.raise()
      let environment = try settings.environment(durability: publishing.durability)
      if let warning = environment.zoneWarning { logger.warning("\(warning)") }
      try caches.makeIfDefault()
      RunningAgent.run(
        CacheAgent.Configuration(
          caches: try caches.named, cachesIn: caches.collection, environment: environment, logger: logger),
        obeying: signals)
    }
  }
}
