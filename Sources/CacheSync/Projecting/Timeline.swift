/// One kind's entries from a moment on, as readers get them.
package struct Timeline: Sendable {
  package enum State: String, Sendable {
    case empty, placeholder, stale, current
  }

  package struct Entry: Sendable, Equatable {
    /// From when the entry is in force.
    package var date: Instant
    package var state: State
    /// The content, as JSON.
    package var content: [UInt8]
    /// Why the timeline changes here, for people.
    package var reason: String
  }

  package var entries: [Entry]
  /// When the timeline's reach ends, or the first boundary that was left out; nil without boundaries.
  package var reloadAfter: Instant?
  package var sources: Sources
  /// The next moment at which this kind must be computed again; nil without boundaries.
  package var nextChange: Instant?
}

/// Computes timelines: a pure function of the files (as the feeds hold them), the settings and the moment.
package struct TimelineProjector {
  package let feeds: FeedSet
  package let moment: Moment
  /// How old what is shown may be before it is stale; nil: any age.
  package let staleAfter: Duration?

  package init(feeds: FeedSet, moment: Moment, staleAfter: Duration?) {
    self.feeds = feeds
    self.moment = moment
    self.staleAfter = staleAfter
  }

  /// The timeline of a kind, reaching as far as FEEDS says or, for looking ahead, over a number of days of one's own.
  package func timeline(of kind: Kind, reachingDays: Int? = nil, maximumEntries: Int? = nil) -> Timeline {
    guard case .days(let reach) = kind.reach else { return timelineWithoutBoundaries(of: kind) }
    var evaluation = Evaluation(kind: kind, projector: self)
    let end = firstInstant(afterDays: reachingDays ?? reach)
    let fixed = fixedBoundaries(of: kind, until: end)
    let start = fixed.lastIndex { $0.date <= moment.instant } ?? 0
    var queue = BoundaryQueue(fixed: fixed[start...])
    for boundary in kind.boundaries(feeds, moment, fixed[start].date..<end)
    where boundary.date > fixed[start].date && boundary.date < end {
      queue.insert(boundary)
    }

    let limit = maximumEntries ?? (reachingDays == nil ? kind.maximumEntries : nil) ?? .max
    var entries = [entryInForce(&evaluation, queue: &queue, until: end)]
    var staleAt = evaluation.staleBoundary
    insertStaleBoundary(&queue, evaluation, after: moment.instant, until: end)
    while entries.count <= limit, let (boundary, isFixed) = queue.next() {
      let (state, content) = evaluation.evaluate(at: boundary.date)
      insertStaleBoundary(&queue, evaluation, after: boundary.date, until: end)
      let last = entries[entries.count - 1]
      guard isFixed || last.state != state || last.content != content else { continue }
      let entry = Timeline.Entry(date: boundary.date, state: state, content: content, reason: boundary.reason)
      // Entries are dated in whole seconds: of two within one second the later would hide the earlier.
      if last.date.seconds == entry.date.seconds, last.date > moment.instant {
        entries[entries.count - 1] = entry
      } else {
        entries.append(entry)
      }
    }
    var reloadAfter = end
    if entries.count > limit, let leftOut = entries.popLast() { reloadAfter = leftOut.date }
    if kind.staleHasEntry || entries[0].state == .stale { staleAt = nil }
    let next = entries.count > 1 ? entries[1].date : reloadAfter
    return Timeline(
      entries: entries, reloadAfter: reloadAfter, sources: evaluation.projection.sources,
      nextChange: staleAt.map { min($0, next) } ?? next)
  }

  private func timelineWithoutBoundaries(of kind: Kind) -> Timeline {
    var evaluation = Evaluation(kind: kind, projector: self)
    let (state, content) = evaluation.evaluate(at: moment.instant)
    let entry = Timeline.Entry(date: .referenceDate, state: state, content: content, reason: "")
    return Timeline(
      entries: [entry], reloadAfter: nil, sources: evaluation.projection.sources, nextChange: nil)
  }

  /// The first instant of the n-th existing day after today.
  private func firstInstant(afterDays count: Int) -> Instant {
    var day = moment.day
    for _ in 0..<count { day = moment.calendar.day(after: day) }
    return moment.calendar.start(of: day)
  }

  /// The midnights in reach and the hours that have an entry of their own, ascending; the first is today's first instant.
  private func fixedBoundaries(of kind: Kind, until end: Instant) -> [Boundary] {
    var boundaries: [Boundary] = []
    var day = moment.day
    while true {
      let start = moment.calendar.start(of: day)
      guard start < end else { return boundaries }
      boundaries.append(Boundary(start, DayReason.midnight(of: day, in: moment.calendar)))
      for hour in kind.hours {
        let date = moment.calendar.firstInstant(of: day, hour: hour)
        guard let last = boundaries.last, last.date < date else { continue }
        boundaries.append(Boundary(date, "\(hour < 10 ? "0" : "")\(hour):00"))
      }
      day = moment.calendar.day(after: day)
    }
  }

  /// The entry in force at the moment: dated by the latest boundary not after it.
  ///
  /// The candidates before the moment are walked backwards, because all but the last that makes a difference are past.
  private func entryInForce(_ evaluation: inout Evaluation, queue: inout BoundaryQueue, until end: Instant)
    -> Timeline.Entry
  {
    var past = queue.popThrough(moment.instant)
    if let stale = staleMomentBehind(&evaluation, past) { past.append(stale) }
    past.sort { $0.date < $1.date }
    var index = past.count - 1
    var (state, content) = evaluation.evaluate(at: past[index].date)
    while index > 0 {
      let (earlierState, earlierContent) = evaluation.evaluate(at: past[index - 1].date)
      if earlierState != state || earlierContent != content { break }
      index -= 1
      (state, content) = (earlierState, earlierContent)
    }
    let boundary = past[index]
    (state, content) = evaluation.evaluate(at: boundary.date)
    // What is stale by now is published so, also where going stale gives no entry.
    if state == .current, evaluation.isStale(at: moment.instant) { state = .stale }
    return Timeline.Entry(date: boundary.date, state: state, content: content, reason: boundary.reason)
  }

  /// Where what is shown went stale between the last boundary and the moment.
  private func staleMomentBehind(_ evaluation: inout Evaluation, _ past: [Boundary]) -> Boundary? {
    guard evaluation.kind.staleHasEntry, staleAfter != nil, let last = past.last else { return nil }
    let state = evaluation.evaluate(at: last.date).state
    guard state == .current, let stale = evaluation.staleBoundary, stale > last.date, stale <= moment.instant else {
      return nil
    }
    return Boundary(stale, DayReason.stale)
  }

  /// What is stale already, as of the boundary that was just evaluated, goes stale no more.
  private func insertStaleBoundary(
    _ queue: inout BoundaryQueue, _ evaluation: Evaluation, after date: Instant, until end: Instant
  ) {
    guard evaluation.kind.staleHasEntry, let stale = evaluation.staleBoundary, stale > date, stale < end else { return }
    queue.insert(Boundary(stale, DayReason.stale))
  }
}

