/// An `Event` of JSCalendar (RFC 8984, 5.1), or the patch of one of its occurrences.
struct JSCalendarEvent {
  private enum Key: String, JSONKey {
    case uid, sequence, updated, title, start, timeZone, duration, showWithoutTime, recurrenceRules
    case recurrenceOverrides, status, locations, excluded
    static let table = JSONKeyTable<Key>()
  }

  private enum LocationKey: String, JSONKey {
    case name
    static let table = JSONKeyTable<LocationKey>()
  }

  private(set) var uid = ""
  private var version = CalendarEntry.Version()
  private var title: String?
  private var start: WallTime?
  private var zone: TimeZoneRules?
  private var duration: CalendarDuration?
  private var isWithoutTime: Bool?
  private var rules: [RecurrenceRule] = []
  /// Where its rules stand in the document; nil when it has none.
  private(set) var rulesOffset: Int?
  private var overrides: [(original: WallTime, patch: JSCalendarEvent)] = []
  private var isCancelled: Bool?
  private var location: String?
  private var isExcluded = false

  /// Reads an event. Of a defective one, which the reader knows to be that, the uid counts.
  static func decode(_ json: inout JSONReader, zones: CalendarZones) -> JSCalendarEvent {
    var event = JSCalendarEvent()
    _ = json.object(Key.self, required: [.start]) { event.read(&$0, $1, zones) }
    return event
  }

  private mutating func read(_ json: inout JSONReader, _ key: Key, _ zones: CalendarZones) {
    switch key {
    case .uid: uid = json.string() ?? ""
    case .sequence: version.sequence = json.integer(in: 0 ... .max) ?? 0
    case .updated: version.stamp = json.date()?.seconds ?? .min
    case .title: title = json.string()
    case .start: start = json.localTime()
    case .timeZone:
      let offset = json.valueOffset
      guard let name = json.string() else { return }
      zone = zones.systemRules(named: name) ?? zones.windowsRules(named: name)
      if zone == nil { json.fail("unknown time zone \(JSONMessage.quoted(name))", at: offset) }
    case .duration:
      duration = json.stringBytes("a duration such as PT1H") { text in
        let duration = try? CalendarDuration(String(decoding: text, as: UTF8.self))
        return duration.flatMap { $0.days < 0 || $0.seconds < 0 ? nil : $0 }
      }
    case .showWithoutTime: isWithoutTime = json.bool()
    case .recurrenceRules:
      rulesOffset = json.valueOffset
      rules = json.list { JSCalendarRule.decode(&$0) }
    case .recurrenceOverrides: readOverrides(&json, zones)
    case .status: isCancelled = json.string() == "cancelled"
    case .locations: readLocations(&json)
    case .excluded: isExcluded = json.bool() ?? false
    }
  }

  private mutating func readOverrides(_ json: inout JSONReader, _ zones: CalendarZones) {
    var found: [(original: WallTime, patch: JSCalendarEvent)] = []
    _ = json.members { json, key in
      let offset = json.valueOffset
      guard let original = key.withUTF8Bytes({ CalendarText.localTime($0) }) else {
        json.fail("\(JSONMessage.quoted(key)) is no local date and time such as 2026-11-23T08:00:00", at: offset)
        json.skipValue()
        return true
      }
      var patch = JSCalendarEvent()
      // A patch has no occurrences of its own.
      let keys: JSONKeySet<Key> = [
        .title, .start, .timeZone, .duration, .showWithoutTime, .status, .locations, .excluded,
      ]
      if json.object(Key.self, optional: keys, { patch.read(&$0, $1, zones) }) { found.append((original, patch)) }
      return true
    }
    overrides = found
  }

  /// Only the first that has a name is shown.
  private mutating func readLocations(_ json: inout JSONReader) {
    var first: String?
    _ = json.members { json, _ in
      var name: String?
      _ = json.object(LocationKey.self) { json, _ in name = json.string() }
      first = first ?? name
      return true
    }
    location = first
  }

  private func moment(_ wall: WallTime, in zone: TimeZoneRules?, isDay: Bool) -> CalendarMoment {
    if isDay { return CalendarMoment(wall.day) }
    return zone.map { CalendarMoment(wall, in: $0) } ?? CalendarMoment(floating: wall)
  }

  /// The event and its overrides, as a calendar's VEVENTs are.
  ///
  /// - Parameters:
  ///   - index: which entry of the group, from 0.
  ///   - rulesPlace: where its rules stand; nil when it has none.
  func entries(index: Int, _ place: CalendarEntry.Place, rulesPlace: JSONPlace?) -> [CalendarEntry] {
    guard let start else { return [] }
    let isDay = isWithoutTime ?? false
    var event = CalendarEntry(index: index, place: place, line: 1, start: moment(start, in: zone, isDay: isDay))
    if let rulesPlace {
      (event.line, event.column, event.property) = (rulesPlace.line, rulesPlace.column, Key.recurrenceRules.rawValue)
    }
    event.title = title ?? ""
    event.location = location
    event.end = duration.map { .lasting($0) } ?? .none
    event.isCancelled = isCancelled ?? false
    event.version = version
    event.rules = rules
    let excluded = overrides.filter(\.patch.isExcluded)
    event.exclusions = CalendarExclusions(excluded.map { moment($0.original, in: zone, isDay: isDay) })
    let patched = overrides.filter { !$0.patch.isExcluded }.map { original, patch in
      var entry = event
      let isPatchDay = patch.isWithoutTime ?? isDay
      entry.start = moment(patch.start ?? original, in: patch.zone ?? zone, isDay: isPatchDay)
      entry.original = moment(original, in: zone, isDay: isDay)
      entry.title = patch.title ?? event.title
      entry.location = patch.location ?? event.location
      entry.end = patch.duration.map { .lasting($0) } ?? event.end
      entry.isCancelled = patch.isCancelled ?? event.isCancelled
      entry.rules = []
      entry.exclusions = CalendarExclusions()
      return entry
    }
    // An override of what no rule gives is an occurrence too.
    event.extras = patched.compactMap { entry in entry.original.map { CalendarEntry.Extra(start: $0) } }
    return [event] + patched
  }
}
