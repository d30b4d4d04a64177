import ArgumentParser

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

  @OptionGroup var feeds: FeedsCommand

  func run() throws { try feeds.run() }
}
