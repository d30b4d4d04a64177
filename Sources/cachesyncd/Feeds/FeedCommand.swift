import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem

/// The commands that help users define their own feeds.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Write and try a definition: a file that describes how to read your own JSON.",
    discussion: """
      \(HelpText.examples(
        "cachesyncd feed new bins sample.json", "cachesyncd feed test ~/.cache/cachesync/feeds/bins.json sample.json",
        "cachesyncd feed schema >definition.schema.json", "cachesyncd help feed test"))

      Exit status and options: see the help of each command.
      """,
    subcommands: [FeedNewCommand.self, FeedTestCommand.self, FeedSchemaCommand.self, FeedListCommand.self])
}

/// `feeds`, for those who look for it here.
struct FeedListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "See feeds.", shouldDisplay: false)

  @OptionGroup var feeds: PrintedFeeds

  func run() throws { try feeds.print() }
}

struct FeedSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of definitions, with which editors complete and check them.",
    usage: "cachesyncd feed schema",
    discussion: """
      \(HelpText.examples("cachesyncd feed schema >definition.schema.json"))

      A definition may name it with "$schema".

      \(ExitStatus.help((.inputOutput, "the output cannot be written")))
      """)

  func run() throws {
    try reporting {
      Terminal.line(FeedDefinition.schema.document("A CacheSync feed"))
      return .success
    }
  }
}
