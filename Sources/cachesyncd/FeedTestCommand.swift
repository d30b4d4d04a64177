import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct FeedTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract:
      "Try a definition on samples, without a cache: print the items found, and what readers would see at which time.",
    usage: """
      cachesyncd feed test <file> <samples> ... [--json] [--at <time>] [--time-zone <time-zone>] \
      [--first-weekday <weekday>] [--feeds <dir>]
      """,
    discussion: """
      The name of the definition's file is the name of the feed. --json prints the same as show --json.

      \(HelpText.examples(
        "cachesyncd feed test bins.json sample.json",
        "cachesyncd feed test bins.json sample.json --at 2026-11-22T12:00:00Z --time-zone Europe/London",
        "curl -s https://example.org/bins.json | cachesyncd feed test bins.json -"))

      \(ExitStatus.help(
        (.invalidData, "the definition or a sample is invalid; each problem is printed as by check"),
        (.noInput, "a file is missing"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: "The definition, <feed>.json.", completion: .sessionFiles)
  var file: CommandLineWord

  @Argument(help: "Sample files of the feed. - is standard input.", completion: .sessionFiles)
  var samples: [CommandLineWord]

  @Flag(name: .long, help: "Print one JSON object with a member for each kind.")
  var json = false

  @Option(
    name: .customLong("first-weekday"),
    help: ArgumentHelp("First day of the week, such as sunday (default: monday).", valueName: "weekday"),
    completion: .list(Weekday.allCases.map(\.word)),
    transform: { word in
      guard let weekday = Weekday(word: word) else { throw ValidationError("use a weekday such as monday") }
      return weekday
    })
  var firstWeekday: Weekday?

  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var cache: CacheOptions
  @OptionGroup(visibility: .hidden) var publishing: PublishingOptions
  @OptionGroup(visibility: .hidden) var logging: LoggingOptions
  @OptionGroup(visibility: .hidden) var colours: ColourOptions

  func run() throws {
    try reporting {
      let environment = try settings.environment()
      let calendar = CivilCalendar(environment.systemRules)
      let instant = time.instant ?? environment.clock.now()
      let moment = Moment(instant, calendar: calendar, firstWeekday: firstWeekday ?? .monday)

      let document = try InputFile.read(file)
      let read = DefinitionsFeed.read(document, named: try feedName())
      for problem in read.problems { Terminal.line(problem.line(path: file.forPeople)) }
      guard let definition = read.definition else { return .invalidData }
      let trial = DefinitionTrial(definition, zones: environment.zones, calendar: calendar)
      let names = try names(in: trial)

      var isValid = true
      for sample in samples {
        let bytes = try InputFile.read(sample)
        let path = trial.path(ofFile: names[sample] ?? sample.bytes)
        let modified = InputFile.modificationTime(sample) ?? instant
        if let problem = trial.eachProblem(in: bytes, document: document, zones: environment.zones) {
          isValid = false
          Terminal.line(problem.line(path: file.forPeople))
          continue
        }
        for problem in trial.read(bytes, at: path, modified: modified) {
          if problem.severity == .error { isValid = false }
          Terminal.line(problem.line(path: sample == "-" ? "-" : sample.forPeople))
        }
      }
      guard isValid else { return .invalidData }
      let problems = trial.problems(at: moment)
      let hasErrors = problems.contains { $0.severity == .error }
      // Without an error, standard output is one JSON document, so warnings go to standard error.
      for problem in problems { json && !hasErrors ? Terminal.error(problem.line()) : Terminal.line(problem.line()) }
      if hasErrors { return .invalidData }
      if json { printJSON(trial, moment) } else { try print(trial, moment) }
      return .success
    }
  }

  /// Returns the feed that a definition with this file name defines.
  private func feedName() throws -> String {
    let name = String(decoding: file.lastComponent, as: UTF8.self)
    let feed = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : ""
    guard FeedDefinition.isName(feed) else {
      throw Failure(
        "\(file.forPeople) does not name its feed: name the file [a-z][a-z0-9]{0,30}.json, "
          + "but not feeds.json or snapshots.json", .usage)
    }
    return feed
  }

  /// Returns the names of the samples in the feed's directory.
  private func names(in trial: DefinitionTrial) throws -> [CommandLineWord: [UInt8]] {
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

  private func printJSON(_ trial: DefinitionTrial, _ moment: Moment) {
    var writer = JSONWriter()
    writer.object { json in
      for (kind, document) in trial.snapshots(at: moment) {
        json.key(named: kind.name.description)
        json.encoded(document.withoutPublication())
      }
    }
    Terminal.line(writer.bytes)
  }

  private func print(_ trial: DefinitionTrial, _ moment: Moment) throws {
    let page = TrialPage(calendar: moment.calendar, width: Terminal.width)
    for line in page.items(of: trial) { Terminal.line(line) }
    for (_, document) in trial.snapshots(at: moment) {
      let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
      for line in page.timeline(of: snapshot) { Terminal.line(line) }
    }
  }
}
