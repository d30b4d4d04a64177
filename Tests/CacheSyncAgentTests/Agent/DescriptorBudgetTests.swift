import CacheSync
import CacheSyncAgent
import Testing

@Suite("Descriptors for caches")
struct DescriptorBudgetTests {
  private func capacity(limit: Int, open: Int) -> Int {
    let budget = DescriptorBudget(limit: limit, openCount: open)
    var count = 0
    while count < 1000, budget.claim() { count += 1 }
    return count
  }

  /// Four for each cache, and 24 in addition to those that are already open.
  @Test(
    "Descriptors are reserved for each cache, and some are left for files that are open briefly",
    arguments: [(64, 3, 9), (1024, 10, 247), (29, 3, 1), (33, 3, 1), (35, 3, 2), (34, 3, 1)])
  func counts(limit: Int, open: Int, caches: Int) { #expect(capacity(limit: limit, open: open) == caches) }

  @Test("There is always room for one cache, even if it barely fits", arguments: [0, 3, 24])
  func atLeastOne(limit: Int) { #expect(capacity(limit: limit, open: 3) == 1) }

  @Test("Another cache can use the descriptors that are released")
  func givenBack() {
    let budget = DescriptorBudget(limit: 35, openCount: 3)
    #expect(budget.claim() && budget.claim() && !budget.claim())
    budget.release()
    #expect(budget.claim() && !budget.claim())
  }
}
