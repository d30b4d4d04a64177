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

  /// Four for each cache, and 24 beside those that are open already.
  @Test(
    "are counted, so that some are left for what is open for a moment",
    arguments: [(64, 3, 9), (1024, 10, 247), (29, 3, 1), (33, 3, 1), (35, 3, 2), (34, 3, 1)])
  func counts(limit: Int, open: Int, caches: Int) { #expect(capacity(limit: limit, open: open) == caches) }

  @Test("suffice for one cache in any case: it may just fit", arguments: [0, 3, 24])
  func atLeastOne(limit: Int) { #expect(capacity(limit: limit, open: 3) == 1) }

  @Test("that are given back are another cache's")
  func givenBack() {
    let budget = DescriptorBudget(limit: 35, openCount: 3)
    #expect(budget.claim() && budget.claim() && !budget.claim())
    budget.release()
    #expect(budget.claim() && !budget.claim())
  }
}
