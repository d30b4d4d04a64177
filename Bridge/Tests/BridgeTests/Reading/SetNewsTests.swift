import Testing

@testable import CacheSyncBridge

@Suite("News of a set")
struct SetNewsTests {
  private static let second: Int64 = 1_000_000_000

  @Test("A set is news if it has a greater sequence or a greater generation")
  func newer() {
    var news = SetNews()
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .show)
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .same)
    #expect(news.judge(sequence: 6, generation: 9, now: 0) == .show)
    #expect(news.judge(sequence: 2, generation: 10, now: 0) == .show)
    #expect(news.judge(sequence: 3, generation: 1, now: 0) == .show)
  }

  @Test("An older set is news only after 30 s: then the engine was rolled back, and the server is not just behind")
  func older() {
    var news = SetNews()
    _ = news.judge(sequence: 5, generation: 9, now: 0)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
    #expect(news.judge(sequence: 4, generation: 8, now: 20 * Self.second) == .later(.seconds(10)))
    #expect(news.judge(sequence: 4, generation: 8, now: 30 * Self.second) == .show)
    #expect(news.judge(sequence: 4, generation: 8, now: 31 * Self.second) == .same)
  }

  @Test("The set of an earlier run is the first, and an older one is news only after 30 s")
  func earlierRun() {
    var news = SetNews(shown: 9)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .show)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
  }

  @Test("The 30 s start again if the newest or another old set is seen in between")
  func doubt() {
    var news = SetNews()
    _ = news.judge(sequence: 5, generation: 9, now: 0)
    _ = news.judge(sequence: 4, generation: 8, now: 0)
    #expect(news.judge(sequence: 5, generation: 9, now: 10 * Self.second) == .same)
    #expect(news.judge(sequence: 4, generation: 8, now: 31 * Self.second) == .later(.seconds(30)))
    #expect(news.judge(sequence: 3, generation: 7, now: 62 * Self.second) == .later(.seconds(30)))
  }
}
