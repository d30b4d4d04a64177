import CacheSync
import Foundation
import Testing

/// The rules of the house, kept by reading the sources.
@Suite("The house")
struct HouseTests {
  static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources")

  static func files() throws -> [(path: String, text: String)] {
    let found = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let files = try (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
      (String($0.path.dropFirst(sources.path.count + 1)), String(decoding: try Data(contentsOf: $0), as: UTF8.self))
    }
    // Where there are no files, most rules would hold.
    try #require(files.count > 100)
    return files
  }

  @Test("one file knows the C library")
  func oneImporter() throws {
    let importers = try Self.files().filter { $0.text.contains("import CInotify") }.map(\.path)
    #expect(importers == ["CacheSync/Watching/InotifyLibrary.swift"])
  }

  @Test("nothing outside Clock reads the system's clock or zone or counts a day's seconds; commands alone ask for now")
  func civilTime() throws {
    for (path, text) in try Self.files() where !path.contains("/Clock/") {
      for forbidden in [
        "Date()", "Calendar.current", "TimeZone.current", "CLOCK_REALTIME, &", "86400", "86_400", "gettimeofday",
      ] {
        #expect(!text.contains(forbidden), "\(path) says \(forbidden)")
      }
      // The library is given its clock. A command's moment is the one at which it was typed.
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("///") }
      if path.hasPrefix("CacheSync/") {
        #expect(!code.contains { $0.contains("Instant.now") || $0.contains(": .now") }, "\(path) asks for now")
      }
    }
  }

  @Test("the library needs no Foundation")
  func noFoundation() throws {
    for (path, text) in try Self.files() { #expect(!text.contains("import Foundation"), "\(path)") }
  }

  @Test("nothing but the agent's program tunes the allocator")
  func oneTuner() throws {
    let callers = try Self.files().filter { $0.text.contains("clinux_tune_allocator") }.map(\.path)
    #expect(callers == ["cachesyncd/RunCommand.swift"])
  }

  @Test("what apps link to read a cache knows nothing of the agent")
  func readingKnowsNoAgent() throws {
    let files = try Self.files()
    let agent = files.filter { $0.path.hasPrefix("CacheSync/Watching/") || $0.path.hasPrefix("CacheSync/Agent/") }
    // Those at the beginning of a line; what is inside them cannot be named without them.
    let declaration = /\n(?:package )?(?:final )?(?:class|struct|enum|actor|protocol) (\w+)/
    let types = Set(agent.flatMap { $0.text.matches(of: declaration).map(\.output.1) })
    try #require(types.isSuperset(of: ["AgentActor", "InotifyWatcher", "LoopTimer", "CacheAgent"]))
    for (path, text) in files where path.hasPrefix("CacheSync/Reading/") {
      let used = types.intersection(text.split { !$0.isLetter && !$0.isNumber })
      #expect(used.isEmpty, "\(path)")
    }
  }

  @Test("nothing outside Feeds names a feed")
  func feedNames() throws {
    let names = FeedRegistry.feeds.map { String(describing: $0) }
    for (path, text) in try Self.files() where path.hasPrefix("CacheSync/") && !path.contains("/Feeds/") {
      for name in names { #expect(!text.contains(name), "\(path) names \(name)") }
    }
  }

  @Test("every intent acts on a feed that takes intents")
  func intents() {
    #expect(Set(FeedRegistry.intents.map(\.name)).count == FeedRegistry.intents.count)
    for type in FeedRegistry.intents {
      #expect(FeedRegistry.feed(named: type.feed) is any IntentTarget.Type, "\(type.name)")
      let example = type.example.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      #expect(throws: Never.self, "\(type.name)") {
        try IntentDocument(type: type.name, arguments: example, at: Instant.referenceDate)
      }
    }
  }

  @Test("every kind has a name of its own, a widget and feeds that exist")
  func registry() {
    let feeds = Set(FeedRegistry.feeds.map { $0.name })
    #expect(!FeedRegistry.kinds.isEmpty)
    #expect(Set(FeedRegistry.kinds.map(\.name)).count == FeedRegistry.kinds.count)
    #expect(Set(FeedRegistry.kinds.map(\.widgetKind)).count == FeedRegistry.kinds.count)
    for kind in FeedRegistry.kinds {
      #expect(!kind.widgetKind.isEmpty && !kind.families.isEmpty, "\(kind.name)")
      #expect(!kind.feeds.isEmpty && feeds.isSuperset(of: kind.feeds), "\(kind.name)")
      #expect(DeepLink(kind.deepLink) != nil, "\(kind.name)")
    }
  }
}
