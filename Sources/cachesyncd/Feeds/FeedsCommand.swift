import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

struct FeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List every feed: where it is defined, what it reads, its kinds, and what is wrong.",
    usage: "cachesyncd feeds [--json] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>]",
    discussion: """
      \(HelpText.examples("cachesyncd feeds", "cachesyncd feeds --json | jq '.feeds[] | select(.defined)'"))

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.noPermission, "permission denied"),
        (.configuration, "the cache's settings are invalid")))
      """)

  @OptionGroup var feeds: PrintedFeeds

  func run() throws { try feeds.print() }
}

/// What `feeds` and `feed list` share. If one command contained the other, the parser would name both in its usage.
struct PrintedFeeds: ParsableArguments {
  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions

  func print() throws {
    try reporting {
      let (contents, moment) = try cache.contents(settings)
      let feeds = FeedListing.all(of: contents, at: moment)
      if json { printJSON(feeds) } else { for feed in feeds { printText(feed) } }
      return .success
    }
  }

  private func printJSON(_ feeds: [FeedListing]) {
    var writer = JSONWriter()
    writer.object { json in
      json.array("feeds") { json in for feed in feeds { json.object { write(feed, to: &$0) } } }
    }
    Terminal.line(writer.bytes)
  }

  private func write(_ feed: FeedListing, to json: inout JSONWriter) {
    json.member("claims", feed.claims)
    json.member("defined", feed.definedIn)
    json.member("feed", feed.name.description)
    json.member("files", feed.fileCount)
    json.member("kinds", feed.kinds.map(\.description))
    json.array("problems") { json in for problem in feed.problems { json.problem(problem) } }
  }

  private func printText(_ feed: FeedListing) {
    let place: String
    switch feed.definedIn {
    case nil: place = "built in"
    case "cache"?: place = "defined in the cache, feeds/\(feed.name).json"
    case let path?: place = "defined in \(path)"
    }
    let files = counted(feed.fileCount, "file")
    Terminal.line("\(EscapedText.forPeople(feed.name.description))  \(files)  (\(EscapedText.forPeople(place)))")
    if !feed.claims.isEmpty { Terminal.line("  reads  \(feed.claims.joined(separator: ", "))") }
    if !feed.kinds.isEmpty { Terminal.line("  kinds  \(feed.kinds.map(\.description).joined(separator: ", "))") }
    for problem in feed.problems { Terminal.line("  \(problem.line())") }
  }
}
