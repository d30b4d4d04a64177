import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem

struct FeedSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of definitions, with which editors complete and check them.",
    usage: "cachesyncd feed schema",
    discussion: """
      \(HelpText.examples("cachesyncd feed schema >definition.schema.json"))

      A definition may name it with "$schema".

      \(ExitStatus.help((.noInput, "the directory of definitions is missing")))
      """)

  @OptionGroup(visibility: .hidden) var cache: CacheOptions
  @OptionGroup(visibility: .hidden) var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func run() throws {
    try reporting {
      try settings.requireFeeds()
      Terminal.line(FeedDefinition.schema)
      return .success
    }
  }
}
