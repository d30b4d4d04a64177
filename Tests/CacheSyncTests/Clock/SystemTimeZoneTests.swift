import Foundation
import Testing

@testable import CacheSync

@Suite struct SystemTimeZoneTests {
  private static let summer = Instant(seconds: 1_782_864_000)  // 2026-07-01T00:00:00Z

  @Test(
    "TZ means what it means to glibc",
    arguments: [
      ("", "UTC", 0), (":", "UTC", 0), ("Europe/Berlin", "Europe/Berlin", 7_200),
      (":Europe/Berlin", "Europe/Berlin", 7_200),
      ("UTC", "UTC", 0), ("GMT", "GMT", 0),
      ("/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
      (":/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800),
      ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", -14_400),
      ("Mars/Base", "UTC", 0), ("/nonexistent", "UTC", 0), ("/etc/passwd", "UTC", 0), ("../../etc/passwd", "UTC", 0),
      // POSIX counts west as positive; the name is then the contract's, in which plus is east.
      ("GMT+03:37", "GMT-03:37", -13_020), ("<+0545>-5:45", "GMT+05:45", 20_700), ("UTC0", "UTC", 0),
      ("AAA-0:00:30", "AAA-0:00:30", 30),
    ])
  func variable(text: String, name: String, offset: Int) {
    // /etc/localtime must not matter.
    let rules = SystemTimeZone.current(environment: text, localtime: "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(rules.name == name)
    #expect(rules.offset(at: Self.summer) == offset)
  }

  @Test(
    "The copies without leap seconds under posix mean the zone itself",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/posix/Europe/Berlin"), "needs tzdata-legacy"),
    arguments: ["posix/Europe/Berlin", ":/usr/share/zoneinfo/posix/Europe/Berlin"])
  func posixCopies(text: String) {
    let rules = SystemTimeZone.current(environment: text, localtime: "/usr/share/zoneinfo/Asia/Tokyo")
    #expect(rules.name == "Europe/Berlin" && rules.offset(at: Self.summer) == 7_200)
  }

  private func current(_ folder: TemporaryFolder, database: TimeZoneDatabase = TimeZoneDatabase()) -> TimeZoneRules {
    SystemTimeZone.current(
      environment: nil, localtime: folder.path + "/localtime", timezoneFile: folder.path + "/timezone",
      database: database)
  }

  @Test("/etc/localtime gives the name that its link was set to")
  func link() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "/usr/share/zoneinfo/America/New_York")
    #expect(current(folder).name == "America/New_York")
    #expect(current(folder).offset(at: Self.summer) == -14_400)
  }

  @Test("A chain of links is followed one by one, relative ones too")
  func chain() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "a/one")
    try folder.link("a/one", to: "../two")
    try folder.link("two", to: "share/zoneinfo/localtime")
    try folder.link("share/zoneinfo/localtime", to: "Asia/Calcutta")
    try folder.link("share/zoneinfo/Asia/Calcutta", to: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(current(folder).name == "Asia/Kolkata")
    try folder.link("b/zoneinfo/UTC", to: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(SystemTimeZone.current(environment: nil, localtime: folder.path + "/b/zoneinfo/UTC").name == "Asia/Kolkata")
  }

  @Test("TZ may name /etc/localtime, which many set to save the C library a look at the file")
  func variableNamesLocaltime() throws {
    let folder = try TemporaryFolder()
    try folder.link("localtime", to: "/usr/share/zoneinfo/America/New_York")
    let rules = SystemTimeZone.current(environment: ":" + folder.path + "/localtime")
    #expect(rules.name == "America/New_York")
    #expect(rules.offset(at: Self.summer) == -14_400)
  }

  @Test("A copied /etc/localtime is named by /etc/timezone if that is the same zone")
  func copy() throws {
    let folder = try TemporaryFolder()
    try folder.write("localtime", TimeZoneRulesTests.systemFile("Europe/Berlin"))
    #expect(current(folder).name == "Local")
    try folder.write("timezone", Array(" Europe/Berlin\n".utf8))
    #expect(current(folder).name == "Europe/Berlin")
    for other in ["Asia/Tokyo\n", "", "\n", "../../etc/passwd\n", "Mars/Base"] {
      try folder.write("timezone", Array(other.utf8))
      #expect(current(folder).name == "Local")
      #expect(current(folder).offset(at: Self.summer) == 7_200)
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

  @Test("A link to a zone with leap seconds means that zone")
  func leapSeconds() throws {
    let folder = try TemporaryFolder()
    var file = TimeZoneRulesTests.File()
    file.leapSeconds = 27
    try folder.write("zoneinfo/right/Europe/Berlin", file.bytes)
    try folder.link("localtime", to: "zoneinfo/right/Europe/Berlin")
    #expect(current(folder).name == "Europe/Berlin")
    #expect(current(folder).offset(at: Self.summer) == 7_200)
  }

  @Test("The wall clock shows a time of this century and goes on")
  func wallClock() {
    let clock = SystemWallClock()
    let first = clock.now()
    #expect(first > Instant.referenceDate)
    #expect(clock.now() - first < .seconds(3_600))
  }
}
