/// One kind's entries from a moment on, as readers receive them.
package struct Timeline: Sendable {
  package struct Entry: Sendable, Equatable {
    /// From when the entry is in force.
    package var date: Instant
    package var state: SnapshotState
    /// The content, as JSON.
    package var content: [UInt8]
  }

  /// A moment at which another entry comes into force, or the one in force changes its state.
  package struct Change: Sendable {
    package var date: Instant
    package var reasons: [Boundary.Reason]
  }

  package var entries: [Entry]
  /// The changes after the moment, ascending, including those without an entry. They go up to ``reloadAfter``, which is
  /// included if the first entry that was left out begins there.
  package var changes: [Change]
  /// The first boundary that was left out, by the limit of entries or of work; nil: none was.
  package var firstLeftOut: Instant?
  /// When the timeline's reach ends, or ``firstLeftOut``; nil if there are no boundaries.
  package var reloadAfter: Instant?
  package var sources: Sources
  /// Whether the entry in force is stale by its age.
  package var isOld = false

  /// The next moment at which this kind must be computed again; nil if there are no boundaries.
  package var nextChange: Instant? { changes.first?.date ?? reloadAfter }
}

/// Computes timelines: a pure function of the files (as the feeds hold them), the settings and the moment.
package struct TimelineProjector {
  package let feeds: FeedSet
  package let moment: Moment
  /// The age at which shown data become stale; nil: never.
  package let staleAfter: StaleAges

  package init(feeds: FeedSet, moment: Moment, staleAfter: StaleAges = StaleAges()) {
    self.feeds = feeds
    self.moment = moment
    self.staleAfter = staleAfter
  }

  /// How far to look for coming changes of a kind. The limit of entries does not apply.
  package struct Search {
    /// Days to look at, including today.
    package var days: Int
    /// The search ends after changes in that many different seconds.
    package var seconds: Int
    /// How much work the search may take, in multiples of one timeline's.
    package var timelines: Int

    package init(days: Int, seconds: Int = .max, timelines: Int = 1) {
      self.days = days
      self.seconds = seconds
      self.timelines = timelines
    }
  }

  /// Computes the timeline of a kind. It reaches as far as feeds.md says, or as far as the search does.
  package func timeline(of kind: Kind, search: Search? = nil) -> Timeline {
    guard case .days(let reach) = kind.reach else { return timelineWithoutBoundaries(of: kind) }
    // The last day of the calendar has no next midnight.
    let end = max(firstInstant(afterDays: search?.days ?? reach), moment.calendar.start(of: moment.day))
    let fixed = fixedBoundaries(of: kind, until: end)
    // Before the calendar's first day, the first boundary counts as in force.
    let start = fixed.lastIndex { $0.date <= moment.instant } ?? 0
    let shown = feeds.showing(kind)
    let queue = BoundaryQueue(fixed: fixed[start...], until: end) { kind.boundaries(shown, moment, $0) }
    let work = kind.maximumWork.map { $0 * (search?.timelines ?? 1) } ?? .max
    var walk = BoundaryWalk(Evaluation(kind: kind, projector: self), queue, maximumWork: work)

    var entries = [walk.entryInForce(at: max(moment.instant, fixed[start].date))]
    let isOld = walk.isOld(as: entries[0].state)
    var changes: [Timeline.Change] = []
    let limit = (search == nil ? kind.maximumEntries : nil) ?? .max
    var seconds = 0
    while entries.count <= limit, seconds < search?.seconds ?? .max, let boundary = walk.next(before: end) {
      if boundary.date.seconds != changes.last?.date.seconds { seconds += 1 }
      changes.append(Timeline.Change(date: boundary.date, reasons: boundary.reasons))
      guard boundary.hasEntry else { continue }
      let entry = Timeline.Entry(date: boundary.date, state: walk.state, content: walk.content)
      // Entries are dated in whole seconds: of two within one second, the later would hide the earlier.
      if let last = entries.last, last.date.seconds == entry.date.seconds, last.date > moment.instant {
        entries[entries.count - 1] = entry
      } else {
        entries.append(entry)
      }
    }
    let firstLeftOut = entries.count > limit ? entries.popLast()?.date : walk.leftOut(before: end)
    return Timeline(
      entries: entries, changes: changes, firstLeftOut: firstLeftOut, reloadAfter: firstLeftOut ?? end,
      sources: walk.sources, isOld: isOld)
  }

  private func timelineWithoutBoundaries(of kind: Kind) -> Timeline {
    var evaluation = Evaluation(kind: kind, projector: self)
    let (state, content) = evaluation.evaluate(at: moment.instant)
    let entry = Timeline.Entry(date: .referenceDate, state: state, content: content)
    return Timeline(
      entries: [entry], changes: [], firstLeftOut: nil, reloadAfter: nil, sources: evaluation.projection.sources,
      isOld: state == .stale && !evaluation.projection.showsUnusable)
  }

  /// The first instant of the n-th existing day after today.
  private func firstInstant(afterDays count: Int) -> Instant {
    var day = moment.day
    for _ in 0..<count { day = moment.calendar.day(after: day) }
    return moment.calendar.start(of: day)
  }

  /// The midnights in reach and the hours that have an entry of their own, ascending. The first is today's first
  /// instant.
  private func fixedBoundaries(of kind: Kind, until end: Instant) -> [Boundary] {
    var boundaries: [Boundary] = []
    var day = moment.day
    while true {
      let start = moment.calendar.start(of: day)
      boundaries.append(Boundary(start, DayReason.midnight(of: day, in: moment.calendar)))
      for hour in kind.hours {
        let date = moment.calendar.firstInstant(of: day, hour: hour)
        guard let last = boundaries.last, last.date < date else { continue }
        boundaries.append(Boundary(date, .words("the hour \(hour < 10 ? "0" : "")\(hour):00")))
      }
      day = moment.calendar.day(after: day)
      // The list always has today's first instant, even on the last day of the calendar, which has no end.
      if moment.calendar.start(of: day) >= end { return boundaries }
    }
  }
}

