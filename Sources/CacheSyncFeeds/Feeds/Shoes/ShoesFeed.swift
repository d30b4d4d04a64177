package import CacheSyncSystem

/// The worn shoes, the distances, and the suggestions for what to wear next (feeds.md: shoes).
package final class ShoesFeed: BuiltInFeed, IntentTarget {
  package static let name: FeedName = "shoes"
  package static let heading: Phrase? = .shoesFeed
  package static let claims = CacheLayout.Claims(directories: ["shoes"])
  package static let kinds = [
    QuickSelectionKind.kind, DailyStatsKind.kind, SmartSuggestionsKind.kind, CurrentShoeKind.kind, ShoeStatusKind.kind,
  ]
  package static let links = DeepLink.Form.shoes
  package static let intents = [IntentType.selectShoe, .startSession, .endSession]

  private(set) var files = DatedFiles()
  private var shoes = RecordUnion<ShoesSession.Shoe>()
  private var sessions = RecordUnion<ShoesSession.Wearing>()
  /// For the files that have any.
  private var suggested: [CachePath: [ShoesSession.Suggestion]] = [:]
  private var suggesting = Ranking<Instant>()

  private var contexts: [CachePath: ShoesSession.Context] = [:]
  private var contextsByTime = SortedList<ContextByTime>()
  /// The sessions without an end: few, because a person ends them.
  private var open: [RecordKey: ShoesSession.Wearing] = [:]
  private(set) var days = ShoeDays()
  /// The shoes of the whole cache, among which ids are told apart, for a widget that shows only some files.
  weak var whole: ShoesFeed?
  /// The calendar of the indexed days: that of the last rebuild, or of the first file.
  private var calendar: CivilCalendar?

  package init() {}

  // MARK: Files

  package func put(_ session: ShoesSession, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar == nil { self.calendar = calendar }
    let path = file.path
    let date = files.put(file, written: session.lastUpdated)
    shoes.put(session.shoes ?? [], from: path, dated: date, in: calendar)
    let sessions = (session.sessions ?? []).map { session in
      var session = session
      session.written = date
      return session
    }
    index(self.sessions.put(sessions, from: path, dated: date, in: calendar))
    removeContext(of: path)
    if let context = session.context {
      contexts[path] = context
      contextsByTime.insert(ContextByTime(at: context.at, path: path))
    }
    guard let suggestions = session.suggestions, !suggestions.isEmpty else { return removeSuggestions(of: path) }
    suggested[path] = suggestions
    suggesting.put(date, for: path)
  }

  package func remove(_ path: CachePath) {
    files.remove(path)
    shoes.remove(path)
    index(sessions.remove(path))
    removeContext(of: path)
    removeSuggestions(of: path)
  }

  private func removeContext(of path: CachePath) {
    guard let context = contexts.removeValue(forKey: path) else { return }
    contextsByTime.remove(ContextByTime(at: context.at, path: path))
  }

  private func removeSuggestions(of path: CachePath) {
    suggested[path] = nil
    suggesting.remove(path)
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    days = ShoeDays()
    for session in sessions.records { days.insert(session, in: calendar) }
  }

  private func index(_ changes: [RecordUnion<ShoesSession.Wearing>.Change]) {
    // Without a calendar there has been no file.
    guard let calendar else { return }
    for change in changes {
      if let before = change.before {
        open[before.key] = nil
        days.remove(before, in: calendar)
      }
      if let after = change.after {
        if after.end == nil { open[after.key] = after }
        days.insert(after, in: calendar)
      }
    }
  }

  // MARK: Queries of projections

  var isEmpty: Bool { files.isEmpty }

  package var newestSession: Instant? { files.newest }

  /// The shoe with an id; of several the one that a file has, else that of the latest file.
  func shoe(_ named: RecordKey) -> ShoesSession.Shoe? {
    (shoes.named(named.id, in: named.path) ?? shoes.things(named.id).first).map(shared)
  }

  /// What names a shoe, the same in all files if only one shoe has the id.
  func name(of shoe: RecordKey) -> RecordKey {
    shoes.isShared(shoe.id) ? shoe : RecordKey(id: shoe.id, path: .root)
  }

  /// The shoe with an id; of several that of the latest file.
  func shoe(_ id: RecordID) -> ShoesSession.Shoe? { shoe(RecordKey(id: id, path: .root)) }

  private func shared(_ shoe: ShoesSession.Shoe) -> ShoesSession.Shoe {
    var shoe = shoe
    shoe.isShared = (whole ?? self).shoes.isShared(shoe.id)
    return shoe
  }

  /// The shoes that are not archived, in no order.
  var unarchivedShoes: some Sequence<ShoesSession.Shoe> {
    shoes.records.lazy.filter { $0.archived != true }.map(shared)
  }

  /// In no order.
  var openSessions: some Collection<ShoesSession.Wearing> { open.values }

  /// The suggestions of the file with the latest date that has any, then the greatest path.
  var suggestions: [(shoe: RecordKey, given: ShoesSession.Suggestion)] {
    guard let path = suggesting.greatest?.path else { return [] }
    return (suggested[path] ?? []).map { (RecordKey(id: $0.shoeId, path: path), $0) }
  }

  func sessions(of shoe: RecordKey) -> [ShoesSession.Wearing] {
    let isShared = shoes.isShared(shoe.id)
    return sessions.records.filter { $0.shoeId == shoe.id && (!isShared || self.shoe($0.shoe)?.key == shoe) }
  }

  /// How long a context counts.
  private static let contextLifetime = Duration.seconds(3 * 3_600)

  /// The place where the person is at a moment, as the app wrote it; nil: it is not known.
  func place(at moment: Instant) -> String? {
    guard let latest = contextsByTime.last(before: contextsByTime.position { $0.at <= moment }),
      moment < latest.at.advanced(by: Self.contextLifetime)
    else { return nil }
    return contexts[latest.path]?.place
  }

  /// The moments in a range at which the place may change.
  func placeChanges(in range: Range<Instant>) -> [Boundary] {
    let start = range.lowerBound.advanced(by: .zero - Self.contextLifetime)
    let near = contextsByTime.elements(
      from: contextsByTime.position { $0.at < start }, to: contextsByTime.position { $0.at < range.upperBound })
    return near.flatMap { context in
      [
        Boundary(context.at, .words("the place changes")),
        Boundary(context.at.advanced(by: Self.contextLifetime), .words("the place is no longer known")),
      ]
    }
  }

  // MARK: Days and intents

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let count = days.count(on: moment.day, in: moment.calendar)
    if count > 0 { json.member("sessions", count) }
    return count > 0
  }

  package func knownIDs(for intent: StoredIntent) -> [RecordID] { Array(Set(shoes.records.map(\.id))) }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool { knows(intent) }

  func knows(_ intent: StoredIntent) -> Bool {
    if case .start(let id, let file) = intent.action as? ShoeIntent { shoe(id, in: file) != nil } else { true }
  }

  /// The shoe that an intent names; nil: there is none, or several, and the file does not say which.
  func shoe(_ id: RecordID, in file: CachePath?) -> ShoesSession.Shoe? {
    (whole ?? self).shoes.named(id, in: file).flatMap { shoes.version(of: $0, in: CivilCalendar(.utc)) }
  }

  package func files(of intent: StoredIntent) -> [CachePath] {
    guard case .start(let id, _) = intent.action as? ShoeIntent, shoes.isShared(id) else { return [] }
    return shoes.things(id).map(\.origin.path).sorted()
  }

  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] {
    shoes.problems("shoes") + sessions.problems("sessions")
  }
}

