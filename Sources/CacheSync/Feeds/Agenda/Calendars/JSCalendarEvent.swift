/// An `Event` of JSCalendar (RFC 8984, 5.1).
struct JSCalendarEvent {
  private enum Key: String, JSONKey {
    case uid, sequence, updated, title, start, timeZone, duration, showWithoutTime, recurrenceRules
    case recurrenceOverrides, recurrenceId, recurrenceIdTimeZone, status, locations, excluded, excludedRecurrenceRules
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
  private var isWithoutTime = false
  private var rules: [RecurrenceRule] = []
  /// Where its rules stand in the document; nil when it has none.
  private(set) var rulesOffset: Int?
  private var overrides: [(original: WallTime, patch: [Edit])] = []
  /// Of one occurrence alone, its original start, and the zone of that; nil: the event's.
  private var original: WallTime?
  private var originalZone: TimeZoneRules?
  /// Whether it has a recurrenceId, even a broken one.
  private(set) var isOverride = false
  /// What is ignored of it.
  private(set) var warnings: [JSONDefect] = []
  private var isCancelled = false
  private var locations: [(id: String, name: String?)] = []
  private var isExcluded = false

  /// Places that are looked at; a judgement. The first with a name is shown, and patches look each of them up.
  private static let mostLocations = 100

  /// One member of an occurrence's patch.
  private typealias Edit = (inout JSCalendarEvent) -> Void

  /// Reads an event. Of a defective one, which the reader knows to be that, the uid counts.
  static func decode(
    _ json: inout JSONReader, zones: CalendarZones, _ limits: CalendarLimits
  ) -> JSCalendarEvent {
    var event = JSCalendarEvent()
    _ = json.object(Key.self, required: [.start]) { event.read(&$0, $1, zones) }
    if let offset = event.rulesOffset, event.rules.count > limits.rules {
      json.fail(CalendarEntry.tooManyRules(limits), at: offset)
    }
    return event
  }

  /// Of a bad event that is an override: the occurrence that it names, taken out; nil when that cannot be read.
  var removal: JSCalendarEvent? {
    guard let original else { return nil }
    var event = self
    (event.start, event.duration, event.isCancelled) = (event.start ?? original, nil, true)
    return event
  }

  private mutating func read(_ json: inout JSONReader, _ key: Key, _ zones: CalendarZones) {
    switch key {
    case .uid: uid = json.string() ?? ""
    case .sequence: version.sequence = json.integer(in: 0 ... .max) ?? 0
    case .updated: version.stamp = json.date()?.seconds ?? .min
    case .title: title = json.string()
    case .start: start = json.localTime()
    case .timeZone: zone = Self.zone(&json, zones)
    case .duration:
      duration = json.stringBytes("a duration such as PT1H") { text in
        let duration = try? CalendarDuration(String(decoding: text, as: UTF8.self))
        return duration.flatMap { $0.days < 0 || $0.seconds < 0 ? nil : $0 }
      }
    case .showWithoutTime: isWithoutTime = json.bool() ?? false
    case .recurrenceRules:
      rulesOffset = json.valueOffset
      rules = json.list { JSCalendarRule.decode(&$0) }
    case .recurrenceOverrides: readOverrides(&json, zones)
    case .recurrenceId:
      isOverride = true
      original = json.localTime()
    case .recurrenceIdTimeZone: originalZone = Self.zone(&json, zones)
    case .status: isCancelled = json.string() == "cancelled"
    case .locations: locations = Self.locations(&json)
    case .excluded: isExcluded = json.bool() ?? false
    case .excludedRecurrenceRules:
      let message = "excludedRecurrenceRules is ignored: take the dates out with recurrenceOverrides"
      if json.next != .null { warnings.append(JSONDefect(offset: json.valueOffset, message: message, place: .value)) }
      json.skipValue()
    }
  }

  private static func zone(_ json: inout JSONReader, _ zones: CalendarZones) -> TimeZoneRules? {
    let offset = json.valueOffset
    guard let name = json.string() else { return nil }
    let zone = zones.systemRules(named: name) ?? zones.windowsRules(named: name)
    if zone == nil { json.fail("unknown time zone \(JSONMessage.quoted(name))", at: offset) }
    return zone
  }

  private static func locations(_ json: inout JSONReader) -> [(id: String, name: String?)] {
    var found: [(id: String, name: String?)] = []
    _ = json.members { json, id in
      let name = locationName(&json)
      if found.count < mostLocations { found.append((id, name)) }
      return true
    }
    return found
  }

  private static func locationName(_ json: inout JSONReader) -> String? {
    var name: String?
    _ = json.object(LocationKey.self) { json, _ in name = json.string() }
    return name
  }

  // MARK: Overrides

  private mutating func readOverrides(_ json: inout JSONReader, _ zones: CalendarZones) {
    var found: [(original: WallTime, patch: [Edit])] = []
    _ = json.members { json, key in
      let offset = json.valueOffset
      guard let original = key.withUTF8Bytes({ CalendarText.localTime($0) }) else {
        json.fail("\(JSONMessage.quoted(key)) is no local date and time such as 2026-11-23T08:00:00", at: offset)
        json.skipValue()
        return true
      }
      var patch: [Edit] = []
      var pointers: Set<String> = []
      let isObject = json.members { json, pointer in
        guard pointers.insert(pointer).inserted else { return false }
        if let edit = Self.edit(&json, pointer, zones) { patch.append(edit) } else { json.skipValue() }
        return true
      }
      if isObject { found.append((original, patch)) }
      return true
    }
    overrides = found
  }

