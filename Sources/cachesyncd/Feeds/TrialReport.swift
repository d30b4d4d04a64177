import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Logging

/// Tries a definition on samples and prints the result: `feed test`, and the end of `feed new`.
struct TrialReport {
  let trial: DefinitionTrial
  let moment: Moment
  /// Whether standard output is for JSON alone. Problems then go to standard error.
  var isJSON = false
  var style = TerminalStyle.plain
  private let document: [UInt8]
  private let zones: TimeZones

  /// - Parameter document: the definition's bytes.
  init(_ definition: FeedDefinition, document: [UInt8], environment: CacheEnvironment, at moment: Moment) {
    self.document = document
    zones = environment.zones
    trial = DefinitionTrial(definition, zones: environment.zones, calendar: moment.calendar)
    self.moment = moment
  }

  /// Reads a sample, and prints its problems.
  ///
  /// - Parameters:
  ///   - file: the sample's name in the feed's directory.
  ///   - paths: those of the definition and of the sample in messages.
  /// - Returns: whether the sample is valid.
  func read(_ bytes: [UInt8], at file: [UInt8], times: FileTimes, shownAs paths: (definition: String, sample: String))
    -> Bool
  {
    if let problem = trial.eachProblem(in: bytes, document: document, zones: zones) {
      print(problem, path: paths.definition)
      return false
    }
    let problems = trial.read(bytes, from: SessionFile(path: trial.path(ofFile: file), times: times))
    for problem in problems { print(problem, path: paths.sample) }
    return !problems.contains { $0.severity == .error }
  }

  /// Prints the problems of the whole: paths that find nothing, and what depends on the moment.
  ///
  /// - Parameter definition: the path of the definition in messages.
  /// - Returns: whether none of them is an error.
  func printProblems(definition: String) -> Bool {
    for warning in trial.unfoundPaths(in: document) { StandardError.write(warning.line(path: definition), .warning) }
    let problems = trial.problems(at: moment)
    let own = CachePath(CacheLayout.definitions).appending("\(trial.definition.name).json".utf8)
    for problem in problems { print(problem, path: problem.path == own ? definition : nil) }
    return !problems.contains { $0.severity == .error }
  }

  /// - Parameter path: nil for the problem's own.
  func print(_ problem: Problem, path: String?) {
    let line = problem.line(path: path)
    isJSON ? Terminal.error(line) : Terminal.line(line)
  }

  func printJSON() {
    var writer = JSONWriter()
    writer.object { json in
      for (kind, document) in trial.snapshots(at: moment) {
        json.key(named: kind.name.description)
        json.encoded(document.withoutPublication())
      }
    }
    Terminal.line(writer.bytes)
  }

  /// Prints the items, and the timeline of every kind.
  ///
  /// - Returns: whether a kind shows something now.
  @discardableResult
  func printText(most: (items: Int, entries: Int) = (20, .max)) throws -> Bool {
    let page = TrialPage(calendar: moment.calendar, style: style, width: Terminal.width, most: most)
    for line in page.items(of: trial) { Terminal.line(line) }
    var showsSomething = false
    for (_, document) in trial.snapshots(at: moment) {
      let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
      for line in page.timeline(of: snapshot) { Terminal.line(line) }
      let count = snapshot.entries.first?.content["count"]?.int ?? 0
      showsSomething = showsSomething || count > 0
    }
    return showsSomething
  }
}
