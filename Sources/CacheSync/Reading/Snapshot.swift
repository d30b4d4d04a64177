/// What an agent published for one kind of widget: a timeline of entries, each in force from its date until the next
/// one's.
///
///     let snapshot = try SnapshotReader(cache: "/home/me/.cache/cachesync").snapshot("task-count")
///     print(try snapshot.content(as: TaskCount.self).text, snapshot.entry(at: .now).state)  // "3 tasks current"
public struct Snapshot: Sendable, Equatable {
  /// What readers show from a moment on.
  public struct Entry: Sendable, Equatable {
    /// From when the entry is in force.
    public var date: Instant
    /// How far the content can be trusted.
    public var state: State
    /// The kind's own fields.
    public var content: JSONValue
  }

  /// How far what is shown can be trusted.
  public typealias State = SnapshotState

  /// A problem in one of the files behind a snapshot. Lines and columns count from 1, columns in bytes.
  public struct FileProblem: Sendable, Equatable {
    /// Relative to the cache, with `\xhh` for bytes that are not UTF-8; nil: the problem concerns no file.
    public var path: String?
    /// From 1.
    public var line: Int
    /// From 1, in bytes.
    public var column: Int
    /// A JSON Pointer (RFC 6901) to the value; empty if there is no value to point to.
    public var pointer: String
    /// What is wrong, in English.
    public var message: String
    /// Whether the agent uses the file anyway, without the part that the message names.
    public var isWarning: Bool
  }

  /// A widget that a person configured with a file in `widgets/`: a kind with options.
  public struct Widget: Sendable, Equatable {
    /// The kind that it shows, such as `macros`.
    public var kind: String
    /// Every option of the kind with its value; null for an option without one.
    public var options: TextMap<JSONValue>
    /// A heading; nil: that of the kind.
    public var title: String?

    /// What a person configured.
    public init(kind: String, options: TextMap<JSONValue>, title: String? = nil) {
      self.kind = kind
      self.options = options
      self.title = title
    }
  }

  /// The kind's name, such as `meal-plan`; of a widget, its own name.
  public var kind: String
  /// The name of the app's widget.
  public var widgetKind: String
  /// The widget sizes that show it.
  public var families: [String]
  /// Where a tap leads; see ``DeepLink``.
  public var deepLink: String
  /// The number of the publication that wrote this file. The generations of a cache only grow.
  public var generation: Int
  /// When this file was written, in whole seconds.
  public var publishedAt: Instant
  /// The zone whose midnights count: a name, `GMT+03:37` or a POSIX rule string. ``SnapshotCalendar`` reads all three.
  public var timeZone: String
  /// Never empty; ascending by date.
  public var entries: [Entry]
  /// When the timeline's reach ends; nil: the snapshot never changes through time alone.
  public var reloadAfter: Instant?
  /// The problems in files of the kind's feeds.
  public var problems: [FileProblem]
  /// Paths of the files behind the timeline, relative to the cache: the first 20.
  public var sources: [String]
  /// How many files are behind the timeline.
  public var sourceCount: Int
  /// The bytes of the file: one line of JSON and a newline.
  public var bytes: [UInt8]
  /// What a person configured, if this is a widget's snapshot.
  public var widget: Widget?
  /// The template of a kind that the cache defines, such as `list` or `table`; nil: the kind is built in.
  public var template: String?
  /// The name that the definition gives such a kind, in the cache's language.
  public var title: String?
  /// Its symbol: an icon's name or an emoji.
  public var symbol: String?
  /// What such a kind writes instead of English words, such as `["today": "heute"]`.
  public var words: [String: String] = [:]
  /// The language of its texts, and the clock. English if this version does not know the language.
  public var locale = CacheLocale.english

  /// The entry to show at a moment: the last one whose date is not in the future.
  ///
  /// So a reader is right up to ``reloadAfter`` even when no agent runs. Before the first entry's date this is the
  /// first entry.
  public func entry(at moment: Instant) -> Entry { entries.last { $0.date <= moment } ?? entries[0] }

  /// The content to show at a moment, as a type: that of the kind, such as ``TodaysTasks``, or one of the app's own.
  ///
  ///     let today = try snapshot.content(as: TodaysTasks.self)
  ///     for task in today.tasks { print(task.title) }
  ///
  /// - Throws: a `DecodingError` if the content is not that of the type.
  public func content<Content: Decodable>(as type: Content.Type, at moment: Instant = .now) throws -> Content {
    try entry(at: moment).content.decoded(as: type)
  }
}

extension Snapshot {
  /// The period in which the entry to show stays the same as at a moment.
  package func period(at moment: Instant) -> Range<Instant> {
    let begin = entries.last { $0.date <= moment }?.date ?? Instant.validRange.lowerBound
    let end = entries.lazy.map(\.date).filter { $0 > moment }.min() ?? Instant.validRange.upperBound
    return begin..<max(begin, end)
  }

