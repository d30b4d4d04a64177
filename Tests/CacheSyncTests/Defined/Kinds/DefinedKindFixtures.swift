import CacheSyncSystem
import Testing

@testable import CacheSyncValues

/// A defined feed in memory, to test kinds without definitions in JSON: put items, then ask for contents and timelines.
struct DefinedFeedHarness {
  var definition: FeedDefinition
  let items: DefinedItems
  let calendar: CivilCalendar
  var marks = MarksInForce()

  init(_ definition: FeedDefinition, zone: String = "Europe/Berlin") throws {
    self.definition = definition
    items = DefinedItems(definition)
    calendar = CivilCalendar(try TimeZoneDatabase().rules(named: zone))
  }

  func put(_ session: DefinedSession, path: String = "x/1.json", modified: String = "2026-01-01T00:00:00Z") throws {
    items.put(
      session, path: CachePath(path), modified: try moment(modified), isUnusable: false, in: calendar)
  }

  func put(_ items: [DefinedItem], path: String = "x/1.json", modified: String = "2026-01-01T00:00:00Z") throws {
    var session = DefinedSession()
    session.items = items
    try put(session, path: path, modified: modified)
  }

  var projection: DefinedProjection { DefinedProjection(definition: definition, items: items, marks: marks) }

  var kind: DefinedKind { definition.kinds[0] }

  func json(at moment: Instant, _ projection: DefinedProjection? = nil) -> [UInt8] {
    var json = JSONWriter()
    (projection ?? self.projection).write(
      kind, at: Moment(moment, calendar: calendar, firstWeekday: .monday), to: &json)
    return json.bytes
  }

  func problems(at moment: Instant) -> [DefinedProblem] {
    projection.problems(at: Moment(moment, calendar: calendar, firstWeekday: .monday))
  }

  func content(at text: String) throws -> JSONValue {
    try #require(JSONValue(json(at: try moment(text))))
  }

  /// The `title` of each item shown at a moment.
  func titles(at text: String) throws -> String {
    try (content(at: text)["items"]?.array ?? []).map { $0["title"]?.string ?? "?" }.joined(separator: " ")
  }

  /// Each entry of the first days from a moment on, as "date value". Only entries with a new value are included.
  func changes(from text: String, days: Int, _ name: String) throws -> [String] {
    let now = try moment(text)
    let projection = projection
    var dates: [Instant] = []
    var day = calendar.day(of: now)
    for _ in 0..<days {
      let interval = calendar.interval(of: day)
      dates.append(interval.lowerBound)
      dates += projection.boundaries(of: kind, in: interval, calendar: calendar).map(\.date)
      day = calendar.day(after: day)
    }
    dates.sort()
    var changes: [String] = []
    var last: JSONValue?
    for date in [dates.last { $0 <= now }].compactMap(\.self) + dates.filter({ $0 > now }) {
      let value = try #require(JSONValue(json(at: date, projection)))[name]
      guard value != last, let value else { continue }
      last = value
      changes.append("\(date) " + String(decoding: value.bytes, as: UTF8.self))
    }
    return changes
  }
}

func moment(_ text: String) throws -> Instant { try #require(Instant(text), "\(text) is no moment") }

extension FeedDefinition {
  /// A feed of one kind, whose items have fields of these names.
  init(_ fields: [String], _ kind: DefinedKind) {
    var rules = ItemRules(each: [])
    rules.fields = fields.map { FieldRule($0, from: []) }
    self.init(name: "x", files: [.below(directory: "x")], items: rules, kinds: [kind])
  }
}

extension DefinedKind {
  init(_ show: Show, items: [String: String]? = ["title": "{title}"], _ change: (inout DefinedKind) -> Void = { _ in })
  {
    self.init("x", show: show)
    self.items = items.map { templates($0) }
    change(&self)
  }
}

func templates(_ texts: [String: String]) -> [DefinedKind.NamedText] {
  texts.sorted { $0.key < $1.key }.map { DefinedKind.NamedText($0.key, template($0.value)) }
}

/// A text in the form that a definition uses.
func template(_ source: String) -> TextTemplate { TextTemplate.parse(source).template }

extension DefinedItem {
  /// Times are moments ("…Z"), local times ("2026-11-22T08:00") or days.
  init(
    _ values: [ItemValue], id: String? = nil, start: String? = nil, end: String? = nil,
    _ change: (inout DefinedItem) -> Void = { _ in }
  ) throws {
    self.init()
    self.id = id
    self.values = values
    self.start = try start.map { try Time($0) }
    if let end { self.end = .time(try Time(end)) }
    change(&self)
  }

  init(_ title: String, start: String? = nil, end: String? = nil, _ change: (inout DefinedItem) -> Void = { _ in })
    throws
  {
    try self.init([.text(title)], id: title, start: start, end: end, change)
  }
}

extension DefinedItem.Time {
  init(_ text: String) throws {
    if let day = LocalDay(text) {
      self.init(.wall(WallTime(day)), hasTime: false)
    } else if text.hasSuffix("Z") {
      self.init(.instant(try moment(text)), hasTime: true)
    } else {
      let utc = try moment(text.count == 16 ? text + ":00Z" : text + "Z")
      self.init(.wall(CivilCalendar(.utc).wall(at: utc)), hasTime: true)
    }
  }
}
