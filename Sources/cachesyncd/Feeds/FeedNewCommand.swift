import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Logging
import SystemPackage

struct FeedNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a definition into the cache. From a sample it guesses items, a title, times and a zone.",
    usage:
      "cachesyncd feed new <name> [<sample>] [--cache <dir>] [--at <time>] [--time-zone <time-zone>] [--feeds <dir>] [--durability flush|rename]",
    discussion: """
      It prints each guess, then the first of what readers would see of the sample, as feed test does. The definition's \
      comment says how to add what it does not guess. It never replaces a definition.

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
  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var durability: WritingOptions

  private func validateName() throws {
    let shown = EscapedText.forPeople(name)
    guard FeedDefinition.isName(name) else {
      throw ValidationError("invalid feed name '\(shown)': \(FeedDefinition.nameRule)")
    }
    if KindName(fileName: "\(name).json") == nil {
      throw ValidationError("'\(shown)' is the name of a file that the agent publishes: choose another name")
    }
    if ReservedNames.builtIn.feeds.contains(name) || ReservedNames.builtIn.kinds.contains(name) {
      throw ValidationError("'\(shown)' is a built-in feed or kind: choose another name")
    }
  }

  func run() throws {
    try reporting {
      try validateName()
      let environment = try settings.environment()
      let bytes = try sample.map { try InputFile.read($0) }
      try cache.makeIfDefault()
      let root = try CacheRoot(resolved: CacheRoot.resolve(cache.path))
      let path = CachePath(CacheLayout.definitions).appending("\(name).json".utf8)
      try refuseExisting(path)
      try refuseClaimed(in: cache.registry(environment))
      // Days are those of the cache, as they will be for its readers.
      let contents = CacheContents(root: root, environment: environment)
      contents.loadSettings(isPatient: false)
      let instant = time.instant(in: try cache.path, settings)
      let moment = contents.moment(at: instant ?? environment.clock.now())
      guard let guess = guess(bytes, environment, at: moment) else { return .invalidData }
      try withExtendedLifetime(root) { try write(guess) }
      Terminal.line(path.forPeople)
      for reason in guess.reasons { Terminal.line("  " + EscapedText.forPeople(reason)) }
      for caution in guess.cautions { StandardError.write(EscapedText.forPeople(caution), .warning) }
      if let sample, let bytes { try test(guess, on: bytes, from: sample, environment, at: moment) }
      return .success
    }
  }

  /// Returns nil when the sample is invalid JSON, after it has reported the problems.
  private func guess(_ bytes: [UInt8]?, _ environment: CacheEnvironment, at moment: Moment) -> DefinitionGuess? {
    guard let sample, let bytes else { return .withoutSample(named: name) }
    if let guess = DefinitionGuess.of(bytes, named: name, zones: environment.zones, at: moment) { return guess }
    for problem in DefinitionGuess.problems(ofSample: bytes) {
      Terminal.error(problem.line(path: sample == "-" ? "-" : sample.forPeople))
    }
    return nil
  }

  /// Does what `feed test` would do of the definition and the sample.
  private func test(
    _ guess: DefinitionGuess, on bytes: [UInt8], from sample: CommandLineWord, _ environment: CacheEnvironment,
    at moment: Moment
  ) throws {
    let document = Array(guess.document.utf8)
    guard let definition = DefinitionsFeed.read(document, named: name).definition else { return }
    let report = TrialReport(definition, document: document, environment: environment, at: moment)
    let path = CachePath(CacheLayout.definitions).appending("\(name).json".utf8)
    let file = sample == "-" ? Array("standard-input.json".utf8) : sample.lastComponent
    let paths = (definition: path.forPeople, sample: sample == "-" ? "-" : sample.forPeople)
    let times = InputFile.times(sample, given: time.at == nil ? nil : moment.instant, now: moment.instant)
    Terminal.line("")
    let showsSomething =
      try report.read(bytes, at: file, times: times, shownAs: paths)
      && report.printProblems(definition: paths.definition) && report.printText(most: (5, 3))
    Terminal.line("")
    let advice = #"name the path of your list in items.each, such as "$.bins[*]", and of a time in items.start"#
    if !showsSomething || !guess.isUseful { Terminal.line("nothing to show was found: \(advice); then choose show") }
    // The cache's own zone counts here, which feed test does not know.
    let zone = EscapedText.forPeople(moment.calendar.rules.name)
    let definitionPath = ShellWord.quoted(try cache.path.appending(bytes: path.bytes).bytes)
    let again = sample == "-" ? "SAMPLE" : ShellWord.quoted(sample.bytes)
    let at = time.at.map { " --at \($0.text)" } ?? ""
    Terminal.line(
      "edit it, then try it again: cachesyncd feed test \(definitionPath) \(again)\(at) --time-zone \(zone)")
  }

  private func refuseExisting(_ path: CachePath) throws {
    if try cache.path.appending(bytes: path.bytes).exists {
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
      case .system: throw Failure(writing: error, into: CacheLayout.definitions, of: cache, else: .cannotCreate)
      default: throw Failure(error.description, .invalidData)
      }
    }
  }
}
