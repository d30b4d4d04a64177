import CacheSync
import Testing

@Suite struct CountedTests {
  @Test("Only a count of one is singular")
  func counts() {
    #expect([0, 1, 2, -1].map { counted($0, "cache") } == ["0 caches", "1 cache", "2 caches", "-1 caches"])
    #expect([1, 3].map { counted($0, "directory", "directories") } == ["1 directory", "3 directories"])
  }
}
