import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import SystemPackage

struct FeedNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a definition into the cache. From a sample it guesses items, times and a title.",
    usage:
      "cachesyncd feed new <name> [<sample>] [--cache <dir>] [--time-zone <time-zone>] [--feeds <dir>] [--durability flush|rename]",
    discussion: """
      It prints each guess with the reason, and never replaces a definition.

      \(HelpText.examples(
        "cachesyncd feed new bins", "cachesyncd feed new bins sample.json",
        "curl -s https://example.org/bins.json | cachesyncd feed new bins -"))

      \(ExitStatus.help(
        (.invalidData, "the sample is not valid JSON"),
        (.noInput, "the cache or the file is missing"),
        (.cannotCreate, "the definition exists, or cannot be created"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: "The feed's name: up to 31 characters a-z and 0-9, beginning with a letter.")
  var name: String

  @Argument(help: "A sample file of the feed. - is standard input.", completion: .sessionFiles)
  var sample: CommandLineWord?

  @OptionGroup var cache: CacheOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var durability: WritingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func validate() throws {
    let shown = EscapedText.forPeople(name)
    guard FeedDefinition.isName(name) else {
      throw ValidationError(
        "invalid feed name '\(shown)': use up to 31 characters a-z and 0-9, beginning with a letter; 'feeds' and 'snapshots' are "
          + "reserved")
    }
    if ReservedNames.builtIn.feeds.contains(name) || ReservedNames.builtIn.kinds.contains(name) {
      throw ValidationError("'\(shown)' is a built-in feed or kind: choose another name")
    }
  }

  func run() throws {
    try reporting {
      let environment = try settings.environment()
      let root = try CacheRoot(resolved: CacheRoot.resolve(cache.path))
      let path = CachePath(CacheLayout.definitions).appending("\(name).json".utf8)
      try refuseExisting(path)
      try refuseClaimed(in: cache.registry(environment))
      guard let guess = try guess(environment) else { return .invalidData }
      try withExtendedLifetime(root) { try write(guess) }
      Terminal.line(path.forPeople)
      for reason in guess.reasons { Terminal.line("  " + EscapedText.forPeople(reason)) }
      if let sample, sample != "-" {
        let definition = ShellWord.quoted(try cache.path.appending(bytes: path.bytes).bytes)
        Terminal.line("now try: cachesyncd feed test \(definition) \(ShellWord.quoted(sample.bytes))")
      }
      return .success
    }
  }

  /// Returns nil when the sample is invalid JSON, after it has reported the problems.
  private func guess(_ environment: CacheEnvironment) throws -> DefinitionGuess? {
    guard let sample else { return .withoutSample(named: name) }
    let bytes = try InputFile.read(sample)
    if let guess = DefinitionGuess.of(bytes, named: name, zones: environment.zones) { return guess }
    for problem in DefinitionGuess.problems(ofSample: bytes) {
      Terminal.error(problem.line(path: sample == "-" ? "-" : sample.forPeople))
    }
    return nil
  }

  private func refuseExisting(_ path: CachePath) throws {
    var about = stat()
    if try cache.path.appending(bytes: path.bytes).withPlatformString({ lstat($0, &about) }) == 0 {
      throw Failure("\(path.forPeople) exists already: edit it, or remove it first", .cannotCreate)
    }
  }

  private func refuseClaimed(in registry: FeedRegistry) throws {
    let path = CachePath(name).appending("a.json".utf8)
    guard case .session(let feed) = registry.layout.role(of: path), feed.description != name else { return }
    throw Failure("the feed \(feed) reads \(name)/** already: choose another name", .usage)
  }

  private func write(_ guess: DefinitionGuess) throws {
    let cache = try cache.path
    do throws(SessionWriter.Failure) {
      try SessionWriter(cache: cache, durability: durability.durability, knowing: .builtIn).write(
        Array(guess.document.utf8), feed: CacheLayout.definitions, name: name)
    } catch {
      switch error {
      case .noCache: throw Failure(error.description, .noInput)
      case .system(_, let reason):
        throw Failure(error.description, reason == .permissionDenied ? .noPermission : .cannotCreate)
      default: throw Failure(error.description, .invalidData)
      }
    }
  }
}
