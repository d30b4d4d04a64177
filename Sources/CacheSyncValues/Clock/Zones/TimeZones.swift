import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// The time zones of this process: read once from the system's files, and shared by all caches that use them.
package final class TimeZones: Sendable {
  private let database: TimeZoneDatabase
  private let environment: FilePath?
  private let localtime: FilePath
  private let timezoneFile: FilePath
  private let known = Mutex(Known())

  private struct Known {
    var byName: [String: TimeZoneRules] = [:]
    /// Names without a file.
    var unknown: Set<String> = []
    var byRule: [String: TimeZoneRules] = [:]
    var system: SystemTimeZone?
    /// The files that were read or missing, with their state just before the reading.
    var files: [FilePath: FileState] = [:]
    /// How often any rules changed.
    var changeCount = 0
    /// The database's names by their lower case; nil until they are needed.
    var namesInLowerCase: [String: String]?
    /// What is said of unknown names.
    var advice: [String: String] = [:]
  }

  private struct FileState: Equatable {
    /// The identity of the file that the path leads to; nil: there is none.
    var identity: FileIdentity?
    /// The target, if the path is a link.
    var target: FilePath?

    init(_ path: FilePath) {
      var about = stat()
      identity = path.withPlatformString({ stat($0, &about) }) == 0 ? FileIdentity(about) : nil
      target = path.linkTarget
    }
  }

  /// How many names without a zone, and how many rule strings, to keep. Files from outside may have any number of them.
  private static let maximumCount = 256

  /// - Parameter environment: the value of `TZ`, which overrides the system's setting and may be a path.
  package init(
    database: TimeZoneDatabase = TimeZoneDatabase(), environment: FilePath?, localtime: FilePath = "/etc/localtime",
    timezoneFile: FilePath = "/etc/timezone"
  ) {
    self.database = database
    self.environment = environment
    self.localtime = localtime
    self.timezoneFile = timezoneFile
  }

  /// The rules of a zone by its IANA name or as `GMT+03:37`; throws for a name that the system does not know.
  package func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
    if let rules = known.withLock({ $0.byName[name] }) { return rules }
    let path = TimeZoneDatabase.isZoneName(name) ? database.path(ofZone: name) : nil
    let state = path.map { FileState($0) }
    do throws(TimeZoneError) {
      let rules = try database.rules(named: name)
      known.withLock { known in
        known.byName[name] = rules
        if let path { known.files[path] = state }
      }
      return rules
    } catch {
      known.withLock { known in
        guard let path, known.unknown.count < Self.maximumCount else { return }
        known.unknown.insert(name)
        known.files[path] = state
      }
      throw error
    }
  }

  /// The rules for a snapshot's `timeZone`: a name as for ``rules(named:)``, or a POSIX rule string.
  package func rules(published text: String) -> TimeZoneRules? {
    if let rules = try? rules(named: text) { return rules }
    if let rules = known.withLock({ $0.byRule[text] }) { return rules }
    guard let rules = TimeZoneRules(posix: text, name: text) else { return nil }
    known.withLock { known in
      if known.byRule.count >= Self.maximumCount { known.byRule = [:] }
      known.byRule[text] = rules
    }
    return rules
  }

  /// The rules of a zone in upper or lower case, such as "europe/berlin"; nil for a name that the system does not know.
  package func rules(namedInAnyCase name: String) -> TimeZoneRules? {
    if let rules = try? rules(named: name) { return rules }
    let spelled = known.withLock { known in
      let names = known.namesInLowerCase ?? database.namesInLowerCase
      known.namesInLowerCase = names
      return names[name.lowercased()]
    }
    // A fixed offset is not in any list.
    return try? rules(named: spelled ?? name.uppercased())
  }

  /// " (did you mean Europe/Berlin?)" for an unknown name, or an empty text. Kept, because many files may have one mistake.
  package func advice(for name: String) -> String {
    let (kept, count) = known.withLock { ($0.advice[name], $0.advice.count) }
    if let kept { return kept }
    guard count < Self.maximumCount, name.utf8.count <= Self.longestName else { return "" }
    // Outside the lock, because it reads a file, and the threads of all disks look up zones.
    let advice = database.nearestName(to: name).map { " (did you mean \($0)?)" } ?? ""
    known.withLock { $0.advice[name] = advice }
    return advice
  }

  /// The system's zone.
  package func system() -> TimeZoneRules { systemZone().rules }

  /// The value of `TZ` if it is not a valid zone; the system's zone then counts.
  package var unusableVariable: FilePath? { systemZone().unusableVariable }

  private func systemZone() -> SystemTimeZone {
    if let zone = known.withLock({ $0.system }) { return zone }
    let (zone, files) = readSystemZone()
    known.withLock { known in
      known.system = zone
      known.files.merge(files) { $1 }
    }
    return zone
  }

  private func readSystemZone() -> (SystemTimeZone, [FilePath: FileState]) {
    var paths = [localtime, timezoneFile, FilePath(database.directory)]
    // These files name the zones, and are replaced together with them. The zone's own file is checked too, because an
    // administrator may replace just one.
    paths += ["tzdata.zi", "+VERSION"].map { database.path(ofZone: $0) }
    if let value = environment?.bytes.drop(while: { $0 == UInt8(ascii: ":") }), !value.isEmpty {
      // An absolute path does not change.
      paths.append(FilePath(database.directory).pushing(FilePath(bytes: Array(value))))
    }
    var files = Dictionary(paths.map { ($0, FileState($0)) }, uniquingKeysWith: { $1 })
    let zone = SystemTimeZone.read(
      environment: environment, localtime: localtime, timezoneFile: timezoneFile, database: database)
    let path = database.path(ofZone: zone.rules.name)
    if TimeZoneDatabase.isZoneName(zone.rules.name), files[path] == nil { files[path] = FileState(path) }
    return (zone, files)
  }

  /// Reads everything again if a file that was read or missing has changed: the system's zone was set, or its zone data
  /// updated. If none has changed, this costs one look at each of them.
  ///
  /// - Returns: how often rules have changed. A caller that caches results compares this with the count at that time.
  @discardableResult
  package func refresh() -> Int {
    let known = known.withLock { $0 }
    let isExpired = known.system?.nameExpires.map { $0 <= .now } ?? false
    guard isExpired || known.files.contains(where: { FileState($0.key) != $0.value }) else { return known.changeCount }
    return readAgain()
  }

  /// Reads everything again. Zones with unchanged rules stay the same objects.
  ///
  /// - Returns: as for ``refresh()``.
  @discardableResult
  package func readAgain() -> Int {
    let old = known.withLock { $0 }
    var new = Known()
    new.changeCount = old.changeCount
    var hasChanged = false
    for (name, rules) in old.byName {
      let path = database.path(ofZone: name)
      if old.files[path] != nil { new.files[path] = FileState(path) }
      let now = try? database.rules(named: name)
      if now != rules { hasChanged = true }
      new.byName[name] = now == rules ? rules : now
    }
    for name in old.unknown {
      let path = database.path(ofZone: name)
      new.files[path] = FileState(path)
      if let now = try? database.rules(named: name) {
        hasChanged = true
        new.byName[name] = now
      } else {
        new.unknown.insert(name)
      }
    }
    if let system = old.system {
      let (zone, files) = readSystemZone()
      new.system = zone.rules == system.rules ? zone.with(system.rules) : zone
      if zone.rules != system.rules { hasChanged = true }
      new.files.merge(files) { $1 }
    }
    if hasChanged { new.changeCount += 1 }
    return known.withLock { known in
      // Another thread may have counted the same change meanwhile.
      new.changeCount = max(new.changeCount, known.changeCount)
      known = new
      return new.changeCount
    }
  }
}
