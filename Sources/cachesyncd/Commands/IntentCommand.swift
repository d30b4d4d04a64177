import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

struct IntentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "intent",
    abstract: "Drop what a person did in a reader, such as completing a task.",
    usage: """
      cachesyncd intent <type> [<key=value> ...] [--wait] [--durability flush|rename] [--cache <dir>] [--feeds <dir>]
      """,
    discussion: """
      Readers see it at once. It counts until the app writes its own file later, which includes it. An intent that can have no \
      effect, such as one on an unknown task, is dropped with a warning. The examples show every type, with the fields of each.

      Examples:
      \(examples)

      Every intent also accepts id= and at=. The defaults are a new id and the present moment.

      \(ExitStatus.help(
        (.invalidData, "the intent is larger than the cache allows; with --wait: it is in the cache and has no effect"),
        (.noInput, "the cache is missing"),
        (.inputOutput, "the file cannot be written"),
        (.noPermission, "permission denied"),
        (.unavailable, "with --wait: no agent holds the cache; the file is in the cache all the same"),
        (.temporaryFailure, "with --wait: not published within 10 s; the file is in the cache all the same")))
      """)

  private static var examples: String {
    FeedRegistry.builtIn.intents.all.map { type in
      (["  cachesyncd intent", type.name] + (type.example.isEmpty ? [] : [type.example])).joined(separator: " ")
    }.joined(separator: "\n")
  }

  @Argument(help: "The type: see cachesyncd intent --help.", completion: .intents)
  var type: String

  @Argument(help: ArgumentHelp("The fields of that type.", valueName: "key=value"), completion: .intentFields)
  var fields: [String] = []

  @Flag(name: .long, help: "Return when the intent is published.")
  var wait = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var shared: FeedsOptions
  @OptionGroup var durability: WritingOptions

  private func validateWords() throws {
    if let field = fields.first(where: { !CommandLineWord(argument: $0).isText }) {
      throw ValidationError("'\(CommandLineWord(argument: field).forPeople)' is not UTF-8: JSON has no other text")
    }
    // The user typed the whole intent, so any problem with it is wrong usage.
    let known = try cache.knownFeeds(shared)
    do {
      _ = try IntentDocument(type: type, arguments: typedFields, at: .now, knowing: known.registry.intents)
    } catch {
      if known.registry.intents[type] == nil { try known.throwMistake(behind: type) }
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    try reporting {
      try validateWords()
      let registry = try cache.registry(shared.environment())
      let intent = try IntentDocument(type: type, arguments: typedFields, at: .now, knowing: registry.intents)
      return try DropOperation.drop(
        intent.bytes, feed: Self.feed, name: Array(fileName(intent.id).utf8), cache: cache.path,
        durability: durability.durability, knowing: registry, waiting: wait
      ) { path, _ in
        try noEffect(of: intent.intent, at: path)
      }
    }
  }

  /// A warning about an intent that was dropped and has no effect in the cache; nil: it has one.
  private func noEffect(of intent: StoredIntent, at path: CachePath) throws -> Problem? {
    let environment = try shared.environment()
    // A user who may only write intents is not told, nor is one of a cache that cannot be read as a whole.
    guard let contents = try? OneShot.contents(of: cache.path, environment: environment) else { return nil }
    let moment = contents.moment(at: environment.clock.now())
    return contents.feeds.noEffect(of: intent, at: moment).map { Problem(.warning, path: path, message: $0) }
  }

  private var typedFields: [String] {
    fields.map { String(decoding: CommandLineWord(argument: $0).bytes, as: UTF8.self) }
  }

  private static var feed: String { IntentDocument.feed.description }

  /// Returns the intent's id, so that the user can find the file. Returns a new name when the id cannot be a file name,
  /// or when that file exists. It must not be replaced: of two intents with the same id, the earlier one counts.
  private func fileName(_ id: String) -> String {
    guard isSameText(EscapedText.forPeople(id), id),
      let path = try? SessionWriter.path(feed: Self.feed, name: Array(id.utf8)),
      let cache = try? cache.path, !cache.appending(bytes: path.bytes).exists
    else { return InputFile.uniqueName() }
    return id
  }
}
