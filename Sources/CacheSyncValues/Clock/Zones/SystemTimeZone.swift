import CacheSyncSystem
package import SystemPackage

/// The zone that the machine is set to, as glibc finds it, with a name for which every reader finds the same rules.
package struct SystemTimeZone: Sendable {
  /// The rules in force: those of TZ if it is valid, or else of /etc/localtime, or else UTC.
  package let rules: TimeZoneRules
  /// The value of TZ if it is not a valid zone; it is then ignored.
  package let unusableVariable: FilePath?
  /// When the name must be determined again even if no file changes; nil: never.
  let nameExpires: Instant?

  /// The same zone with rules that are equal.
  func with(_ rules: TimeZoneRules) -> SystemTimeZone {
    SystemTimeZone(rules: rules, unusableVariable: unusableVariable, nameExpires: nameExpires)
  }

  /// Reads the files again at each call, because they are replaced while programs run.
  package static func read(
    environment variable: FilePath?,
    localtime: FilePath = "/etc/localtime",
    timezoneFile: FilePath = "/etc/timezone",
    database: TimeZoneDatabase = TimeZoneDatabase(),
    now: Instant = .now
  ) -> SystemTimeZone {
    let files = ZoneFiles(timezoneFile: timezoneFile, database: database, now: now)
    let chosen = variable.map { files.zone(variable: $0) }
    let found = chosen.flatMap(\.self) ?? files.zone(at: localtime) ?? ZoneFiles.Zone(rules: .utc)
    return SystemTimeZone(
      rules: found.rules, unusableVariable: chosen == .some(nil) ? variable : nil, nameExpires: found.nameExpires)
  }
}

/// The files in which the system keeps its zone.
private struct ZoneFiles {
  var timezoneFile: FilePath
  var database: TimeZoneDatabase
  var now: Instant

  struct Zone: Equatable {
    var rules: TimeZoneRules
    var nameExpires: Instant?
  }

  /// The zone that TZ means: a zone's name, the absolute path of a TZif file, or a POSIX string, with or without a
  /// colon before it. Empty is UTC (tzset(3)). Nil for anything else, which glibc treats as UTC.
  ///
  /// In "GMT+03:37" POSIX counts west as positive, and `date` follows it; the contract's names of that form do not. So
  /// a zone that a POSIX string fixes gets a new name in the contract's form: "GMT-03:37".
  func zone(variable: FilePath) -> Zone? {
    let bytes = variable.bytes
    let path = FilePath(bytes: bytes.first == UInt8(ascii: ":") ? Array(bytes.dropFirst()) : bytes)
    if path.isEmpty { return Zone(rules: .utc) }
    if path.isAbsolute { return zone(at: path, named: Self.name(inPath: path)) }
    let text = path.string
    let name = Self.withoutTree(text)
    if name == "UTC" || name == "GMT" { return Zone(rules: .fixed(offsetSeconds: 0, name: name)) }
    if TimeZoneDatabase.isZoneName(name), let zone = zone(at: database.path(ofZone: name), named: name) {
      return zone
    }
    // Without rules ("CET-1CEST") the ones that glibc assumes apply. They are published, because other readers may
    // assume different ones.
    let candidates = [text, text + ",M3.2.0,M11.1.0"]
    guard let rules = candidates.lazy.compactMap({ TimeZoneRules(posix: $0, name: $0) }).first else { return nil }
    guard let offset = rules.constantOffset else {
      return Zone(rules: named(rules.table, writtenAs: rules.name, preferring: [nameInTimezoneFile]) ?? rules)
    }
    return Zone(rules: .fixed(offsetSeconds: offset, name: TimeZoneDatabase.fixedName(offset: offset) ?? text))
  }

  /// The zone of a TZif file such as /etc/localtime; nil if it is missing or unusable.
  ///
  /// - Parameter known: the name of the path. A path without one, such as /etc/localtime, has the name to which its link
  ///   was set.
  func zone(at path: FilePath, named known: String? = nil) -> Zone? {
    guard let bytes = try? ZoneFile.read(path) else { return nil }
    let linked = known ?? Self.nameByLinks(from: path)
    guard let file = TZifFile(bytes) else {
      // A link into right/ leads to a file with leap seconds; it means the zone of that name without them.
      return linked.flatMap { try? database.rules(named: $0) }.map { Zone(rules: $0) }
    }
    let table = OffsetTable(file)
    let preferred = [linked, nameInTimezoneFile]
    if let name = database.name(ofFile: bytes, with: table, preferring: preferred.compactMap(\.self)) {
      return Zone(rules: TimeZoneRules(name: name, table: table))
    }
    let lasting = ZoneRuleText.lasting(file, from: now)
    if let rules = named(table, writtenAs: lasting, preferring: preferred) { return Zone(rules: rules) }
    if let text = lasting { return Zone(rules: TimeZoneRules(name: text, table: table)) }
    // Readers could not know the file's rules, so the agent does not use them either.
    let text = ZoneRuleText.passing(table, from: now)
    return TimeZoneRules(posix: text, name: text).map {
      Zone(rules: $0, nameExpires: now.advanced(by: .seconds(86_400)))
    }
  }

  /// A zone with a name and with the same offsets from a year ago on, without end, because many readers know no rule
  /// strings. Its own rules also count for the time before, as they do for readers. Nil for offsets that no longer
  /// change.
  private func named(
    _ table: OffsetTable, writtenAs text: String?, preferring preferred: [String?]
  ) -> TimeZoneRules? {
    guard table.nextChange(after: now.seconds) != nil else { return nil }
    return database.zone(
      with: table, writtenAs: text, from: now.advanced(by: .seconds(-366 * 86_400)),
      preferring: preferred.compactMap(\.self))
  }

  /// The first zone's name among the targets of a chain of links, followed one by one. The last file may itself be a
  /// link to a zone with another name (US/Eastern to America/New_York); the result is the name that was chosen.
  private static func nameByLinks(from start: FilePath) -> String? {
    var path = start
    // The kernel's limit of links in a path.
    for _ in 0..<40 {
      guard let target = path.linkTarget else { return nil }
      if let name = name(inPath: target) { return name }
      path = path.removingLastComponent().pushing(target)
    }
    return nil
  }

  /// The zone's name in a path: the part after `zoneinfo/`. Names that stand for another zone (`localtime`,
  /// `posixrules`) do not count.
  private static func name(inPath path: FilePath) -> String? {
    let marker = Array("zoneinfo/".utf8)
    let bytes = path.bytes
    var start = bytes.count - marker.count
    while start >= 0 {
      let isComponent = start == 0 || bytes[start - 1] == UInt8(ascii: "/")
      if isComponent, bytes[start..<(start + marker.count)].elementsEqual(marker) {
        let name = withoutTree(String(decoding: bytes[(start + marker.count)...], as: UTF8.self))
        return TimeZoneDatabase.isZoneName(name) && !TimeZoneDatabase.standIns.contains(name) ? name : nil
      }
      start -= 1
    }
    return nil
  }

  /// The name in /etc/timezone. It counts only if that zone's file equals /etc/localtime, because the two diverge when
  /// one is edited by hand.
  private var nameInTimezoneFile: String? {
    guard let content = try? ZoneFile.read(timezoneFile) else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let word = content.drop(while: isBlank).prefix { !isBlank($0) }
    return String(decoding: word, as: UTF8.self)
  }

  /// A name below `posix/` or `right/` without that first component.
  private static func withoutTree(_ name: String) -> String {
    for tree in ["posix/", "right/"] where name.hasPrefix(tree) { return String(name.dropFirst(tree.count)) }
    return name
  }
}
