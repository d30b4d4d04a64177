/// Which shoes are worn, how far, and which to put on next (FEEDS: shoes).
package final class ShoesFeed: IntentTarget {
  package static let name: FeedName = "shoes"
  package static let claims = CacheLayout.Claims(directories: ["shoes"])
  package static let kinds = [QuickSelection.kind, DailyStats.kind, SmartSuggestions.kind, CurrentShoe.kind]

  private struct File {
    /// The file's `lastUpdated`, else its modification time.
    var date: Instant
    var shoes: [RecordID]
    var sessions: [RecordID]
    var suggestions: [StoredShoes.Suggestion]
  }

  private var files: [CachePath: File] = [:]
  private var unusable: Set<CachePath> = []
  private(set) var census = PathCensus()
  private var dates = Ranking<Instant>()
  /// The files that say when they were written: from them age runs.
  private var updates = Ranking<Instant>()
  private var suggesting = Ranking<Instant>()

  private var shoes = ShoeUnion<StoredShoes.Shoe>()
  private var sessions = ShoeUnion<StoredShoes.Session>()
  private var unarchived = SortedList<ShoeByName>()
  private var open = SortedList<SessionByStart>()
  private(set) var days = ShoeDays()
  /// In which days are indexed: that of the last rebuilding, or of the first file.
  private var calendar: CivilCalendar?

  package init() {}

  package static func decode(_ json: inout JSONReader) -> StoredShoes? { StoredShoes.decode(&json) }

  // MARK: Files

  package func put(_ session: StoredShoes, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar == nil { self.calendar = calendar }
    let path = file.path
    if let old = files[path] { withdraw(old, from: path) }
    let date = session.lastUpdated ?? file.modified
    files[path] = File(
      date: date, shoes: session.shoes.map(\.id), sessions: session.sessions.map(\.id),
      suggestions: session.suggestions)
    mark(path, unusable: file.isUnusable)
    census.insert(path)
    dates.put(date, for: path)
    if let updated = session.lastUpdated { updates.put(updated, for: path) } else { updates.remove(path) }
    if session.suggestions.isEmpty { suggesting.remove(path) } else { suggesting.put(date, for: path) }
    let rank = ShoeRank(date: date, path: path)
    // In the file's order, so that of one id the later counts.
    for shoe in session.shoes { index(shoes.put(shoe, for: shoe.id, from: rank)) }
    for worn in session.sessions { index(sessions.put(worn, for: worn.id, from: rank)) }
  }

  package func remove(_ path: CachePath) {
    guard let old = files.removeValue(forKey: path) else { return }
    withdraw(old, from: path)
    unusable.remove(path)
    census.remove(path)
    dates.remove(path)
    updates.remove(path)
    suggesting.remove(path)
  }

  package func mark(_ path: CachePath, unusable isUnusable: Bool) {
    guard files[path] != nil else { return }
    if isUnusable { unusable.insert(path) } else { unusable.remove(path) }
  }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    days = ShoeDays()
    for session in sessions.records { days.insert(session, in: calendar) }
  }

  private func withdraw(_ file: File, from path: CachePath) {
    let rank = ShoeRank(date: file.date, path: path)
    for id in file.shoes { index(shoes.remove(id, from: rank)) }
    for id in file.sessions { index(sessions.remove(id, from: rank)) }
  }

  private func index(_ change: ShoeUnion<StoredShoes.Shoe>.Change?) {
    if let old = change?.old, !old.isArchived { unarchived.remove(ShoeByName(old)) }
    if let new = change?.new, !new.isArchived { unarchived.insert(ShoeByName(new)) }
  }

  private func index(_ change: ShoeUnion<StoredShoes.Session>.Change?) {
    guard let change, let calendar else { return }
    if let old = change.old {
      if old.end == nil { open.remove(SessionByStart(old)) }
      days.remove(old, in: calendar)
    }
    if let new = change.new {
      if new.end == nil { open.insert(SessionByStart(new)) }
      days.insert(new, in: calendar)
    }
  }

  // MARK: What projections ask

  var isEmpty: Bool { files.isEmpty }

  var hasUnusable: Bool { !unusable.isEmpty }

  /// The newest `lastUpdated`; nil when no file has one.
  var lastUpdated: Instant? { updates.greatest?.value }

  package var newestSession: Instant? { dates.greatest?.value }

  func shoe(_ id: RecordID) -> StoredShoes.Shoe? { shoes[id] }

  /// Those that are not put away, by name, then id.
  var unarchivedShoes: some Sequence<StoredShoes.Shoe> { unarchived.all.lazy.map(\.shoe) }

  /// By start, then id.
  var openSessions: some Sequence<StoredShoes.Session> { open.all.lazy.map(\.session) }

  var latestOpenSession: StoredShoes.Session? { open.greatest?.session }

  /// From the file with the greatest date that has any, then the greatest path.
  var suggestions: [StoredShoes.Suggestion] { suggesting.greatest.flatMap { files[$0.path]?.suggestions } ?? [] }

  // MARK: Days and intents

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let count = days.count(on: moment.day, in: moment.calendar)
    if count > 0 { json.member("sessions", count) }
    return count > 0
  }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool { knows(intent) }

  func knows(_ intent: StoredIntent) -> Bool {
    if case .startSession(let shoe) = intent.action { shoes[shoe] != nil } else { true }
  }
}

/// A shoe in the order in which readers list them: by name, then id.
private struct ShoeByName: Comparable {
  let shoe: StoredShoes.Shoe

  init(_ shoe: StoredShoes.Shoe) { self.shoe = shoe }

  static func < (a: ShoeByName, b: ShoeByName) -> Bool { a.shoe.precedes(b.shoe) }

  static func == (a: ShoeByName, b: ShoeByName) -> Bool { !(a < b) && !(b < a) }
}

/// A session in the order in which the last open one is the current: by start, then id.
private struct SessionByStart: Comparable {
  let session: StoredShoes.Session

  init(_ session: StoredShoes.Session) { self.session = session }

  static func < (a: SessionByStart, b: SessionByStart) -> Bool {
    a.session.start == b.session.start ? a.session.id < b.session.id : a.session.start < b.session.start
  }

  static func == (a: SessionByStart, b: SessionByStart) -> Bool { !(a < b) && !(b < a) }
}

extension StoredShoes.Shoe {
  /// By name, then id (FEEDS: shoes).
  func precedes(_ other: StoredShoes.Shoe) -> Bool {
    name.utf8.elementsEqual(other.name.utf8) ? id < other.id : name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}
