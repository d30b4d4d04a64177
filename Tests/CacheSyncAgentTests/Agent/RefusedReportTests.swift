import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Testing
import TestSupport

/// What the agent logs about files that are refused (contract.md section 6), by a clock that the test sets.
@Suite("The log of refused files")
struct RefusedReportTests {
  private static let good = ServedTestCache.task("a")

  private func spoil(_ served: ServedTestCache, _ name: String = "tasks/a.json", _ text: String = "{") throws {
    try served.drop(name, text)
    served.pass()
    served.pass(after: CacheContents.stillness)
  }

  private func mend(_ served: ServedTestCache, _ name: String = "tasks/a.json") throws {
    try served.drop(name, Self.good)
    served.pass()
  }

  private func lines(_ served: ServedTestCache) -> [String] { served.journal.lines.filter { $0.contains(".json") } }

  @Test("A bad file is one warning when it counts, and one notice when it is right again")
  func warningAndNotice() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.good])
    try served.drop("tasks/a.json", "{")
    served.pass()
    #expect(lines(served).isEmpty, "it may be in the middle of being written")
    served.pass(after: CacheContents.stillness)
    served.pass(after: .seconds(600))
    let warning = try #require(lines(served).first)
    #expect(warning.hasPrefix("tasks/a.json:1:2: ") && warning.hasSuffix("; readers keep the last good one"))
    try mend(served)
    #expect(lines(served) == [warning, "tasks/a.json is right again"])
  }

  @Test("A file that is mended before it counts gets no line")
  func neverCounted() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.good])
    try served.drop("tasks/a.json", "{")
    served.pass()
    try mend(served)
    served.pass(after: .seconds(600))
    #expect(lines(served).isEmpty)
  }

  @Test(
    "What was never good has no effect, and is gone when it is removed",
    arguments: ["tasks/b.json", "feeds/room.json", "widgets/w.json", "screens/s.json"])
  func neverGood(_ name: String) throws {
    let served = try ServedTestCache(["tasks/a.json": Self.good, name: "{"])
    served.pass(after: CacheContents.stillness)
    let warning = try #require(lines(served).first)
    #expect(warning.hasPrefix("\(name):1:2: ") && warning.hasSuffix("; it has no effect"))
    try served.cache.remove(name)
    served.pass()
    #expect(lines(served).count == 1, "it may come back")
    served.pass(after: CacheContents.stillness)
    #expect(lines(served) == [warning, "\(name) is gone"])
  }

  @Test(
    "Broken settings are a warning, whether settings or the defaults stay in force",
    arguments: [(#"{"locale":"de"}"#, "readers keep the last good one"), (nil, "it has no effect")])
  func settings(_ good: String?, _ effect: String) throws {
    var files = ["tasks/a.json": Self.good]
    files["cachesync.json"] = good
    let served = try ServedTestCache(files)
    try served.drop("cachesync.json", #"{"local":"de"}"#)
    served.pass(after: CacheContents.stillness)
    let warning = try #require(lines(served).first)
    #expect(warning.hasPrefix("cachesync.json:1:10: ") && warning.hasSuffix("; \(effect)"), "\(warning)")
    try served.drop("cachesync.json", good ?? "{}")
    served.pass()
    #expect(lines(served) == [warning, "cachesync.json is right again"])
  }

  @Test("A valid file without an effect is a warning too: an intent for a task that does not exist")
  func withoutEffect() throws {
    let at = SystemWallClock().now()
    let intent = #"{"id":"x","type":"complete-task","taskId":99,"at":"\#(at)"}"#
    let served = try ServedTestCache(["tasks/a.json": Self.good, "intents/x.json": intent])
    let line = try #require(lines(served).first)
    #expect(line.hasPrefix("intents/x.json:1:") && line.hasSuffix(": unknown task \"99\"; it has no effect"), "\(line)")
    try served.drop("tasks/a.json", Self.good.replacing("1,", with: "99,", maxReplacements: 1))
    served.pass()
    #expect(lines(served).dropFirst() == ["intents/x.json is right again"])
    try served.drop("tasks/a.json", Self.good)
    served.pass()
    served.pass(after: .seconds(60))
    #expect(lines(served).count == 3)
    let later = #""lastUpdate":"\#(at.advanced(by: .seconds(1)))""#
    try served.drop("tasks/a.json", Self.good.replacing(#/"lastUpdate": ?"[^"]*"/#, with: later))
    served.pass()
    served.pass(after: .seconds(60))
    #expect(lines(served).dropFirst(3) == ["intents/x.json no longer counts"], "a newer session has absorbed it")
  }

  @Test("A file that breaks again and again gets a pair of lines, and then one a minute with a count")
  func again() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.good])
    try spoil(served)
    let start = served.clock.now()
    try mend(served)
    for _ in 0..<3 {
      try spoil(served)
      try mend(served)
    }
    try spoil(served)
    #expect(lines(served).count == 2)
    served.saveLastGood()
    #expect(served.report.nextDeadline == start.advanced(by: .seconds(60)))
    served.pass(after: .seconds(60) - .nanoseconds(served.clock.now().nanoseconds - start.nanoseconds))
    #expect(lines(served).count == 3 && lines(served)[2] == lines(served)[0] + " (4 more times in the last minute)")
    try mend(served)
    served.pass(after: .seconds(60))
    #expect(lines(served).count == 4 && lines(served)[3] == "tasks/a.json is right again")
  }

  @Test("Another mistake in a file is another warning")
  func otherMistake() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.good])
    try spoil(served)
    served.pass(after: .seconds(60))
    try spoil(served, "tasks/a.json", "{}")
    #expect(lines(served).count == 2 && lines(served)[1].hasPrefix("tasks/a.json:1:1: "))
    try spoil(served, "tasks/a.json", "{}")
    #expect(lines(served).count == 2, "the same one")
  }
}
