import Foundation
import Testing

import CacheSync

@Suite struct TimeZoneDatabaseTests {
  private let moment = Instant(seconds: 1_795_323_600)  // 2026-11-22T05:00:00Z

  @Test(
    "A zone is found by its IANA name or as a fixed offset, and keeps the name as written",
    arguments: [
      ("Europe/Berlin", 3_600), ("America/Argentina/Buenos_Aires", -10_800), ("America/New_York", -18_000),
      ("EST5EDT", -18_000), ("Etc/GMT+5", -18_000), ("Etc/UTC", 0), ("UTC", 0), ("GMT", 0), ("GMT+03:37", 13_020),
      ("GMT-11:00", -39_600), ("GMT+00:00", 0), ("GMT+23:59", 86_340), ("GMT-00:30", -1_800), ("GMT+0", 0),
    ])
  func found(name: String, offset: Int) throws {
    let rules = try TimeZoneDatabase().rules(named: name)
    #expect(rules.name == name)
    #expect(rules.offset(at: moment) == offset)
  }

  @Test(
    "Any other name is unknown",
    arguments: [
      "", "Mars/Base", "europe/berlin", "Europe", "Europe/", "/Europe/Berlin", "Europe//Berlin", "../zoneinfo/UTC",
      "Europe/../UTC", "./UTC", "posix/Europe/Berlin", "right/Europe/Berlin", "zone1970.tab", "leapseconds",
      "tzdata.zi", "GMT+3:37", "GMT+03:60", "GMT+24:00", "GMT+0337", "GMT+03:37 ", "gmt+03:37", "UTC+03:00", "+03:00",
      "utc", "Europe/Berlin\0", "Europe/Berlin\n", "EST5EDT,M3.2.0,M11.1.0", "Europe/\u{2215}", "/etc/localtime",
      "localtime", "posixrules",
    ])
  func unknown(name: String) {
    #expect(throws: TimeZoneError(name: name, reason: .unknown)) { try TimeZoneDatabase().rules(named: name) }
  }

  @Test("UTC, GMT and fixed offsets need no files")
  func withoutFiles() throws {
    let database = TimeZoneDatabase(directory: "/nonexistent")
    for name in ["UTC", "GMT", "GMT+05:30"] { #expect(try database.rules(named: name).name == name) }
    #expect(throws: TimeZoneError(name: "Europe/Berlin", reason: .unknown)) {
      try database.rules(named: "Europe/Berlin")
    }
  }

  @Test("A damaged file is an error that names it, and a FIFO or text is an unknown zone and does not block")
  func damagedFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("Damaged", Array(TimeZoneRulesTests.systemFile("Europe/Berlin").dropLast()))
    try folder.write("Empty", [])
    try folder.write("Text", Array("hello".utf8))
    try folder.write("Large", [UInt8](repeating: 0, count: 1 << 21))
    #expect(mkfifo(folder.path + "/Fifo", 0o600) == 0)
    try folder.link("Loop", to: "Loop")
    let database = TimeZoneDatabase(directory: folder.path)
    for name in ["Damaged", "Empty"] {
      #expect(throws: TimeZoneError(name: name, reason: .malformed(path: "\(folder.path)/\(name)"))) {
        try database.rules(named: name)
      }
    }
    for name in ["Text", "Large", "Fifo", "Loop"] {
      #expect(throws: TimeZoneError(name: name, reason: .unknown)) { try database.rules(named: name) }
    }
  }

  @Test("An error is one line that says what to do")
  func descriptions() {
    #expect(
      TimeZoneError(name: "Mars/Base", reason: .unknown).description
        == "unknown time zone 'Mars/Base': use an IANA name such as Europe/Berlin, or GMT+03:37")
    let unreadable = TimeZoneError(name: "A", reason: .unreadable(path: "/z/A", reason: "Permission denied"))
    #expect(
      unreadable.description
        == "cannot read time zone 'A' from /z/A: Permission denied; make the file readable, or use GMT+03:37")
    #expect(
      TimeZoneError(name: "A", reason: .malformed(path: "/z/A")).description
        == "time zone 'A': /z/A is not a usable TZif file; install the system's tzdata again")
    #expect(TimeZoneError(name: "a\n\u{202E}", reason: .unknown).description.contains(#"'a\x0a\xe2\x80\xae'"#))
    let long = TimeZoneError(name: String(repeating: "x", count: 10_000), reason: .unknown)
    #expect(long.description.utf8.count < 200)
  }
}

/// A directory for one test, removed when the test ends.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and creates its directories.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try makeParent(name)
    try Data(bytes).write(to: URL(filePath: path + "/" + name))
  }

  func link(_ name: String, to target: String) throws {
    try makeParent(name)
    try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
  }

  private func makeParent(_ name: String) throws {
    let parent = URL(filePath: path + "/" + name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
  }
}
