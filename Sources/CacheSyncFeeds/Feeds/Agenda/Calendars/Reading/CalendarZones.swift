import Synchronization

/// The zones that calendars name: the system's, those of Windows, and those that files define.
///
/// It caches the zones that files define by their bytes: ten thousand calendars of one program contain ten thousand
/// copies of the same few.
package final class CalendarZones: Sendable {
  let system: TimeZones
  private let defined = Mutex<[[UInt8]: ZoneDefinition.Result]>([:])

  /// How many defined zones to keep, and how many bytes one may have: enough for all programs that write into one
  /// cache, at little memory. If there are more, the cache is emptied.
  private static let greatestCount = 256
  private static let greatestLength = 16_384

  package init(_ system: TimeZones) { self.system = system }

  /// The meaning of a VTIMEZONE.
  ///
  /// - Parameter steps: how many steps its rules may take; reduced by the steps they take, even for a cached zone.
  func rules(
    definedBy zone: UnsafeBufferPointer<UInt8>, named name: String, _ limits: CalendarLimits, steps: inout Int
  ) throws(CalendarDefect) -> ZoneDefinition.Result {
    let key = zone.count <= Self.greatestLength ? Array(zone) : nil
    if let key, let found = defined.withLock({ $0[key] }), found.steps <= steps {
      steps -= found.steps
      return found
    }
    let result = try ZoneDefinition.rules(zone, named: name, limits, steps: &steps)
    if let key {
      defined.withLock {
        if $0.count == Self.greatestCount { $0 = [:] }
        $0[key] = result
      }
    }
    return result
  }
}

/// The zones of one VCALENDAR by the names that it uses, ignoring case (definitions.md: zones).
struct FileZones {
  /// The meaning of a name.
  enum Zone {
    case rules(TimeZoneRules)
    /// With the nearest name, as ``TimeZones/advice(for:)`` says it.
    case unknown(String)
    /// The file's VTIMEZONE cannot be used.
    case bad(CalendarDefect)
  }

  private let document: UnsafeBufferPointer<UInt8>
  private let zones: CalendarZones
  private let limits: CalendarLimits
  /// The steps that the zones of the file may still take.
  private(set) var stepsLeft: Int
  /// What is ignored in the VTIMEZONEs that were needed.
  private(set) var warnings: [CalendarDefect] = []
  /// Where the VCALENDAR begins: the byte, and the line from 1.
  private var place = (offset: 0, line: 1)
  /// The names resolved so far.
  private var found: [ExactText: Zone] = [:]
  /// The VTIMEZONEs by their names; searched when the first is needed. Of duplicate names the first counts.
  private var definitions: [ExactText: ZoneDefinition.Place]?

  init(_ document: UnsafeBufferPointer<UInt8>, _ zones: CalendarZones, _ limits: CalendarLimits) {
    self.document = document
    self.zones = zones
    self.limits = limits
    stepsLeft = limits.stepsOfZones
  }

  /// Drops the zones of the previous VCALENDAR.
  ///
  /// - Parameter line: the BEGIN of the new one.
  mutating func beginCalendar(_ line: ContentLine) {
    place = (line.offset, line.number)
    found = [:]
    definitions = nil
  }

  /// The system's zone, or else the VCALENDAR's, or else that of Windows.
  mutating func zone(named name: String) -> Zone {
    guard name.utf8.count <= TimeZones.longestName else { return .unknown("") }
    let key = ExactText(name.lowercased())
    if let zone = found[key] { return zone }
    let zone = look(for: name, key)
    found[key] = zone
    return zone
  }

  private mutating func look(for name: String, _ key: ExactText) -> Zone {
    if let rules = zones.system.systemRules(named: name) { return .rules(rules) }
    let definitions = definitions ?? ZoneDefinition.all(in: document, from: place)
    self.definitions = definitions
    var bad: CalendarDefect?
    if let place = definitions[key] {
      do throws(CalendarDefect) {
        let bytes = UnsafeBufferPointer(rebasing: document[place.bytes])
        let zone = try zones.rules(definedBy: bytes, named: name, limits, steps: &stepsLeft)
        for var warning in zone.warnings {
          warning.line += place.line - 1
          warning.pointer = "/VTIMEZONE"
          warnings.append(warning)
        }
        return .rules(zone.rules)
      } catch {
        var defect = error
        defect.line += place.line - 1
        bad = defect
      }
    }
    if let rules = zones.system.windowsRules(named: name) { return .rules(rules) }
    return bad.map { .bad($0) } ?? .unknown(zones.system.advice(for: name))
  }
}
