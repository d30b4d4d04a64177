/// One member of a pool, as a state machine: which shards it takes, keeps alive and lets go. Events in, what is to be done
/// next out. It knows no engine and no clock: times are nanoseconds on any clock that only goes forward (wire.md section 5).
///
/// It decides when, and no more: that a shard has one writer is ``ShardWriter``'s promise, whatever this decides.
package struct PoolMember: Sendable {
  /// The record of a shard's owner.
  package struct Record: Sendable, Hashable {
    package enum Role: Sendable, Hashable { case home, pool }

    package var sequence: UInt64
    /// Empty: the last owner gave the shard up. nil: it cannot be read.
    package var nonce: String?
    package var role: Role
    /// For people.
    package var owner: String

    package init(sequence: UInt64, nonce: String?, role: Role, owner: String) {
      self.sequence = sequence
      self.nonce = nonce
      self.role = role
      self.owner = owner
    }

    var isFree: Bool { nonce == "" }
  }

  package enum Event: Sendable, Hashable {
    /// 500 ms have passed.
    case tick
    case connected
    case disconnected
    case heard(Announcement)
    /// It published what it was asked.
    case agentAnswered
    /// It published something else.
    case agentPublished
    /// The agent got caches to take in.
    case arrived
    /// The record of a shard, as the stream's leader has it; nil: there is none.
    case found(Int, Record?)
    case unanswered(Int)
    /// The record of a claim is written.
    case owns(Int)
    /// A claim was refused, or another bridge took the shard.
    case lost(Int)
    /// The shard's caches take drops: the takeover is over.
    case serves(Int)
    /// What was let go is written as free, or another bridge has it, and its copies are gone.
    case left(Int)
  }

  package enum Action: Sendable, Hashable {
    case announce(Announcement.State)
    /// Ask the stream's leader for the shard's record, and tell ``Event/found(_:_:)`` or ``Event/unanswered(_:)``.
    case ask(Int)
    case claim(Int, ShardWriter.Claim)
    case renew(Int)
    case letGo(Int)
    /// Give up a claim that is not answered.
    case abandon(Int)
    case end(End)
  }

  package enum End: Sendable, Hashable {
    /// Another member has the same name.
    case equalName
    /// A home writes for the namespace, by what its record says of it.
    case hasHome(String)
  }

  private enum Phase: Hashable {
    /// Others', or free. The record that was seen, and since when.
    case watching(Sighting?)
    case claiming
    case owned(Tenure)
    case leaving
  }

  private struct Sighting: Hashable {
    var record: Record?
    var since: Int64
  }

  private struct Tenure: Hashable {
    var since: Int64
    var isServing = false
    /// Since when another member should have it.
    var unpreferredSince: Int64?
  }

  private struct Shard: Hashable {
    var phase = Phase.watching(nil)
    /// A question is under way.
    var isAsked = false
    /// Until when it is left to others, since a takeover here did not come to its end.
    var barredUntil: Int64?
  }

  package let name: String
  /// Of this run; those of its claims begin with it and a hyphen.
  package let nonce: String
  /// Of runs that are over for certain, as those of the same locked directory are.
  private let earlier: Set<String>
  /// Whether a home's shards are taken, as those of a member that is gone.
  private let takesOver: Bool
  private var shards: [Shard]
  /// The other members, by their names.
  private var members: [String: (nonce: String, heard: Int64)] = [:]
  private var division: ShardDivision
  private var connectedSince: Int64?
  /// It has listened for long enough to know that no other member has its name.
  private var isAdmitted = false
  private var lastAnswer: Int64?
  /// How many answers must come until the agent has taken in what it got: one may be to a question of before.
  private var awaitedAnswers = 0
  private var lastTick: Int64?
  private var isAnnounced = false
  /// The shard that was let go for another member to take, and when.
  private var handover: (shard: Int, since: Int64)?
  private var isOver = false

  /// A judgement: how long an agent may be silent that takes many caches in. It answers only then (measured: up to 27 s for 1,250
  /// caches on a busy machine, with publications up to 8 s apart), and if its caches went elsewhere, that agent would be next.
  static let longSilence: Int64 = 30_000_000_000
  /// How often a member announces itself, asks and renews.
  package static let interval: Int64 = 500_000_000
  /// How long a record, a member and an agent may be silent.
  static let lease: Int64 = 2_000_000_000
  /// A judgement: another member that cannot take what it should have leaves it for this long.
  static let longLease = 3 * lease
  /// How long a takeover may last.
  static let longestTakeover: Int64 = 60_000_000_000
  /// How long another member should have a shard before it gets it.
  static let longestUnpreferred: Int64 = 10_000_000_000

  package init(shardCount: Int, name: String, nonce: String, earlier: Set<String>, takesOver: Bool) {
    self.name = name
    self.nonce = nonce
    self.earlier = earlier
    self.takesOver = takesOver
    shards = Array(repeating: Shard(), count: shardCount)
    division = ShardDivision(shardCount: shardCount, members: [name])
  }

  // MARK: What others see

  package var owned: [Int] {
    shards.indices.filter { if case .owned = shards[$0].phase { true } else { false } }
  }

  /// The names of all members that are heard, and its own.
  package var memberNames: [String] { (members.keys + [name]).sorted() }

  /// Whether the agent published something a moment ago.
  package func hasAgent(at now: Int64) -> Bool {
    lastAnswer.map { now - $0 < (awaitedAnswers == 0 ? Self.lease : Self.longSilence) } ?? false
  }

  // MARK: Events

  package mutating func handle(_ event: Event, at now: Int64) -> [Action] {
    if isOver { return [] }
    switch event {
    case .tick: return tick(now)
    case .connected:
      connectedSince = now
      forgetSightings()
      return []
    case .disconnected:
      connectedSince = nil
      isAnnounced = false
      return []
    case .heard(let announcement): return hear(announcement, now)
    case .agentAnswered:
      lastAnswer = now
      if awaitedAnswers > 0 { awaitedAnswers -= 1 }
      return []
    case .agentPublished:
      lastAnswer = now
      return []
    case .arrived:
      awaitedAnswers = 2
      return []
    case .found(let shard, let record):
      shards[shard].isAsked = false
      return found(shard, record, now)
    case .unanswered(let shard):
      shards[shard].isAsked = false
      if case .watching = shards[shard].phase { shards[shard].phase = .watching(nil) }
      return []
    case .owns(let shard):
      guard case .claiming = shards[shard].phase else { return [] }
      shards[shard].phase = .owned(Tenure(since: now))
      return []
    case .serves(let shard):
      guard case .owned(var tenure) = shards[shard].phase else { return [] }
      tenure.isServing = true
      shards[shard].phase = .owned(tenure)
      return []
    case .lost(let shard):
      // One that is leaving is watched again when its copies are gone.
      if shards[shard].phase != .leaving { shards[shard].phase = .watching(nil) }
      return []
    case .left(let shard):
      shards[shard].phase = .watching(nil)
      return []
    }
  }

  /// Gives all shards up, for the end of the program.
  package mutating func leave() -> [Action] {
    isOver = true
    return letAllGo() + (isAnnounced ? [.announce(.leaving)] : [])
  }

  private mutating func end(_ end: End) -> [Action] { leave() + [.end(end)] }

  /// What was seen before says nothing about how long a record is silent.
  private mutating func forgetSightings() {
    for shard in shards.indices { if case .watching = shards[shard].phase { shards[shard].phase = .watching(nil) } }
  }

  // MARK: Time

  private mutating func tick(_ now: Int64) -> [Action] {
    // The program was stopped meanwhile, and heard neither others nor its agent.
    if let lastTick, now - lastTick >= Self.lease {
      forgetSightings()
      if hasAgent(at: lastTick) { lastAnswer = now }
    }
    lastTick = now
    guard hasAgent(at: now) else {
      // The engine is told so even if it cannot be asked now: what is let go is not taken again before it knows.
      defer { isAnnounced = false }
      return letAllGo() + (isAnnounced ? [.announce(.leaving)] : [])
    }
    guard let connectedSince else { return [] }
    if now - connectedSince >= Self.lease { isAdmitted = true }
    forgetSilentMembers(now)
    isAnnounced = true
    var actions: [Action] = [.announce(isAdmitted ? .serving : .joining)]
    for shard in shards.indices { actions += tick(shard, now) }
    return actions + handOver(now)
  }

  private mutating func tick(_ shard: Int, _ now: Int64) -> [Action] {
    switch shards[shard].phase {
    case .watching:
      guard !shards[shard].isAsked else { return [] }
      shards[shard].isAsked = true
      return [.ask(shard)]
    case .claiming, .leaving: return []
    case .owned(var tenure):
      if !tenure.isServing, now - tenure.since >= Self.longestTakeover {
        shards[shard].barredUntil = now + Self.longestTakeover
        return letGo(shard)
      }
      tenure.unpreferredSince = division[shard] == name ? nil : tenure.unpreferredSince ?? now
      shards[shard].phase = .owned(tenure)
      return [.renew(shard)]
    }
  }

  /// Gives one shard to the member that should have it, once the one before has been taken.
  private mutating func handOver(_ now: Int64) -> [Action] {
    if let handover, now - handover.since < Self.longLease { return [] }
    handover = nil
    for shard in shards.indices {
      guard case .owned(let tenure) = shards[shard].phase, tenure.isServing, let since = tenure.unpreferredSince,
        now - since >= Self.longestUnpreferred
      else { continue }
      handover = (shard, now)
      return letGo(shard)
    }
    return []
  }

  private mutating func letGo(_ shard: Int) -> [Action] {
    shards[shard].phase = .leaving
    return [.letGo(shard)]
  }

  private mutating func letAllGo() -> [Action] {
    shards.indices.flatMap { shard -> [Action] in
      switch shards[shard].phase {
      case .owned: return letGo(shard)
      case .claiming:
        shards[shard].phase = .watching(nil)
        return [.abandon(shard)]
      case .watching:
        shards[shard].phase = .watching(nil)
        return []
      case .leaving: return []
      }
    }
  }

  // MARK: Members

  private mutating func hear(_ announcement: Announcement, _ now: Int64) -> [Action] {
    // Its own, or one of an earlier run: a server or a network that stood still sends it only now.
    if announcement.nonce == nonce || earlier.contains(announcement.nonce) { return [] }
    guard announcement.name != name else {
      // The one that joins ends; of two that found each other later, as after a partition, the one with the greater nonce.
      if announcement.state == .leaving { return [] }
      let (own, other) = (isAdmitted ? 0 : 1, announcement.state == .serving ? 0 : 1)
      return (own, nonce) > (other, announcement.nonce) ? end(.equalName) : []
    }
    let isKnown = members[announcement.name] != nil
    if announcement.state == .leaving {
      // A run that ended says nothing about the one that came after it.
      if members[announcement.name]?.nonce == announcement.nonce { members[announcement.name] = nil }
    } else {
      members[announcement.name] = (announcement.nonce, now)
    }
    if isKnown != (members[announcement.name] != nil) { divide() }
    return []
  }

  private mutating func forgetSilentMembers(_ now: Int64) {
    let heard = members.filter { now - $0.value.heard < Self.lease }
    guard heard.count != members.count else { return }
    members = heard
    divide()
  }

  private mutating func divide() {
    division = ShardDivision(shardCount: shards.count, members: Set(memberNames))
  }

  // MARK: Taking

  private mutating func found(_ shard: Int, _ record: Record?, _ now: Int64) -> [Action] {
    // The question may be older than the connection or the claim.
    guard case .watching(let seen) = shards[shard].phase, let connectedSince, hasAgent(at: now) else { return [] }
    if handover?.shard == shard, let record, !record.isFree { handover = nil }
    let sighting = seen.flatMap { $0.record == record ? $0 : nil } ?? Sighting(record: record, since: now)
    shards[shard].phase = .watching(sighting)
    if let record, record.role == .home, !record.isFree, !takesOver {
      // A home that finds a pool's other shards ends, and leaves this one free.
      return now - sighting.since >= Self.lease ? end(.hasHome(record.owner)) : []
    }
    guard isOwn(record) || isDue(shard, sighting, connectedSince, now) else { return [] }
    shards[shard].phase = .claiming
    return [.claim(shard, .unchanged(record?.sequence))]
  }

  /// Whether a run of this bridge that is over wrote it, or this run by a claim that is over.
  private func isOwn(_ record: Record?) -> Bool {
    guard let nonce = record?.nonce, let hyphen = nonce.lastIndex(of: "-") else { return false }
    let run = String(nonce[..<hyphen])
    return run == self.nonce || earlier.contains(run)
  }

  private func isDue(_ shard: Int, _ sighting: Sighting, _ connectedSince: Int64, _ now: Int64) -> Bool {
    guard isAdmitted, now - connectedSince >= Self.lease, now >= shards[shard].barredUntil ?? now else { return false }
    let age = now - sighting.since
    guard division[shard] == name else { return age >= Self.longLease }
    return sighting.record?.isFree == true || age >= Self.lease
  }
}
