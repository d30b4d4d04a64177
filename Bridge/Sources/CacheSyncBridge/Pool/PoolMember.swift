/// One member of a pool, as a state machine: it decides which shards to take, to keep alive and to release. It receives
/// events and returns the next actions. It knows neither an engine nor a clock: times are nanoseconds on any monotonic
/// clock (wire.md section 5).
///
/// It only decides when. ``ShardWriter`` guarantees that a shard has one writer, whatever this type decides.
package struct PoolMember: Sendable {
  /// The record of a shard's owner.
  package struct Record: Sendable, Hashable {
    package enum Role: Sendable, Hashable { case home, pool }

    package var sequence: UInt64
    /// Empty: the last owner released the shard. nil: the record cannot be read.
    package var nonce: String?
    package var role: Role
    /// The owner's name, for people.
    package var owner: String

    var isFree: Bool { nonce == "" }
  }

  package enum Event: Sendable, Hashable {
    /// 500 ms have passed.
    case tick
    case connected
    case disconnected
    case received(Announcement)
    /// The agent published the answer to a question.
    case agentAnswered
    /// The agent published something else.
    case agentPublished
    /// The agent received caches that it must read.
    case arrived
    /// The record of a shard, as the stream's leader has it; nil: it is missing.
    case found(Int, Record?)
    case unanswered(Int)
    /// The record of a claim is stored.
    case owns(Int)
    /// A claim was refused, or another bridge took the shard.
    case lost(Int)
    /// The shard's caches accept drops: the takeover is complete.
    case serves(Int)
    /// A released shard is recorded as free, or another bridge owns it, and its copies are gone.
    case left(Int)
  }

  package enum Action: Sendable, Hashable {
    case announce(Announcement.State)
    /// Ask the stream's leader for the shard's record, and answer with ``Event/found(_:_:)`` or
    /// ``Event/unanswered(_:)``.
    case ask(Int)
    case claim(Int, ShardWriter.Claim)
    case renew(Int)
    case letGo(Int)
    /// Give up a claim that was not answered.
    case abandon(Int)
    case end(End)
  }

  package enum End: Sendable, Hashable {
    /// Another member has the same name.
    case equalName
    /// A home writes for the namespace. The value is the owner's name in its record.
    case hasHome(String)
  }

  private enum Phase: Hashable {
    /// Free, or another member's, with the record that was seen and when it was first seen.
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
    /// Since when the division has assigned it to another member.
    var unpreferredSince: Int64?
  }

  private struct Shard: Hashable {
    var phase = Phase.watching(nil)
    /// Whether a question is pending.
    var isAsked = false
    /// Until when this member leaves it to others, because a takeover here did not complete.
    var barredUntil: Int64?
  }

  package let name: String
  /// The nonce of this run. The nonces of its claims begin with it and a hyphen.
  package let nonce: String
  /// The nonces of runs that have certainly ended, such as those of the same locked directory.
  private let earlier: Set<String>
  /// Whether to take a home's shards, as if the home were a member that is gone.
  private let takesOver: Bool
  private var shards: [Shard]
  /// The other members, by their names.
  private var members: [String: (nonce: String, received: Int64)] = [:]
  private var division: ShardDivision
  private var connectedSince: Int64?
  /// Whether it has listened for long enough to know that its name is unique.
  private var isAdmitted = false
  private var lastAnswer: Int64?
  /// How many answers must come before the agent has certainly read its new caches. The first may belong to an earlier
  /// question.
  private var awaitedAnswers = 0
  private var lastTick: Int64?
  private var isAnnounced = false
  /// The shard that was released for another member, and when.
  private var handover: (shard: Int, since: Int64)?
  private var isOver = false

  /// How long an agent may be silent while it reads many new caches; it answers only afterwards. Measured: up to 27 s
  /// for 1,250 caches on a busy machine, with publications up to 8 s apart. A shorter limit would move its caches to
  /// another agent, which would then be silent in turn.
  static let longSilence: Int64 = 30_000_000_000
  /// How often a member announces itself, asks about shards, and renews its records.
  package static let interval: Int64 = 500_000_000
  /// How long a record, a member and an agent may be silent.
  static let lease: Int64 = 2_000_000_000
  /// How long a shard is left to the member that should have it, before any other member takes it. Three leases let
  /// that member come first, and a member that cannot take the shard delays it by only 6 s.
  static let longLease = 3 * lease
  /// How long a takeover may last.
  static let longestTakeover: Int64 = 60_000_000_000
  /// How long the division must assign a shard to another member before this one hands it over.
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

  /// The names of all members with a recent announcement, and its own.
  package var memberNames: [String] { (members.keys + [name]).sorted() }

  /// Whether the agent published something recently.
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
      removeSightings()
      return []
    case .disconnected:
      connectedSince = nil
      isAnnounced = false
      return []
    case .received(let announcement): return receive(announcement, now)
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
      // A shard that is leaving is watched again when its copies are gone.
      if shards[shard].phase != .leaving { shards[shard].phase = .watching(nil) }
      return []
    case .left(let shard):
      shards[shard].phase = .watching(nil)
      return []
    }
  }

  /// Releases all shards, because the program ends.
  package mutating func leave() -> [Action] {
    isOver = true
    return letAllGo() + (isAnnounced ? [.announce(.leaving)] : [])
  }

  private mutating func end(_ end: End) -> [Action] { leave() + [.end(end)] }

  /// Forgets the records that were seen, because a time without readings must not count as an owner's silence.
  private mutating func removeSightings() {
    for shard in shards.indices { if case .watching = shards[shard].phase { shards[shard].phase = .watching(nil) } }
  }

  // MARK: Time

  private mutating func tick(_ now: Int64) -> [Action] {
    // The program was stopped meanwhile, and received nothing from other members or its agent.
    if let lastTick, now - lastTick >= Self.lease {
      removeSightings()
      if hasAgent(at: lastTick) { lastAnswer = now }
    }
    lastTick = now
    guard hasAgent(at: now) else {
      // Release the shards even if the engine cannot be reached now. They are not taken again before the engine has the
      // releases.
      defer { isAnnounced = false }
      return letAllGo() + (isAnnounced ? [.announce(.leaving)] : [])
    }
    guard let connectedSince else { return [] }
    if now - connectedSince >= Self.lease { isAdmitted = true }
    removeSilentMembers(now)
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

  /// Releases one shard for the member that should have it, after the one before it was taken.
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

  private mutating func receive(_ announcement: Announcement, _ now: Int64) -> [Action] {
    // Its own announcement, or one of an earlier run that a stalled server or network delivers only now.
    if announcement.nonce == nonce || earlier.contains(announcement.nonce) { return [] }
    guard announcement.name != name else {
      // The member that is still joining ends. If two serving members meet later, as after a partition, the one with
      // the greater nonce ends.
      if announcement.state == .leaving { return [] }
      let (own, other) = (isAdmitted ? 0 : 1, announcement.state == .serving ? 0 : 1)
      return (own, nonce) > (other, announcement.nonce) ? end(.equalName) : []
    }
    let isKnown = members[announcement.name] != nil
    if announcement.state == .leaving {
      // The end of an earlier run must not remove the current one.
      if members[announcement.name]?.nonce == announcement.nonce { members[announcement.name] = nil }
    } else {
      members[announcement.name] = (announcement.nonce, now)
    }
    if isKnown != (members[announcement.name] != nil) { divide() }
    return []
  }

  private mutating func removeSilentMembers(_ now: Int64) {
    let received = members.filter { now - $0.value.received < Self.lease }
    guard received.count != members.count else { return }
    members = received
    divide()
  }

  private mutating func divide() {
    division = ShardDivision(shardCount: shards.count, members: Set(memberNames))
  }

  // MARK: Taking

  private mutating func found(_ shard: Int, _ record: Record?, _ now: Int64) -> [Action] {
    // The answer may be older than the connection or the claim.
    guard case .watching(let seen) = shards[shard].phase, let connectedSince, hasAgent(at: now) else { return [] }
    if handover?.shard == shard, let record, !record.isFree { handover = nil }
    let sighting = seen.flatMap { $0.record == record ? $0 : nil } ?? Sighting(record: record, since: now)
    shards[shard].phase = .watching(sighting)
    if let record, record.role == .home, !record.isFree, !takesOver {
      // A home that finds the pool's other shards ends, and releases this one.
      return now - sighting.since >= Self.lease ? end(.hasHome(record.owner)) : []
    }
    guard isOwn(record) || isDue(shard, sighting, connectedSince, now) else { return [] }
    shards[shard].phase = .claiming
    return [.claim(shard, .unchanged(record?.sequence))]
  }

  /// Whether the record is from an ended run of this bridge, or from an ended claim of this run.
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
