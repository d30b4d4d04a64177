import Glibc
import Testing

extension IndependentFaults {
  @Suite("Random operations") struct Operations {
    @Test("After a minute of random operations the outputs are those of a fresh sync", .timeLimit(.minutes(10)))
    func randomOperations() throws {
      let seed = setting("FAULTS_SEED", or: UInt64.random(in: 1...999_999))
      let seconds = Double(setting("FAULTS_SECONDS", or: 60))
      let count = Int(setting("FAULTS_OPERATIONS", or: 0))
      let cache = try TestCache()
      let agent = try Agent(cache)
      var operations = RandomOperations(cache, seed: seed)
      let start = secondsNow()
      while count > 0 ? operations.count < count : secondsNow() - start < seconds {
        operations.step()
        if operations.count % 20 == 0 { usleep(5000) }
      }
      try agent.settled(seconds: 120)
      let again = "FAULTS_SEED=\(seed) FAULTS_OPERATIONS=\(operations.count) make test-faults FAULTS=randomOperations"
      let expected = try cache.freshlySynced()
      var found = try cache.comparable()
      #expect(Set(operations.feedsTouched) == Set(Sessions.feeds))
      // A kind whose feed lost its last file stays, as `empty`; a fresh sync does not know of it.
      for name in found.keys where expected[name] == nil { found[name] = nil }
      // Its list of files follows from those; what it says of them is compared with them instead.
      found["manifest.json"] = expected["manifest.json"]
      #expect(try cache.manifestIsTrue(), "\(again)")
      let differing = found.keys.filter { found[$0] != expected[$0] }.sorted()
      #expect(differing.isEmpty && found.count == expected.count, "\(differing) differ. Again: \(again)")
    }
  }
}