/// The reasons of boundaries that belong to no feed.
package enum DayReason {
  package static func midnight(of day: LocalDay, in calendar: CivilCalendar) -> Boundary.Reason {
    let hours = calendar.hours(of: day)
    guard hours != 24 else { return .words("local midnight") }
    let text = hours == hours.rounded() ? String(Int(hours)) : String(hours)
    return .words("local midnight; clocks go \(hours < 24 ? "forward" : "back"): the day has \(text) hours")
  }

  package static let stale = Boundary.Reason.words("what is shown goes stale")
}

/// Runs a kind's rule at one moment after another.
private struct Evaluation {
  let kind: Kind
  let projector: TimelineProjector
  private let feeds: FeedSet
  var projection: Projection
  /// When the content of the last evaluation becomes stale, or became stale; nil: it does not age.
  private(set) var staleBoundary: Instant?

  init(kind: Kind, projector: TimelineProjector) {
    self.kind = kind
    self.projector = projector
    feeds = projector.feeds.showing(kind)
    projection = Projection(OptionValues(kind.widget?.options ?? [:]))
  }

  mutating func evaluate(at instant: Instant) -> (state: SnapshotState, content: [UInt8]) {
    projection.begin()
    kind.project(feeds, projector.moment.at(instant), &projection)
    staleBoundary = nil
    if projection.state == .current, !projection.showsUnusable, let age = projector.staleAfter.age(of: kind),
      let newest = projection.newest
    {
      staleBoundary = newest.advanced(by: age)
    }
    return (state(at: instant), projection.json.bytes)
  }

  private func state(at instant: Instant) -> SnapshotState {
    switch projection.state {
    case .empty: .empty
    case .placeholder: .placeholder
    case .current: projection.showsUnusable || staleBoundary.map { $0 <= instant } ?? false ? .stale : .current
    }
  }
}

/// Steps from one boundary of a kind to the next. It begins at a fixed boundary, because those always have an entry.
private struct BoundaryWalk {
  struct Step {
    var date: Instant
    var reasons: [Boundary.Reason]
    /// Whether an entry begins here.
    var hasEntry: Bool
  }

  private var evaluation: Evaluation
  private var queue: BoundaryQueue
  private let maximumWork: Int
  private var evaluationCount = 0
  /// The state and content in force since the last boundary.
  private(set) var state = SnapshotState.empty
  private(set) var content: [UInt8] = []

  init(_ evaluation: Evaluation, _ queue: BoundaryQueue, maximumWork: Int) {
    self.evaluation = evaluation
    self.queue = queue
    self.maximumWork = maximumWork
  }

  /// Whether the limit of work is reached, so that no more boundaries are evaluated.
  private var isTooMuchWork: Bool { evaluation.projection.work >= maximumWork }

