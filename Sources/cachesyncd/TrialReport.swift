import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem

/// Tries a definition on samples and prints the result: `feed test`, and the end of `feed new`.
struct TrialReport {
  let trial: DefinitionTrial
  let moment: Moment
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
  func read(_ bytes: [UInt8], at file: [UInt8], modified: Instant, shownAs paths: (definition: String, sample: String))
    -> Bool
  {
    if let problem = trial.eachProblem(in: bytes, document: document, zones: zones) {
      Terminal.line(problem.line(path: paths.definition))
      return false
    }
    let problems = trial.read(bytes, at: trial.path(ofFile: file), modified: modified)
    for problem in problems { Terminal.line(problem.line(path: paths.sample)) }
    return !problems.contains { $0.severity == .error }
  }

  /// Prints the problems that depend on the moment.
  ///
  /// - Returns: whether none of them is an error.
  func printProblems(json: Bool = false) -> Bool {
    let problems = trial.problems(at: moment)
    let hasErrors = problems.contains { $0.severity == .error }
    // Without an error, standard output is one JSON document, so warnings go to standard error.
    for problem in problems { json && !hasErrors ? Terminal.error(problem.line()) : Terminal.line(problem.line()) }
    return !hasErrors
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
  func printText() throws -> Bool {
    let page = TrialPage(calendar: moment.calendar, width: Terminal.width)
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
