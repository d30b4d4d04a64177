import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@Suite("The settings file")
struct SettingsFileTests {
  private let cache: TemporaryCache
  private let clock = ManualClock()
  private var file: SettingsFile

  init() throws {
    cache = try TemporaryCache()
    var environment = cache.environment
    environment.uptime = clock
    file = SettingsFile(root: try CacheRoot(resolved: CacheRoot.resolve(cache.path)), environment: environment)
  }

  @Test("A settings file that never existed is not waited for")
  mutating func none() {
    let changes = file.load(isPatient: true)
    #expect(!changes.settings && !changes.days && !changes.limit)
    #expect(file.problem == nil && file.absenceDue == nil && file.retryDue == nil)
  }

  @Test("Loading reports what changed: settings, where days begin, or which files are too large")
  mutating func changes() throws {
    for (text, settings, days, limit) in [
      (#"{"timeZone":"UTC"}"#, true, false, false), (#"{"timeZone":"Asia/Tokyo"}"#, true, true, false),
      (#"{"timeZone":"Asia/Tokyo","maximumFileBytes":9}"#, true, false, true),
      (#"{"timeZone":"Asia/Tokyo","maximumFileBytes":9}"#, false, false, false), ("[", false, false, false),
      ("{}", true, true, true),
    ] {
      try cache.write("cachesync.json", text)
      let changes = file.load(isPatient: true)
      #expect(changes.settings == settings && changes.days == days && changes.limit == limit, "\(text)")
    }
  }

  @Test("A deleted settings file and its problem stay in force for 250 ms", arguments: ["", "["])
  mutating func vanished(junk: String) throws {
    try cache.write("cachesync.json", #"{"maximumFileBytes":9}"#)
    _ = file.load(isPatient: true)
    try cache.write("cachesync.json", #"{"maximumFileBytes":9}"# + junk)
    _ = file.load(isPatient: true)
    #expect((file.problem == nil) == junk.isEmpty)
    let due = clock.now().advanced(by: .milliseconds(250))
    try cache.remove("cachesync.json")
    _ = file.load(isPatient: true)
    clock.advance(by: .milliseconds(100))
    _ = file.load(isPatient: true)
    #expect(file.absenceDue == due, "a second look does not prolong it")
    #expect(file.maximumFileBytes == 9 && (file.problem == nil) == junk.isEmpty)
    let changes = file.load(isPatient: false)
    #expect(changes.limit && file.settings == CacheSettings())
    #expect(file.problem == nil && file.absenceDue == nil)
  }

  @Test("A file with two successive problems reports one, since the first, until the file is valid")
  mutating func wrong() throws {
    try cache.write("cachesync.json", "[")
    _ = file.load(isPatient: true)
    let since = try #require(file.problem?.since)
    try cache.write("cachesync.json", #"{"timeZon":1}"#)
    _ = file.load(isPatient: true)
    #expect(file.problem?.count == 2 && file.problem?.since == since)
    #expect(file.problem?.problem.message.contains("timeZon") == true && file.retryDue == nil)
    try cache.write("cachesync.json", "{}")
    _ = file.load(isPatient: true)
    #expect(file.problem == nil)
  }
}
