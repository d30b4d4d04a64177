import CacheSync
import CacheSyncSystem
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent

@Suite("Requests that wait")
struct WaitersTests {
  private let cache: TemporaryCache
  private let clock = ManualClock()
  private let contents: CacheContents
  private let replies = Journal()

  init() throws {
    cache = try TemporaryCache()
    let environment = CacheEnvironment(
      clock: FixedClock(instant: SystemWallClock().now()), uptime: clock, zones: TimeZones(environment: "UTC"))
    contents = CacheContents(
      root: try CacheRoot(resolved: try CacheRoot.resolve(cache.path)), environment: environment, pool: WorkerPool())
  }

  /// Has the contents wait for a bad file to be still, from now on.
  private func dropBadFile(_ name: String = "tasks/a.json") throws {
    try cache.write(name, "{")
    #expect(contents.load(CachePath(name), feed: FeedName("tasks")) == .waiting)
  }

  private func add(_ id: Int, to waiters: inout Waiters, isRescanDue: Bool = false, reportsFailure: Bool = false) {
    waiters.add(id, for: contents, isRescanDue: isRescanDue, reportsFailure: reportsFailure) { [replies] in
      replies.add("\(id): \(String(decoding: $0, as: UTF8.self))")
    }
  }

  @Test("get the generation at once when nothing is waited for, and once")
  func atOnce() {
    var waiters = Waiters()
    add(1, to: &waiters)
    waiters.settle(in: contents, generation: 7)
    waiters.settle(in: contents, generation: 8)
    #expect(replies.lines == [#"1: {"generation":7}"#] && waiters.isEmpty)
  }

  @Test("wait for the files that were waited for when they came, and for no later one")
  func stillness() throws {
    var waiters = Waiters()
    add(1, to: &waiters)
    try dropBadFile()
    add(2, to: &waiters)
    waiters.settle(in: contents, generation: 1)
    #expect(replies.lines == [#"1: {"generation":1}"#], "the bad file came after the first request")
    clock.advance(by: .milliseconds(100))
    try dropBadFile("tasks/b.json")
    clock.advance(by: .milliseconds(150))
    contents.lookAgain(at: clock.now())
    waiters.settle(in: contents, generation: 2)
    #expect(replies.lines.last == #"2: {"generation":2}"# && waiters.isEmpty, "the second file came later")
  }

  @Test("end with a wait that a later write began anew")
  func begunAnew() throws {
    var waiters = Waiters()
    try dropBadFile()
    add(1, to: &waiters)
    clock.advance(by: .milliseconds(100))
    try cache.write("tasks/a.json", "[")
    #expect(contents.load(CachePath("tasks/a.json"), feed: FeedName("tasks")) == .waiting)
    waiters.settle(in: contents, generation: 3)
    #expect(replies.lines.count == 1)
  }

  @Test("that came while a rescan was due wait for what the rescan finds")
  func rescan() throws {
    var waiters = Waiters()
    add(1, to: &waiters, isRescanDue: true)
    try dropBadFile()
    waiters.settle(in: contents, generation: 1)
    #expect(replies.lines.isEmpty && !waiters.isEmpty)
    clock.advance(by: .milliseconds(250))
    contents.lookAgain(at: clock.now())
    waiters.settle(in: contents, generation: 2)
    #expect(replies.lines == [#"1: {"generation":2}"#])
  }

  @Test("get a failure if they want it reported, and nothing once they are cancelled")
  func failures() {
    var waiters = Waiters()
    add(1, to: &waiters, reportsFailure: true)
    add(2, to: &waiters)
    add(3, to: &waiters, reportsFailure: true)
    waiters.cancel(3)
    let error = PublishError(.write, "snapshots/a.json", .noSpace)
    waiters.report(error)
    #expect(replies.lines == [#"1: {"failure":"\#(error)","status":\#(error.status.rawValue)}"#])
    waiters.settle(in: contents, generation: 4)
    #expect(replies.lines.dropFirst() == [#"2: {"generation":4}"#] && waiters.isEmpty)
  }
}
