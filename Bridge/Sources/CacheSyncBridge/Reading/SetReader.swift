package import CacheSyncSystem

/// Follows the newest set of one cache, as any reader of a namespace does. A bell announces each new set, and the
/// reader asks for it. From time to time it asks without a bell.
@LoopActor
package final class SetReader {
  private let engine: Engine
  private let namespace: Namespace
  private let cache: CacheName
  private let receive: @LoopActor (PublishedSet, _ before: PublishedSet?) -> Void
  package private(set) var current: PublishedSet?

  private var news = SetNews()
  private var isAsking = false
  private var mustAskAgain = false
  private var timer: Int?
  private var later: Int?
  private var bell: Int?

  /// - Parameter receive: called with each set that is newer than the one before.
  package init(
    _ engine: Engine, _ namespace: Namespace, _ cache: CacheName,
    _ receive: @escaping @LoopActor (PublishedSet, _ before: PublishedSet?) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.cache = cache
    self.receive = receive
  }

  /// Begins to follow, whether or not the engine can be reached. `receive` also gets the set that exists now.
  ///
  /// - Parameter generation: of the set that an earlier run showed. An older set is shown only if it stays.
  package func start(shown generation: Int?) {
    if let generation { news = SetNews(shown: generation) }
    bell = engine.subscribe(namespace.bellSubject(of: cache)) { [weak self] _ in self?.ask() }
    engine.observe { [weak self] event in if event == .connected { self?.begin() } }
    if engine.isConnected { begin() }
  }

  /// Reads the existing set without passing it to `receive`, then follows newer ones.
  package func follow() async throws(EngineError) {
    // Subscribe before reading, so that no publication falls between the two.
    bell = engine.subscribe(namespace.bellSubject(of: cache)) { [weak self] _ in self?.ask() }
    isAsking = true
    let stored = try await last()
    isAsking = false
    if let stored, let set = PublishedSet(message: stored.message.payload) {
      _ = news.judge(sequence: stored.sequence, generation: set.generation, now: Uptime.now().nanoseconds)
      current = set
    }
    engine.observe { [weak self] event in if event == .connected { self?.begin() } }
    if mustAskAgain { ask() }
    schedule(0)
  }

  private func last() async throws(EngineError) -> StoredMessage? {
    try await engine.last(
      namespace.setSubject(of: cache), in: namespace.stream(.out, namespace.shard(of: cache)))
  }

  private func begin() {
    ask()
    schedule(0)
  }

  private func schedule(_ number: Int) {
    if let timer { Alarms.shared.cancel(timer) }
    timer = Alarms.shared.set(after: SetNews.pause(before: number, of: cache)) { [weak self] in
      guard let self else { return }
      ask()
      schedule(number + 1)
    }
  }

  private func ask() {
    mustAskAgain = isAsking
    guard !isAsking, engine.isConnected else { return }
    isAsking = true
    LoopActor.task { [self] in
      let stored = try? await last()
      isAsking = false
      if let stored, let set = PublishedSet(message: stored.message.payload) { judge(set, stored.sequence) }
      if mustAskAgain { ask() }
    }
  }

  private func judge(_ set: PublishedSet, _ sequence: UInt64) {
    if let later { Alarms.shared.cancel(later) }
    later = nil
    switch news.judge(sequence: sequence, generation: set.generation, now: Uptime.now().nanoseconds) {
    case .show:
      let before = current
      current = set
      receive(set, before)
    case .same: break
    case .later(let rest): later = Alarms.shared.set(after: rest) { [weak self] in self?.ask() }
    }
  }
}
