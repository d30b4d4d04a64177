import Foundation
import SystemPackage
import Testing

@testable import CacheSyncValues

@Suite struct TimeZonesTests {
  private let folder: TemporaryFolder
  private let zones: TimeZones

  init() throws {
    folder = try TemporaryFolder()
    zones = TimeZones(
      database: TimeZoneDatabase(directory: folder.path + "/zones"), environment: nil,
      localtime: FilePath(folder.path + "/localtime"), timezoneFile: FilePath(folder.path + "/timezone"))
  }

  private func put(_ zone: String, as name: String) throws {
    // Like package managers: puts another file under the same name.
    try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
    try folder.write(name, TimeZoneRulesTests.systemFile(zone))
  }

  @Test("A zone whose file is replaced has the new rules after a refresh, and not before")
  func replaced() throws {
    try put("Europe/Berlin", as: "zones/Europe/Berlin")
    let before = try zones.rules(named: "Europe/Berlin")
    let count = zones.refresh()
    try put("Asia/Kolkata", as: "zones/Europe/Berlin")
    #expect(try zones.rules(named: "Europe/Berlin") === before)
    #expect(zones.refresh() == count + 1)
    #expect(try zones.rules(named: "Europe/Berlin").constantOffset == nil)
    #expect(try zones.rules(named: "Europe/Berlin").offset(at: Instant(seconds: 1_782_864_000)) == 19_800)
    #expect(zones.refresh() == count + 1)
  }

  @Test("New files with the same rules change nothing")
  func same() throws {
    try put("Europe/Berlin", as: "zones/Europe/Berlin")
    let before = try zones.rules(named: "Europe/Berlin")
    let count = zones.refresh()
    try put("Europe/Berlin", as: "zones/Europe/Berlin")
    #expect(zones.refresh() == count)
    #expect(try zones.rules(named: "Europe/Berlin") === before)
  }

  @Test("A zone that an upgrade adds is found after a refresh")
  func added() throws {
    #expect(throws: TimeZoneError.self) { try zones.rules(named: "Mars/Base") }
    let count = zones.refresh()
    try put("Asia/Kolkata", as: "zones/Mars/Base")
    #expect(zones.refresh() == count + 1)
    #expect(throws: Never.self) { try zones.rules(named: "Mars/Base") }
  }

  @Test("The system's zone follows its link and its file")
  func system() throws {
    try put("Europe/Berlin", as: "zones/Europe/Berlin")
    try put("Asia/Kolkata", as: "zones/Asia/Kolkata")
    try folder.link("localtime", to: "zones/Europe/Berlin")
    #expect(zones.system().name == "Europe/Berlin")
    let count = zones.refresh()
    try FileManager.default.removeItem(atPath: folder.path + "/localtime")
    try folder.link("localtime", to: "zones/Asia/Kolkata")
    #expect(zones.refresh() == count + 1 && zones.system().name == "Asia/Kolkata")
  }

  @Test("A published rule string can be read, but is not a valid name for settings")
  func published() throws {
    let text = "CET-1CEST,M3.5.0,M10.5.0/3"
    #expect(zones.rules(published: text)?.offset(at: Instant(seconds: 1_782_864_000)) == 7_200)
    #expect(zones.rules(published: "GMT+03:37")?.constantOffset == 13_020)
    #expect(zones.rules(published: "Mars/Base") == nil)
    #expect(throws: TimeZoneError.self) { try zones.rules(named: text) }
  }
}
