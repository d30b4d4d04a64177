import CLinux
import CacheSyncSystem
import Glibc
import SystemPackage

extension TimeZoneDatabase {
  /// Files among the zones that mean the zone that the system is set to.
  static let standIns: Set<String> = ["localtime", "posixrules"]

  /// The name of the zone whose file has exactly these bytes; nil if no file has them.
  ///
  /// The first choice is one of the preferred names, in their order. Then comes a zone's own name, then an alias. Of
  /// several it is the least by bytes.
  ///
  /// - Parameter table: the meaning of the bytes. A name with a fixed meaning that differs, such as UTC, is not a
  ///   candidate.
  func name(ofFile bytes: [UInt8], with table: OffsetTable, preferring preferred: [String]) -> String? {
    guard let mount else { return nil }
    return firstName(preferring: preferred) { name in
      ZoneFile.has(bytes, at: path(ofZone: name), onMount: mount) && (try? rules(named: name))?.table == table
    }
  }

  /// The zone with the same offsets from a moment on, without end; nil if there is none. This may read every zone's file.
  ///
  /// The first choice is a zone whose file ends with the given rule string, then any. Of several the order is that of
  /// ``name(ofFile:with:preferring:)``.
  func zone(with table: OffsetTable, writtenAs text: String?, from moment: Instant, preferring preferred: [String])
    -> TimeZoneRules?
  {
    guard let mount else { return nil }
    let offsets = table.offsets(from: moment.seconds)
    var zone: TimeZoneRules?
    _ = firstName(preferring: preferred) { name in
      guard let file = ZoneFile.read(path(ofZone: name), onMount: mount).flatMap({ TZifFile($0) }),
        zone == nil || file.footer == text,
        // Few zones have the same offsets, and only the rules of these are followed.
        let rule = file.footer.flatMap({ PosixZone($0) }), offsets.isSuperset(of: rule.offsets)
      else { return false }
      let found = OffsetTable(file)
      guard found.isSame(as: table, from: moment.seconds), (try? rules(named: name))?.table == found else {
        return false
      }
      zone = TimeZoneRules(name: name, table: found)
      return file.footer == text
    }
    return zone
  }

  /// The mount of the database's directory; nil if there is none.
  private var mount: UInt64? {
    guard let directory = Descriptor(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return nil }
    return clinux_mount_id(directory.raw)
  }

  /// The first name that qualifies: of the preferred ones in their order, then of the zones' own names, then of all
  /// aliases.
  private func firstName(preferring preferred: [String], where qualifies: (String) -> Bool) -> String? {
    var seen: Set<String> = []
    func isName(_ name: String) -> Bool {
      seen.insert(name).inserted && Self.isZoneName(name) && !Self.standIns.contains(name) && qualifies(name)
    }
    if let name = preferred.first(where: isName) { return name }
    for list in [ownNames, namesOfPlaces("zone1970.tab"), namesOfPlaces("zone.tab")] {
      if let name = list.sorted(by: { isOrdered($0, before: $1) }).first(where: isName) { return name }
    }
    return allFiles.sorted(by: { isOrdered($0, before: $1) }).first(where: isName)
  }

  /// The names in a table of places (zone1970.tab, zone.tab): the third field of each line.
  private func namesOfPlaces(_ file: String) -> [String] {
    guard let bytes = try? ZoneFile.read(path(ofZone: file)) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first != UInt8(ascii: "#") else { return nil }
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3)
      return fields.count > 2 ? String(decoding: fields[2], as: UTF8.self) : nil
    }
  }

  /// The names of all files that could be zones, in the order of the directories.
  var allFiles: [String] {
    var names: [String] = []
    var waiting = [""]
    while let prefix = waiting.popLast() {
      guard
        let raw = Descriptor(path(ofZone: prefix).withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }),
        let entries = try? Directory.list(raw.raw)
      else { continue }
      for entry in entries {
        let name = prefix + String(decoding: entry.name, as: UTF8.self)
        guard Self.isZoneName(name) else { continue }
        if Self.isDirectory(entry.type, path(ofZone: name)) { waiting.append(name + "/") } else { names.append(name) }
      }
    }
    return names
  }

  /// A link to a directory is not followed, because it could lead back.
  private static func isDirectory(_ type: Directory.EntryType, _ path: FilePath) -> Bool {
    guard type == .unknown else { return type == .directory }
    var about = stat()
    return path.withPlatformString({ lstat($0, &about) }) == 0 && about.st_mode & S_IFMT == S_IFDIR
  }
}
