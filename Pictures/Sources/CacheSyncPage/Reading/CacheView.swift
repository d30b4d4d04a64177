import CacheSync

/// What the page shows of a cache: consistent snapshots at one moment.
struct CacheView: Sendable {
  /// A local day of the day index.
  struct Day: Sendable, Equatable {
    var date: LocalDay
    var start: Instant
    var end: Instant
    /// The feeds with content on that day, in order.
    var feeds: [String]
  }

  /// The publication of the snapshots; 0: none yet.
  var generation: Int
  /// In the order of the documentation, each kind with its widgets; then unknown kinds by name.
  var snapshots: [Snapshot]
  var days: [Day]
  /// The time zone that the agent published.
  var timeZone: String
  /// How the agent writes texts.
  var locale: CacheLocale
  var moment: Instant

  init(generation: Int, snapshots: some Sequence<Snapshot>, dayIndex: JSONValue, moment: Instant) {
    self.generation = generation
    self.moment = moment
    let order = Dictionary(uniqueKeysWithValues: KnownKind.all.enumerated().map { ($1.name, $0) })
    // A widget follows the kind that it shows.
    func place(of snapshot: Snapshot) -> (Int, Int, String) {
      (order[snapshot.shownKind] ?? .max, snapshot.widget == nil ? 0 : 1, snapshot.kind)
    }
    self.snapshots = snapshots.sorted { place(of: $0) < place(of: $1) }
    days = dayIndex["days"]?.array?.compactMap(Day.init) ?? []
    timeZone = dayIndex["timeZone"]?.string ?? self.snapshots.first?.timeZone ?? "UTC"
    locale = CacheLocale(publishedIn: dayIndex) ?? self.snapshots.first?.locale ?? .english
  }

  init(_ set: SnapshotReader.Consistent, moment: Instant) {
    self.init(
      generation: set.generation, snapshots: set.snapshots.values, dayIndex: set.dayIndex, moment: moment)
  }

  /// A view without a publication.
  static func empty(moment: Instant) -> CacheView {
    CacheView(generation: 0, snapshots: [], dayIndex: .null, moment: moment)
  }

  /// The same days, with the snapshots that `cachesyncd show` computed for another moment.
  func replacing(with computed: [Snapshot], at moment: Instant) -> CacheView {
    var view = CacheView(generation: generation, snapshots: computed, dayIndex: .null, moment: moment)
    view.days = days
    if computed.isEmpty { (view.timeZone, view.locale) = (timeZone, locale) }
    return view
  }

  var calendar: SnapshotCalendar { SnapshotCalendar(timeZone: timeZone) }

  /// The later moments at which the entry of some kind changes, ascending. At most as many as a slider can distinguish.
  var boundaries: [Instant] {
    Array(Set(snapshots.flatMap(\.entries).map(\.date)).filter { $0 > moment }.sorted().prefix(Self.maximumBoundaries))
  }

  /// The last moment, up to this one, at which the entry of some kind changed. Unlike the moment itself, it stays the
  /// same until the next change.
  var lastBoundary: Instant { snapshots.map { $0.entry(at: moment).date }.max() ?? .referenceDate }

  /// A slider is 300 pixels wide, and a step needs about 3 pixels to be selected.
  private static let maximumBoundaries = 100

  /// When the page next changes by time alone: at a boundary, or at the end of the day in its head.
  var nextChange: Instant {
    let midnight = calendar.end(of: calendar.day(of: moment))
    return boundaries.first.map { min($0, midnight) } ?? midnight
  }

  /// The problems of session files, each once, by path and place.
  var problems: [Snapshot.FileProblem] {
    var found: [Snapshot.FileProblem] = []
    for problem in snapshots.flatMap(\.problems) where !found.contains(problem) { found.append(problem) }
    return found.sorted { ($0.path ?? "", $0.line, $0.column) < ($1.path ?? "", $1.line, $1.column) }
  }

  /// The range in which the timelines end: the first end, and the last one.
  var reach: ClosedRange<Instant>? {
    let ends = snapshots.compactMap(\.reloadAfter)
    guard let first = ends.min(), let last = ends.max() else { return nil }
    return first...last
  }
}

extension CacheView.Day {
  fileprivate init?(_ value: JSONValue) {
    guard let date = value["date"]?.string.flatMap({ LocalDay($0) }), let start = value["start"]?.instant,
      let end = value["end"]?.instant
    else { return nil }
    self.init(date: date, start: start, end: end, feeds: value["feeds"]?.object?.keys.sorted() ?? [])
  }
}

extension CacheView {
  var language: Language { locale.language }

  /// How many minutes the clocks are ahead of UTC, up to a day.
  var offset: Int {
    func minutes(_ clock: String) -> Int { clock.split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) } }
    return minutes(calendar.clock(at: moment)) - minutes(SnapshotCalendar(timeZone: "UTC").clock(at: moment))
  }

  /// The last minute of each hour, as people there write it. Two hours of a day may have no such minute, or two.
  var hours: String {
    // A day without a change of the clocks.
    let utc = SnapshotCalendar(timeZone: "UTC")
    let day = utc.day(of: moment)
    return (0..<24).map { utc.clock(at: utc.moment(on: day, hour: $0, minute: 59), in: locale) }.joined(separator: "|")
  }

  /// The wall time, such as "14:00".
  func clock(_ moment: Instant) -> String { calendar.clock(at: moment, in: locale) }

  /// "today 14:00", or "Tue 24 Nov 14:00", with the year if it differs from that of `today`.
  func words(for moment: Instant, today: LocalDay) -> String {
    let day = calendar.day(of: moment)
    if day == today { return language(.todayAt, [.time: clock(moment)]) }
    let formats = language.formats
    return formats.joined(formats.weekdayAndDay(day, today: today), clock(moment), as: formats.dateTime.text)
  }
}
