import Testing

@testable import CacheSync

/// Producers and an agent on an imaginary clock, in microseconds: each publication takes 300.
@Suite("The distance of publications")
struct PublicationPacingTests {
  private struct Agent {
    var pacing = PublicationPacing()
    var now: Int64 = 0
    /// How long each rest was, with the number of the publication that it followed.
    var rests: [(after: Int, length: Int64)] = []
    var count = 0

    /// Publishes at once what was written; returns until when nothing is taken in.
    mutating func publish(writes: Int, length: Int64 = 300) -> Int64? {
      let began = Uptime(nanoseconds: now * 1000)
      now += length
      count += 1
      guard let rest = pacing.rest(after: began, until: Uptime(nanoseconds: now * 1000), writeCount: writes) else {
        return nil
      }
      rests.append((count, rest.nanoseconds / 1000 - now))
      return rest.nanoseconds / 1000
    }

    /// A producer that writes every `period`, whatever the agent does.
    mutating func weather(_ total: Int, period: Int64) {
      var next = now + period
      var written = 0
      while written < total {
        now = max(now, next)
        var writes = 0
        while next <= now, written < total {
          writes += 1
          written += 1
          next += period
        }
        if let rest = publish(writes: writes) { now = rest }
      }
    }
  }

  @Test("A producer that waits for each file to show is kept waiting three times in 5,000")
  func waitingProducer() {
    var agent = Agent()
    for _ in 0..<5000 {
      if let rest = agent.publish(writes: 1) { agent.now = rest }
      agent.now += 100
    }
    // The first publication is close to none, so the 33rd is the 32nd close one, then after the trial 256 and 2,048 more.
    #expect(agent.rests.map(\.after) == [33, 290, 2339])
    #expect(agent.rests.allSatisfy { $0.length == 2000 })
  }

  @Test("Writes with a millisecond between them and the publication before are never kept waiting")
  func pausingProducer() {
    var agent = Agent()
    for _ in 0..<5000 {
      #expect(agent.publish(writes: 1) == nil)
      agent.now += 1001
    }
  }

  @Test("A storm's publications begin 20 ms apart, once 33 and a trial have shown that it is one")
  func storm() {
    var agent = Agent()
    agent.weather(5000, period: 600)
    // At first, and after every 64 more that kept their distance, it is tried: 5,000 writes are three seconds, 2 × 64 × 20 ms.
    let trials = agent.rests.filter { $0.length == 2000 }
    #expect(trials.first?.after == 33)
    #expect(trials.count == 3)
    #expect(agent.rests.dropLast().allSatisfy { [2000, 20_000 - 300].contains($0.length) })
    // 33 publications take in 33 writes, and the trials' 3 or 4 each; of the others 33 or 34 are one publication.
    #expect(agent.count > 33 + 3 + 4950 / 34 && agent.count < 33 + 3 + 4963 / 33 + 2)
  }

  @Test("After a storm a single write is not kept waiting, and the next storm is known as soon")
  func afterStorm() {
    var agent = Agent()
    agent.weather(500, period: 600)
    agent.rests = []
    agent.now += 50_000
    #expect(agent.publish(writes: 1) == nil)
    agent.now += 50_000
    let before = agent.count
    agent.weather(500, period: 600)
    #expect(agent.rests.first?.after == before + 33)
  }

  @Test("An agent that is behind does not rest, and rests again when it is not")
  func behind() {
    var agent = Agent()
    agent.weather(500, period: 600)
    #expect(agent.publish(writes: 20, length: 25_000) == nil)
    #expect(agent.publish(writes: 25, length: 4000).map { $0 - agent.now } == 16_000)
  }

  @Test(
    "However many producers wait, they write no more in a longer rest, and are tried ever more rarely",
    arguments: [3, 24])
  func manyWaitingProducers(count: Int) {
    var agent = Agent()
    for _ in 0..<2000 {
      if let rest = agent.publish(writes: agent.rests.last?.after == agent.count ? count : 1) { agent.now = rest }
      agent.now += 100
    }
    // A trial, and the 20 ms that it seemed to call for, after 32 close publications and after 256 more.
    #expect(agent.rests.map(\.length) == [2000, 19_700, 2000, 19_700])
  }

  @Test("A producer that pauses just when it is tried is not judged by that")
  func pausesInTrial() {
    var agent = Agent()
    for _ in 0..<32 {
      #expect(agent.publish(writes: 1) == nil)
      agent.now += 100
    }
    #expect(agent.publish(writes: 1) != nil)
    agent.now += 5000
    #expect(agent.publish(writes: 1) == nil)
    for _ in 0..<31 {
      agent.now += 100
      #expect(agent.publish(writes: 1) == nil)
    }
    agent.now += 100
    #expect(agent.publish(writes: 1) != nil)
  }

  @Test("What somebody asks for during a rest does not end the storm")
  func asked() throws {
    var agent = Agent()
    agent.weather(500, period: 600)
    agent.now += 100
    let rest = agent.publish(writes: 34)
    let due = try #require(rest)
    agent.now += 1000
    #expect(agent.publish(writes: 1) == nil)
    agent.now = due
    #expect(agent.publish(writes: 33) != nil)
  }

  @Test("A pause of a second makes it try as soon as at first")
  func forgets() {
    var agent = Agent()
    for _ in 0..<100 {
      if let rest = agent.publish(writes: 1) { agent.now = rest }
      agent.now += 100
    }
    #expect(agent.rests.map(\.after) == [33])
    agent.now += 1_000_001
    for _ in 0..<33 {
      if let rest = agent.publish(writes: 1) { agent.now = rest }
      agent.now += 100
    }
    #expect(agent.rests.map(\.after) == [33, 133])
  }
}
