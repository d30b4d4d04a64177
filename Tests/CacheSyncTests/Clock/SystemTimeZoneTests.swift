import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing

import CacheSync
@testable import CacheSyncValues

@Suite struct SystemTimeZoneTests {
  private static let summer = Instant(seconds: 1_782_864_000)  // 2026-07-01T00:00:00Z

  @Test(
    "TZ has the same meaning as in glibc",
    arguments: [
      ("", "UTC", 0), (":", "UTC", 0), ("Europe/Berlin", "Europe/Berlin", 7_200),
      (":Europe/Berlin", "Europe/Berlin", 7_200),
      ("UTC", "UTC", 0), ("GMT", "GMT", 0),
      ("/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
      (":/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
      // Without a rule, glibc assumes that of the United States: 08:00 on 1 July is in summer time.
      ("CET-1CEST", "CET-1CEST,M3.2.0,M11.1.0", 7_200),
      ("AAA5BBB4,M3.2.0,M12.1.0", "AAA5BBB4,M3.2.0,M12.1.0", -14_400),
      // POSIX counts west as positive. The published name follows the contract, where plus is east.
      ("GMT+03:37", "GMT-03:37", -13_020), ("<+0545>-5:45", "GMT+05:45", 20_700), ("UTC0", "UTC", 0),
      ("AAA-0:00:30", "AAA-0:00:30", 30),
    ])
  func variable(text: String, name: String, offset: Int) {
    // /etc/localtime must have no effect.
    let zone = SystemTimeZone.read(environment: FilePath(text), localtime: "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(zone.rules.name == name && zone.unusableVariable == nil)
    #expect(zone.rules.offset(at: Self.summer) == offset)
  }

  // The names are the first ones, by their bytes, of the zones in tzdata.zi whose files end with the string: found by a
  // program in Python with tzdata 2025b.
  @Test(
    "A rule string with the rules of a zone is published as that zone, and gives its local times",
    arguments: [
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "Europe/Dublin"), ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "Australia/Lord_Howe"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "Africa/Ceuta"), ("EST5EDT,M3.2.0,M11.1.0", "America/Detroit"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "America/Nuuk"),
      // No file ends with these, but the rules are the same.
      ("XXX5YYY4,M3.2.0,M11.1.0", "America/Detroit"), ("IRL0SUM,M3.5.0/1,M10.5.0", "Atlantic/Canary"),
    ])
  func namedRules(text: String, name: String) throws {
    let now = try #require(Instant("2026-11-29T12:00:00Z"))
    func read(_ database: TimeZoneDatabase) -> TimeZoneRules {
      SystemTimeZone.read(
        environment: FilePath(text), localtime: "/nonexistent", timezoneFile: "/nonexistent", database: database,
        now: now
      ).rules
    }
    let zone = read(TimeZoneDatabase())
    #expect(zone.name == name)
    // Without a database the string itself counts.
    let string = read(TimeZoneDatabase(directory: "/nonexistent"))
    for day in stride(from: -366, through: 40 * 366, by: 5) {
      let moment = now.advanced(by: .seconds(day * 86_400))
      #expect(zone.offset(at: moment) == string.offset(at: moment), "\(text) at \(moment)")
    }
    if zone.name != string.name { #expect(try zone == TimeZoneDatabase().rules(named: name)) }
  }

  @Test("Of several zones with a rule string's rules, the one that /etc/timezone names comes first")
  func preferredName() throws {
    let folder = try TemporaryFolder()
    func name(_ zone: String, _ text: String = "CET-1CEST,M3.5.0,M10.5.0/3") throws -> String {
      try folder.write("timezone", Array((zone + "\n").utf8))
      return SystemTimeZone.rules(
        environment: FilePath(text), localtime: "/nonexistent", timezoneFile: FilePath(folder.path + "/timezone")
      ).name
    }
    #expect(try name("Europe/Vienna") == "Europe/Vienna")
    #expect(try name("Europe/Helsinki") == "Africa/Ceuta")
    #expect(try name("../../etc/passwd") == "Africa/Ceuta")
  }

  @Test("A file that no zone equals, but whose rules one has, is published as that zone; its past is then the zone's")
  func namedFile() throws {
    let folder = try TemporaryFolder()
    // One type, no transitions, and the footer of Dublin.
    var file = TimeZoneRulesTests.File()
    (file.times, file.types, file.footer) = ([], [], "\nIST-1GMT0,M10.5.0,M3.5.0/1\n")
    try folder.write("localtime", file.bytes)
    #expect(current(folder).name == "Europe/Dublin")
    #expect(current(folder, database: TimeZoneDatabase(directory: "/nonexistent")).name == "IST-1GMT0,M10.5.0,M3.5.0/1")
    // A zone that differed half a year ago is another one.
    let recent = Instant.now.seconds - 180 * 86_400
    (file.times, file.types) = ([recent - 86_400, recent], [1, 0])
    try folder.write("localtime", file.bytes)
    #expect(current(folder).name != "Europe/Dublin")
  }

  @Test(
    "A TZ that cannot be loaded has no effect, and is reported as unusable",
    arguments: ["Mars/Base", ":Mars/Base", "/nonexistent", "/etc/passwd", "/etc", "../../etc/passwd", "CET-1CEST,M3"])
  func unusableVariable(text: String) throws {
    let zone = SystemTimeZone.read(environment: FilePath(text), localtime: "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(zone.rules.name == "Asia/Tokyo" && zone.unusableVariable == FilePath(text))
  }

  @Test("TZ may be a path with any bytes, of a file or of links to one")
  func variableOfBytes() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(bytes: Array((folder.path + "/zone").utf8) + [0xFF])
    let second = FilePath(bytes: Array(folder.path.utf8) + [UInt8(ascii: "/"), 0xFE])
    let missing = FilePath(bytes: path.bytes + [0xFE])
    #expect(path.withPlatformString { symlink("/usr/share/zoneinfo/Asia/Kolkata", $0) } == 0)
    let name = FilePath(bytes: Array("zone".utf8) + [0xFF])
    #expect(name.withPlatformString { name in second.withPlatformString { symlink(name, $0) } } == 0)
    for path in [path, second, FilePath(bytes: [UInt8(ascii: ":")] + path.bytes)] {
      let zone = SystemTimeZone.read(environment: path, localtime: "/usr/share/zoneinfo/Asia/Tokyo")
      #expect(zone.rules.name == "Asia/Kolkata" && zone.unusableVariable == nil)
    }
    let zone = SystemTimeZone.read(environment: missing, localtime: path)
    #expect(zone.rules.name == "Asia/Kolkata" && zone.unusableVariable == missing)
  }

  @Test(
    "A copy without leap seconds below posix/ counts as the zone itself",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/posix/Europe/Berlin"), "needs tzdata-legacy"),
    arguments: ["posix/Europe/Berlin", ":/usr/share/zoneinfo/posix/Europe/Berlin"])
  func posixCopies(text: String) {
    let rules = SystemTimeZone.rules(environment: FilePath(text), localtime: "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(rules.name == "Europe/Berlin" && rules.offset(at: Self.summer) == 7_200)
  }

  private func current(_ folder: TemporaryFolder, database: TimeZoneDatabase = TimeZoneDatabase()) -> TimeZoneRules {
    SystemTimeZone.rules(
      environment: nil, localtime: FilePath(folder.path + "/localtime"),
      timezoneFile: FilePath(folder.path + "/timezone"),
      database: database)
  }

  @Test("The target of the link /etc/localtime gives the name")
  func link() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "/usr/share/zoneinfo/America/New_York")
    #expect(current(folder).name == "America/New_York")
    #expect(current(folder).offset(at: Self.summer) == -14_400)
  }

  @Test("A chain of links is followed step by step, including relative links")
  func chain() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "a/one")
    try folder.link("a/one", to: "../two")
    try folder.link("two", to: "share/zoneinfo/localtime")
    try folder.link("share/zoneinfo/localtime", to: "Asia/Calcutta")
    try folder.link("share/zoneinfo/Asia/Calcutta", to: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(current(folder).name == "Asia/Kolkata")
    try folder.link("b/zoneinfo/UTC", to: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(
      SystemTimeZone.rules(environment: nil, localtime: FilePath(folder.path + "/b/zoneinfo/UTC")).name
        == "Asia/Kolkata")
  }

  @Test("TZ may name /etc/localtime, which some set so that the C library does not check the file")
  func variableNamesLocaltime() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "/usr/share/zoneinfo/America/New_York")
    let rules = SystemTimeZone.rules(environment: FilePath(":" + folder.path + "/localtime"), localtime: "/nonexistent")
    #expect(rules.name == "America/New_York")
    #expect(rules.offset(at: Self.summer) == -14_400)
  }

  private static func berlin() throws -> [UInt8] { try TimeZoneRulesTests.systemFile("Europe/Berlin") }

  @Test(
    "A copied /etc/localtime is named by /etc/timezone, if both are the same zone, otherwise by the zone's own name")
  func copy() throws {
    let folder = try TemporaryFolder()
    try folder.write("localtime", Self.berlin())
    try folder.write("zones/Europe/Berlin", Self.berlin())
    try folder.link("zones/Arctic/Longyearbyen", to: "../Europe/Berlin")
    try folder.link("zones/Asia/Tokyo", to: "/usr/share/zoneinfo/Asia/Tokyo")
    try folder.write("zones/tzdata.zi", Array("Z Europe/Berlin 1\nL Europe/Berlin Arctic/Longyearbyen\n".utf8))
    let database = TimeZoneDatabase(directory: folder.path + "/zones")
    #expect(current(folder, database: database).name == "Europe/Berlin")
    try folder.write("timezone", Array(" Arctic/Longyearbyen\n".utf8))
    #expect(current(folder, database: database).name == "Arctic/Longyearbyen")
    for other in ["Asia/Tokyo\n", "", "\n", "../../etc/passwd\n", "Mars/Base"] {
      try folder.write("timezone", Array(other.utf8))
      #expect(current(folder, database: database).name == "Europe/Berlin")
      #expect(current(folder, database: database).offset(at: Self.summer) == 7_200)
    }
  }

  @Test("Without tzdata's list, the zone tables give a zone's own name, and without them the first name in order")
  func ownNames() throws {
    let folder = try TemporaryFolder()
    try folder.write("localtime", Self.berlin())
    for name in ["A/A", "B/B", "C/C", "posix/A", "right/A"] { try folder.write("zones/\(name)", Self.berlin()) }
    let database = TimeZoneDatabase(directory: folder.path + "/zones")
    #expect(current(folder, database: database).name == "A/A")
    try folder.write("zones/zone.tab", Array("#CC\nDE\t+5230+01322\tC/C\tremark\n".utf8))
    #expect(current(folder, database: database).name == "C/C")
    try folder.write("zones/zone1970.tab", Array("DE,DK\t+5230+01322\tB/B\n".utf8))
    #expect(current(folder, database: database).name == "B/B")
  }

  @Test("A link whose zone file was replaced does not give its name, because readers would find other rules")
  func linkWithChangedZone() throws {
    let folder = try TemporaryFolder()
    try folder.write("own/zoneinfo/Asia/Tokyo", Self.berlin())
    try folder.link("localtime", to: "own/zoneinfo/Asia/Tokyo")
    #expect(current(folder).name == "Europe/Berlin")
    // UTC is always UTC, whatever its file contains.
    try folder.write("zones/UTC", Self.berlin())
    try folder.link("localtime2", to: "zones/zoneinfo/UTC")
    try folder.write("zones/zoneinfo/UTC", Self.berlin())
    let zone = SystemTimeZone.rules(
      environment: nil, localtime: FilePath(folder.path + "/localtime2"),
      timezoneFile: FilePath(folder.path + "/timezone"),
      database: TimeZoneDatabase(directory: folder.path + "/zones/zoneinfo"))
    #expect(zone.name == "CET-1CEST,M3.5.0,M10.5.0/3")
  }

  @Test("Rules without a name are published as the POSIX string at the end of their file")
  func footer() throws {
    let folder = try TemporaryFolder()
    let none = TimeZoneDatabase(directory: folder.path + "/none")
    try folder.write("localtime", Self.berlin())
    #expect(current(folder, database: none).name == "CET-1CEST,M3.5.0,M10.5.0/3")
    try folder.write("localtime", try TimeZoneRulesTests.systemFile("Asia/Kolkata"))
    #expect(current(folder, database: none).name == "GMT+05:30")
    try folder.write("localtime", try TimeZoneRulesTests.systemFile("Etc/UTC"))
    #expect(current(folder, database: none).name == "UTC")
    // Its changes until 2087 follow the moon. Its last string applies only after them.
    try folder.write("localtime", try TimeZoneRulesTests.systemFile("Africa/Casablanca"))
    #expect(current(folder, database: none).name != "GMT+01:00")
  }

  @Test("Rules without a permanent POSIX string are published as a string that covers the next changes")
  func passing() throws {
    let folder = try TemporaryFolder()
    var file = TimeZoneRulesTests.File()
    // 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z; `date -u -d @1774746000` and `@1792890000`.
    (file.times, file.types, file.footer) = ([1_774_746_000, 1_792_890_000], [1, 0], "\n\n")
    try folder.write("localtime", file.bytes)
    func zone(_ now: String) throws -> SystemTimeZone {
      SystemTimeZone.read(
        environment: nil, localtime: FilePath(folder.path + "/localtime"),
        timezoneFile: FilePath(folder.path + "/timezone"),
        database: TimeZoneDatabase(directory: folder.path + "/none"), now: try #require(Instant(now)))
    }
    let spring = try zone("2026-02-01T00:00:00Z")
    #expect(spring.rules.name == "<+0100>-1<+0200>-2,J88/2,J298/3" && spring.nameExpires != nil)
    for (moment, offset) in [
      ("2026-02-01T00:00:00Z", 3_600), ("2026-03-29T00:59:59Z", 3_600), ("2026-03-29T01:00:00Z", 7_200),
      ("2026-10-25T00:59:59Z", 7_200), ("2026-10-25T01:00:00Z", 3_600), ("2027-01-31T00:00:00Z", 3_600),
    ] {
      #expect(spring.rules.offset(at: try #require(Instant(moment))) == offset, "\(moment)")
    }
    // One change remains, then none.
    let summer = try zone("2026-07-01T00:00:00Z")
    #expect(summer.rules.name == "<+0200>-2<+0100>-1,J298/3,J181/1")
    for (moment, offset) in [
      ("2026-07-01T00:00:00Z", 7_200), ("2026-10-25T00:59:59Z", 7_200), ("2026-10-25T01:00:00Z", 3_600),
      ("2027-06-01T00:00:00Z", 3_600),
    ] {
      #expect(summer.rules.offset(at: try #require(Instant(moment))) == offset, "\(moment)")
    }
    let winter = try zone("2026-12-01T00:00:00Z")
    #expect(winter.rules.name == "GMT+01:00" && winter.nameExpires == nil)
  }

  @Test(
    "Every zone's file without its name is published so that readers have the same local times for half a year"
  )
  func everyZone() throws {
    let folder = try TemporaryFolder()
    let now = try #require(Instant("2026-02-01T00:00:00Z"))
    for name in TimeZoneDatabase().names {
      try folder.write("localtime", try TimeZoneRulesTests.systemFile(name))
      let rules = try TimeZoneDatabase().rules(named: name)
      let published = SystemTimeZone.read(
        environment: nil, localtime: FilePath(folder.path + "/localtime"),
        timezoneFile: FilePath(folder.path + "/timezone"),
        database: TimeZoneDatabase(directory: folder.path + "/none"), now: now
      ).rules.name
      let read = try #require(TimeZones(environment: nil).rules(published: published), "\(name): \(published)")
      for day in 0..<183 {
        let moment = now.advanced(by: .seconds(day * 86_400))
        #expect(read.offset(at: moment) == rules.offset(at: moment), "\(name) as \(published) at \(moment)")
      }
    }
  }

  @Test("A missing, dangling, looping or damaged /etc/localtime is UTC")
  func unusable() throws {
    let folder = try TemporaryFolder()
    #expect(current(folder) == .utc)
    try folder.link("localtime", to: "/usr/share/zoneinfo/Mars/Base")
    #expect(current(folder) == .utc)
    for target in ["localtime", "/etc/passwd", "/etc"] {
      let folder = try TemporaryFolder()
      try folder.link("localtime", to: target)
      #expect(current(folder) == .utc)
    }
  }

  @Test("A link to a zone with leap seconds gives that zone without them")
  func leapSeconds() throws {
    let folder = try TemporaryFolder()
    var file = TimeZoneRulesTests.File()
    file.leapSeconds = 27
    try folder.write("zoneinfo/right/Europe/Berlin", file.bytes)
    try folder.link("localtime", to: "zoneinfo/right/Europe/Berlin")
    #expect(current(folder).name == "Europe/Berlin")
    #expect(current(folder).offset(at: Self.summer) == 7_200)
  }

  @Test("The wall clock advances and shows a time of this century")
  func wallClock() {
    let clock = SystemWallClock()
    let first = clock.now()
    #expect(first > Instant.referenceDate)
    #expect(clock.now() - first < .seconds(3_600))
  }
}

extension SystemTimeZone {
  /// The rules alone.
  static func rules(
    environment: FilePath?, localtime: FilePath, timezoneFile: FilePath = "/etc/timezone",
    database: TimeZoneDatabase = TimeZoneDatabase()
  ) -> TimeZoneRules {
    read(environment: environment, localtime: localtime, timezoneFile: timezoneFile, database: database).rules
  }
}
