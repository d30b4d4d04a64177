import CacheSyncAgent
import CacheSync
@testable import CacheSyncFeeds
@testable import CacheSyncPublishing
import SystemPackage
import Testing
import TestSupport

@Suite struct ComputedPublicationTests {
  private static func servedBins() throws -> ServedTestCache {
    let definition = #"{"version":1,"items":{"each":"$[*]"},"kinds":{"bins":{"show":"all","items":{"title":"x"}}}}"#
    return try ServedTestCache(["feeds/bins.json": definition, "bins/a.json": "[{}]"])
  }

  @Test("What a feed keeps to speed up a publication is dropped once the publication is computed")
  func feedsForget() throws {
    let served = try Self.servedBins()
    let contents = try #require(served.served.open).contents
    let feed = try #require(contents.feeds["bins"] as? DefinedFeed)
    let snapshot = try SnapshotReader(cache: served.cache.path).snapshot("bins")
    #expect(snapshot.entries.first?.content["count"]?.int == 1)
    #expect(feed.latest == nil)
    // For a day that no publication needed, the feed keeps it until the next one.
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

  @Test("A publication of other feeds computes nothing for a defined feed that did not change")
  func unchangedFeed() throws {
    let served = try Self.servedBins()
    let contents = try #require(served.served.open).contents
    let feed = try #require(contents.feeds["bins"] as? DefinedFeed)
    let moment = contents.moment(at: contents.environment.clock.now())
    _ = contents.projector.dayIndex(at: moment)
    contents.recordCurrentProblems(at: moment)
    #expect(feed.latest == nil)
  }

  @Test("What a defined feed keeps equals what a new feed computes, at every later moment too")
  func keptValuesAreCorrect() throws {
    let long = String(repeating: "x", count: 3_000)
    let definition =
      #"{"version":1,"marks":["done"],"items":{"each":"$[*]","id":"{n}","fields":{"n":"@.n"},"#
      + #""start":{"at":"@.s","as":"unix"},"lasts":"PT30H","repeats":"FREQ=DAILY;COUNT=3"},"#
      + #""kinds":{"bins":{"show":"today","limit":50,"where":[{"field":"done","is":false}],"#
      + #""items":{"title":"\#(long)","detail":"\#(long)"}}}}"#
    let served = try ServedTestCache(["feeds/bins.json": definition, "bins/a.json": "[]"])
    let contents = try #require(served.served.open).contents
    let now = contents.environment.clock.now()
    func items(_ count: Int, from start: Instant, every seconds: Int = 3600) -> String {
      "[" + (0..<count).map { #"{"n":\#($0),"s":\#(Int(start.seconds) + seconds * $0)}"# }.joined(separator: ",") + "]"
    }
    var seen: Set<[UInt8]> = []
    var isCut: Set<Bool> = []
    func compare(_ words: Comment) throws {
      for hours in [0, 0, 5, 29, 24 * 9, -30, 0] {
        let moment = contents.moment(at: now + .seconds(hours * 3600))
        let others = CacheContents(
          root: try CacheRoot(resolved: try CacheRoot.resolve(served.cache.path)), environment: contents.environment)
        others.readEverything(isPatient: false)
        let index = contents.projector.dayIndex(at: moment)
        #expect(index == others.projector.dayIndex(at: moment), words)
        let problems = others.feeds.all.flatMap { $0.currentProblems(at: moment, feeds: others.feeds) }
        #expect(
          contents.feeds.all.flatMap { $0.currentProblems(at: moment, feeds: contents.feeds) } == problems, words)
        seen.insert(index.withoutPublication())
        isCut.insert(!problems.isEmpty)
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
    // Too much for one content. It fits when the marked items are left out.
    let start = Instant(seconds: now.seconds)
    try served.drop("bins/a.json", items(45, from: start, every: 0))
    served.pass(after: .seconds(1))
    try compare("items that begin together")
    for number in 0..<45 {
      let occurrence = "\(number)#" + start.description.filter { $0 != "-" && $0 != ":" }
      let intent = #"{"id":"\#(number)","type":"bins.done","at":"\#(now + .seconds(3600))","item":"\#(occurrence)"}"#
      try served.drop("intents/\(number).json", intent)
    }
    served.pass(after: .seconds(1))
    try compare("marks, which end after 168 hours")
    for number in 0..<45 { try served.cache.remove("intents/\(number).json") }
    // A deleted file still counts for 250 ms.
    served.pass()
    served.pass(after: .seconds(1))
    try compare("no marks")
    try served.drop("bins/a.json", items(48, from: now))
    served.pass(after: .seconds(1))
    try compare("items that begin at every hour")
    try served.drop("cachesync.json", #"{"timeZone":"Asia/Tokyo"}"#)
    served.pass(after: .seconds(1))
    try compare("another zone")
    #expect(seen.count > 20 && isCut == [true, false])
  }
}
