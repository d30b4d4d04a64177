/// A feed that a definition describes, with what one cache holds of it.
package final class DefinedFeed: Feed, IntentTarget {
  /// What an intent on the feed does: it sets a boolean field of an item.
  struct Mark: Sendable {
    var name: String
  }

  private let definition: FeedDefinition
  private let items: DefinedItems
  private var census = PathCensus()
  private var calendar: CivilCalendar?
  /// What was computed last, and from which marks.
  private(set) var latest: (marks: MarksInForce, projection: DefinedProjection)?
  private var latestProblems: (moment: Instant, problems: [Problem])?

  init(_ definition: FeedDefinition) {
    self.definition = definition
    items = DefinedItems(definition)
  }

  package func put(_ session: DefinedSession, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    items.put(session, path: file.path, modified: file.modified, isUnusable: file.isUnusable, in: calendar)
    census.insert(file.path)
    forgetLatest()
  }

  package func remove(_ path: CachePath) {
    items.remove(path)
    census.remove(path)
    forgetLatest()
  }

  package func mark(_ path: CachePath, unusable: Bool) {
    items.mark(path, unusable: unusable)
    forgetLatest()
  }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    items.rebuild(in: calendar)
    forgetLatest()
  }

  private func forgetLatest() {
    latest = nil
    latestProblems = nil
  }

  package func forgetComputed() { latest = nil }

  // MARK: Projecting

  /// Writes a kind's content as of a moment.
  func project(_ kind: DefinedKind, at moment: Moment, _ feeds: FeedSet, into projection: inout Projection) {
    let (view, intents) = view(at: moment.instant, feeds)
    if view.isEmpty {
      projection.state = .empty
    } else {
      switch definition.use {
      case .all: projection.sources.insert(all: census, of: definition.name)
      case .newest: for path in view.sourcePaths { projection.sources.insert(path) }
      }
      for intent in intents { projection.sources.insert(intent.path) }
      projection.shows(view.newest)
      projection.showsUnusable = view.showsUnusable || intents.contains(where: \.isUnusable)
    }
    let before = view.work
    view.write(kind, at: moment.instant, calendar: moment.calendar, to: &projection.json)
    projection.work += view.work - before + projection.json.bytes.count
  }

  /// The moments in a range at which a kind's content may change.
  func boundaries(of kind: DefinedKind, in range: Range<Instant>, at moment: Moment, _ feeds: FeedSet) -> [Boundary] {
    let (view, _) = view(at: range.lowerBound, feeds)
    let own = view.boundaries(of: kind, in: range, calendar: moment.calendar)
    return own.map { Boundary($0.date, .words($0.reason)) }
      + feeds.intentEnds(on: self, named: definition.name, in: range)
  }

  /// The feed as the marks in force at a moment have it, and the intents that set them.
  private func view(at instant: Instant, _ feeds: FeedSet) -> (DefinedProjection, [IntentsFeed.InForce]) {
    let intents =
      definition.marks.isEmpty
      ? [] : feeds.intents(on: self, named: definition.name, at: instant).filter { known($0.intent) }
    var marks = MarksInForce()
    for held in intents {
      guard let mark = held.intent.action as? Mark, let id = held.intent.target?.id else { continue }
      marks[id.text, mark.name] = true
    }
    if let latest, latest.marks == marks { return (latest.projection, intents) }
    let projection = DefinedProjection(definition: definition, items: items, marks: marks)
    latest = (marks, projection)
    return (projection, intents)
  }

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let count = view(at: moment.instant, feeds).0.overlapCount(day: moment.day, calendar: moment.calendar)
    if count > 0 { json.member("items", count) }
    return count > 0
  }

  // MARK: Problems

  package func standingProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    if let latestProblems, latestProblems.moment == moment.instant { return latestProblems.problems }
    let problems = view(at: moment.instant, feeds).0.problems(at: moment.instant, calendar: moment.calendar).map {
      Problem(path: $0.path, message: $0.message, scope: definition.name)
    }
    latestProblems = (moment.instant, problems)
    return problems
  }

  package func nextProblemChange(after instant: Instant) -> Instant? {
    guard let calendar, let latest else { return nil }
    return latest.projection.nextProblemChange(after: instant, calendar: calendar)
  }

  // MARK: Marks

  package var newestSession: Instant? { items.newestFileDate }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool { known(intent) }

  private func known(_ intent: StoredIntent) -> Bool {
    intent.target.map { items.fileDate(ofItem: $0.id.text) != nil } ?? false
  }
}
