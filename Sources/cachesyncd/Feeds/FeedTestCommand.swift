import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import SystemPackage

struct FeedTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract:
      "Try a definition on samples, without a cache: print the items found, and what readers would see at which time.",
    usage: """
      cachesyncd feed test <file> [<samples> ...] [--json] [--at <time>] [--time-zone <time-zone>] \
      [--first-weekday <weekday>] [--feeds <dir>] [--cache <dir>] \
      [--color <auto|always|never>]
      """,
    discussion: """
      The name of the definition's file is the name of the feed. In place of a file, the name of a feed of the cache means \
      its definition, and without samples its own files. --json prints the same as show --json, and problems on \
      standard error.

      \(HelpText.examples(
        "cachesyncd feed test bins.json sample.json",
        "cachesyncd feed test bins.json sample.json --at 2026-11-22T12:00:00Z --time-zone Europe/London",
        "cachesyncd feed test bins", "curl -s https://example.org/bins.json | cachesyncd feed test bins.json -"))

      \(ExitStatus.help(
        (.invalidData, "the definition or a sample is invalid; each problem is printed as by check"),
        (.noInput, "a file is missing"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: "The definition, <feed>.json, or the name of a feed of the cache.", completion: .sessionFiles)
  var file: CommandLineWord

  @Argument(help: "Sample files of the feed. - is standard input.", completion: .sessionFiles)
  var samples: [CommandLineWord] = []

  @Flag(name: .long, help: "Print one JSON object with a member for each kind.")
  var json = false

  @Option(
    name: .customLong("first-weekday"),
    help: ArgumentHelp("First day of the week, such as sunday (default: monday).", valueName: "weekday"),
    completion: .list(Weekday.allCases.map(\.word)),
    transform: { word in
      if let weekday = Weekday(word: word) { return weekday }
      throw ValidationError(NearestName.advice(for: word, among: Weekday.allCases.map(\.word)))
    })
  var firstWeekday: Weekday?

  @Option(
    name: [.customShort("C"), .long],
    help: ArgumentHelp("The cache that has the feed, or whose time zone and first weekday count.", valueName: "dir"),
    completion: .directory)
  var cache: CommandLineWord?

  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var colours: ColourOptions

  func run() throws {
    try reporting {
      let place = try placeOfFeed()
      if place == nil, samples.isEmpty { throw ValidationError("name a sample file of the feed; - is standard input") }
      let own = (place?.cache ?? cache?.path).map { CacheSettings.inForce(in: $0) }
      let environment = try settings.environment(orZone: own?.timeZone)
      let calendar = CivilCalendar(environment.systemRules)
      let given = time.instant(in: place?.cache ?? cache?.path, settings)
      let instant = given ?? environment.clock.now()
      let moment = Moment(instant, calendar: calendar, firstWeekday: firstWeekday ?? own?.firstWeekday)

      let file = place?.definition ?? file
      let document = try InputFile.read(file)
      let read = DefinitionsFeed.read(document, named: try feedName(of: file))
      for problem in read.problems {
        let line = problem.line(path: file.forPeople)
        json ? Terminal.error(line) : Terminal.line(line)
      }
      guard let definition = read.definition else { return .invalidData }
      var report = TrialReport(definition, document: document, environment: environment, at: moment)
      report.isJSON = json
      report.style = colours.style
      let samples = try place.map { try self.samples(in: $0, environment) } ?? self.samples
      if samples.isEmpty { throw Failure("the feed has no file yet: name a sample; - is standard input", .noInput) }
      let names = try self.names(of: samples, in: report.trial)

      var isValid = true
      for sample in samples {
        let bytes = try InputFile.read(sample)
        let times = InputFile.times(sample, given: given, now: instant)
        let paths = (definition: file.forPeople, sample: sample == "-" ? "-" : sample.forPeople)
        if !report.read(bytes, at: names[sample] ?? sample.bytes, times: times, shownAs: paths) {
          isValid = false
        }
      }
      guard isValid, report.printProblems(definition: file.forPeople) else { return .invalidData }
      if json { report.printJSON() } else { try report.printText() }
      return .success
    }
  }

  /// Returns the feed that a definition with this file name defines.
  private func feedName(of file: CommandLineWord) throws -> String {
    let name = String(decoding: file.lastComponent, as: UTF8.self)
    let feed = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : ""
    guard FeedDefinition.isName(feed) else {
      throw Failure(
        "\(file.forPeople) does not name its feed: name the file FEED.json; \(FeedDefinition.nameRule)", .usage)
    }
    return feed
  }

  private struct Place {
    var cache: FilePath
    var feed: FeedName
    var definition: CommandLineWord
  }

  /// Returns where the feed is that the argument names; nil if it names a file.
  ///
  /// - Throws: an error when there is neither.
  private func placeOfFeed() throws -> Place? {
    let feed = file.forPeople
    guard FeedDefinition.isName(feed), access(feed, F_OK) != 0 else { return nil }
    let path = try cache?.path ?? DefaultCache.path
    let own = path.appending(CacheLayout.definitions).appending("\(feed).json")
    let shared = try settings.shared.environment().shared?.path(of: FeedName(feed))
    let definition = [own, shared].compactMap(\.self).first { $0.withPlatformString { access($0, F_OK) } == 0 }
    guard let definition else {
      let known = KnownFeeds(in: path, try settings.environment()).registry.definitions.map(\.name.description)
      let near = NearestName.of(feed, among: known).map { "did you mean \($0)?" }
      throw Failure(
        "'\(feed)' is neither a file nor a feed with a definition: \(near ?? "see cachesyncd feeds")", .noInput)
    }
    return Place(cache: path, feed: FeedName(feed), definition: CommandLineWord(definition))
  }

  /// The samples that are given; without any, the feed's own files.
  private func samples(in place: Place, _ environment: CacheEnvironment) throws -> [CommandLineWord] {
    if !samples.isEmpty { return samples }
    let contents = try OneShot.contents(of: place.cache, environment: environment)
    return contents.files.paths.filter { contents.layout.role(of: $0) == .session(place.feed) }.sorted().map {
      CommandLineWord(contents.root.path.appending(bytes: $0.bytes))
    }
  }

  /// Returns the names of the samples in the feed's directory.
  private func names(of samples: [CommandLineWord], in trial: DefinitionTrial) throws -> [CommandLineWord: [UInt8]] {
    var names: [CommandLineWord: [UInt8]] = [:]
    for sample in samples {
      let last = sample.lastComponent
      let name = sample == "-" ? Array("standard-input.json".utf8) : last.isEmpty ? sample.bytes : last
      if names.contains(where: { trial.path(ofFile: $0.value) == trial.path(ofFile: name) }) {
        let path = trial.path(ofFile: name).forPeople
        throw Failure("two samples would be \(path) in a cache, where the second replaces the first: give one", .usage)
      }
      names[sample] = name
    }
    return names
  }
}
