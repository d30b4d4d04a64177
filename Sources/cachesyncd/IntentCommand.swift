import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
package import CacheSyncSystem
import Glibc
import SystemPackage

struct IntentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "intent",
    abstract: "Tell what a person did in an app.",
    usage: "cachesyncd intent <type> [<key=value> ...] [--wait] [--durability flush|rename] [--cache <dir>]",
    discussion: """
      It takes effect at once in what readers see, until the app's own file, written later, includes it. The examples have every type, \
      with the fields of each.

      Examples:
      \(examples)

      Every intent also takes id= and at=, for others than a fresh id and now.

      Exit status 65: it is larger than the cache allows. 66: no such cache. 74: cannot write. 77: not permitted. With --wait also 69: no \
      agent holds the cache, and 75: not published within 10 s; it is dropped all the same.
      """)

  private static var examples: String {
    FeedRegistry.builtIn.intents.all.map { type in
      (["  cachesyncd intent", type.name] + (type.example.isEmpty ? [] : [type.example])).joined(separator: " ")
    }.joined(separator: "\n")
  }

  @Argument(help: "What was done: one of the types above.", completion: .intents)
  var type: String

  @Argument(help: ArgumentHelp("The fields of that type.", valueName: "key=value"), completion: .intentFields)
  var fields: [String] = []

  @Flag(name: .long, help: "Return when it is published.")
  var wait = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup(visibility: .hidden) var settings: SettingsOptions
  @OptionGroup var durability: WritingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func validate() throws {
    if let field = fields.first(where: { !CommandLineWord(argument: $0).isText }) {
      throw ValidationError("'\(CommandLineWord(argument: field).forPeople)' is not UTF-8: JSON has no other text")
    }
    // Whatever is wrong with an intent was typed, so it is wrong usage.
    guard let registry = cache.knownFeeds(settings) else { return }
    do {
      _ = try IntentDocument(type: type, arguments: typedFields, at: .now, knowing: registry.intents)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    try reporting {
      let registry = try cache.registry(settings.environment())
      let intent = try IntentDocument(type: type, arguments: typedFields, at: .now, knowing: registry.intents)
      return try DropOperation.drop(
        intent.bytes, feed: Self.feed, name: Array(fileName(intent.id).utf8), cache: cache.path,
        durability: durability.durability, knowing: registry, waiting: wait)
    }
  }

  /// The fields as they were typed.
  private var typedFields: [String] {
    fields.map { String(decoding: CommandLineWord(argument: $0).bytes, as: UTF8.self) }
  }

  private static var feed: String { IntentDocument.feed.description }

  /// The intent's id, so that a person finds the file again. A fresh name when the id is none for a file, and when there
  /// is such a file: of two intents that share an id the earlier one counts, so it must not be replaced.
  private func fileName(_ id: String) -> String {
    guard isSameText(EscapedText.forPeople(id), id),
      let path = try? SessionWriter.path(feed: Self.feed, name: Array(id.utf8)),
      let cache = try? cache.path, !isThere(cache.appending(bytes: path.bytes))
    else { return DropOperation.uniqueName() }
    return id
  }

  private func isThere(_ path: FilePath) -> Bool {
    var about = stat()
    return path.withPlatformString { lstat($0, &about) } == 0
  }
}
