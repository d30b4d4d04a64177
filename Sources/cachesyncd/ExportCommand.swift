import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print a feed as a calendar that other programs read (iCalendar). Writes nothing.",
    usage: "cachesyncd export <feed> [--cache <dir>] [--at <time>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      Meals, events and the items of feeds with a definition become events, and tasks become to-dos. It is a view: what a \
      program changes in it does not come back.

      \(HelpText.examples("cachesyncd export \(HelpText.feed)", "cachesyncd export \(HelpText.feed) > shared.ics"))

      \(ExitStatus.help(
        (.usage, "the feed has no calendar"),
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @Argument(help: "The feed to print.", completion: .feeds)
  var feed: String

  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func validate() throws {
    let registry = cache.knownFeeds(settings) ?? .builtIn
    try FeedArgument.validate(feed, in: registry)
    if let known = registry.feed(named: FeedName(feed)), known.calendar == nil {
      let names = registry.feeds.filter { $0.calendar != nil }.map { "\($0.name)" }.joined(separator: ", ")
      throw ValidationError("the feed '\(feed)' has no calendar: name one of \(names)")
    }
  }

  func run() throws {
    try reporting {
      var environment = try settings.environment()
      environment.wanted = .exported
      let contents = try OneShot.contents(of: cache.path, environment: environment)
      let moment = contents.moment(at: time.instant ?? environment.clock.now())
      let place = try CacheRoot.resolve(cache.path)
      let cacheName = EscapedText.forPeople(Array((place.lastComponent?.string ?? "cache").utf8))
      let known = contents.registry.feed(named: FeedName(feed))
      guard let file = known?.calendarFile(of: contents.feeds, at: moment, cache: cacheName) else {
        throw Failure("the feed '\(feed)' is not in the cache: cachesyncd feeds lists those that are", .usage)
      }
      Terminal.write(file)
      return .success
    }
  }
}
