import CacheSync
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@testable import CacheSyncAgent

/// When outputs that another program removed are made again (contract.md section 5), by a clock that the test sets.
@Suite("Removed outputs")
struct RemovedOutputsTests {
  private static let instant = Duration.nanoseconds(1)
  private static let output = "snapshots/todays-tasks.json"

  private func served() throws -> ServedTestCache {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("a"), "tasks/b.json": "[]"])
    served.pass(after: .milliseconds(250))
    served.saveLastGood()
    return served
  }

  private func missing(_ served: ServedTestCache) throws -> [String] {
    let status = try #require(served.served.open?.status())
    let answer = status.encoded(ProcessTotals(events: 0, overflows: 0, startedAt: .referenceDate, zoneWarning: nil))
    let problems = try #require(answer.withUnsafeBytes { JSONValue.parse($0) }?["problems"]?.array)
    return problems.filter { $0["path"]?.string == "snapshots" }.compactMap { $0["message"]?.string }
  }

  @Test("One output is made again 250 ms after it was removed, and until then it is a problem and wait waits")
  func one() throws {
    let served = try served()
    let generation = served.report.generation
    try served.cache.remove(Self.output)
    served.pass()
    #expect(try missing(served) == ["another program removed 1 file from snapshots/; the agent makes it again"])
    let replies = Journal()
    served.served.wait(1, sweeping: false, reportsFailure: false) { replies.add(String(decoding: $0, as: UTF8.self)) }
    served.pass(after: .milliseconds(250) - Self.instant)
    #expect(!served.cache.exists(Self.output) && replies.lines.isEmpty)
    served.pass(after: Self.instant)
    #expect(try served.titles() == ["a"] && missing(served).isEmpty)
    #expect(replies.lines == [#"{"generation":\#(generation + 1)}"#] && served.report.generation == generation + 1)
  }

  @Test("All of snapshots is made again at once, and then watched again")
  func all() throws {
    let served = try served()
    let names = try served.cache.names(in: "snapshots")
    for round in 1...2 {
      let generation = served.report.generation
      if round == 1 {
        try served.cache.remove("snapshots")
      } else {
        try FileManager.default.moveItem(at: served.cache.file("snapshots"), to: served.cache.file("elsewhere"))
      }
      served.pass()
      #expect(try missing(served).count == 1)
      served.pass(after: .milliseconds(250))
      #expect(try served.cache.names(in: "snapshots") == names, "round \(round)")
      #expect(served.report.generation == generation + 1)
    }
    try served.cache.remove(Self.output)
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(try served.titles() == ["a"])
  }

  @Test("While outputs are being removed, the agent makes none again; other files in snapshots do not matter")
  func storm() throws {
    let served = try served()
    let generation = served.report.generation
    let names = try served.cache.names(in: "snapshots").filter { $0.hasSuffix(".json") }
    for name in names {
      try served.cache.write("snapshots/theirs", "")
      try served.cache.remove("snapshots/\(name)")
      served.pass(after: .milliseconds(240))
    }
    #expect(served.report.generation == generation)
    for _ in 0..<2 {
      try served.cache.write("snapshots/theirs", "")
      try served.cache.remove("snapshots/theirs")
      served.pass(after: .milliseconds(125))
    }
    #expect(try served.titles() == ["a"] && served.report.generation == generation + 1)
  }

  @Test("While other files of the cache are removed, it may be a deletion: the outputs wait, but at most 1.5 s")
  func deletion() throws {
    let served = try served()
    for number in 0..<8 { try served.drop("tasks/more\(number).json", "[]") }
    served.pass()
    served.pass(after: .milliseconds(250))
    served.saveLastGood()
    try served.cache.remove("snapshots/day-index.json")
    served.pass()
    for number in 0..<7 {
      try served.cache.remove("tasks/more\(number).json")
      served.pass(after: .milliseconds(200))
    }
    #expect(!served.cache.exists("snapshots/day-index.json"), "1.4 s")
    try served.cache.remove("tasks/more7.json")
    served.pass(after: .milliseconds(100))
    #expect(served.cache.exists("snapshots/day-index.json"), "1.5 s")
  }

  @Test("What the agent renames and removes itself in snapshots is not news")
  func own() throws {
    let served = try served()
    let batches = served.report.counters.batches
    try served.drop("tasks/a.json", ServedTestCache.task("b"))
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(try served.titles() == ["b"] && missing(served).isEmpty)
    #expect(served.report.counters.batches == batches + 1)
  }
}
