import Synchronization

/// The time zones of this process: read once from the system's files and shared by all caches that use them.
package final class TimeZones: Sendable {
  private let database: TimeZoneDatabase
  private let environment: String?
  private let localtime: String
  private let known = Mutex(Known())

  private struct Known {
    var byName: [String: TimeZoneRules] = [:]
    var system: TimeZoneRules?
  }

  /// - Parameter environment: the value of `TZ`, which wins over the system's setting.
  package init(
    database: TimeZoneDatabase = TimeZoneDatabase(), environment: String?, localtime: String = "/etc/localtime"
  ) {
    self.database = database
    self.environment = environment
    self.localtime = localtime
  }

  /// The rules of a zone by its IANA name or as `GMT+03:37`; throws for a name that the system does not know.
  package func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
    if let rules = known.withLock({ $0.byName[name] }) { return rules }
    let rules = try database.rules(named: name)
    known.withLock { $0.byName[name] = rules }
    return rules
  }

  /// The system's zone.
  package func system() -> TimeZoneRules {
    if let rules = known.withLock({ $0.system }) { return rules }
    let rules = SystemTimeZone.current(environment: environment, localtime: localtime, database: database)
    known.withLock { $0.system = rules }
    return rules
  }

  /// Reads everything again when it is next asked for: the system's zone was changed, or its zone data updated.
  package func forget() { known.withLock { $0 = Known() } }
}
