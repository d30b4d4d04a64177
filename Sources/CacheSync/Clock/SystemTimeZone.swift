/// The zone that the machine is set to, as glibc finds it, with a name where glibc needs none.
package enum SystemTimeZone {
  /// The name of a zone whose rules are known and whose name is not.
  static let unnamed = "Local"

  /// The rules in force: those of TZ when it is set, else of /etc/localtime, else UTC. Reads the files anew at each
  /// call, because they are replaced while programs run.
  package static func current(
    environment text: String?,
    localtime: String = "/etc/localtime",
    timezoneFile: String = "/etc/timezone",
    database: TimeZoneDatabase = TimeZoneDatabase()
  ) -> TimeZoneRules {
    if let text { return rules(variable: text, timezoneFile: timezoneFile, database: database) }
    return rules(localtime: localtime, timezoneFile: timezoneFile, database: database) ?? .utc
  }

  /// What TZ means: a zone's name, the absolute path of a TZif file, or a POSIX string, a colon before it or not; empty
  /// or nonsense is UTC (tzset(3)).
  ///
  /// In "GMT+03:37" POSIX counts west as positive and `date` follows, the contract's name of that form does not. A zone
  /// that a POSIX string fixes is therefore named anew, by the contract's form: "GMT-03:37".
  private static func rules(variable: String, timezoneFile: String, database: TimeZoneDatabase) -> TimeZoneRules {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.isEmpty { return .utc }
    if text.hasPrefix("/") {
      // A path that names no zone itself, such as ":/etc/localtime", has the name that its link was set to.
      return rules(
        localtime: text, named: name(inPath: text), timezoneFile: timezoneFile, database: database) ?? .utc
    }
    let name = withoutTree(text)
    if name == "UTC" || name == "GMT" { return .fixed(offsetSeconds: 0, name: name) }
    if let rules = try? database.rules(inFileNamed: name) { return rules }
    guard let rules = TimeZoneRules(posix: text, name: text) else { return .utc }
    guard let offset = rules.constantOffset else { return rules }
    if offset == 0 { return .utc }
    return TimeZoneDatabase.fixedName(offset: offset).map { .fixed(offsetSeconds: offset, name: $0) } ?? rules
  }

  /// The zone of /etc/localtime, or of another file at an absolute path; nil when it is missing or unusable.
  private static func rules(
    localtime: String, named known: String? = nil, timezoneFile: String, database: TimeZoneDatabase
  ) -> TimeZoneRules? {
    guard let bytes = try? ZoneFile.read(localtime) else { return nil }
    let linked = known ?? nameByLinks(from: localtime)
    let name = linked ?? nameInFile(timezoneFile, bytes: bytes, database: database) ?? unnamed
    if let rules = TimeZoneRules(name: name, tzif: bytes) { return rules }
    // A link into right/ leads to a file with leap seconds; the zone of that name without them is what is meant.
    return linked.flatMap { try? database.rules(named: $0) }
  }

  /// The first zone's name among the targets of a chain of links, followed one by one: the last file may be a link to a
  /// zone of another name (US/Eastern to America/New_York), and the name is the one that was chosen.
  private static func nameByLinks(from start: String) -> String? {
    var path = start
    // As many links as the kernel follows.
    for _ in 0..<40 {
      guard let target = ZoneFile.target(ofLink: path) else { return nil }
      if let name = name(inPath: target) { return name }
      if target.hasPrefix("/") {
        path = target
      } else {
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        path = directory + target
      }
    }
    return nil
  }

  /// The zone's name in a path: what follows `zoneinfo/`. Names that stand for another zone (`localtime`, `posixrules`)
  /// are none.
  private static func name(inPath path: String) -> String? {
    let marker = Array("zoneinfo/".utf8)
    let bytes = Array(path.utf8)
    var start = bytes.count - marker.count
    while start >= 0 {
      let isComponent = start == 0 || bytes[start - 1] == UInt8(ascii: "/")
      if isComponent, bytes[start..<(start + marker.count)].elementsEqual(marker) {
        let name = withoutTree(String(decoding: bytes[(start + marker.count)...], as: UTF8.self))
        let isAlias = name == "localtime" || name == "posixrules"
        return TimeZoneDatabase.isZoneName(name) && !isAlias ? name : nil
      }
      start -= 1
    }
    return nil
  }

  /// The name that /etc/timezone gives, if that zone's file is the same as /etc/localtime: the two drift apart when one
  /// is edited by hand.
  private static func nameInFile(_ path: String, bytes: [UInt8], database: TimeZoneDatabase) -> String? {
    guard let content = try? ZoneFile.read(path) else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let word = content.drop(while: isBlank).prefix { !isBlank($0) }
    let name = String(decoding: word, as: UTF8.self)
    guard TimeZoneDatabase.isZoneName(name), let zone = try? ZoneFile.read(database.path(ofZone: name)) else {
      return nil
    }
    return zone == bytes ? name : nil
  }

  /// A name below `posix/` or `right/` without that first component.
  private static func withoutTree(_ name: String) -> String {
    for tree in ["posix/", "right/"] where name.hasPrefix(tree) { return String(name.dropFirst(tree.count)) }
    return name
  }
}
