import CacheSyncSystem
import Testing

@Suite("Pauses between attempts")
struct BackoffTests {
  @Test("A pause doubles up to the longest, and begins again after a success")
  func doubling() {
    var backoff = Backoff(from: .seconds(10), to: .seconds(300))
    #expect((0..<8).map { _ in backoff.next() } == [10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
    for (failures, seconds) in [(-1, 10), (1, 10), (3, 40), (6, 300), (Int.max, 300)] {
      #expect(backoff.pause(after: failures) == .seconds(seconds))
    }
    backoff.reset()
    #expect(backoff.next() == .seconds(10))
  }

  @Test("A spread pause is between half of it and the whole, and differs from client to client")
  func spread() {
    var pauses: Set<Duration> = []
    for _ in 0..<100 {
      var backoff = Backoff(from: .milliseconds(100), to: .seconds(10), isSpread: true)
      for whole in [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000] {
        let pause = backoff.next()
        #expect(pause >= .milliseconds(whole) / 2 && pause <= .milliseconds(whole))
        pauses.insert(pause)
      }
    }
    #expect(pauses.count > 100)
  }
}
