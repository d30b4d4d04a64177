/// The engine's troubles, for every kind of bridge.
extension Troubles {
  /// - Parameter waiting: where dropped files wait meanwhile.
  func record(_ event: Engine.Event, waiting: String) {
    switch event {
    case .connected: record("engine", nil)
    case .disconnected: record("engine", "the engine cannot be reached; \(waiting)")
    case .refused(let reason): record("engine", "the engine cannot be reached: \(reason); trying on")
    }
  }

  /// Notes an owner's news about its messages. Its news about the ownership is not a trouble.
  func record(_ news: ShardOwner.News, of shard: Int) {
    switch news {
    case .owns, .deposed, .released: break
    case .failing(let reason): record("shard \(shard)", reason)
    case .stored(let cache): record(size(of: cache), nil)
    case .unacceptable(let cache, let error):
      record(size(of: cache), "\(cache.label): its set cannot be sent: \(error); readers keep the last one")
    }
  }

  /// Whether the engine accepts a set of this size. Notes a trouble if it does not.
  func isAcceptable(_ set: [UInt8], of cache: CacheName, limit: Int) -> Bool {
    if set.count <= limit { return true }
    let text = "\(cache.label): its set of \(set.count) bytes is larger than the engine takes"
    record(size(of: cache), "\(text) (max_payload: \(limit)); readers keep the last one")
    return false
  }

  private func size(of cache: CacheName) -> String { "\(cache.label): size" }
}
