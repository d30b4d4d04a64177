import CacheSyncSystem
import Testing

@testable import CacheSync
import TestSupport

@Suite("The files behind a snapshot")
struct PathCensusTests {
  @Test(
    "are counted whole, and the first 20 in order are named, whatever comes and goes",
    arguments: 1...20 as ClosedRange<UInt64>)
  func first(seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    var census = PathCensus()
    // In order, each once.
    var paths: [CachePath] = []
    func place(of path: CachePath) -> Int { paths.firstIndex { !($0 < path) } ?? paths.count }
    // Often more than the head holds, and often emptied from its front, where the head must be made anew.
    for step in 0..<3000 {
      let isGrowing = step / 700 % 2 == 0
      if Int.random(in: 0..<10, using: &generator) < (isGrowing ? 8 : 2) {
        let path = CachePath("tasks/\(Int.random(in: 0..<2000, using: &generator)).json")
        census.insert(path)
        let place = place(of: path)
        if place == paths.count || paths[place] != path { paths.insert(path, at: place) }
      } else {
        let first = paths.prefix(isGrowing ? 2000 : 30)
        let path = first.randomElement(using: &generator) ?? CachePath("tasks/none.json")
        census.remove(path)
        let place = place(of: path)
        if place < paths.count, paths[place] == path { paths.remove(at: place) }
      }
      guard step % 7 == 0 else { continue }
      #expect(census.count == paths.count)
      #expect(Array(census.first) == Array(paths.prefix(20)), "seed \(seed), step \(step)")
    }
  }

  @Test("of several feeds are one sorted list of at most 20")
  func several() {
    var sources = Sources()
    var (tasks, events) = (PathCensus(), PathCensus())
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
