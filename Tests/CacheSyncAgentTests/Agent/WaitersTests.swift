import CacheSync
import CacheSyncSystem
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent
@testable import CacheSyncPublishing

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

  /// Makes the contents wait for a bad file to stop changing, starting now.
  private func dropBadFile(_ name: String = "tasks/a.json") throws {
    try cache.write(name, "{")
    #expect(contents.load(CachePath(name), feed: FeedName("tasks")) == .waiting)
  }

  private func add(_ id: Int, to waiters: inout Waiters, isRescanDue: Bool = false, reportsFailure: Bool = false) {
    waiters.add(id, for: contents, isRescanDue: isRescanDue, reportsFailure: reportsFailure) { [replies] in
      replies.add("\(id): \(String(decoding: $0, as: UTF8.self))")
    }
  }

  @Test("A request gets the generation immediately and once, if no file is pending")
  func atOnce() {
    var waiters = Waiters()
    add(1, to: &waiters)
    waiters.settle(in: contents, generation: 7)
    waiters.settle(in: contents, generation: 8)
    #expect(replies.lines == [#"1: {"generation":7}"#] && waiters.isEmpty)
  }

  @Test("A request waits for the files that were pending when it arrived, and for no later ones")
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

  @Test("A request does not wait longer when another write restarts the wait for its file")
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

  @Test("A request that arrives while a rescan is due also waits for the files that the rescan finds")
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

  @Test("A failure is reported to the requests that ask for it, and a cancelled request gets no reply")
  func failures() {
    var waiters = Waiters()
    add(1, to: &waiters, reportsFailure: true)
    add(2, to: &waiters)
    add(3, to: &waiters, reportsFailure: true)
    waiters.cancel(3)
    let error = PublishError(.write, "snapshots/a.json", .noSpace)
    waiters.report(error, in: cache.path)
    #expect(replies.lines == [#"1: {"failure":"\#(error)","status":\#(error.status.rawValue)}"#])
    waiters.settle(in: contents, generation: 4)
    #expect(replies.lines.dropFirst() == [#"2: {"generation":4}"#] && waiters.isEmpty)
  }
}
