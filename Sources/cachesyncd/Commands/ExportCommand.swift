import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print a feed as a calendar that other programs read (iCalendar).",
    usage: """
      cachesyncd export <feed> [--cache <dir>] [--at <time>] [--time-zone <time-zone>] [--feeds <dir>]
      cachesyncd export --all <dir> [--watch] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>]
      """,
    discussion: """
      Meals, events and the items of feeds with a definition become events, and tasks become to-dos. It is a view: what a \
      program changes in it does not come back.

      \(HelpText.examples("cachesyncd export \(HelpText.feed)", "cachesyncd export \(HelpText.feed) > shared.ics",
        "cachesyncd export --all ~/calendars --watch"))

      \(ExitStatus.help(
        (.usage, "the feed has no calendar"),
        (.invalidData, "the feed's definition is invalid"),
        (.noInput, "the cache is missing"),
        (.cannotCreate, "a file cannot be created"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Argument(help: "The feed to print.", completion: .feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp("Write a calendar of each feed that has one, as FEED.ics in this directory.", valueName: "dir"),
    completion: .directory)
  var all: CommandLineWord?

  @Flag(help: "With --all: write again at each publication and at midnight.")
  var watch = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions

  /// When the command runs: of an unknown option, the parser takes the value for a feed before it says so.
  private func validateWords() throws {
    if watch, all == nil { throw ValidationError("--watch goes with --all") }
    if watch, time.at != nil { throw ValidationError("--watch follows the clock: leave --at out") }
    if all?.isEmpty == true { throw ValidationError("--all needs a directory") }
    if feed == nil, all == nil { throw ValidationError("name a feed, or use --all") }
    if feed != nil, all != nil {
      throw ValidationError("--all writes every feed into its directory: leave the feed out")
    }
  }

  func run() throws {
    try reporting {
      try validateWords()
      if let all {
        try EndSignals.waitForFiles()
        let directory = CalendarDirectory(path: all.path, cache: try cache.path) { try settings.environment() }
        if watch { try directory.follow() }
        try directory.write(at: time.instant(in: cache.path, settings))
        return .success
      }
      let feed = feed ?? ""  // validateWords() requires it without --all.
      try cache.checkFeed(feed, settings.shared)
      let registry = try cache.registry(settings.environment())
      if registry.feed(named: FeedName(feed))?.calendar == nil {
        let names = registry.feeds.filter { $0.calendar != nil }.map { "\($0.name)" }.joined(separator: ", ")
        throw ValidationError("the feed '\(feed)' has no calendar: name one of \(names)")
      }
      let calendars = try ExportedCalendars(
        of: cache.path, settings.environment(), at: time.instant(in: cache.path, settings))
      guard let file = calendars[FeedName(feed)] else {
        throw Failure("the feed '\(feed)' is not in the cache: cachesyncd feeds lists those that are", .usage)
      }
      Terminal.write(file)
      return .success
    }
  }
}
