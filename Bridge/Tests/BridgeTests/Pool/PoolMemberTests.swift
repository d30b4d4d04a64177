import Testing

@testable import CacheSyncBridge

@Suite("A member of a pool")
struct PoolMemberTests {
  private typealias Record = PoolMember.Record

  private static let second: Int64 = 1_000_000_000

  private static func record(_ sequence: UInt64, _ nonce: String? = "other-0", role: Record.Role = .pool) -> Record {
    Record(sequence: sequence, nonce: nonce, role: role, owner: "other")
  }

  private static func other(_ name: String = "b", _ nonce: String = "other", _ state: Announcement.State = .serving)
    -> Announcement
  {
    Announcement(name: name, nonce: nonce, state: state, cacheCount: 0)
  }

  /// A member and its clock: ticks come every 500 ms, the agent answers each, and the shards' records are given.
  private struct Story {
    var member: PoolMember
    var now: Int64 = 0
    var records: [Int: Record] = [:]
    var hasAgent = true
    var answers = true
    /// Announced before every tick.
    var others: [Announcement] = []
    var actions: [PoolMember.Action] = []

    init(shards: Int = 1, nonce: String = "me", earlier: Set<String> = [], takesOver: Bool = false) {
      member = PoolMember(shardCount: shards, name: "a", nonce: nonce, earlier: earlier, takesOver: takesOver)
      tell(.connected)
    }

    mutating func tell(_ event: PoolMember.Event) {
      for action in member.handle(event, at: now) {
        actions.append(action)
        guard case .ask(let shard) = action else { continue }
        tell(answers ? .found(shard, records[shard]) : .unanswered(shard))
      }
    }

    /// Lets time pass, and gives what the member did but for questions and announcements.
    mutating func pass(_ seconds: Double) -> [PoolMember.Action] {
      actions = []
      for _ in 0..<Int(seconds * 2) {
        for other in others { tell(.heard(other)) }
        if hasAgent { tell(.agentAnswered) }
        tell(.tick)
        now += PoolMember.interval
      }
      return actions.filter {
        switch $0 {
        case .ask, .announce: false
        default: true
        }
      }
    }

    mutating func own(_ shard: Int = 0) {
      _ = pass(2.5)
      tell(.owns(shard))
      tell(.serves(shard))
      tell(.agentAnswered)
    }
  }

