import ArgumentParser

/// What a person does with definitions of own feeds.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Make and try a feed of your own: a definition says how to read your JSON.",
    discussion: """
      \(HelpText.examples(
        "cachesyncd feed new bins sample.json", "cachesyncd feed test ~/.cache/cachesync/feeds/bins.json sample.json",
        "cachesyncd feed schema >definition.schema.json", "cachesyncd help feed test"))

      Exit status: see each of them.
      """,
    subcommands: [FeedNewCommand.self, FeedTestCommand.self, FeedSchemaCommand.self])
}
