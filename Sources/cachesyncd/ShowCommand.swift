import ArgumentParser
import CacheSync
import CacheSyncAgent

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show today's view, computed from the session files; nothing is written.",
    usage: "cachesyncd show [<kinds> ...] [--json] [--cache <dir>] [--at <time>] [--time-zone <time-zone>]",
    discussion: """
      On a terminal there are colours, but not with NO_COLOR set, and lines are cut to its width.

      Exit status 66: no such cache. 77: not permitted. 78: the settings are invalid.
      """)

  @Argument(help: "The kinds to show; none: all that the cache has.")
  var kinds: [String] = []

  @Flag(name: .long, help: "JSON, for programs: each snapshot by its kind.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions

  func validate() throws { try KindArguments.validate(kinds) }

  func run() throws {
    try reporting {
      let environment = settings.environment()
      let contents = try OneShot.contents(of: cache.path, environment: environment)
      let moment = contents.moment(at: time.instant ?? environment.clock.now())
      let projector = contents.projector
      let wanted = kinds.isEmpty ? projector.kinds : FeedRegistry.kinds.filter { kinds.contains($0.name.description) }
      let documents = Dictionary(
        uniqueKeysWithValues: wanted.map { ($0.name, projector.snapshot(of: $0, at: moment).encoded()) })
      if json {
        var writer = JSONWriter()
        writer.object { json in
          for (name, document) in documents.sorted(by: { $0.key < $1.key }) {
            json.key(named: name.description)
            json.encoded(document.withoutPublication())
          }
        }
        Terminal.line(writer.bytes)
      } else {
        try print(documents, moment)
      }
      return .success
    }
  }

  private func print(_ documents: [KindName: OutputDocument], _ moment: Moment) throws {
    let page = ShowPage(style: Terminal.hasColour ? .colour : .plain, moment: moment, width: Terminal.width)
    Terminal.line(page.heading)
    if documents.isEmpty {
      Terminal.line("Nothing here yet: drop a session file of a feed (\(FeedRegistry.feedNames)).")
    }
    for feed in FeedRegistry.feeds {
      let kinds = try feed.kinds.compactMap { kind in
        try documents[kind.name].map {
          (kind, try Snapshot(bytes: $0.bytes(generation: 0, publishedAt: moment.instant)))
        }
      }
      if !kinds.isEmpty { Terminal.line(page.section(feed.name, kinds)) }
    }
  }
}
