public import ArgumentParser
public import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

// The common options (commands.md): `CacheOptions` or `CachesOptions`, `SettingsOptions`, `PublishingOptions` or
// `WritingOptions`, `LoggingOptions` and `ColourOptions`. A command takes those that it uses.

/// The level of messages on standard error.
struct LoggingOptions: ParsableArguments {
  @Option(name: .long, help: "The least severe messages to print on standard error.")
  var logLevel = LogLevel.notice

  var logger: Logger { logLevel.logger }
}

/// The definitions for all caches.
struct FeedsOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A directory with definitions of feeds for all caches. Default: $CACHESYNC_FEEDS.", valueName: "dir"),
    completion: .directory)
  var feeds: CommandLineWord?

  func validate() throws {
    if feeds?.isEmpty == true { throw ValidationError("--feeds needs a directory") }
  }

  /// - Throws: an error when the directory of definitions does not exist.
  func environment(_ overrides: SettingsOverrides = SettingsOverrides()) throws -> CacheEnvironment {
    let zones = TimeZones(environment: getenv("TZ").map { FilePath(platformString: $0) })
    return CacheEnvironment(
      zones: zones, overrides: overrides, shared: try directory.map { try SharedDefinitions(in: $0) })
  }

  private var directory: FilePath? {
    feeds?.path ?? DefaultCache.path(inVariable: "CACHESYNC_FEEDS")
  }
}

/// Options of every command that computes a view.
struct SettingsOptions: ParsableArguments {
  @Option(
    name: .long, help: "The time zone whose midnights count: an IANA name, or GMT+03:37.", completion: .timeZones)
  var timeZone: String?

  @OptionGroup var shared: FeedsOptions

  func validate() throws {
    guard let timeZone else { return }
    do {
      _ = try TimeZones(environment: nil).rules(named: timeZone)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// - Parameters:
  ///   - moment: the one that the command computes for; nil: now.
  ///   - zone: the one that counts without the option; nil: that of the cache or the system.
  /// - Throws: an error when the directory of definitions does not exist.
  func environment(
    durability: Durability? = nil, at moment: Instant? = nil, orZone zone: String? = nil
  ) throws -> CacheEnvironment {
    var environment = try shared.environment(SettingsOverrides(timeZone: timeZone ?? zone, durability: durability))
    environment.moment = moment
    return environment
  }
}

struct PublishingOptions: ParsableArguments {
  @Option(name: .long, help: "What a publication survives: flush (a power loss) or rename (a crash, and is faster).")
  var durability: Durability?
}

/// Options of the commands that write session files and definitions.
struct WritingOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "What the file survives: flush (a power loss) or rename (a crash, and is faster). Default: the cache's setting.")
  var durability: Durability?
}

/// The one cache of most commands. The option is an array, so that a second one is wrong usage and does not override
/// the first. Each command writes its usage itself, because generated usage would show the option as repeatable.
struct CacheOptions: ParsableArguments {
  @Option(
    name: [.customShort("C"), .long], help: ArgumentHelp("The cache directory.", valueName: "dir"),
    completion: .directory)
  var cache: [CommandLineWord] = []

  func validate() throws {
    if cache.count > 1 { throw ValidationError("this command takes one --cache") }
    if cache.first?.isEmpty == true { throw ValidationError("--cache needs a directory") }
  }

  var path: FilePath {
    get throws { try cache.first?.path ?? DefaultCache.path }
  }

  /// Makes the cache if none is named and the default one is missing. For the commands that people begin with.
  func makeIfDefault() throws { if cache.isEmpty { try DefaultCache.make() } }

  /// Returns the feeds of the cache; the built-in ones when there is no cache.
  func registry(_ environment: CacheEnvironment) throws -> FeedRegistry { .inForce(in: try path, environment) }

  /// The same, with what is wrong with their definitions.
  func knownFeeds(_ shared: FeedsOptions) throws -> KnownFeeds {
    KnownFeeds(in: try path, try shared.environment())
  }
}

extension DefaultCache {
  /// Makes the default cache if it is missing, for its user alone, and says so.
  fileprivate static func make() throws {
    let path = try path
    guard try OutputFile.makeDirectory(path, mode: 0o700) else { return }
    StandardError.write("made the cache \(EscapedText.forPeople(path))", .notice)
  }
}

/// The caches of `run`, `sync` and `status`.
struct CachesOptions: ParsableArguments {
  @Option(
    name: [.customShort("C"), .long],
    help: ArgumentHelp("A cache directory. May be given more than once.", valueName: "dir"), completion: .directory)
  var cache: [CommandLineWord] = []

  @Option(
    name: .long, help: ArgumentHelp("A directory in which every directory is a cache.", valueName: "dir"),
    completion: .directory)
  var cachesIn: CommandLineWord?

  func validate() throws {
    if cache.contains("") || cachesIn?.isEmpty == true {
      throw ValidationError("--cache and --caches-in need a directory")
    }
  }

  /// The named caches; the default cache when neither a cache nor a directory of caches is named.
  var named: [FilePath] {
    get throws { cache.isEmpty && cachesIn == nil ? [try DefaultCache.path] : cache.map(\.path) }
  }

  /// As ``CacheOptions/makeIfDefault()``.
  func makeIfDefault() throws { if cache.isEmpty, cachesIn == nil { try DefaultCache.make() } }

  var collection: FilePath? { cachesIn?.path }

  /// Returns every existing cache, for the commands that make one pass.
  func all() throws -> [FilePath] {
    let named = try named
    guard let collection else { return named }
    do {
      return named + (try CacheCollection.paths(in: collection))
    } catch {
      throw Failure(error)
    }
  }

  /// Whether the output is about one cache; otherwise it is an array.
  var isSingle: Bool { cachesIn == nil && cache.count <= 1 }
}

/// A moment on the command line.
struct TimeArgument: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }
}

struct TimeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compute for another moment, in the zone of the cache: \(WrittenMoment.forms).", valueName: "time"))
  var at: TimeArgument?

  func validate() throws {
    if let text = at?.text, WrittenMoment(text) == nil { throw ValidationError(WrittenMoment.refusal(of: text)) }
  }

  /// The requested moment in the zone of a cache, or in that of `--time-zone`; nil means now. Ask once: time goes on.
  func instant(in cache: FilePath?, _ settings: SettingsOptions) -> Instant? {
    at.flatMap { WrittenMoment($0.text) }?.instant(inCache: cache, timeZone: settings.timeZone)
  }
}

extension CacheOptions {
  /// Reads the cache for one output.
  ///
  /// - Returns: its contents, and the moment to compute for.
  func contents(_ settings: SettingsOptions, at time: TimeOptions? = nil) throws -> (CacheContents, Moment) {
    let instant = time?.instant(in: try path, settings)
    let environment = try settings.environment(at: instant)
    let contents = try OneShot.contents(of: path, environment: environment)
    return (contents, contents.moment(at: instant ?? environment.clock.now()))
  }
}

extension Durability: ExpressibleByArgument {}

struct ColourOptions: ParsableArguments {
  enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "Whether to use colour. auto: on a terminal, unless NO_COLOR is set.", valueName: "auto|always|never"))
  var choice = Choice.auto

  var style: TerminalStyle {
    switch choice {
    case .auto: Terminal.hasColour ? .colour : .plain
    case .always: .colour
    case .never: .plain
    }
  }
}