  @Test("takes what has no owner after two seconds of listening, and renews it from then on")
  func unowned() {
    var story = Story()
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(nil))])
    story.tell(.owns(0))
    #expect(story.pass(1) == [.renew(0), .renew(0)])
  }

  @Test("takes what another member has once its record is unchanged for two seconds of answers")
  func lease() {
    var story = Story()
    for sequence in 1...20 {
      story.records[0] = Self.record(UInt64(sequence))
      #expect(story.pass(0.5) == [])
    }
    #expect(story.pass(1.5) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(20))])
  }

  @Test("counts anew after a question that was not answered, after a disconnection, and after it was stopped")
  func countsAnew() {
    let breaks: [(inout Story) -> Void] = [
      { story in
        story.answers = false
        _ = story.pass(0.5)
        story.answers = true
      },
      { story in
        story.tell(.disconnected)
        story.tell(.connected)
      },
      { story in story.now += 10 * Self.second },
    ]
    for change in breaks {
      var story = Story()
      story.records[0] = Self.record(7)
      _ = story.pass(2)
      change(&story)
      #expect(story.pass(2) == [])
      #expect(story.pass(0.5) == [.claim(0, .unchanged(7))])
    }
  }

  @Test("takes what another member should have only after three times the lease")
  func unpreferred() {
    // Of two members each has one shard.
    var story = Story(shards: 2)
    story.others = [Self.other()]
    let first = story.pass(6)
    #expect(first.count == 1)
    let second = story.pass(0.5)
    #expect(first.count == 1 && second.count == 1 && first != second)
  }

  @Test("takes at once what was given up and should be its own, and what an earlier run of its own has")
  func atOnce() {
    var story = Story(earlier: ["before"])
    story.records[0] = Self.record(3, "before-4")
    #expect(story.pass(0.5) == [.claim(0, .unchanged(3))])
    story.tell(.lost(0))
    story.records[0] = Self.record(4)
    _ = story.pass(1.5)
    story.records[0] = Self.record(5, "")
    #expect(story.pass(1) == [.claim(0, .unchanged(5))])
  }

  @Test("neither announces itself nor takes before its agent answers")
  func withoutAgent() {
    var story = Story()
    story.hasAgent = false
    #expect(story.pass(20) == [] && story.actions == [])
  }

  @Test("lets all go two seconds after its agent's last answer, says so, and takes them again when it answers")
  func silentAgent() {
    var story = Story(shards: 2)
    for shard in 0..<2 { story.own(shard) }
    story.hasAgent = false
    #expect(Set(story.pass(2)) == [.renew(0), .renew(1)])
    #expect(story.pass(0.5) == [.letGo(0), .letGo(1)])
    #expect(story.actions.last == .announce(.leaving))
    #expect(story.pass(5) == [] && story.actions == [])
    for shard in 0..<2 {
      story.records[shard] = Self.record(9, "")
      story.tell(.left(shard))
    }
    story.hasAgent = true
    #expect(story.pass(0.5) == [.claim(0, .unchanged(9)), .claim(1, .unchanged(9))])
  }

  @Test("is patient with an agent that takes caches in, until it has answered twice")
  func patience() {
    var story = Story()
    story.own()
    story.tell(.arrived)
    story.hasAgent = false
    #expect(Set(story.pass(29)) == [.renew(0)])
    // It publishes what it took in.
    story.tell(.agentPublished)
    #expect(Set(story.pass(29)) == [.renew(0)])
    story.tell(.agentAnswered)
    #expect(Set(story.pass(29)) == [.renew(0)])
    story.tell(.agentAnswered)
    #expect(Set(story.pass(2)) == [.renew(0)])
    story.tell(.agentPublished)
    #expect(Set(story.pass(2)) == [.renew(0)])
    story.tell(.arrived)
    #expect(Set(story.pass(20)) == [.renew(0)])
    #expect(story.pass(8.5).last == .letGo(0))
  }

  @Test("goes on after it was stopped itself, and lets go when the agent is silent from then on")
  func stopped() {
    var story = Story()
    story.own()
    story.now += 60 * Self.second
    story.hasAgent = false
    #expect(story.pass(2) == [.renew(0), .renew(0), .renew(0), .renew(0)])
    #expect(story.pass(0.5) == [.letGo(0)])
    story.now += 60 * Self.second
    #expect(story.pass(2) == [], "the agent was silent before")
  }

  @Test("gives a claim up when its agent falls silent")
  func abandons() {
    var story = Story()
    #expect(story.pass(2.5) == [.claim(0, .unchanged(nil))])
    story.hasAgent = false
    #expect(story.pass(2) == [.abandon(0)])
  }

  @Test("renews for a minute of a takeover, then leaves the shard to others for another")
  func longTakeover() {
    var story = Story()
    _ = story.pass(2.5)
    story.tell(.owns(0))
    #expect(Set(story.pass(60)) == [.renew(0)])
    #expect(story.pass(0.5) == [.letGo(0)])
    story.records[0] = Self.record(9, "")
    story.tell(.left(0))
    #expect(story.pass(59.5) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(9))])
  }

  @Test("gives what another member should have to it after ten seconds, one shard at a time")
  func handsOver() {
    var story = Story(shards: 4)
    for shard in 0..<4 { story.own(shard) }
    story.others = [Self.other()]
    #expect(Set(story.pass(10)) == Set((0..<4).map { .renew($0) }))
    let first = story.pass(0.5).filter { if case .letGo = $0 { true } else { false } }
    guard first.count == 1, case .letGo(let shard) = first[0] else { return #expect(Bool(false), "\(first)") }
    #expect(!story.pass(3).contains { if case .letGo = $0 { true } else { false } })
    // The other one takes it.
    story.records[shard] = Self.record(50)
    story.tell(.left(shard))
    #expect(story.pass(1).contains { if case .letGo = $0 { true } else { false } })
    story.others = []
    #expect(!story.pass(20).contains { if case .letGo = $0 { true } else { false } }, "the other one went away")
  }

  @Test("ends when a member of its name serves, and, of two that join, the one with the greater nonce")
  func equalNames() {
    var joining = Story()
    joining.tell(.heard(Self.other("a", "z", .joining)))
    #expect(joining.actions == [])
    joining.tell(.heard(Self.other("a", "l", .joining)))
    #expect(joining.actions == [.end(.equalName)])

    var late = Story(nonce: "a")
    late.tell(.heard(Self.other("a", "z")))
    #expect(late.actions == [.end(.equalName)])

    var serving = Story()
    serving.own()
    serving.actions = []
    serving.tell(.heard(Self.other("a", "a", .joining)))
    serving.tell(.heard(Self.other("a", "z")))
    #expect(serving.actions == [])
    serving.tell(.heard(Self.other("a", "a")))
    #expect(serving.actions == [.letGo(0), .announce(.leaving), .end(.equalName)])
    #expect(serving.pass(5) == [])
  }

  @Test("does not take what its earlier run announced, and a slow server sends now, for another member's")
  func announcementOfEarlierRun() {
    var story = Story(earlier: ["before"])
    story.tell(.heard(Self.other("a", "before")))
    #expect(story.actions == [])
    #expect(story.member.memberNames == ["a"])
  }

  @Test("ends where a home's record stays for two seconds, unless it is told to take over")
  func home() {
    var story = Story()
    story.records[0] = Self.record(7, "home", role: .home)
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.end(.hasHome("other"))])
    // A home that gave up what it took of a pool.
    story = Story()
    story.records[0] = Self.record(7, "home", role: .home)
    _ = story.pass(2)
    story.records[0] = Self.record(8, "", role: .home)
    #expect(story.pass(0.5) == [.claim(0, .unchanged(8))])
    story = Story(takesOver: true)
    story.records[0] = Self.record(7, "home", role: .home)
    #expect(story.pass(2.5) == [.claim(0, .unchanged(7))])
  }

  @Test("takes a record that cannot be read for a home's, and for no free one")
  func unreadable() {
    var story = Story(earlier: [""], takesOver: true)
    story.records[0] = Self.record(6)
    _ = story.pass(1.5)
    story.records[0] = Self.record(7, nil, role: .home)
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(7))])
  }

  // MARK: Pools

  @Test("of a pool: all shards are served evenly again whatever happened", arguments: 0..<20)
  func pools(seed: UInt64) {
    var world = PoolModel(seed: seed, members: 4, shards: 16)
    world.run(seconds: 20)
    #expect(world.problem == nil)
    for _ in 0..<6 {
      let before = world.owners
      let victim = world.disturb()
      world.run(seconds: 7)
      // At most 2 s of silence, half a second twice, and the lease.
      #expect(world.owners.allSatisfy { $0 != nil && $0 != victim }, "\(before) to \(world.owners)")
      #expect(world.problem == nil)
      world.mend()
      world.run(seconds: 60)
      #expect(Set(world.counts) == [4], "\(world.owners)")
    }
    let (moves, owners) = (world.moves, world.owners)
    world.run(seconds: 120)
    #expect(world.moves == moves && world.owners == owners, "nothing moves without a reason")
  }
}
