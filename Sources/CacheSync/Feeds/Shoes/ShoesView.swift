/// The shoes at a moment: the files' records, changed by the intents in force (feeds.md: intents).
struct ShoesView {
  let feed: ShoesFeed
  let moment: Moment
  private let overlay: ShoeOverlay
  /// When the first intent in force ended the open sessions; nil: none is in force.
  private let firstEnding: Instant?
  /// The sessions that intents in force opened.
  private let added: ArraySlice<ShoesSession.Wearing>

  /// Collects the state at a moment, and reports its sources and age to the projection; nil without a usable file.
  init?(_ feeds: FeedSet, at moment: Moment, for projection: inout Projection) {
    guard let feed = feeds[ShoesFeed.self], !feed.isEmpty else { return nil }
    self.feed = feed
    self.moment = moment
    overlay = projection.cache(ShoeOverlay.self, feeds, moment)
    firstEnding = overlay.firstEnding(at: moment.instant)
    added = overlay.added(at: moment.instant)
    projection.sources.insert(all: feed.files.paths, of: ShoesFeed.name)
    projection.shows(feed.files.newestWritten)
    projection.showsUnusable = feed.files.showsUnusable
    overlay.describe(at: moment.instant, in: &projection)
  }

  // MARK: The current shoe

  /// The shoe of the open session with the latest start, then the greatest id; nil if no file has that shoe.
  var current: (shoe: ShoesSession.Shoe, since: Instant)? {
    let session = firstEnding == nil ? feed.latestOpenSession : added.last.flatMap { $0.end == nil ? $0 : nil }
    guard let session, let shoe = feed.shoe(session.shoeId) else { return nil }
    return (shoe, session.start)
  }

  // MARK: Sums

  var today: ShoeAmount { amount(from: 0, through: 0) }

  /// Steps and kilometres of some days, numbered from today by their dates.
  func amount(from first: Int, through last: Int) -> ShoeAmount {
    let dates = moment.day.advanced(by: first)...moment.day.advanced(by: last)
    let stretch =
      moment.calendar.start(of: dates.lowerBound)..<moment.calendar.interval(of: dates.upperBound).upperBound
    var sum = feed.days.amount(on: dates, filling: stretch)
    // The days still count these sessions as open. Sessions that intents opened have neither steps nor distance.
    for (session, ended) in endedSessions {
      sum -= session.amount(within: stretch)
      sum += ended.amount(within: stretch)
    }
    return sum
  }

  /// The files' open sessions, as they are and as the first intent ends them.
  private var endedSessions: [(ShoesSession.Wearing, ended: ShoesSession.Wearing)] {
    guard let firstEnding else { return [] }
    return feed.openSessions.map { ($0, $0.ended(at: firstEnding)) }
  }

  /// The time of today's closed sessions within the day, in microseconds; overlapping time counts once.
  var activeMicroseconds: Int64 {
    let stretch = moment.calendar.interval(of: moment.day)
    // Sessions that intents opened follow one another.
    let firstToday = added.partitioningIndex { session in session.end.map { stretch.lowerBound < $0 } ?? true }
    let addedToday = added[firstToday...].prefix { $0.start < stretch.upperBound }
    let spans =
      feed.days.spans(on: moment.day, filling: stretch) + endedSessions.compactMap(\.ended.span)
      + addedToday.compactMap(\.span)
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

  /// How many days before today the habits cover (feeds.md: shoes).
  static let habitDays = 28

  /// How often each shoe was put on in the 28 days before today, and optionally today, at one occasion or at any. A
  /// session counts on the local date of its start.
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
      for (start, count) in overlay.starts(on: day, from: added.startIndex) {
        add(count, of: start.shoe, start.part, on: day)
      }
    }
    return counts
  }

  /// The slot of the moment on its kind of day.
  static func occasion(at moment: Moment) -> ShoeOccasion {
    ShoePart(of: moment.instant, on: moment.day, in: moment.calendar).occasion(on: moment.day, in: moment.calendar)
  }
}
