import CacheSync
@testable import CacheSyncAgent
import CacheSyncSystem
import Testing

@Suite("Summary of the caches that are served")
struct ServingSummaryTests {
  @Test(
    "Each state has its own summary",
    arguments: [
      (ServingSummary(only: CachePath("/c"), servedCount: 1), "serving /c"),
      (ServingSummary(only: CachePath("/c"), servedCount: 1, unwritableCount: 1), "serving /c; not writable"),
      (
        ServingSummary(only: CachePath("/c"), servedCount: 1, unwritableCount: 1, polledCount: 1),
        "serving /c; not writable; polling"
      ),
      (ServingSummary(only: CachePath("/c"), awaitedCount: 1), "waiting for /c"),
      (ServingSummary(), "serving 0 caches"),
      (ServingSummary(servedCount: 1, awaitedCount: 1), "serving 1 cache; waiting for 1"),
      (ServingSummary(servedCount: 3), "serving 3 caches"),
      (
        ServingSummary(servedCount: 3, awaitedCount: 1, unwritableCount: 2, polledCount: 1),
        "serving 3 caches; waiting for 1; 2 not writable; 1 polled"
      ),
      (ServingSummary(only: CachePath("/a\nREADY=1"), servedCount: 1), #"serving /a\x0aREADY=1"#),
    ])
  func words(_ summary: ServingSummary, _ words: String) { #expect(summary.description == words) }
}
