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
    /// Why the timeline changes here.
    package var reasons: [Boundary.Reason]

    package static func == (a: Entry, b: Entry) -> Bool {
      a.date == b.date && a.state == b.state && a.content == b.content
    }
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
    // On the last day of the calendar there is nothing to reach for.
    let end = max(firstInstant(afterDays: reachingDays ?? reach), moment.calendar.start(of: moment.day))
    let fixed = fixedBoundaries(of: kind, until: end)
    let start = fixed.lastIndex { $0.date <= moment.instant } ?? 0
    var queue = BoundaryQueue(fixed: fixed[start...], until: end) { kind.boundaries(feeds, moment, $0) }

    let limit = maximumEntries ?? (reachingDays == nil ? kind.maximumEntries : nil) ?? .max
    var entries = [entryInForce(&evaluation, queue: &queue, until: end)]
    var staleAt = evaluation.staleBoundary
    insertStaleBoundary(&queue, evaluation, after: moment.instant, until: end)
    while entries.count <= limit, let candidate = queue.next() {
      let (state, content) = evaluation.evaluate(at: candidate.date)
      insertStaleBoundary(&queue, evaluation, after: candidate.date, until: end)
      let last = entries[entries.count - 1]
      guard candidate.isFixed || last.state != state || last.content != content else { continue }
      let entry = Timeline.Entry(date: candidate.date, state: state, content: content, reasons: candidate.reasons)
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
    let entry = Timeline.Entry(date: .referenceDate, state: state, content: content, reasons: [])
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
      boundaries.append(Boundary(start, DayReason.midnight(of: day, in: moment.calendar)))
      for hour in kind.hours {
        let date = moment.calendar.firstInstant(of: day, hour: hour)
        guard let last = boundaries.last, last.date < date else { continue }
        boundaries.append(Boundary(date, .words("the hour \(hour < 10 ? "0" : "")\(hour):00")))
      }
      day = moment.calendar.day(after: day)
      // Today's first instant is there in any case, also on the last day of the calendar, which has no end.
      if moment.calendar.start(of: day) >= end { return boundaries }
    }
  }

  /// The entry in force at the moment: dated by the latest boundary not after it.
  ///
  /// The candidates before the moment are walked backwards, because all but the last that makes a difference are past.
  private func entryInForce(_ evaluation: inout Evaluation, queue: inout BoundaryQueue, until end: Instant)
    -> Timeline.Entry
  {
    var past = queue.popThrough(moment.instant)
    var index = past.count - 1
    var (state, content) = evaluation.evaluate(at: past[index].date)
    if let stale = evaluation.staleBoundary, evaluation.kind.staleHasEntry, stale <= moment.instant {
      past.append(BoundaryQueue.Candidate(stale, DayReason.stale))
      index += 1
      (state, content) = evaluation.evaluate(at: stale)
    }
    while index > 0 {
      let (earlierState, earlierContent) = evaluation.evaluate(at: past[index - 1].date)
      if let stale = evaluation.staleBoundary, evaluation.kind.staleHasEntry, stale < past[index].date {
        // What the earlier boundary showed went stale before this one, which may have made no difference then.
        if evaluation.evaluate(at: stale) == (state, content) {
          past[index] = BoundaryQueue.Candidate(stale, DayReason.stale)
        }
        break
      }
      if earlierState != state || earlierContent != content { break }
      index -= 1
    }
    let boundary = past[index]
    if past.count > 1 {
      // What was only looked at on the way here is no source of the timeline.
      evaluation.forgetSources()
      (state, content) = evaluation.evaluate(at: boundary.date)
    }
    // What is stale by now is published so, also where going stale gives no entry.
    if state == .current, evaluation.isStale(at: moment.instant) { state = .stale }
    return Timeline.Entry(date: boundary.date, state: state, content: content, reasons: boundary.reasons)
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

  mutating func forgetSources() { projection.forgetSources() }

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
///
/// What lies between two fixed boundaries is asked for when the walk comes there, because a timeline that has all the
/// entries it may have looks no further.
private struct BoundaryQueue {
  /// All boundaries of one moment.
  struct Candidate {
    var date: Instant
    var isFixed = false
    var reasons: [Boundary.Reason]

    init(_ date: Instant, _ reason: Boundary.Reason, isFixed: Bool = false) {
      self.date = date
      self.isFixed = isFixed
      reasons = [reason]
    }
  }

  private var fixed: ArraySlice<Boundary>
  private let end: Instant
  private let between: (Range<Instant>) -> [Boundary]
  private var others: [Boundary] = []  // descending, so that the next is last
  private var isSorted = true

  init(fixed: ArraySlice<Boundary>, until end: Instant, between: @escaping (Range<Instant>) -> [Boundary]) {
    self.fixed = fixed
    self.end = end
    self.between = between
  }

  mutating func insert(_ boundary: Boundary) {
    if let last = others.last, last.date < boundary.date { isSorted = false }
    others.append(boundary)
  }

  mutating func next() -> Candidate? {
    sort()
    guard let date = nextDate else { return nil }
    var candidate: Candidate?
    if let first = fixed.first, first.date == date {
      candidate = Candidate(date, first.reason, isFixed: true)
      fixed.removeFirst()
      insertStretch(from: date)
    }
    while let other = others.last, other.date == date {
      others.removeLast()
      if candidate == nil { candidate = Candidate(date, other.reason) } else { candidate?.reasons.append(other.reason) }
    }
    return candidate
  }

  /// Takes in what lies from a fixed boundary on to the next, or to the end.
  private mutating func insertStretch(from date: Instant) {
    let stretch = date..<max(date, fixed.first?.date ?? end)
    for boundary in between(stretch) where stretch.contains(boundary.date) { insert(boundary) }
    sort()
  }

  private var nextDate: Instant? {
    guard let first = fixed.first?.date else { return others.last?.date }
    return others.last.map { min($0.date, first) } ?? first
  }

  /// Takes out every boundary up to a moment, ascending; the first of all in any case, because something is in force also
  /// before the first day of the calendar.
  mutating func popThrough(_ moment: Instant) -> [Candidate] {
    var past: [Candidate] = []
    sort()
    while let date = nextDate, date <= moment || past.isEmpty, let next = next() { past.append(next) }
    return past
  }

  private mutating func sort() {
    if !isSorted { others.sort { $0.date > $1.date } }
    isSorted = true
  }
}
