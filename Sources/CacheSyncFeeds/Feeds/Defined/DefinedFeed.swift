package import CacheSyncSystem

/// A feed that a definition describes, with the files and marks of one cache.
package final class DefinedFeed: Feed, IntentTarget {
  /// The action of an intent on the feed: it sets a boolean field of an item.
  struct Mark: Sendable {
    var name: String
  }

  private let definition: FeedDefinition
  let items: DefinedItems
  private var paths = SortedList<CachePath>()
  private var calendar: CivilCalendar?
  /// The latest projection, and the marks from which it was computed.
  private(set) var latest: (marks: MarksInForce, projection: DefinedProjection)?
  /// Results that publications of other feeds need too. ``removeComputed()`` keeps them, so those publications do not
  /// compute the projection again.
  private var known = Known()

  private struct Known {
    var marks = MarksInForce()
    /// How many items overlap each of the days that were asked for last, the oldest question first.
    var counts: [(day: LocalDay, count: Int)] = []
    /// The problems, and the range of time in which they cannot change.
    var problems: (while: Range<Instant>, found: [Problem])?

    /// As many days as a day index has.
    static let days = Moment.indexedDaysBefore + 1 + Moment.indexedDaysAfter
  }

  init(_ definition: FeedDefinition) {
    self.definition = definition
    items = DefinedItems(definition)
  }

  package func put(_ session: DefinedSession, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    items.put(session, path: file.path, modified: file.modified, isUnusable: file.isUnusable, in: calendar)
    paths.insert(file.path)
    removeLatest()
  }

  package func remove(_ path: CachePath) {
    items.remove(path)
    paths.remove(path)
    removeLatest()
  }

  package func mark(_ path: CachePath, unusable: Bool) {
    items.mark(path, unusable: unusable)
    removeLatest()
  }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    items.rebuild(in: calendar)
    removeLatest()
  }

  private func removeLatest() {
    latest = nil
    known = Known()
  }

  package func removeComputed() { latest = nil }

  // MARK: Projecting

  /// Writes a kind's content as of a moment.
  func project(_ kind: DefinedKind, at moment: Moment, _ feeds: FeedSet, into projection: inout Projection) {
    let (view, intents) = view(at: moment.instant, feeds)
    if items.isEmpty {
      projection.state = .empty
    } else {
      switch definition.use {
      case .all: projection.sources.insert(all: paths, of: definition.name)
      case .newest: for path in items.paths { projection.sources.insert(path) }
      }
      for intent in intents { projection.sources.insert(intent.path) }
      projection.shows(items.newestDate)
      projection.showsUnusable = items.showsUnusable || intents.contains(where: \.isUnusable)
    }
    let before = view.work
    view.write(kind, at: moment, to: &projection.json)
    projection.work += view.work - before + projection.json.bytes.count
  }

  /// The moments in a range at which a kind's content may change.
  func boundaries(of kind: DefinedKind, in range: Range<Instant>, at moment: Moment, _ feeds: FeedSet) -> [Boundary] {
    let (view, _) = view(at: range.lowerBound, feeds)
    let own = view.boundaries(of: kind, in: range, calendar: moment.calendar, firstWeekday: moment.firstWeekday)
    return own.map { Boundary($0.date, .words($0.reason)) }
      + feeds.intentEnds(on: self, named: definition.name, in: range)
  }

  /// The projection with the marks in force at a moment, and the intents that set those marks.
  private func view(at instant: Instant, _ feeds: FeedSet) -> (DefinedProjection, [IntentsFeed.InForce]) {
    let (marks, intents) = marks(at: instant, feeds)
    if let latest, latest.marks == marks { return (latest.projection, intents) }
    let projection = DefinedProjection(definition: definition, items: items, marks: marks)
    latest = (marks, projection)
    return (projection, intents)
  }

  private func marks(at instant: Instant, _ feeds: FeedSet) -> (MarksInForce, [IntentsFeed.InForce]) {
    let intents =
      definition.marks.isEmpty
      ? [] : feeds.intents(on: self, named: definition.name, at: instant).filter { isKnown($0.intent) }
    var marks = MarksInForce()
    for held in intents {
      guard let mark = held.intent.action as? Mark, let id = held.intent.target?.id else { continue }
      marks[id.text, mark.name] = true
    }
    return (marks, intents)
  }

  /// Drops ``known`` if it was computed with other marks than those in force at a moment.
  private func removeKnownWithOtherMarks(at instant: Instant, _ feeds: FeedSet) {
    let (marks, _) = marks(at: instant, feeds)
    if known.marks != marks { known = Known(marks: marks) }
  }

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let count = overlapCount(at: moment, feeds)
    if count > 0 { json.member("items", count) }
    return count > 0
  }

  private func overlapCount(at moment: Moment, _ feeds: FeedSet) -> Int {
    removeKnownWithOtherMarks(at: moment.instant, feeds)
    if let known = known.counts.first(where: { $0.day == moment.day }) { return known.count }
    let count = view(at: moment.instant, feeds).0.overlapCount(day: moment.day, calendar: moment.calendar)
    if known.counts.count == Known.days { known.counts.removeFirst() }
    known.counts.append((moment.day, count))
    return count
  }

  // MARK: Problems

  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    removeKnownWithOtherMarks(at: moment.instant, feeds)
    if let problems = known.problems, problems.while.contains(moment.instant) { return problems.found }
    let view = view(at: moment.instant, feeds).0
    let found = view.problems(at: moment).map { problem in
      let place = problem.place ?? JSONPlace(line: 1, column: 1, pointer: "")
      let own = definition.path ?? CachePath(CacheLayout.definitions).appending("\(definition.name).json".utf8)
      return Problem(
        problem.severity, path: problem.place == nil ? problem.path : own, line: place.line, column: place.column,
        pointer: place.pointer, message: problem.message, scope: definition.name)
    }
    let end = view.nextProblemChange(after: moment)
    known.problems = (moment.instant..<end, found)
    return found
  }

  /// Also nil if nothing has asked for the problems of that moment.
  package func nextProblemChange(after instant: Instant) -> Instant? {
    known.problems.flatMap { $0.while.contains(instant) ? $0.while.upperBound : nil }
  }

  // MARK: Marks

  package var newestSession: Instant? { items.newestFileDate }

  package func knownIDs(for intent: StoredIntent) -> [RecordID] {
    items.counting.compactMap(\.item.id).map { RecordID($0) }
  }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool { isKnown(intent) }

  private func isKnown(_ intent: StoredIntent) -> Bool {
    intent.target.map { items.fileDate(ofItem: $0.id.text) != nil } ?? false
  }
}
