import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("A share")
struct ShareTests {
  @Test(
    "A share is described in whole percent, rounded down",
    arguments: [
      (0.0, "0 percent"), (0.299, "29 percent"), (0.29, "29 percent"), (0.57, "57 percent"), (0.999_9, "99 percent"),
      (1, "100 percent"), (1.000_1, "over"),
      (-3, "0 percent"), (1e300, "over"), (.infinity, "over"),
    ])
  func words(progress: Double, words: String) {
    #expect(Share(progress, length: 100, cap: 6).words(in: CacheLocale.english.language) == words)
  }

  @Test("An unknown share is drawn and described as nothing", arguments: [nil, Double.nan])
  func unknown(progress: Double?) {
    let share = Share(progress, length: 100, cap: 6)
    #expect(share.drawn == nil && share.words(in: CacheLocale.english.language) == nil && !share.isOver)
  }

  @Test("A bar is full only at 1 and empty only at 0", arguments: [1e-9, 0.001, 0.5, 0.999, 1 - 1e-9])
  func between(progress: Double) throws {
    // On a bar of 100 points whose round ends take 6, the start takes 6 points and a gap at least 2.
    let drawn = try #require(Share(progress, length: 100, cap: 6).drawn)
    #expect(drawn >= 0.06 && drawn <= 0.92)
    #expect(Share(0, length: 100, cap: 6).drawn == 0 && Share(1, length: 100, cap: 6).drawn == 1)
    #expect(Share(7, length: 100, cap: 6).drawn == 1)
  }
}
