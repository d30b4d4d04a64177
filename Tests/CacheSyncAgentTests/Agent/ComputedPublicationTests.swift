@testable import CacheSync
@testable import CacheSyncAgent
import Synchronization
import Testing
import TestSupport

@Suite struct ComputedPublicationTests {
  private static func servedBins() throws -> ServedTestCache {
    let definition = #"{"version":1,"items":{"each":"$[*]"},"kinds":{"bins":{"show":"all","items":{"title":"x"}}}}"#
    return try ServedTestCache(["feeds/bins.json": definition, "bins/a.json": "[{}]"])
  }

  @Test("What a feed keeps to compute a publication faster goes when that is computed")
  func feedsForget() throws {
    let served = try Self.servedBins()
    let contents = try #require(served.served.serving).contents
    let feed = try #require(contents.feeds["bins"] as? DefinedFeed)
    let snapshot = try SnapshotReader(cache: served.cache.path).snapshot("bins")
    #expect(snapshot.entries.first?.content["count"]?.int == 1)
    #expect(feed.latest == nil)
    // It does keep it until then, for a day that no publication needed.
    var json = JSONWriter()
    let later = contents.environment.clock.now() + .seconds(30 * 24 * 3600)
    _ = feed.writeDay(contents.moment(at: later), feeds: contents.feeds, to: &json)
    #expect(feed.latest != nil)
    // A publication.
    try served.drop("bins/a.json", "[{},{}]")
    served.pass(after: .seconds(1))
    #expect(try SnapshotReader(cache: served.cache.path).snapshot("bins").entries.first?.content["count"]?.int == 2)
    #expect(feed.latest == nil)
  }

  @Test("A publication of other feeds computes nothing of a defined feed that did not change")
  func unchangedFeed() throws {
    let served = try Self.servedBins()
    let contents = try #require(served.served.serving).contents
    let feed = try #require(contents.feeds["bins"] as? DefinedFeed)
    let moment = contents.moment(at: contents.environment.clock.now())
    _ = contents.projector.dayIndex(at: moment)
    contents.noteStandingProblems(at: moment)
    #expect(feed.latest == nil)
  }

  @Test("What a defined feed keeps for other feeds' publications is what a fresh one computes, later too")
  func knownIsTrue() throws {
    let definition =
      #"{"version":1,"items":{"each":"$[*]","id":"{key}","start":{"at":"@.s","as":"unix"},"#
      + #""lasts":"PT30H","repeats":"FREQ=DAILY;COUNT=3"},"#
      + #""kinds":{"bins":{"show":"today","limit":50,"items":{"title":"\#(String(repeating: "x", count: 3_000))"}}}}"#
    let served = try ServedTestCache(["feeds/bins.json": definition, "bins/a.json": "[]"])
    let contents = try #require(served.served.serving).contents
    let now = contents.environment.clock.now()
    func items(_ count: Int, from start: Instant) -> String {
      "[" + (0..<count).map { #"{"s":\#(Int(start.seconds) + 3600 * $0)}"# }.joined(separator: ",") + "]"
    }
    var seen: Set<[UInt8]> = []
    func compare(_ words: Comment) throws {
      for hours in [0, 0, 5, 29, 24 * 9, -30, 0] {
        let moment = contents.moment(at: now + .seconds(hours * 3600))
        let others = CacheContents(
          root: try CacheRoot(resolved: try CacheRoot.resolve(served.cache.path)), environment: contents.environment)
        others.readEverything(isPatient: false)
        let index = contents.projector.dayIndex(at: moment)
        #expect(index == others.projector.dayIndex(at: moment), words)
        #expect(
          contents.feeds.all.flatMap { $0.standingProblems(at: moment, feeds: contents.feeds) }
            == others.feeds.all.flatMap { $0.standingProblems(at: moment, feeds: others.feeds) }, words)
        seen.insert(index.withoutPublication())
      }
    }
    try compare("nothing")
    for count in [3, 120, 1] {
      try served.drop("bins/a.json", items(count, from: now))
      served.pass(after: .seconds(1))
      try compare("\(count) items")
    }
    try served.drop("bins/b.json", items(2, from: now + .seconds(-20 * 3600)))
    served.pass(after: .seconds(1))
    try compare("a second file")
    #expect(seen.count > 10)
  }

  @Test("Kinds that take long are published after what else is due, once, and an answer waits for them")
  func costlyKinds() throws {
    let served = try ServedTestCache([
      "feeds/x.json": CostlyFeed.definition, "x/1.json": CostlyFeed.items(3_000),
      "meal-plan/a.json": MealPlanFixture.session(),
    ])
    let serving = try #require(served.served.serving)
    let reader = SnapshotReader(cache: served.cache.path)
    func generations() throws -> [Int] { try ["meal-plan", "x-k1"].map { try reader.snapshot($0).generation } }
    func drop(_ count: Int) throws {
      try served.drop("x/1.json", CostlyFeed.items(count))
      try served.drop("meal-plan/a.json", MealPlanFixture.session(id: "sess-\(count)", plan: plan(count)))
    }
    func plan(_ number: Int) -> String {
      #"{"day_index":5,"meal_type":"dinner","meal_id":"m","meal_name":"Soup \#(number)"}"#
    }
    #expect(try generations() == [1, 1])
    #expect(!serving.publisher.hasPostponed)
    try drop(2_900)
    served.pass(after: .seconds(1))
    #expect(try generations() == [2, 1])
    #expect(serving.publisher.hasPostponed)
    #expect(try #require(served.report.nextDeadline) <= served.clock.now())
    let answers = Mutex<[String]>([])
    serving.addWaiter(1, reportsFailure: false) { answer in
      answers.withLock { $0.append(String(decoding: answer, as: UTF8.self)) }
    }
    #expect(answers.withLock { $0 } == [])
    // A drop meanwhile does not make it wait longer.
    try served.drop("meal-plan/a.json", MealPlanFixture.session(id: "again", plan: plan(0)))
    served.pass(after: .seconds(1))
    #expect(try generations() == [3, 3])
    #expect(answers.withLock { $0 } == [#"{"generation":3}"#])
    #expect(!serving.publisher.hasPostponed)
    served.pass(after: .seconds(1))
    #expect(try generations() == [3, 3])
    // Where nothing else is due, nothing is put off.
    try served.drop("x/1.json", CostlyFeed.items(2_800))
    served.pass(after: .seconds(1))
    #expect(try generations() == [3, 4])
    #expect(!serving.publisher.hasPostponed)
  }
}
