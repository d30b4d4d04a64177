import CacheSyncSystem

/// The shoes at a moment: the files' records, changed by the intents in force (feeds.md: intents).
struct ShoesView {
  let feed: ShoesFeed
  /// The person's plans; nil: none are known.
  let events: EventsFeed?
  let moment: Moment
  let options: OptionValues
  /// When the first intent in force ended the open sessions; nil: none is in force.
  private let firstEnding: Instant?
  /// The sessions that intents in force opened, in order. Every intent ends all open ones, so all except the last are closed,
  /// and none has steps.
  private let added: [ShoesSession.Wearing]

  /// Collects the state at a moment, and reports its sources and age to the projection; nil without a usable file.
  init?(_ feeds: FeedSet, at moment: Moment, for projection: inout Projection) {
    guard let feed = feeds[ShoesFeed.self], !feed.isEmpty else { return nil }
    self.feed = feed
    feed.whole = feeds.whole(ShoesFeed.self)
    self.moment = moment
    events = feeds[EventsFeed.self]
    options = projection.options
    // An intent that names an unknown shoe has no effect.
    let inForce = feeds.intents(on: ShoesFeed.self, at: moment.instant).filter { feed.knows($0.intent) }
    let ends = inForce.dropFirst().map(\.intent.at) + [nil]
    firstEnding = inForce.first?.intent.at
    added = zip(inForce, ends).compactMap { item, end in
      guard case .start(let id, let file) = item.intent.action as? ShoeIntent else { return nil }
      var session = ShoesSession.Wearing(
        id: item.intent.addedID, shoeId: id, start: item.intent.at, end: end, steps: 0, distance: 0)
      session.origin.path = feed.shoe(id, in: file)?.origin.path ?? .root
      return session
    }
    projection.sources.insert(all: feed.files.paths, of: ShoesFeed.name)
    projection.shows(feed.files.newestWritten)
    projection.showsUnusable = feed.files.showsUnusable
    for item in inForce { projection.sources.insert(item.path) }
    if inForce.contains(where: \.isUnusable) { projection.showsUnusable = true }
  }

  // MARK: The current shoe

  /// A shoe that readers show, and since when it has been worn; nil: it is not worn.
  typealias Shown = (shoe: ShoesSession.Shoe, since: Instant?)

  /// The shoe of the open session with the latest start, then the greatest id; nil if no file has that shoe.
  var current: Shown? {
    guard let session = latestOpen(of: nil), let shoe = feed.shoe(session.shoe) else { return nil }
    return (shoe, session.start)
  }

  /// The shoe that a widget shows, or else the current one.
  var shown: Shown? {
    guard let chosen else { return current }
    guard let shoe = feed.shoe(chosen) else { return nil }
    return (shoe, latestOpen(of: shoe.key)?.start)
  }

  /// The open session with the latest start, then the greatest id.
  ///
  /// - Parameter shoe: nil: any.
  private func latestOpen(of shoe: RecordKey?) -> ShoesSession.Wearing? {
    func isAsked(_ session: ShoesSession.Wearing) -> Bool { shoe == nil || feed.shoe(session.shoe)?.key == shoe }
    if firstEnding != nil { return added.last.flatMap { $0.end == nil && isAsked($0) ? $0 : nil } }
    return feed.openSessions.lazy.filter(isAsked).max { ($0.start, $0.key) < ($1.start, $1.key) }
  }

  /// The one shoe of a widget.
  private var chosen: RecordID? { options[ShoeOptions.shoe].string.map { RecordID($0) } }

  // MARK: Sums

  var today: ShoeAmount {
    guard chosen != nil else { return amount(from: 0, through: 0) }
    let stretch = moment.calendar.interval(of: moment.day)
    return sessionsOfChosen.reduce(into: ShoeAmount.zero) { $0 += $1.amount(within: stretch) }
  }

  /// The sessions of the widget's shoe, as the first intent ends them, and those that intents opened.
  private var sessionsOfChosen: [ShoesSession.Wearing] {
    guard let chosen = chosen.flatMap(feed.shoe)?.key else { return [] }
    let held = feed.sessions(of: chosen).map { session in
      session.end == nil ? firstEnding.map(session.ended) ?? session : session
    }
    return held + added.filter { feed.shoe($0.shoe)?.key == chosen }
  }

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
      chosen != nil
      ? sessionsOfChosen.compactMap(\.span)
      : feed.days.spans(on: moment.day, filling: stretch) + endedSessions.compactMap(\.ended.span)
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
  func starts(includingToday: Bool, at occasion: ShoeOccasion? = nil) -> [RecordKey: Int] {
    let calendar = moment.calendar
    let dates = moment.day.advanced(by: -Self.habitDays)...moment.day.advanced(by: includingToday ? 0 : -1)
    var counts: [RecordKey: Int] = [:]
    func add(_ count: Int, of shoe: RecordKey, _ part: ShoePart, on day: LocalDay) {
      if let occasion, part.occasion(on: day, in: calendar) != occasion { return }
      counts[feed.name(of: shoe), default: 0] += count
    }
    for ordinal in dates.lowerBound.ordinal...dates.upperBound.ordinal {
      let day = LocalDay(ordinal: ordinal)
      for (start, count) in feed.days[day]?.starts ?? [:] { add(count, of: start.shoe, start.part, on: day) }
    }
    for session in added {
      let day = calendar.day(of: session.start)
      if dates.contains(day) { add(1, of: session.shoe, ShoePart(of: session.start, on: day, in: calendar), on: day) }
    }
    return Dictionary(counts.map { (feed.shoe($0)?.key ?? $0, $1) }, uniquingKeysWith: +)
  }

  /// From the moment to the end of its slot.
  var restOfSlot: Range<Instant> {
    let (calendar, day) = (moment.calendar, moment.day)
    let next = ShoeSlot.hours.map { calendar.firstInstant(of: day, hour: $0) }.first { moment.instant < $0 }
    let end = next ?? calendar.firstInstant(of: calendar.day(after: day), hour: ShoeSlot.hours[0])
    return moment.instant..<max(moment.instant, end)
  }

  /// The slot of the moment on its kind of day.
  static func occasion(at moment: Moment) -> ShoeOccasion {
    ShoePart(of: moment.instant, on: moment.day, in: moment.calendar).occasion(on: moment.day, in: moment.calendar)
  }
}
