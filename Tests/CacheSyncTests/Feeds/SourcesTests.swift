@testable import CacheSyncFeeds
import CacheSyncSystem
import Testing

@Suite("The files behind a snapshot")
struct SourcesTests {
  @Test("The files of several feeds are one sorted list of at most 20")
  func several() {
    var sources = Sources()
    var (tasks, events) = (SortedList<CachePath>(), SortedList<CachePath>())
    for number in 10..<40 { tasks.insert(CachePath("tasks/\(number).json")) }
    for number in 10..<15 { events.insert(CachePath("events/\(number).json")) }
    sources.insert(all: tasks, of: "tasks")
    sources.insert(all: events, of: "events")
    sources.insert(CachePath("a.json"))
    #expect(sources.count == 36)
    let named = (["a.json"] + (10..<15).map { "events/\($0).json" } + (10..<24).map { "tasks/\($0).json" })
    #expect(sources.named == named.map { CachePath($0) })
  }
}
