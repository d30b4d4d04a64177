import CacheSyncSystem

/// The effect of intents on shoes, over the moments of a timeline (feeds.md: intents).
///
/// Every intent ends all open sessions, whatever else it does. So the sessions that intents open begin and end at the
/// same times at every moment, and those that count are all from an index on.
final class ShoeOverlay: TimelineCache {
  let since: Instant
  private var window: IntentWindow
  /// The sessions that intents open, in order. All except the last are closed, and none has steps.
  private let sessions: [ShoesSession.Wearing]
  /// The indices of the sessions that begin on a day, ascending.
  private let places: [LocalDay: [ShoeDays.Start: [Int]]]

  init(_ feeds: FeedSet, since: Instant, in calendar: CivilCalendar, _ options: OptionValues) {
    self.since = since
    let feed = feeds[ShoesFeed.self]
    // An intent that names an unknown shoe has no effect.
    let intents = feeds.intents(on: ShoesFeed.self, at: since).filter { feed?.knows($0.intent) ?? false }
    window = IntentWindow(intents)
    sessions = intents.indices.compactMap { place in
      let intent = intents[place].intent
      guard case .start(let id, let file) = intent.action as? ShoeIntent else { return nil }
      let end = intents.indices.contains(place + 1) ? intents[place + 1].intent.at : nil
      var session = ShoesSession.Wearing(
        id: intent.addedID, shoeId: id, start: intent.at, end: end, steps: 0, distance: 0)
      session.origin.path = feed?.shoe(id, in: file)?.origin.path ?? .root
      return session
    }
    var places: [LocalDay: [ShoeDays.Start: [Int]]] = [:]
    for (place, session) in sessions.enumerated() {
      let day = calendar.day(of: session.start)
      let part = ShoePart(of: session.start, on: day, in: calendar)
      places[day, default: [:]][ShoeDays.Start(shoe: session.shoe, part: part), default: []].append(place)
    }
    self.places = places
  }

  /// When the first intent in force at a moment acted, which ended every open session; nil: none is in force.
  func firstEnding(at moment: Instant) -> Instant? {
    let start = window.start(at: moment)
    return start < window.intents.count ? window.intents[start].intent.at : nil
  }

  /// The sessions that intents in force at a moment opened, in order.
  func added(at moment: Instant) -> ArraySlice<ShoesSession.Wearing> {
    sessions[sessions.partitioningIndex { moment < $0.start.advanced(by: StoredIntent.lifetime) }...]
  }

  /// How often each shoe was put on on a day, counting sessions from an index on.
  func starts(on day: LocalDay, from first: Int) -> [(ShoeDays.Start, count: Int)] {
    (places[day] ?? [:]).compactMap { start, places in
      let count = places.count - places.partitioningIndex { $0 >= first }
      return count == 0 ? nil : (start, count)
    }
  }

  /// Reports to a projection the files of the intents in force at a moment.
  func describe(at moment: Instant, in projection: inout Projection) {
    window.describe(from: window.start(at: moment), in: &projection)
  }
}
