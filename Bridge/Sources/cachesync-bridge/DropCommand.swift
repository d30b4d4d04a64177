import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct DropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Validate a session file and send it to the engine, for a cache that an agent serves elsewhere.",
    usage: "cachesync-bridge drop <name> <feed> [<file>] [--name <name>] [--server <url> ...]",
    discussion: """
      Returns when the engine has stored the file.

      \(ExitStatus.help(
        (.invalidData, "the file is invalid, or larger than the engine accepts"),
        (.noInput, "the file is missing"),
        (.unavailable, "the engine cannot be reached, or the namespace is missing"),
        (.temporaryFailure, "the engine did not answer in time; it may have stored the file"),
        (.noPermission, "permission denied")))
      """)

  // The list is empty, because fish's script counts only the arguments that have completions.
  @Argument(help: ArgumentHelp("The cache's name in the namespace.", valueName: "name"), completion: .list([]))
  var cache: NameArgument

  @Argument(help: "The feed: the directory in the cache.", completion: .list(Set(KnownKind.all.map(\.feed)).sorted()))
  var feed: String

  @Argument(help: "The file to drop. Default: -, which is standard input.", completion: .file(extensions: ["json"]))
  var file: CommandLineWord = "-"

  @Option(name: .long, help: "The file's name in the cache. The ending .json is added.")
  var name: CommandLineWord?

  @OptionGroup var shards: ShardsOption
  @OptionGroup var options: EngineOptions

  func run() throws {
    let bytes: [UInt8]
    let path: [UInt8]
    do {
      bytes = try InputFile.read(file)
      let given = file == "-" ? Array(InputFile.uniqueName().utf8) : file.lastComponent
      path = try Self.check(bytes, feed: feed, name: name?.bytes ?? given)
    } catch let error as ValidationError {
      throw error
    } catch {
      let failure = Failure(error)
      for line in failure.description.split(separator: "\n") { Terminal.error(String(line)) }
      throw ExitCode(failure.status.rawValue)
    }
    let (options, cache, shards) = (options, cache.name, shards.shards)
    try reporting {
      let engine = try options.connected()
      let namespace = try await options.space(engine, shards: shards)
      guard let key = SessionKey(cache: cache, path: path) else {
        throw Failure(
          "\(EscapedText.forPeople(path)) has no key: only names that end in .json, in lower case, travel; calendars do not",
          .usage)
      }
      guard namespace.subject(of: key).utf8.count <= Namespace.longestSubject else {
        throw Failure("the path \(EscapedText.forPeople(path)) is too long for the engine: use a shorter name", .usage)
      }
      try await Dropping(engine: engine, namespace: namespace).drop(bytes, key: key, modified: Instant.now.nanoseconds)
      Terminal.line(EscapedText.forPeople(path))
      return .success
    }
  }

  private static func check(_ bytes: [UInt8], feed: String, name: [UInt8]) throws -> [UInt8] {
    do {
      return try SessionWriter.check(bytes, feed: feed, name: name)
    } catch {
      switch error {
      case .invalid(let lines): throw Failure(lines.joined(separator: "\n"), .invalidData)
      default: throw ValidationError("\(error)")
      }
    }
  }
}
