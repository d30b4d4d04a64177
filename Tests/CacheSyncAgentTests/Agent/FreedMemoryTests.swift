import CacheSyncAgent
import CacheSyncSystem
import Synchronization
import Testing
import TestSupport

@Suite struct FreedMemoryTests {
  /// How often memory was given back.
  private final class Releases: Sendable {
    let count = Mutex(0)
  }

  @Test("Many small amounts count together, and begin anew once they were given back")
  func smallAmounts() {
    let releases = Releases()
    let freed = FreedMemory { releases.count.withLock { $0 += 1 } }
    for _ in 0..<3 { freed.record(FreedMemory.much / 4) }
    #expect(releases.count.withLock(\.self) == 0)
    freed.record(FreedMemory.much / 4)
    #expect(releases.count.withLock(\.self) == 1)
    freed.record(FreedMemory.much / 2)
    #expect(releases.count.withLock(\.self) == 1)
    freed.record(FreedMemory.much / 2)
    #expect(releases.count.withLock(\.self) == 2)
  }

  @Test("The last good versions that two caches save count together")
  func savesOfSeveralCaches() throws {
    let releases = Releases()
    let freed = FreedMemory { releases.count.withLock { $0 += 1 } }
    // The log keeps a file's bytes as they are, this one's with blanks.
    let task = ServedTestCache.task("one") + String(repeating: " ", count: FreedMemory.much / 2)
    for count in 0...1 {
      let cache = try ServedTestCache(["tasks/a.json": task], freed: freed)
      cache.saveLastGood()
      #expect(releases.count.withLock(\.self) == count)
    }
  }
}