  /// Reads a snapshot's bytes.
  ///
  /// - Throws: ``SnapshotError/damaged(_:)`` if the bytes are not a published snapshot.
  public init(bytes: [UInt8]) throws(SnapshotError) {
    guard let value = bytes.withUnsafeBytes({ JSONValue.parse($0) }), let snapshot = Snapshot(value, bytes: bytes)
    else {
      throw .damaged("not a snapshot")
    }
    self = snapshot
  }

  /// Reads the output of `cachesyncd show --json`: snapshots by kind, as an agent would publish them.
  ///
  /// They belong to no publication: their ``generation`` is 0, they have no ``bytes``, and each has its first entry's
  /// date as ``publishedAt``.
  ///
  /// - Throws: ``SnapshotError/damaged(_:)`` for anything else.
  public static func computed(_ bytes: [UInt8]) throws(SnapshotError) -> [Snapshot] {
    guard case .object(let members)? = bytes.withUnsafeBytes({ JSONValue.parse($0) }) else {
      throw .damaged("the output of cachesyncd show")
    }
    var snapshots: [Snapshot] = []
    for (kind, value) in members.sorted(by: { $0.key < $1.key }) {
      guard case .object(var fields) = value else { throw .damaged(kind) }
      fields["generation"] = .integer(0)
      fields["publishedAt"] = value["entries"]?[0]?["date"] ?? .null
      guard let snapshot = Snapshot(.object(fields), bytes: []) else { throw .damaged(kind) }
      snapshots.append(snapshot)
    }
    return snapshots
  }

  private init?(_ value: JSONValue, bytes: [UInt8]) {
    guard let kind = value["kind"]?.string, let widgetKind = value["widgetKind"]?.string,
      let deepLink = value["deepLink"]?.string, let generation = value["generation"]?.int,
      let publishedAt = value["publishedAt"]?.instant, let timeZone = value["timeZone"]?.string,
      let entries = value["entries"]?.array?.compactMap(Entry.init), !entries.isEmpty,
      entries.count == value["entries"]?.array?.count
    else { return nil }
    self.init(
      kind: kind, widgetKind: widgetKind, families: value["families"]?.strings ?? [], deepLink: deepLink,
      generation: generation, publishedAt: publishedAt, timeZone: timeZone, entries: entries,
      reloadAfter: value["policy"]?["date"]?.instant, problems: value["problems"]?.array?.map(FileProblem.init) ?? [],
      sources: value["sources"]?.strings ?? [], sourceCount: value["sourceCount"]?.int ?? 0, bytes: bytes,
      widget: value["widget"].flatMap(Widget.init), template: value["template"]?.string,
      title: value["title"]?.string, symbol: value["symbol"]?.string,
      words: Dictionary(
        (value["words"]?.object ?? [:]).compactMap { name, word in word.string.map { (name, $0) } },
        uniquingKeysWith: { $1 }),
      locale: CacheLocale(publishedIn: value) ?? .english)
  }
}

extension Snapshot.Widget {
  fileprivate init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.string, let options = value["options"]?.object else { return nil }
    self.init(kind: kind, options: options, title: value["title"]?.string)
  }
}

extension Snapshot.Entry {
  fileprivate init?(_ value: JSONValue) {
    guard let date = value["date"]?.instant, let state = value["state"]?.string.flatMap(Snapshot.State.init),
      let content = value["content"]
    else { return nil }
    self.init(date: date, state: state, content: content)
  }
}

extension Snapshot.FileProblem {
  fileprivate init(_ value: JSONValue) {
    self.init(
      path: value["path"]?.string, line: value["line"]?.int ?? 1, column: value["column"]?.int ?? 1,
      pointer: value["pointer"]?.string ?? "", message: value["message"]?.string ?? "",
      isWarning: value["severity"]?.string == Problem.Severity.warning.rawValue)
  }
}

extension JSONValue {
  var strings: [String]? { array?.compactMap(\.string) }
}

/// Why a snapshot could not be read.
public enum SnapshotError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The cache has no such file: no agent has run, or the kind's feed never had a file.
  case missing(String)
  /// The file is not one that an agent published.
  case damaged(String)
  /// The system refuses to read the file.
  case unreadable(String)
  /// The files kept changing, so no attempt read a set that agrees.
  case changing

  /// What happened and what to do, on one line.
  public var description: String {
    switch self {
    case .missing(let name): "\(name) is not there: start cachesyncd for this cache, or drop a session file"
    case .damaged(let name): "\(name) was not published by cachesyncd: run cachesyncd sync to repair it"
    case .unreadable(let what): what
    case .changing: "the snapshots changed faster than they could be read: try again"
    }
  }
}
