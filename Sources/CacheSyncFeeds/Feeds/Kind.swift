package import CacheSyncSystem

/// A kind of snapshot: its description for readers, when its entries change, and the rule that computes them.
package struct Kind: Sendable {
  /// How far a timeline reaches (kinds.md: kinds).
  package enum Reach: Sendable, Equatable {
    /// One entry for all time; the reload policy is `never`.
    case noBoundaries
    /// The rest of today and the following local days, that many in total.
    case days(Int)

    /// "midnight": the entry at the next midnight is included, and the reach ends at the midnight after it.
    package static let midnight = Reach.days(2)
    package static let sevenDays = Reach.days(7)
  }

  package var name: KindName
  /// The name for people, such as "Daily Progress".
  package var displayName: Wording
  /// What it shows, for people who choose one: a sentence.
  package var summary: Wording
  /// What a widget of this kind may set.
  package var options: [KindOption]
  /// The widget whose kind this is; nil: a plain kind.
  package var widget: WidgetConfiguration?
  /// How readers draw it, if a definition says so.
  package var drawing: KindDrawing?
  package var widgetKind: String
  package var families: [String]
  /// The target of a tap, as printed by ``DeepLink``.
  package var deepLink: String
  /// The feeds whose files can change this kind.
  package var feeds: [FeedName]
  /// The feeds that make this kind present; usually the same ones.
  package var presentWith: [FeedName]
  package var reach: Reach
  /// Local hours that have an entry of their own on every day in reach.
  package var hours: [Int]
  package var maximumEntries: Int?
  /// How much work (``Projection/work``) a timeline may take; it then ends at the next boundary. Nil: no limit.
  package var maximumWork: Int?
  /// Whether becoming stale by age begins a new entry. If not, the entry in force is published again with the new
  /// state.
  package var staleHasEntry: Bool
  /// The age at which shown data become stale, if the kind has its own; nil: as in the settings.
  package var staleAfter: Duration?
  /// Further moments in a range at which the content may change, in any order, with a reason for people. The timeline
  /// asks for one period between fixed boundaries after another, and ignores moments outside the range.
  package var boundaries: @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary]
  /// The view of an entry.
  package var view: KindView
  /// The member of the content with the progress of the kind's one goal, 0…1; nil: it has none.
  package var progressKey: String?
  /// Computes the content as of a moment: a pure function of the files, the settings and the moment.
  package var project: @Sendable (FeedSet, Moment, inout Projection) -> Void

  /// - Parameters:
  ///   - displayName: nil: the name in words.
  ///   - link: to any app.
  package init(
    _ name: KindName, displayName: Wording? = nil, summary: Wording = .text(""), options: [KindOption] = [],
    widgetKind: String, families: [String], link: String,
    feeds: [FeedName], presentWith: [FeedName]? = nil, reach: Reach, hours: [Int] = [], maximumEntries: Int? = nil,
    maximumWork: Int? = nil, staleHasEntry: Bool = true, staleAfter: Duration? = nil,
    view: @escaping KindView = ViewNode.fields, progressKey: String? = nil,
    boundaries: @escaping @Sendable (FeedSet, Moment, Range<Instant>) -> [Boundary] = { _, _, _ in [] },
    project: @escaping @Sendable (FeedSet, Moment, inout Projection) -> Void
  ) {
    self.name = name
    self.displayName = displayName ?? .text(name.description.asHeading)
    self.summary = summary
    self.options = options
    self.widgetKind = widgetKind
    self.families = families
    deepLink = link
    self.feeds = feeds
    self.presentWith = presentWith ?? feeds
    self.reach = reach
    self.hours = hours
    self.maximumEntries = maximumEntries
    self.maximumWork = maximumWork
    self.staleHasEntry = staleHasEntry
    self.staleAfter = staleAfter
    self.view = view
    self.progressKey = progressKey
    self.boundaries = boundaries
    self.project = project
  }
}

/// What a definition says about the drawing of its kind. It is in the snapshot, because readers do not have the
/// definition.
package struct KindDrawing: Sendable, Equatable {
  /// The name of a template.
  package var template: String
  /// The kind's name, if the definition gives one.
  package var title: Wording?
  /// Nil: none.
  package var symbol: String?
  /// Replacements for the English words of dates.
  package var words: TextMap<ExactText>
}