  var sources: Sources { evaluation.projection.sources }

  /// Whether what was evaluated last is stale by its age.
  func isOld(as state: SnapshotState) -> Bool { state == .stale && !evaluation.projection.showsUnusable }

  /// Steps to the next boundary before a moment that is fixed, or at which content or state changes; nil: there is
  /// none.
  mutating func next(before limit: Instant) -> Step? {
    while !isTooMuchWork, let candidate = queue.next(before: limit) {
      let (newState, newContent) = evaluation.evaluate(at: candidate.date)
      evaluationCount += 1
      queue.stale = evaluation.staleBoundary.flatMap { $0 > candidate.date ? $0 : nil }
      guard candidate.isFixed || newState != state || newContent != content else { continue }
      let onlyGoesStale = !candidate.isFixed && newContent == content && newState == .stale
      (state, content) = (newState, newContent)
      return Step(
        date: candidate.date, reasons: candidate.reasons, hasEntry: evaluation.kind.staleHasEntry || !onlyGoesStale)
    }
    return nil
  }

  /// Steps to a moment and returns the entry in force: it has the date of the last boundary with an entry, and the
  /// state of the moment.
  mutating func entryInForce(at moment: Instant) -> Timeline.Entry {
    // The walk starts at a fixed boundary that is not after the moment, so the loop always sets the date.
    var date = moment
    while let step = next(before: moment + .microseconds(1)) {
      if step.hasEntry { date = step.date }
    }
    var isBehind = false
    if isTooMuchWork {
      // Too much work to look for changes on the way, so the last boundary counts in any case.
      while let candidate = queue.next(before: moment + .microseconds(1)) {
        date = candidate.date
        isBehind = true
      }
    }
    if isBehind {
      evaluation.projection.removeSources()
      (state, content) = evaluation.evaluate(at: date)
      queue.stale = evaluation.staleBoundary.flatMap { $0 > moment ? $0 : nil }
      if let stale = evaluation.staleBoundary, stale <= moment, state == .current { state = .stale }
    } else if evaluationCount > 1 {
      // Files that only earlier evaluations read are not sources of the timeline.
      evaluation.projection.removeSources()
      _ = evaluation.evaluate(at: date)
    }
    return Timeline.Entry(date: date, state: state, content: content)
  }

  /// The first boundary before a moment that the limit of work left out; nil: none was left out.
  mutating func leftOut(before limit: Instant) -> Instant? { isTooMuchWork ? queue.next(before: limit)?.date : nil }
}

/// Boundaries in ascending order: fixed ones, which always have an entry, and others, which may change nothing.
///
/// The queue asks the kind for the boundaries between two fixed ones only when the walk gets there, because a full
/// timeline needs no later ones.
private struct BoundaryQueue {
  /// All boundaries of one moment.
  struct Candidate {
    var date: Instant
    var isFixed = false
    var reasons: [Boundary.Reason] = []
  }

  private var fixed: ArraySlice<Boundary>
  private let end: Instant
  private let between: (Range<Instant>) -> [Boundary]
  private var others: [Boundary] = []  // descending, so that the next is last
  /// When the entry in force becomes stale, unless something else changes it earlier.
  var stale: Instant?

  init(fixed: ArraySlice<Boundary>, until end: Instant, between: @escaping (Range<Instant>) -> [Boundary]) {
    self.fixed = fixed
    self.end = end
    self.between = between
  }

  mutating func next(before limit: Instant) -> Candidate? {
    guard let date = [fixed.first?.date, others.last?.date, stale].compactMap(\.self).min(), date < limit else {
      return nil
    }
    var candidate = Candidate(date: date)
    if let first = fixed.first, first.date == date {
      candidate.isFixed = true
      candidate.reasons.append(first.reason)
      fixed.removeFirst()
      enterStretch(from: date)
    }
    while let other = others.last, other.date == date {
      others.removeLast()
      candidate.reasons.append(other.reason)
    }
    if stale == date {
      stale = nil
      candidate.reasons.append(DayReason.stale)
    }
    return candidate
  }

  /// Asks the kind for the boundaries from a fixed one to the next, or to the end.
  private mutating func enterStretch(from date: Instant) {
    let stretch = date..<max(date, fixed.first?.date ?? end)
    others = between(stretch).filter { stretch.contains($0.date) }.sorted { $0.date > $1.date }
  }
}
