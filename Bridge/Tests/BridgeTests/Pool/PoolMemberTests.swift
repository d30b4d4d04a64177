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

  /// A member and its clock: it ticks every 500 ms, the agent answers each tick, and the shards' records are given.
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
      send(.connected)
    }

    mutating func send(_ event: PoolMember.Event) {
      for action in member.handle(event, at: now) {
        actions.append(action)
        guard case .ask(let shard) = action else { continue }
        send(answers ? .found(shard, records[shard]) : .unanswered(shard))
      }
    }

    /// Lets time pass, and returns the member's actions except questions and announcements.
    mutating func pass(_ seconds: Double) -> [PoolMember.Action] {
      actions = []
      for _ in 0..<Int(seconds * 2) {
        for other in others { send(.received(other)) }
        if hasAgent { send(.agentAnswered) }
        send(.tick)
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
      send(.owns(shard))
      send(.serves(shard))
      send(.agentAnswered)
    }
  }

  @Test("A member takes a shard without an owner after listening for two seconds, and then renews it")
  func unowned() {
    var story = Story()
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(nil))])
    story.send(.owns(0))
    #expect(story.pass(1) == [.renew(0), .renew(0)])
  }

  @Test("A member takes another member's shard once the record is unchanged for two seconds of answers")
  func lease() {
    var story = Story()
    for sequence in 1...20 {
      story.records[0] = Self.record(UInt64(sequence))
      #expect(story.pass(0.5) == [])
    }
    #expect(story.pass(1.5) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(20))])
  }

  @Test("A member restarts its count after an unanswered question, a disconnection, or being stopped")
  func countsAnew() {
    let breaks: [(inout Story) -> Void] = [
      { story in
        story.answers = false
        _ = story.pass(0.5)
        story.answers = true
      },
      { story in
        story.send(.disconnected)
        story.send(.connected)
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

  @Test("A member takes a shard that another member should have only after three times the lease")
  func unpreferred() {
    // Each of two members has one shard.
    var story = Story(shards: 2)
    story.others = [Self.other()]
    let first = story.pass(6)
    #expect(first.count == 1)
    let second = story.pass(0.5)
    #expect(first.count == 1 && second.count == 1 && first != second)
  }

  @Test("A member immediately takes its own share of what was given up, and what its own earlier run has")
  func atOnce() {
    var story = Story(earlier: ["before"])
    story.records[0] = Self.record(3, "before-4")
    #expect(story.pass(0.5) == [.claim(0, .unchanged(3))])
    story.send(.lost(0))
    story.records[0] = Self.record(4)
    _ = story.pass(1.5)
    story.records[0] = Self.record(5, "")
    #expect(story.pass(1) == [.claim(0, .unchanged(5))])
  }

  @Test("A member does not announce itself or take a shard before its agent answers")
  func withoutAgent() {
    var story = Story()
    story.hasAgent = false
    #expect(story.pass(20) == [] && story.actions == [])
  }

  @Test(
    "A member gives up everything two seconds after its agent's last answer, and takes it again when the agent answers")
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
      story.send(.left(shard))
    }
    story.hasAgent = true
    #expect(story.pass(0.5) == [.claim(0, .unchanged(9)), .claim(1, .unchanged(9))])
  }

  @Test("While an agent takes in caches, it waits until the agent has answered twice")
  func patience() {
    var story = Story()
    story.own()
    story.send(.arrived)
    story.hasAgent = false
    #expect(Set(story.pass(29)) == [.renew(0)])
    // The agent publishes the caches that it took in.
    story.send(.agentPublished)
    #expect(Set(story.pass(29)) == [.renew(0)])
    story.send(.agentAnswered)
    #expect(Set(story.pass(29)) == [.renew(0)])
    story.send(.agentAnswered)
    #expect(Set(story.pass(2)) == [.renew(0)])
    story.send(.agentPublished)
    #expect(Set(story.pass(2)) == [.renew(0)])
    story.send(.arrived)
    #expect(Set(story.pass(20)) == [.renew(0)])
    #expect(story.pass(8.5).last == .letGo(0))
  }

  @Test("A member continues after being stopped, and gives up its shards if the agent is silent from then on")
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

  @Test("A member drops a claim when its agent becomes silent")
  func abandons() {
    var story = Story()
    #expect(story.pass(2.5) == [.claim(0, .unchanged(nil))])
    story.hasAgent = false
    #expect(story.pass(2) == [.abandon(0)])
  }

  @Test("A member renews for a minute during a takeover, then leaves the shard to others for another minute")
  func longTakeover() {
    var story = Story()
    _ = story.pass(2.5)
    story.send(.owns(0))
    #expect(Set(story.pass(60)) == [.renew(0)])
    #expect(story.pass(0.5) == [.letGo(0)])
    story.records[0] = Self.record(9, "")
    story.send(.left(0))
    #expect(story.pass(59.5) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(9))])
  }

  @Test("A member gives a shard to the member that should have it after ten seconds, one shard at a time")
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
    story.send(.left(shard))
    #expect(story.pass(1).contains { if case .letGo = $0 { true } else { false } })
    story.others = []
    #expect(!story.pass(20).contains { if case .letGo = $0 { true } else { false } }, "the other one went away")
  }

  @Test("A member ends if a member with its name serves, and of two that join, the one with the greater nonce ends")
  func equalNames() {
    var joining = Story()
    joining.send(.received(Self.other("a", "z", .joining)))
    #expect(joining.actions == [])
    joining.send(.received(Self.other("a", "l", .joining)))
    #expect(joining.actions == [.end(.equalName)])

    var late = Story(nonce: "a")
    late.send(.received(Self.other("a", "z")))
    #expect(late.actions == [.end(.equalName)])

    var serving = Story()
    serving.own()
    serving.actions = []
    serving.send(.received(Self.other("a", "a", .joining)))
    serving.send(.received(Self.other("a", "z")))
    #expect(serving.actions == [])
    serving.send(.received(Self.other("a", "a")))
    #expect(serving.actions == [.letGo(0), .announce(.leaving), .end(.equalName)])
    #expect(serving.pass(5) == [])
  }

  @Test("A member does not mistake a late announcement of its earlier run for another member's")
  func announcementOfEarlierRun() {
    var story = Story(earlier: ["before"])
    story.send(.received(Self.other("a", "before")))
    #expect(story.actions == [])
    #expect(story.member.memberNames == ["a"])
  }

  @Test("A member ends if a home's record stays for two seconds, unless it is told to take over")
  func home() {
    var story = Story()
    story.records[0] = Self.record(7, "home", role: .home)
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.end(.hasHome("other"))])
    // A home that gave up what it took from a pool.
    story = Story()
    story.records[0] = Self.record(7, "home", role: .home)
    _ = story.pass(2)
    story.records[0] = Self.record(8, "", role: .home)
    #expect(story.pass(0.5) == [.claim(0, .unchanged(8))])
    story = Story(takesOver: true)
    story.records[0] = Self.record(7, "home", role: .home)
    #expect(story.pass(2.5) == [.claim(0, .unchanged(7))])
  }

  @Test("A member treats an unreadable record as a home's, not as a free one")
  func unreadable() {
    var story = Story(earlier: [""], takesOver: true)
    story.records[0] = Self.record(6)
    _ = story.pass(1.5)
    story.records[0] = Self.record(7, nil, role: .home)
    #expect(story.pass(2) == [])
    #expect(story.pass(0.5) == [.claim(0, .unchanged(7))])
  }

  // MARK: Pools

  @Test("In a pool, all shards are served evenly again, whatever happened", arguments: 0..<20)
  func pools(seed: UInt64) {
    var world = PoolModel(seed: seed, members: 4, shards: 16)
    world.run(seconds: 20)
    #expect(world.problem == nil)
    for _ in 0..<6 {
      let before = world.owners
      let victim = world.disturb()
      world.run(seconds: 7)
      // At most 2 s of silence, twice half a second, and the lease.
      #expect(world.owners.allSatisfy { $0 != nil && $0 != victim }, "\(before) to \(world.owners)")
      #expect(world.problem == nil)
      world.repair()
      world.run(seconds: 60)
      #expect(Set(world.counts) == [4], "\(world.owners)")
    }
    let (moves, owners) = (world.moves, world.owners)
    world.run(seconds: 120)
    #expect(world.moves == moves && world.owners == owners, "nothing moves without a reason")
  }
}
