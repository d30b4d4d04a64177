/// The shoes as of a moment: the files' records, and over them the intents in force (FEEDS: intents).
struct ShoesView {
  let feed: ShoesFeed
  let moment: Moment
  /// The intents that have an effect, in the order in which they act.
  let applied: [IntentsFeed.InForce]
  /// The sessions that intents opened; all but the last are closed, and none has steps.
  private let added: [StoredShoes.Session]

  /// Nil without a usable file.
  init?(_ feeds: FeedSet, at moment: Moment) {
    guard let feed = feeds[ShoesFeed.self], !feed.isEmpty else { return nil }
    self.feed = feed
    self.moment = moment
    applied = feeds.intents(on: ShoesFeed.self, at: moment.instant).filter { feed.knows($0.intent) }
    added = Self.sessions(openedBy: applied)
  }

  private static func sessions(openedBy intents: [IntentsFeed.InForce]) -> [StoredShoes.Session] {
    intents.indices.compactMap { index in
      let intent = intents[index].intent
      guard case .startSession(let shoe) = intent.action else { return nil }
      // Every later intent ends all open sessions, whatever else it does.
      let end = intents.indices.contains(index + 1) ? intents[index + 1].intent.at : nil
      return StoredShoes.Session(
        id: RecordID("intent:" + intent.id), shoeID: shoe, start: intent.at, end: end, steps: 0, distance: 0)
    }
  }

  /// Tells a projection where its content comes from and how old it is.
  func describe(in projection: inout Projection) {
    projection.sources.insert(all: feed.files.census, of: ShoesFeed.name)
    for intent in applied { projection.sources.insert(intent.path) }
    projection.shows(feed.files.newestWritten)
    projection.showsUnusable = feed.files.showsUnusable || applied.contains { $0.isUnusable }
  }

  // MARK: The current shoe

  /// The open session with the latest start, then the greatest id; and its shoe, if anyone knows it.
  var current: (shoe: StoredShoes.Shoe, since: Instant)? {
    let session = applied.isEmpty ? feed.latestOpenSession : added.last.flatMap { $0.end == nil ? $0 : nil }
    guard let session, let shoe = feed.shoe(session.shoeID) else { return nil }
    return (shoe, session.start)
  }

  // MARK: Sums

  var today: ShoeAmount { amount(from: 0, through: 0) }

  /// Steps and kilometres of some days, counted from today by their dates.
  func amount(from first: Int, through last: Int) -> ShoeAmount {
    let dates = moment.day.advanced(by: first)...moment.day.advanced(by: last)
    let stretch =
      moment.calendar.start(of: dates.lowerBound)..<moment.calendar.interval(of: dates.upperBound).upperBound
    var sum = feed.days.amount(on: dates, filling: stretch)
    // The days hold open sessions as open; what intents opened has neither steps nor distance.
    for (session, ended) in endedSessions {
      sum -= session.amount(within: stretch)
      sum += ended.amount(within: stretch)
    }
    return sum
  }

  /// The open sessions of the files, as they are and as the first intent ends them.
  private var endedSessions: [(StoredShoes.Session, ended: StoredShoes.Session)] {
    guard let first = applied.first else { return [] }
    return feed.openSessions.map { ($0, $0.ended(at: first.intent.at)) }
  }

  /// The time of today's closed sessions within the day, in microseconds; where they overlap it counts once.
  var activeMicroseconds: Int64 {
    let stretch = moment.calendar.interval(of: moment.day)
    let spans =
      feed.days.spans(on: moment.day, filling: stretch) + (endedSessions.map(\.ended) + added).compactMap(\.span)
    var total: Int64 = 0
    var reached = stretch.lowerBound
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let end = min(span.upperBound, stretch.upperBound)
      let start = max(span.lowerBound, reached)
      guard start < end else { continue }
      total += (start..<end).microseconds
      reached = end
    }
    return total
  }

  // MARK: Habits

  /// How many days before today habits are read from (FEEDS: shoes).
  static let habitDays = 28

  /// How often each shoe was put on in the 28 days before today, and today too if that is asked for; at an occasion, or at
  /// any. Days are counted by the local date of a session's start.
  func starts(includingToday: Bool, at occasion: ShoeOccasion? = nil) -> [RecordID: Int] {
    let calendar = moment.calendar
    let dates = moment.day.advanced(by: -Self.habitDays)...moment.day.advanced(by: includingToday ? 0 : -1)
    var counts: [RecordID: Int] = [:]
    func add(_ count: Int, of shoe: RecordID, _ part: ShoePart, on day: LocalDay) {
      if let occasion, part.occasion(on: day, in: calendar) != occasion { return }
      counts[shoe, default: 0] += count
    }
    for ordinal in dates.lowerBound.ordinal...dates.upperBound.ordinal {
      let day = LocalDay(ordinal: ordinal)
      for (start, count) in feed.days[day]?.starts ?? [:] { add(count, of: start.shoe, start.part, on: day) }
    }
    for session in added {
      let day = calendar.day(of: session.start)
      guard dates.contains(day) else { continue }
      add(1, of: session.shoeID, ShoePart(of: session.start, on: day, in: calendar), on: day)
    }
    return counts
  }

  /// The slot of the moment on its kind of day.
  static func occasion(at moment: Moment) -> ShoeOccasion {
    ShoePart(of: moment.instant, on: moment.day, in: moment.calendar).occasion(on: moment.day, in: moment.calendar)
  }
}
