import Testing

@testable import CacheSyncValues

@Suite("The names of the zones")
struct TimeZoneNamesTests {
  @Test("The names are those of zones and links, sorted, without rules and invalid names")
  func compactForm() {
    let text = """
      # version 2025b
      R d 1916 o - Jun 14 23s 1 S
      Z Europe/Berlin 0:53:28 - LMT 1893 Ap
      1 c CE%sT 1945 May 24 2
      Z Africa/Algiers 0:12:12 - LMT 1891 Mar 16
      L Europe/Berlin Arctic/Longyearbyen
      L Europe/Berlin
      Z ../etc/passwd 0
      Zone Full/Form 0
      """
    #expect(
      TimeZoneDatabase.names(inCompactForm: Array(text.utf8))
        == ["Africa/Algiers", "Arctic/Longyearbyen", "Europe/Berlin"])
    #expect(TimeZoneDatabase.names(inCompactForm: []).isEmpty)
  }

  @Test(
    "Of a fixed offset the name of that form is near, and not a zone of POSIX, whose sign is the other way round",
    arguments: [
      ("GMT+3", "GMT+03:00"), ("GMT-3", "GMT-03:00"), ("utc+1", "GMT+01:00"), ("UTC+0530", "GMT+05:30"),
      ("GMT+5:30", "GMT+05:30"), ("UTC-11:00", "GMT-11:00"), ("UTC+0", "UTC"), ("Europe/Berln", "Europe/Berlin"),
      ("GMT+24", nil), ("GMT+3x", nil),
    ])
  func offsets(name: String, near: String?) {
    let found = TimeZoneDatabase().nearestName(to: name)
    if let near { #expect(found == near) } else { #expect(found?.contains(":") != true) }
  }

  @Test("The system's names are all zones of its database, and a database without a list has no names")
  func system() throws {
    let database = TimeZoneDatabase()
    let names = database.names
    try #require(names.count > 400 && names.contains("America/New_York"))
    for name in names { #expect(throws: Never.self, "\(name)") { try database.rules(named: name) } }
    #expect(TimeZoneDatabase(directory: "/nonexistent").names.isEmpty)
  }
}
