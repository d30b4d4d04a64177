import CacheSyncPrograms
import Testing

@Suite("A place in a cache")
struct CachePlaceTests {
  @Test(
    "A path belongs to a feed, to the settings or to nothing, as the contract's first section says",
    arguments: [
      ("tasks/a.json", .session(feed: "tasks")), ("meal-plan-cache/2026/a.json", .session(feed: "meal-plan")),
      ("cachedTasks.json", .session(feed: "tasks")), ("cachesync.json", .settings),
      ("tasks/cachesync.json", .session(feed: "tasks")),
      ("other/a.json", .other), ("a.json", .other), ("tasks/a.JSON", .other), ("tasks/.a.json", .other),
      ("tasks/a~/b.json", .other), ("tasks/a.tmp.json", .other), ("snapshots/a.json", .other),
      (".cachesync/sessions/a.json", .other), ("tasks/../a.json", .other), ("tasks//a.json", .other),
      ("/tasks/a.json", .other), ("tasks/a\u{0}.json", .other), ("", .other),
      ("feeds/bins.json", .other), ("events/work.ics", .other),
    ] as [(String, CachePlace)])
  func place(path: String, place: CachePlace) { #expect(CachePlace(path: Array(path.utf8)) == place) }

  @Test("A path with a name that is too long belongs to nothing")
  func longNames() {
    let name = Array(repeating: UInt8(ascii: "a"), count: 250)
    #expect(CachePlace(path: Array("tasks/".utf8) + name + Array(".json".utf8)) == .session(feed: "tasks"))
    #expect(CachePlace(path: Array("tasks/a".utf8) + name + Array(".json".utf8)) == .other)
  }

  @Test(
    "A place accepts the documents that the agent can read there",
    arguments: [
      (.session(feed: "tasks"), #"{"tasks":[]}"#, true), (.session(feed: "tasks"), #"{"tasks":5}"#, false),
      (.session(feed: "tasks"), #"{"tasks":["#, false), (.session(feed: "nothing"), "{}", false),
      (.other, "{}", false), (.settings, "{}", true), (.settings, #"{"timeZone":"Europe/Berlin"}"#, true),
      (.settings, #"{"timeZone":"Mars/Base"}"#, false), (.settings, #"{"timezone":"UTC"}"#, false),
      (.settings, "", false),
    ] as [(CachePlace, String, Bool)])
  func content(place: CachePlace, text: String, isAccepted: Bool) {
    #expect(place.accepts(Array(text.utf8)) == isAccepted)
  }
}
