import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

struct FeedTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract:
      "Try a definition on samples, without a cache: print the items found, and what readers would see at which time.",
    usage: """
      cachesyncd feed test <file> <samples> ... [--json] [--at <time>] [--time-zone <time-zone>] \
      [--first-weekday <weekday>] [--feeds <dir>] [--cache <dir>] \
      [--color <auto|always|never>]
      """,
    discussion: """
      The name of the definition's file is the name of the feed. --json prints the same as show --json, and problems on \
      standard error.

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

  @Option(
    name: [.customShort("C"), .long],
    help: ArgumentHelp("The cache whose time zone and first weekday count.", valueName: "dir"), completion: .directory)
  var cache: CommandLineWord?

  @OptionGroup var time: TimeOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var colours: ColourOptions

  func run() throws {
    try reporting {
      let own = cache.map { CacheSettings.inForce(in: $0.path) }
      let environment = try settings.environment(orZone: own?.timeZone)
      let calendar = CivilCalendar(environment.systemRules)
      let instant = time.instant ?? environment.clock.now()
      let moment = Moment(instant, calendar: calendar, firstWeekday: firstWeekday ?? own?.firstWeekday)

      let document = try InputFile.read(file)
      let read = DefinitionsFeed.read(document, named: try feedName())
      for problem in read.problems {
        let line = problem.line(path: file.forPeople)
        json ? Terminal.error(line) : Terminal.line(line)
      }
      guard let definition = read.definition else { return .invalidData }
      var report = TrialReport(definition, document: document, environment: environment, at: moment)
      report.isJSON = json
      report.style = colours.style
      let names = try names(in: report.trial)

      var isValid = true
      for sample in samples {
        let bytes = try InputFile.read(sample)
        let times = InputFile.times(sample, given: time.instant, now: instant)
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
  private func feedName() throws -> String {
    let name = String(decoding: file.lastComponent, as: UTF8.self)
    let feed = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : ""
    guard FeedDefinition.isName(feed) else {
      throw Failure(
        "\(file.forPeople) does not name its feed: name the file FEED.json; \(FeedDefinition.nameRule)", .usage)
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
}
