import Synchronization

/// The zones that calendars name: the system's, those of Windows, and those that files define.
///
/// Zones that files define are kept by their bytes: a directory of ten thousand calendars of one program has ten thousand
/// copies of the same few.
package final class CalendarZones: Sendable {
  private let system: TimeZones
  private let defined = Mutex<[[UInt8]: TimeZoneRules]>([:])

  /// How many defined zones are kept; a judgement. They are all forgotten when there are more.
  private static let greatestCount = 256

  package init(_ system: TimeZones) { self.system = system }

  /// The system's zone of a name, whole or after its last prefix: "/vendor/Europe/Berlin".
  func systemRules(named name: String) -> TimeZoneRules? {
    var rest = Substring(name)
    // No zone's name is longer, nor has more parts than three; the bound keeps a hostile name from many look-ups.
    guard rest.utf8.count <= 255 else { return nil }
    while true {
      if let rules = rules(named: String(rest)) { return rules }
      guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      rest = rest[rest.utf8.index(after: slash)...]
    }
  }

  /// The system's rules of a zone of Windows.
  func windowsRules(named name: String) -> TimeZoneRules? {
    WindowsZones.ianaName(of: name).flatMap { rules(named: $0) }
  }

  private func rules(named name: String) -> TimeZoneRules? { try? system.rules(named: name) }

  /// The rules of a VTIMEZONE; nil when it is bad.
  func rules(definedBy zone: UnsafeBufferPointer<UInt8>, named name: String) -> TimeZoneRules? {
    let key = Array(zone)
    if let rules = defined.withLock({ $0[key] }) { return rules }
    guard let rules = ZoneDefinition.rules(zone, named: name) else { return nil }
    defined.withLock {
      if $0.count == Self.greatestCount { $0 = [:] }
      $0[key] = rules
    }
    return rules
  }
}

/// The zones of one file by the names that it uses (OWNFEEDS: calendars, zones).
struct FileZones {
  private let document: UnsafeBufferPointer<UInt8>
  private let zones: CalendarZones
  /// What names have meant so far; nil: no zone.
  private var found: [String: TimeZoneRules?] = [:]
  /// The VTIMEZONEs by their names, looked for when the first is needed. Of one name the first counts.
  private var definitions: [String: Range<Int>]?

  init(_ document: UnsafeBufferPointer<UInt8>, _ zones: CalendarZones) {
    self.document = document
    self.zones = zones
  }

  /// The system's zone, else the file's, else that of Windows.
  mutating func rules(named name: String) -> TimeZoneRules? {
    if let rules = found[name] { return rules }
    let rules = zones.systemRules(named: name) ?? definedRules(named: name) ?? zones.windowsRules(named: name)
    found[name] = .some(rules)
    return rules
  }

  private mutating func definedRules(named name: String) -> TimeZoneRules? {
    let definitions = definitions ?? ZoneDefinition.all(in: document)
    self.definitions = definitions
    guard let range = definitions[name] else { return nil }
    return zones.rules(definedBy: UnsafeBufferPointer(rebasing: document[range]), named: name)
  }
}
