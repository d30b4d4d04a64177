@testable import CacheSync
import CacheSyncAgent
import Testing
import TestSupport

@Suite struct ComputedPublicationTests {
  @Test("What a feed keeps to compute a publication faster goes when that is computed")
  func feedsForget() throws {
    let definition = #"{"version":1,"items":{"each":"$[*]"},"kinds":{"bins":{"show":"all","items":{"title":"x"}}}}"#
    let served = try ServedTestCache(["feeds/bins.json": definition, "bins/a.json": "[{}]"])
    let contents = try #require(served.served.serving).contents
    let feed = try #require(contents.feeds["bins"] as? DefinedFeed)
    let snapshot = try SnapshotReader(cache: served.cache.path).snapshot("bins")
    #expect(snapshot.entries.first?.content["count"]?.int == 1)
    #expect(feed.latest == nil)
    // It does keep it until then.
    var json = JSONWriter()
    _ = feed.writeDay(contents.moment(at: contents.environment.clock.now()), feeds: contents.feeds, to: &json)
    #expect(feed.latest != nil)
    // A publication.
    try served.drop("bins/a.json", "[{},{}]")
    served.pass(after: .seconds(1))
    #expect(try SnapshotReader(cache: served.cache.path).snapshot("bins").entries.first?.content["count"]?.int == 2)
    #expect(feed.latest == nil)
  }
}
