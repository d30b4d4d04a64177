import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import Glibc
import Logging

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
    try reporting {
      let logger = logging.logger
      try DescriptorBudget.raise()
      let environment = try settings.environment(durability: publishing.durability)
      if let warning = environment.zoneWarning { logger.warning("\(warning)") }
      RunningAgent.run(
        CacheAgent.Configuration(
          caches: try caches.named, cachesIn: caches.collection, environment: environment, logger: logger),
        obeying: signals)
    }
  }
}
