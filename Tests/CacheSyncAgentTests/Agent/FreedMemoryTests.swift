import CacheSyncAgent
import CacheSyncSystem
import Synchronization
import Testing
import TestSupport

@Suite struct FreedMemoryTests {
  /// Counts how often memory was returned to the system.
  private final class Releases: Sendable {
    let count = Mutex(0)
  }

  @Test("Small amounts add up until memory is returned, and then the count starts again")
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

  @Test("The last good versions that two caches save are added up")
  func savesOfSeveralCaches() throws {
    let releases = Releases()
    let freed = FreedMemory { releases.count.withLock { $0 += 1 } }
    // The log keeps a file's bytes unchanged, here including the blanks.
    let task = ServedTestCache.task("one") + String(repeating: " ", count: FreedMemory.much / 2)
    for count in 0...1 {
      let cache = try ServedTestCache(["tasks/a.json": task], freed: freed)
      cache.saveLastGood()
      #expect(releases.count.withLock(\.self) == count)
    }
  }
}
