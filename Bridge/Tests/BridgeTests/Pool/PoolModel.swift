@testable import CacheSyncBridge

/// Several members of a pool with an engine between them, and a clock that the test steps: what ``PoolMember`` decides
/// together with others. Requests are answered at once. ``EngineModel`` shows that any other order is safe.
struct PoolModel {
  /// What is wrong with a member now.
  enum Fault: CaseIterable { case dead, agentSilent, stopped, cut }

  struct Node {
    var member: PoolMember
    var fault: Fault?
    var claims = 0
    /// The nonce of each shard's claim.
    var nonces: [Int: String] = [:]
    /// The time of its ticks, within 500 ms.
    var offset: Int64
  }

  private var nodes: [Node]
  private var records: [PoolMember.Record?]
  private var last: UInt64 = 0
  private var now: Int64 = 0
  private var random: SplitMix
  /// How often a shard got another owner.
  private(set) var moves = 0
  private(set) var problem: String?

  private static let step: Int64 = 50_000_000

  init(seed: UInt64, members: Int, shards: Int) {
    random = SplitMix(state: seed)
    records = Array(repeating: nil, count: shards)
    nodes = []
    for number in 0..<members {
      nodes.append(
        Node(
          member: PoolMember(
            shardCount: shards, name: "host-\(seed)-\(number)", nonce: "run\(number)", earlier: [], takesOver: false),
          offset: Int64.random(in: 0..<10, using: &random) * Self.step))
      notify(number, .connected)
    }
  }

  /// The member that writes for each shard.
  var owners: [Int?] {
    records.map { record in record?.nonce.flatMap { nonce in nodes.firstIndex { $0.nonces.values.contains(nonce) } } }
  }

  var counts: [Int] { nodes.indices.map { node in owners.count { $0 == node } } }

  /// Disturbs one member.
  mutating func disturb() -> Int {
    let victim = Int.random(in: nodes.indices, using: &random)
    nodes[victim].fault = Fault.allCases.randomElement(using: &random)
    if nodes[victim].fault == .cut { notify(victim, .disconnected) }
    return victim
  }

  mutating func repair() {
    for number in nodes.indices {
      switch nodes[number].fault {
      case .dead:
        // It is restarted, and finds the nonces that it kept.
        let old = nodes[number].member
        nodes[number].member = PoolMember(
          shardCount: records.count, name: old.name, nonce: old.nonce + "x", earlier: [old.nonce], takesOver: false)
        nodes[number].nonces = [:]
        notify(number, .connected)
      case .cut: notify(number, .connected)
      case .agentSilent, .stopped, nil: break
      }
      nodes[number].fault = nil
    }
  }

  mutating func run(seconds: Int64) {
    let end = now + seconds * 1_000_000_000
    while now < end {
      now += Self.step
      for number in nodes.indices where now % PoolMember.interval == nodes[number].offset {
        let fault = nodes[number].fault
        if fault == .dead || fault == .stopped { continue }
        if fault != .agentSilent { notify(number, .agentAnswered) }
        notify(number, .tick)
      }
    }
  }

  private mutating func notify(_ number: Int, _ event: PoolMember.Event) {
    for action in nodes[number].member.handle(event, at: now) { act(number, action) }
  }

  private mutating func act(_ number: Int, _ action: PoolMember.Action) {
    let isCut = nodes[number].fault == .cut
    switch action {
    case .announce(let state):
      guard !isCut else { return }
      let (name, nonce) = (nodes[number].member.name, nodes[number].member.nonce)
      for other in nodes.indices where other != number && nodes[other].fault == nil {
        notify(other, .received(Announcement(name: name, nonce: nonce, state: state, cacheCount: 0)))
      }
    case .ask(let shard): notify(number, isCut ? .unanswered(shard) : .found(shard, records[shard]))
    case .claim(let shard, let claim):
      guard !isCut, claim == .unchanged(records[shard]?.sequence) else { return notify(number, .lost(shard)) }
      nodes[number].claims += 1
      let nonce = "\(nodes[number].member.nonce)-\(nodes[number].claims)"
      nodes[number].nonces[shard] = nonce
      write(shard, nonce)
      moves += 1
      notify(number, .owns(shard))
      notify(number, .serves(shard))
    case .renew(let shard):
      guard !isCut else { return }
      if isOwner(number, shard) { return write(shard, records[shard]?.nonce ?? "") }
      nodes[number].nonces[shard] = nil
      notify(number, .lost(shard))
    case .letGo(let shard):
      // A member that is cut off writes it once it is connected again. Others have the shard by then.
      if !isCut, isOwner(number, shard) { write(shard, "") }
      nodes[number].nonces[shard] = nil
      notify(number, .left(shard))
    case .abandon: break
    case .end(let end): problem = "member \(number) ended: \(end)"
    }
  }

  private func isOwner(_ number: Int, _ shard: Int) -> Bool {
    records[shard]?.nonce == nodes[number].nonces[shard]
  }

  private mutating func write(_ shard: Int, _ nonce: String) {
    last += 1
    records[shard] = PoolMember.Record(sequence: last, nonce: nonce, role: .pool, owner: nonce)
  }
}

/// Reproducible random numbers (Steele, Lea and Flood: "Fast splittable pseudorandom number generators", 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
