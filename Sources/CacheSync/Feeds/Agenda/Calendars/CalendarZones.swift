import Synchronization

/// The zones that calendars name: the system's, those of Windows, and those that files define.
///
/// Zones that files define are kept by their bytes: a directory of ten thousand calendars of one program has ten thousand
/// copies of the same few.
package final class CalendarZones: Sendable {
  private let system: TimeZones
  private let defined = Mutex<[[UInt8]: ZoneDefinition.Result]>([:])

  /// How many defined zones are kept, and how many bytes one may have; a judgement. They are all forgotten when there are more.
  private static let greatestCount = 256
  private static let greatestLength = 16_384

  package init(_ system: TimeZones) { self.system = system }

  /// The system's zone of a name, in upper or lower case, whole or after its last prefix: "/vendor/Europe/Berlin".
  func systemRules(named name: String) -> TimeZoneRules? {
    guard name.utf8.count <= FileZones.longestName else { return nil }
    if let rules = system.rules(namedInAnyCase: name) { return rules }
    // No zone's name has more parts than three; the bound keeps a hostile name from many look-ups.
    let parts = name.split(separator: "/").suffix(4)
    for count in stride(from: min(3, parts.count), to: 0, by: -1) {
      if let rules = system.rules(namedInAnyCase: parts.suffix(count).joined(separator: "/")) { return rules }
    }
    return nil
  }

  /// The system's rules of a zone of Windows.
  func windowsRules(named name: String) -> TimeZoneRules? {
    WindowsZones.ianaName(of: name).flatMap { try? system.rules(named: $0) }
  }

  /// What a VTIMEZONE gives.
  ///
  /// - Parameter steps: how many its rules may take; it counts as many as they take, also for a zone that is kept.
  func rules(
    definedBy zone: UnsafeBufferPointer<UInt8>, named name: String, _ limits: CalendarLimits, steps: inout Int
  ) throws(CalendarDefect) -> TimeZoneRules {
    let key = zone.count <= Self.greatestLength ? Array(zone) : nil
    if let key, let found = defined.withLock({ $0[key] }), found.steps <= steps {
      steps -= found.steps
      return found.rules
    }
    let result = try ZoneDefinition.rules(zone, named: name, limits, steps: &steps)
    if let key {
      defined.withLock {
        if $0.count == Self.greatestCount { $0 = [:] }
        $0[key] = result
      }
    }
    return result.rules
  }
}

/// The zones of one VCALENDAR by the names that it uses (definitions.md: zones). Upper and lower case are the same.
struct FileZones {
  /// What a name stands for.
  enum Zone {
    case rules(TimeZoneRules)
    case unknown
    /// The file's VTIMEZONE cannot be used.
    case bad(CalendarDefect)
  }

  /// No zone has a name of more bytes; a judgement.
  static let longestName = 255

  private let document: UnsafeBufferPointer<UInt8>
  private let zones: CalendarZones
  private let limits: CalendarLimits
  /// The steps that the zones of the file may still take.
  private(set) var stepsLeft: Int
  /// Where the VCALENDAR begins: a byte, and its line from 1.
  private var place = (offset: 0, line: 1)
  /// What names have meant so far.
  private var found: [ExactText: Zone] = [:]
  /// The VTIMEZONEs by their names, looked for when the first is needed. Of one name the first counts.
  private var definitions: [ExactText: ZoneDefinition.Place]?

  init(_ document: UnsafeBufferPointer<UInt8>, _ zones: CalendarZones, _ limits: CalendarLimits) {
    self.document = document
    self.zones = zones
    self.limits = limits
    stepsLeft = limits.stepsOfZones
  }

  /// Forgets the zones of the VCALENDAR before.
  ///
  /// - Parameter line: its BEGIN.
  mutating func beginCalendar(_ line: ContentLine) {
    place = (line.offset, line.number)
    found = [:]
    definitions = nil
  }

  /// The system's zone, else the VCALENDAR's, else that of Windows.
  mutating func zone(named name: String) -> Zone {
    guard name.utf8.count <= Self.longestName else { return .unknown }
    let key = ExactText(name.lowercased())
    if let zone = found[key] { return zone }
    let zone = look(for: name, key)
    found[key] = zone
    return zone
  }

  private mutating func look(for name: String, _ key: ExactText) -> Zone {
    if let rules = zones.systemRules(named: name) { return .rules(rules) }
    let definitions = definitions ?? ZoneDefinition.all(in: document, from: place)
    self.definitions = definitions
    var bad: CalendarDefect?
    if let place = definitions[key] {
      do throws(CalendarDefect) {
        let bytes = UnsafeBufferPointer(rebasing: document[place.bytes])
        return .rules(try zones.rules(definedBy: bytes, named: name, limits, steps: &stepsLeft))
      } catch {
        var defect = error
        defect.line += place.line - 1
        bad = defect
      }
    }
    if let rules = zones.windowsRules(named: name) { return .rules(rules) }
    return bad.map { .bad($0) } ?? .unknown
  }
}
