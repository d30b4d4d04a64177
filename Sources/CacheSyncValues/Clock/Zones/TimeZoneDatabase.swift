import SystemPackage

/// The zones by name: the system's TZif files, and fixed offsets written `GMT+03:37`.
///
/// Every call reads the file again, so that an updated tzdata counts from the next call. The caller caches the rules.
package struct TimeZoneDatabase: Sendable {
  package let directory: String

  package init(directory: String = "/usr/share/zoneinfo") {
    self.directory = directory
  }

  /// The rules of a zone, which keep the name as given: an IANA name (case counts), `GMT+03:37` or `GMT-11:00` (two
  /// digits each, plus is east), `UTC` or `GMT`. The fixed ones need no files.
  package func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
    if name == "UTC" || name == "GMT" { return .fixed(offsetSeconds: 0, name: name) }
    if let offset = TimeZoneDatabase.offset(ofFixedName: name) { return .fixed(offsetSeconds: offset, name: name) }
    return try rules(inFileNamed: name)
  }

  /// The rules of an IANA name from its file alone; "GMT+03:37" is unknown here.
  func rules(inFileNamed name: String) throws(TimeZoneError) -> TimeZoneRules {
    guard TimeZoneDatabase.isZoneName(name), !Self.standIns.contains(name) else {
      throw TimeZoneError(name: name, reason: .unknown)
    }
    let path = path(ofZone: name)
    let bytes: [UInt8]
    do {
      bytes = try ZoneFile.read(path)
    } catch {
      switch error {
      case .permissionDenied, .notPermitted, .ioError, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory:
        throw TimeZoneError(name: name, reason: .unreadable(path: path.string, reason: error.description))
      default:
        throw TimeZoneError(name: name, reason: .unknown)
      }
    }
    guard let rules = TimeZoneRules(name: name, tzif: bytes) else {
      // Lists such as zone1970.tab are in the same directory. An empty file is a zone that a full disk cut off.
      let isZone = bytes.isEmpty || bytes.starts(with: "TZif".utf8)
      throw TimeZoneError(name: name, reason: isZone ? .malformed(path: path.string) : .unknown)
    }
    return rules
  }

  func path(ofZone name: String) -> FilePath { FilePath(directory).appending(name) }

  /// Whether a text has the form of an IANA name: components of letters, digits, `_`, `+` and `-`, joined by `/`. The
  /// trees `posix/` and `right/` contain every zone again, the latter with leap seconds; they are not names.
  static func isZoneName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 255 else { return false }
    let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = components.first, !first.elementsEqual("posix".utf8), !first.elementsEqual("right".utf8) else {
      return false
    }
    return components.allSatisfy { !$0.isEmpty && $0.allSatisfy(isNameByte) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Seconds east of exactly `GMT+hh:mm` or `GMT-hh:mm`, 00:00 to 23:59; nil for any other text.
  static func offset(ofFixedName name: String) -> Int? {
    name.withUTF8Bytes { bytes -> Int? in
      guard bytes.count == 9, bytes.starts(with: "GMT".utf8), bytes[6] == UInt8(ascii: ":"),
        bytes[3] == UInt8(ascii: "+") || bytes[3] == UInt8(ascii: "-"),
        let hours = ASCIIDigits.number(bytes, at: 4, count: 2), hours <= 23,
        let minutes = ASCIIDigits.number(bytes, at: 7, count: 2), minutes <= 59
      else { return nil }
      let seconds = hours * 3_600 + minutes * 60
      return bytes[3] == UInt8(ascii: "-") ? -seconds : seconds
    }
  }

  /// The name of that form for "GMT+3", "utc-03" or "UTC+0330"; nil for any other text.
  static func fixedName(like name: String) -> String? {
    let digits = name.dropFirst(4).filter { $0 != ":" }
    guard ["gmt+", "gmt-", "utc+", "utc-"].contains(name.prefix(4).lowercased()), (1...4).contains(digits.count),
      digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let number = Int(digits)
    else { return nil }
    let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard minutes < 60 else { return nil }
    return fixedName(offset: (hours * 60 + minutes) * (name.contains("-") ? -60 : 60))
  }

  /// The name of that form for an offset, or `UTC` for 0; nil if the offset has seconds or is a day or more.
  static func fixedName(offset: Int) -> String? {
    if offset == 0 { return "UTC" }
    let minutes = abs(offset) / 60
    guard offset % 60 == 0, minutes < 24 * 60 else { return nil }
    var bytes = Array((offset < 0 ? "GMT-" : "GMT+").utf8)
    ASCIIDigits.append(minutes / 60, count: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    ASCIIDigits.append(minutes % 60, count: 2, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
