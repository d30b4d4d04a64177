import Testing

@testable import CacheSyncBridge

@Suite("The last good version of a file")
struct LastGoodTests {
  @Test(
    "The last good version is stored before an invalid one replaces it, until a valid one or a deletion does",
    arguments: [
      (.absent, .valid, false, .write), (.absent, .invalid, false, .write), (.absent, .absent, false, .write),
      (.valid, .valid, false, .write), (.valid, .invalid, false, .keepThenWrite), (.valid, .absent, false, .write),
      (.invalid, .invalid, false, .write), (.invalid, .invalid, true, .write), (.invalid, .valid, false, .write),
      (.invalid, .valid, true, .writeThenForget), (.invalid, .absent, true, .writeThenForget),
      // An earlier deletion of it did not reach the engine.
      (.valid, .valid, true, .writeThenForget), (.absent, .invalid, true, .write),
      // A newer one replaces it.
      (.valid, .invalid, true, .keepThenWrite),
    ] as [(LastGood.Content, LastGood.Content, Bool, LastGood.Change)])
  func change(old: LastGood.Content, new: LastGood.Content, hasGood: Bool, change: LastGood.Change) {
    #expect(LastGood.change(from: old, to: new, hasGood: hasGood) == change)
  }

  @Test(
    "If the last version is invalid, a cache that is taken over first gets the last good one",
    arguments: [
      (.valid, false, .asItIs), (.invalid, false, .asItIs), (.absent, false, .asItIs),
      (.invalid, true, .goodFirst), (.valid, true, .asItIsThenForget), (.absent, true, .asItIsThenForget),
    ] as [(LastGood.Content, Bool, LastGood.Arrival)])
  func arrival(content: LastGood.Content, hasGood: Bool, arrival: LastGood.Arrival) {
    #expect(LastGood.arrival(of: content, hasGood: hasGood) == arrival)
  }
}