/// A context in the order in which the last one counts: by time, then path.
private struct ContextByTime: Comparable {
  var at: Instant
  var path: CachePath

  static func < (a: ContextByTime, b: ContextByTime) -> Bool { a.at == b.at ? a.path < b.path : a.at < b.at }
}

extension ShoesSession.Shoe {
  /// By name, then id (feeds.md: shoes).
  func precedes(_ other: ShoesSession.Shoe) -> Bool {
    isSameText(name, other.name) ? id < other.id : isOrdered(name, before: other.name)
  }
}

extension ShoesFeed {
  package static let samples: FeedSamples = [
    "shoes/sample.json": """
    {"lastUpdated": "2026-11-24T10:00:00Z", "shoes": [
    {"id": "run", "name": "Pegasus", "brand": "Nike", "icon": "figure.run", "tags": ["gym", "park"]},
    {"id": "day", "name": "Everyday", "brand": "Adidas", "icon": "shoe", "tags": ["town"]},
    {"id": "trail", "name": "Trail", "brand": "Salomon", "icon": "figure.hiking", "tags": ["hills"]},
    {"id": "office", "name": "Office", "brand": "Ecco", "icon": "shoe.2", "tags": ["office"]}
    ], "context": {"place": "Town", "at": "2026-11-24T09:30:00Z"}, "sessions": [
    \((10...23).map(past).joined(separator: ",\n")),
    \(session(100, "office", "2026-11-24T07:30:00Z", "2026-11-24T09:00:00Z", 2140, "1.6")),
    \(session(101, "day", "2026-11-24T09:30:00Z", nil, 900, "0.7"))
    ]}
    """
  ]

  private static func past(_ day: Int) -> String {
    let shoe = ["run", "day", "office", "day"][day % 4]
    return session(day, shoe, "2026-11-\(day)T08:00:00Z", "2026-11-\(day)T10:00:00Z", 5000 + day * 130, "4.2")
  }

  private static func session(
    _ id: Int, _ shoe: String, _ start: String, _ end: String?, _ steps: Int, _ distance: String
  ) -> String {
    """
    {"id": \(id), "shoeId": "\(shoe)", "start": "\(start)", "end": \(end.map { "\"\($0)\"" } ?? "null"), \
    "steps": \(steps), "distance": \(distance)}
    """
  }
}
