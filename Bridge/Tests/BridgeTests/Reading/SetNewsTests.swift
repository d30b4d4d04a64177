import Testing

@testable import CacheSyncBridge

@Suite("News of a set")
struct SetNewsTests {
  private static let second: Int64 = 1_000_000_000

  @Test("is what has a greater sequence or a greater generation")
  func newer() {
    var news = SetNews()
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .take)
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .same)
    #expect(news.judge(sequence: 6, generation: 9, now: 0) == .take)
    #expect(news.judge(sequence: 2, generation: 10, now: 0) == .take)
    #expect(news.judge(sequence: 3, generation: 1, now: 0) == .take)
  }

  @Test("is an older one only after 30 s: an engine that was rolled back, not a server that lags")
  func older() {
    var news = SetNews()
    _ = news.judge(sequence: 5, generation: 9, now: 0)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
    #expect(news.judge(sequence: 4, generation: 8, now: 20 * Self.second) == .later(.seconds(10)))
    #expect(news.judge(sequence: 4, generation: 8, now: 30 * Self.second) == .take)
    #expect(news.judge(sequence: 4, generation: 8, now: 31 * Self.second) == .same)
  }

  @Test("is the one that an earlier run showed, and an older one only after 30 s")
  func earlierRun() {
    var news = SetNews(shown: 9)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
    #expect(news.judge(sequence: 5, generation: 9, now: 0) == .take)
    #expect(news.judge(sequence: 4, generation: 8, now: 0) == .later(.seconds(30)))
  }

  @Test("begins to count anew when the newest, or another old one, was seen between")
  func doubt() {
    var news = SetNews()
    _ = news.judge(sequence: 5, generation: 9, now: 0)
    _ = news.judge(sequence: 4, generation: 8, now: 0)
    #expect(news.judge(sequence: 5, generation: 9, now: 10 * Self.second) == .same)
    #expect(news.judge(sequence: 4, generation: 8, now: 31 * Self.second) == .later(.seconds(30)))
    #expect(news.judge(sequence: 3, generation: 7, now: 62 * Self.second) == .later(.seconds(30)))
  }
}
