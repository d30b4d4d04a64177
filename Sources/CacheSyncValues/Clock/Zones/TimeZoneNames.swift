import CacheSyncSystem
import Glibc
import SystemPackage

extension TimeZoneDatabase {
  /// The names of all zones, including old ones, sorted; empty if the database has no list.
  package var names: [String] { Self.names(inCompactForm: compactForm) }

  /// The names of zones that are not aliases; empty if the database has no list.
  var ownNames: [String] { Self.names(inCompactForm: compactForm, withLinks: false) }

  private var compactForm: [UInt8] {
    guard let file = try? FileDescriptor.open(FilePath(directory + "/tzdata.zi"), .readOnly, options: .closeOnExec),
      let bytes = try? file.closeAfter({ try file.readAll() })
    else { return [] }
    return bytes
  }

  /// All names by their lower case; if the database has no list, those of its files.
  var namesInLowerCase: [String: String] {
    let listed = names
    let all = listed.isEmpty ? allFiles : listed
    return Dictionary(all.map { ($0.lowercased(), $0) }) { first, _ in first }
  }

  /// The name that an unknown one most likely means, also without its area: "Berlin". This reads the list of names.
  package func nearestName(to name: String) -> String? {
    // "Etc/GMT+3" is near "GMT+3", and three hours west.
    if let fixed = TimeZoneDatabase.fixedName(like: name) { return fixed }
    // The old names of three letters are near every abbreviation.
    let names = ["UTC"] + namesInLowerCase.values.filter { $0.contains("/") }.sorted()
    return NearestName.of(name, among: names) ?? names.first { $0.hasSuffix("/" + name) }
  }

  /// tzdata.zi has a line `Z NAME …` for each zone and `L TARGET NAME` for each alias (zic(8)).
  static func names(inCompactForm bytes: [UInt8], withLinks: Bool = true) -> [String] {
    let names = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
      let isLink = line.first == UInt8(ascii: "L")
      guard isLink && withLinks || line.first == UInt8(ascii: "Z") else { return nil }
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard words.count > (isLink ? 2 : 1), words[0].count == 1 else { return nil }
      return String(decoding: words[isLink ? 2 : 1], as: UTF8.self)
    }
    return names.filter(isZoneName).sorted()
  }
}
