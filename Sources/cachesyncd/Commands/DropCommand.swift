import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

struct DropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Validate a session file and put it into the cache, whole and in one step.",
    usage: """
      cachesyncd drop <feed> [<file>] [--name <name>] [--wait] [--durability flush|rename] [--cache <dir>] [--feeds <dir>]
      """,
    discussion: """
      \(HelpText.examples(
        "cachesyncd drop \(HelpText.feed) this-week.json --wait",
        "curl -s https://example.org/plan.json | cachesyncd drop \(HelpText.feed) - --name this-week"))

      A calendar is recognised by its BEGIN:VCALENDAR. The feed may also be one of yours, widgets, screens or feeds.

      \(ExitStatus.help(
        (.invalidData, "the file, or the definition of its feed, is invalid"),
        (.noInput, "the cache or the file is missing"),
        (.inputOutput, "the file cannot be written"),
        (.noPermission, "permission denied"),
        (.unavailable, "with --wait: no agent holds the cache; the file is in the cache all the same"),
        (.temporaryFailure, "with --wait: not published within 10 s; the file is in the cache all the same")))
      """)

  @Argument(help: ArgumentHelp("The feed: \(FeedRegistry.builtIn.feedNames)."), completion: .droppable)
  var feed: String

  @Argument(help: "The file to drop. Default: -, which is standard input.", completion: .sessionFiles)
  var file: CommandLineWord = "-"

  @Option(name: .long, help: "The name in the cache. The ending .json is added, or .ics for a calendar.")
  var name: CommandLineWord?

  @Flag(name: .long, help: "Return when the file is published.")
  var wait = false

  @OptionGroup var cache: CacheOptions
  @OptionGroup var shared: FeedsOptions
  @OptionGroup var durability: WritingOptions

  func run() throws {
    try reporting {
      try cache.checkFeed(feed, shared)
      let registry = try cache.registry(shared.environment())
      let name = try destination(registry)
      if file == "-", isatty(STDIN_FILENO) != 0 { Terminal.error("reading standard input; end it with ^D") }
      let bytes = try InputFile.read(file)
      try cache.makeIfDefault()
      return try DropOperation.drop(
        bytes, feed: feed, name: name, cache: cache.path, durability: durability.durability, knowing: registry,
        waiting: wait
      ) { path, warnings in
        try warnOfUnfoundPaths(at: path)
        try warnOfOtherFiles(at: path, besides: warnings, knowing: registry)
        return nil
      }
    }
  }

  /// Warns of paths that find nothing, in the definition of the feed or in the one that was dropped.
  private func warnOfUnfoundPaths(at path: CachePath) throws {
    let feed = feed == CacheLayout.definitions ? DefinitionsFeed.feed(definedBy: path) : FeedName(feed)
    if FeedRegistry.builtIn.feed(named: feed) != nil { return }
    for warning in KnownFeeds.unfoundPaths(of: feed, in: try cache.path, try shared.environment()) {
      StandardError.write(warning.line(), .warning)
    }
  }

  /// Warns of what `check` finds in a widget or a screen, which names parts of other files.
  private func warnOfOtherFiles(at path: CachePath, besides warnings: [Problem], knowing registry: FeedRegistry) throws
  {
    if feed == CacheLayout.definitions || registry.feeds.contains(where: { $0.name == FeedName(feed) }) { return }
    let place = try cache.path
    let check = SessionCheck(cache: place, environment: try shared.environment())
    let found = (try? check.file(place.appending(bytes: path.bytes), feed: nil)) ?? []
    for warning in found where warning.severity == .warning && !warnings.contains(warning) {
      StandardError.write(warning.line(), .warning)
    }
  }

  private func destination(_ registry: FeedRegistry) throws -> [UInt8] {
    if let name {
      do {
        _ = try SessionWriter.path(feed: feed, name: name.bytes, in: registry)
      } catch {
        throw ValidationError("\(error)")
      }
      return name.bytes
    }
    guard file != "-" else { return Array(InputFile.uniqueName().utf8) }
    let last = file.lastComponent
    do {
      _ = try SessionWriter.path(feed: feed, name: last, in: registry)
    } catch {
      throw Failure("\(error); give another with --name", .usage)
    }
    return last
  }
}

/// Writes bytes into a cache and reports the result.
enum DropOperation {
  /// - Parameter lacking: a warning about the effect of the file in its place, besides those of the file itself.
  /// - Returns: with a warning of that kind, ``ExitStatus/invalidData`` for a caller that waits for the effect.
  static func drop(
    _ bytes: [UInt8], feed: String, name: [UInt8], cache: FilePath, durability: Durability?,
    knowing registry: FeedRegistry, waiting: Bool, lacking: (CachePath, [Problem]) throws -> Problem? = { _, _ in nil }
  ) throws -> ExitStatus {
    let dropped: (path: CachePath, warnings: [Problem])
    do throws(SessionWriter.Failure) {
      let writer = SessionWriter(cache: cache, durability: durability, knowing: registry)
      dropped = try writer.put(bytes, feed: feed, name: name, arriving: .now)
      Terminal.line(dropped.path.forPeople)
      for warning in dropped.warnings { StandardError.write(warning.line(), .warning) }
    } catch {
      switch error {
      case .invalid(let lines):
        for line in lines { Terminal.error(line) }
        return .invalidData
      case .unknownFeed, .unusableName: throw ValidationError("\(error)")
      case .noCache: throw Failure(error.description, .noInput)
      case .system: throw Failure(writing: error, into: feed, of: cache, else: .inputOutput)
      }
    }
    let lack = try lacking(dropped.path, dropped.warnings)
    if let lack { StandardError.write(lack.line(), .warning) }
    if waiting { _ = try WaitCommand.wait(cache, sweeping: false, timeout: .seconds(10)) }
    return waiting && lack != nil ? .invalidData : .success
  }
}

extension Failure {
  /// Creates a failure of writing a session file.
  ///
  /// - Parameters:
  ///   - feed: the feed, which is also the directory.
  ///   - status: the exit status if a permission is not the reason.
  init(writing error: SessionWriter.Failure, into feed: String, of cache: FilePath, else status: ExitStatus) {
    guard case .system(_, let reason) = error, AccessAdvice.isNeeded(for: reason) else {
      self.init(error.description, status)
      return
    }
    // An existing directory of the feed is enough, and the rest of the cache may belong to the agent's user.
    let directory = cache.appending(bytes: Array(feed.utf8))
    let place = directory.withPlatformString { access($0, F_OK) } == 0 ? directory : cache
    self.init("\(error.description): \(AccessAdvice.forWriting(place))", .noPermission)
  }
}