/// A moment at which some kind's entry changes, and why.
package struct Boundary: Sendable {
  /// The reason, for people. The words are assembled only when ``texts`` is read.
  package enum Reason: Sendable {
    case words(String)
    /// Something about records: "event", 9, "starts".
    case records(StaticString, [RecordID], StaticString)
    /// The content may change here; the text is used only if there is no other reason.
    case perhaps(StaticString)

    package var isVague: Bool {
      if case .perhaps = self { true } else { false }
    }

    /// A text for each record, or one for the whole reason.
    package var texts: [String] {
      switch self {
      case .words(let words): [words]
      case .records(let subject, let ids, let predicate): ids.map { "\(subject) \($0.text) \(predicate)" }
      case .perhaps(let words): [words.description]
      }
    }
  }

  package var date: Instant
  package var reason: Reason

  package init(_ date: Instant, _ reason: Reason) {
    self.date = date
    self.reason = reason
  }
}

/// The result of a kind's rule: the content as JSON, and what the timeline must know about it.
package struct Projection {
  /// The states that a rule can set; the timeline determines when content becomes stale.
  package enum State: Sendable {
    case empty, placeholder, current
  }

  package var json = JSONWriter()
  /// The options of the widget; those of a plain kind have their standard values.
  package let options: OptionValues
  package var state = State.current
  /// The latest date among the shown data; nil: they do not become stale by age.
  package var newest: Instant?
  /// Whether it shows the last good version of a file that is unusable now.
  package var showsUnusable = false
  /// The files of the shown data, collected over all entries of the timeline.
  package var sources = Sources()
  /// How much the rule has visited so far, over all moments, if nothing else limits that.
  package var work = 0
  private var timelineCache: (any TimelineCache)?

  package init(_ options: OptionValues = OptionValues()) { self.options = options }

  /// The timeline's cache for the kind's rule. It makes a new one if there is none, or if the cache begins after the
  /// moment.
  package mutating func cache<Cache: TimelineCache>(_ type: Cache.Type, _ feeds: FeedSet, _ moment: Moment) -> Cache {
    if let cache = timelineCache as? Cache, cache.since <= moment.instant { return cache }
    let new = Cache(
      feeds, since: min(moment.instant, moment.calendar.start(of: moment.day)), in: moment.calendar, options)
    timelineCache = new
    return new
  }

  /// Drops the sources collected so far, because the moments of their collection are not in the timeline.
  package mutating func removeSources() {
    sources = Sources()
    timelineCache = nil
  }

  /// Records that data with this date are shown.
  package mutating func shows(_ date: Instant?) {
    guard let date else { return }
    newest = newest.map { max($0, date) } ?? date
  }

  package mutating func begin() {
    json.removeAll()
    state = .current
    newest = nil
    showsUnusable = false
  }
}

/// Values that a rule computes once and uses at every moment of a timeline. It only saves time: the rule gives the same
/// content without it.
package protocol TimelineCache: AnyObject {
  /// - Parameters:
  ///   - since: the first moment at which it may be used.
  ///   - options: those of the timeline's widget.
  init(_ feeds: FeedSet, since: Instant, in calendar: CivilCalendar, _ options: OptionValues)

  var since: Instant { get }
}

/// The files behind a timeline.
package struct Sources: Sendable {
  /// How many of them a snapshot names (contract.md section 3).
  package static let maximumNamed = 20

  private var single: Set<CachePath> = []
  private var whole: [FeedName: SortedList<CachePath>] = [:]

  package mutating func insert(_ path: CachePath) { single.insert(path) }

  /// Adds all files of a feed; repeating that for the same feed changes nothing.
  mutating func insert(all paths: SortedList<CachePath>, of feed: FeedName) {
    if whole[feed] == nil { whole[feed] = paths }
  }

  package var count: Int { single.count + whole.values.reduce(0) { $0 + $1.count } }

  /// The first of them in order, at most ``maximumNamed``.
  package var named: [CachePath] {
    if whole.isEmpty, single.count <= 1 { return Array(single) }
    return Array(
      (Array(single) + whole.values.flatMap { $0.all.prefix(Self.maximumNamed) }).sorted().prefix(Self.maximumNamed))
  }
}