  /// Reads a member of a patch: its key is a JSON pointer without the first `/`, and null takes away what is there (RFC 8984,
  /// 1.4.9).
  ///
  /// - Returns: nil: it is about something that is not looked at, and its value is not read.
  private static func edit(_ json: inout JSONReader, _ pointer: String, _ zones: CalendarZones) -> Edit? {
    let path = pointer.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    guard let key = Key(rawValue: path[0]) else { return nil }
    if key == .locations, path.count > 1 { return locationEdit(&json, Array(path.dropFirst())) }
    guard path.count == 1 else { return nil }
    let take: (inout JSCalendarEvent, JSCalendarEvent) -> Void
    switch key {
    case .title: take = { $0.title = $1.title }
    case .start: take = { $0.start = $1.start ?? $0.start }
    case .timeZone: take = { $0.zone = $1.zone }
    case .duration: take = { $0.duration = $1.duration }
    case .showWithoutTime: take = { $0.isWithoutTime = $1.isWithoutTime }
    case .status: take = { $0.isCancelled = $1.isCancelled }
    case .locations: take = { $0.locations = $1.locations }
    case .excluded: take = { $0.isExcluded = $1.isExcluded }
    // A patch has no occurrences of its own.
    default: return nil
    }
    var value = JSCalendarEvent()
    if json.next == .null { json.skipValue() } else { value.read(&json, key, zones) }
    return { [value] in take(&$0, value) }
  }

  /// - Parameter path: below `locations`: one of them, or its name.
  private static func locationEdit(_ json: inout JSONReader, _ path: [String]) -> Edit? {
    let id = path[0]
    let isRemoval = json.next == .null
    if path.count == 1 {
      if isRemoval { json.skipValue() }
      let new = isRemoval ? nil : (id: id, name: locationName(&json))
      return { event in
        let index = event.locations.firstIndex { $0.id == id } ?? event.locations.count
        event.locations.replaceSubrange(index..<min(index + 1, event.locations.count), with: new.map { [$0] } ?? [])
      }
    }
    guard path.count == 2, path[1] == LocationKey.name.rawValue else { return nil }
    if isRemoval { json.skipValue() }
    let name = isRemoval ? nil : json.string()
    return { event in
      for index in event.locations.indices where event.locations[index].id == id { event.locations[index].name = name }
    }
  }

  // MARK: Entries

  private func moment(_ wall: WallTime, in zone: TimeZoneRules?, isDay: Bool) -> CalendarMoment {
    if isDay { return CalendarMoment(wall.day) }
    return zone.map { CalendarMoment(wall, in: $0) } ?? CalendarMoment(floating: wall)
  }

  /// The event and its overrides, as a calendar's VEVENTs are.
  ///
  /// - Parameters:
  ///   - index: which entry of the group, from 0.
  ///   - begin: where it begins.
  ///   - rulesPlace: where its rules stand; nil when it has none.
  func entries(
    index: Int, _ place: CalendarEntry.Place, _ begin: JSONPlace, _ rulesPlace: JSONPlace?
  ) -> [CalendarEntry] {
    guard var event = entry(index: index, place) else { return [] }
    (event.line, event.column) = (begin.line, begin.column)
    if let original {
      event.original = moment(original, in: originalZone ?? zone, isDay: isWithoutTime)
      return [event]
    }
    if let rulesPlace {
      (event.line, event.column, event.property) = (rulesPlace.line, rulesPlace.column, Key.recurrenceRules.rawValue)
    }
    event.rules = rules
    var excluded: [CalendarMoment] = []
    var patched: [CalendarEntry] = []
    for (original, patch) in overrides {
      var occurrence = self
      (occurrence.start, occurrence.isExcluded) = (original, false)
      for edit in patch { edit(&occurrence) }
      let moment = moment(original, in: zone, isDay: isWithoutTime)
      if occurrence.isExcluded {
        excluded.append(moment)
      } else if var entry = occurrence.entry(index: index, place) {
        entry.original = moment
        patched.append(entry)
      }
    }
    event.exclusions = CalendarExclusions(excluded)
    // An override of what no rule gives is an occurrence too.
    event.extras = patched.compactMap { entry in entry.original.map { CalendarEntry.Extra(start: $0) } }
    return [event] + patched
  }

  /// Without what makes occurrences; nil: it has no start.
  private func entry(index: Int, _ place: CalendarEntry.Place) -> CalendarEntry? {
    guard let start else { return nil }
    var entry = CalendarEntry(
      index: index, place: place, line: 1, start: moment(start, in: zone, isDay: isWithoutTime))
    entry.title = title ?? ""
    // Only the first that has a name is shown.
    entry.location = locations.lazy.compactMap(\.name).first
    entry.end = duration.map { .lasting($0) } ?? .none
    entry.isCancelled = isCancelled
    entry.version = version
    entry.zoneOfSeries = entry.start.zone
    return entry
  }
}
