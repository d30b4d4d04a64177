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

      \(ExitStatus.help((.inputOutput, "the output cannot be written")))
      """)

  func run() throws {
    try reporting {
      Terminal.line(FeedDefinition.schema.document("A CacheSync feed"))
      return .success
    }
  }
}
