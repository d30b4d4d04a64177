import CacheSync
import CacheSyncSystem

/// Calendars of a few lines, and their events as short texts.
enum Calendars {
  static let system = TimeZones(environment: nil)
  static let zones = CalendarZones(system)

  static func calendar(_ zone: String = "Europe/Berlin") throws -> CivilCalendar {
    CivilCalendar(try system.rules(named: zone))
  }

  /// A VCALENDAR around VEVENTs, each given by the lines between its BEGIN and END.
  static func text(_ events: String..., head: String = "", newline: String = "\r\n") -> String {
    text(events, head: head, newline: newline)
  }

  static func text(_ events: [String], head: String = "", newline: String = "\r\n") -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
    lines += head.split(separator: "\n").map(String.init)
    for event in events {
      lines.append("BEGIN:VEVENT")
      lines += event.split(separator: "\n").map(String.init)
      lines.append("END:VEVENT")
    }
    lines.append("END:VCALENDAR")
    return lines.map { $0 + newline }.joined()
  }

  static func read(
    _ text: String, path: String = "events/a.ics", limits: CalendarLimits = .init()
  ) throws(CalendarDefect) -> CalendarFile {
    try read(bytes: Array(text.utf8), path: path, limits: limits)
  }

  static func read(
    bytes: [UInt8], path: String = "events/a.ics", limits: CalendarLimits = .init()
  ) throws(CalendarDefect) -> CalendarFile {
    try bytes.withUnsafeBufferPointer { bytes throws(CalendarDefect) in
      try CalendarFile.read(bytes, path: CachePath(path), zones: zones, limits: limits)
    }
  }

  /// `start/end id title` of all events between two dates, in order. Dates are in UTC; midnights have no time.
  static func events(
    _ file: CalendarFile, from: String = "2026-11-01", to: String = "2026-12-01", in zone: String = "Europe/Berlin",
    limits: CalendarLimits = .init()
  ) throws -> [String] {
    let calendar = try calendar(zone)
    let first = calendar.start(of: LocalDay(from) ?? .first)
    let last = calendar.start(of: LocalDay(to) ?? .first)
    let found = file.series.map {
      $0.occurrences(overlappingOrStartingIn: first..<last, calendar: calendar, limits: limits)
    }
    let events = found.flatMap(\.events).sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    let lines = events.map { event in
      "\(short(event.start))/\(short(event.end)) \(event.id.text) \(event.title)"
        + (event.location.map { " at \($0)" } ?? "") + (event.isAllDay ? " all day" : "")
    }
    return lines + found.compactMap(\.excess).map { "line \($0.line) \($0.message) [\($0.pointer)]" }
  }

  /// A feed's exported calendar without folds, from files that are read for it.
  static func exported(
    _ files: KeyValuePairs<String, String>, of feed: FeedName = "events", at moment: String = "2026-11-24T12:00:00Z",
    in zone: String = "Europe/Berlin", me: Set<ExactText> = []
  ) throws -> String {
    let harness = try FeedHarness(zone: zone)
    harness.feeds.adopt(me: me)
    for (path, text) in files {
      let file = SessionFile(path: CachePath(path), modified: .referenceDate)
      guard case .session(let name) = harness.feeds.registry.layout.role(of: file.path) else { continue }
      let decoded = harness.feeds.registry.feed(named: name).map { descriptor in
        Array(text.utf8).withUnsafeBytes { descriptor.decode($0, at: file.path, wanting: .exported) }
      }
      if let decoded { harness.feeds.ingest(decoded, of: name, from: file, in: harness.calendar) }
    }
    let bytes = harness.feeds.registry.feed(named: feed)?.calendarFile(
      of: harness.feeds, at: try harness.moment(moment), cache: "home")
    return String(decoding: bytes ?? [], as: UTF8.self).replacing("\r\n ", with: "")
  }

  /// Only the ids.
  static func ids(
    _ file: CalendarFile, from: String = "2026-11-01", to: String = "2026-12-01", in zone: String = "Europe/Berlin"
  ) throws -> [String] {
    try events(file, from: from, to: to, in: zone).map { String($0.split(separator: " ")[1]) }
  }

  /// "11-23T08:00" for 2026-11-23T08:00:00Z.
  static func short(_ moment: Instant) -> String {
    let text = moment.description
    let isThisYear = text.hasPrefix("2026-")
    return String(text.dropFirst(isThisYear ? 5 : 0).dropLast(text.hasSuffix(":00Z") ? 4 : 1))
  }

  static func problems(_ file: CalendarFile) -> [String] {
    file.problems.map { "\($0.line): \($0.message) [\($0.pointer)]" }
  }

  /// Why a file is unusable, or nil if it is usable.
  static func unusable(_ text: String) -> String? { unusable(bytes: Array(text.utf8)) }

  static func unusable(bytes: [UInt8]) -> String? {
    do {
      _ = try read(bytes: bytes)
      return nil
    } catch {
      return "\(error.line):\(error.column): \(error.message)"
    }
  }
}