/// Words for boundaries that are no feed's own.
package enum DayReason {
  package static func midnight(of day: LocalDay, in calendar: CivilCalendar) -> String {
    let hours = calendar.hours(of: day)
    guard hours != 24 else { return "local midnight" }
    let text = hours == hours.rounded() ? String(Int(hours)) : String(hours)
    return "local midnight; clocks go \(hours < 24 ? "forward" : "back"): the day has \(text) hours"
  }

  package static let stale = "what is shown goes stale"
}

/// Runs a kind's rule at one moment after another.
private struct Evaluation {
  let kind: Kind
  let projector: TimelineProjector
  var projection = Projection()
  /// When what the last evaluation showed goes stale; nil when it never does or is already.
  private(set) var staleBoundary: Instant?

  init(kind: Kind, projector: TimelineProjector) {
    self.kind = kind
    self.projector = projector
  }

  mutating func evaluate(at instant: Instant) -> (state: Timeline.State, content: [UInt8]) {
    projection.begin()
    kind.project(projector.feeds, projector.moment.at(instant), &projection)
    staleBoundary = nil
    if projection.state == .current, !projection.showsUnusable, let age = projector.staleAfter,
      let newest = projection.newest
    {
      staleBoundary = newest.advanced(by: age)
    }
    return (state(at: instant), projection.json.bytes)
  }

  func isStale(at instant: Instant) -> Bool { staleBoundary.map { $0 <= instant } ?? false }

  private func state(at instant: Instant) -> Timeline.State {
    switch projection.state {
    case .empty: .empty
    case .placeholder: .placeholder
    case .current: projection.showsUnusable || isStale(at: instant) ? .stale : .current
    }
  }
}

/// Boundaries in ascending order: those that always have an entry, and those that may turn out to change nothing.
private struct BoundaryQueue {
  private var fixed: ArraySlice<Boundary>
  private var others: [Boundary] = []  // descending, so that the next is last
  private var isSorted = true

  init(fixed: ArraySlice<Boundary>) { self.fixed = fixed }

  mutating func insert(_ boundary: Boundary) {
    if let last = others.last, last.date < boundary.date { isSorted = false }
    others.append(boundary)
  }

  mutating func next() -> (Boundary, isFixed: Bool)? {
    sort()
    if let first = fixed.first {
      guard let other = others.last, other.date <= first.date else { return (fixed.removeFirst(), true) }
      others.removeLast()
      // The same moment twice is one boundary; the midnight's entry is made either way.
      return other.date == first.date ? next() : (other, false)
    }
    return others.popLast().map { ($0, false) }
  }

  /// Takes out every boundary up to a moment, ascending.
  mutating func popThrough(_ moment: Instant) -> [Boundary] {
    var past: [Boundary] = []
    sort()
    while let date = [fixed.first?.date, others.last?.date].compactMap(\.self).min(), date <= moment, let first = next()
    {
      past.append(first.0)
    }
    return past
  }

  private mutating func sort() {
    if !isSorted { others.sort { $0.date > $1.date } }
    isSorted = true
  }
}
