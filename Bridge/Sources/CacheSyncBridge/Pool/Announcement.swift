package import CacheSync

/// What a member of a pool reports about itself to the others, every 500 ms (wire.md section 5).
package struct Announcement: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    /// It waits for another member of its name, and takes no shard yet.
    case joining
    case serving
    /// It releases all its shards, and leaves the pool.
    case leaving
  }

  package var name: String
  /// The nonce of this run.
  package var nonce: String
  package var state: State
  /// How many caches it serves, for people.
  package var cacheCount: Int
}

extension Announcement {
  package init?(_ value: JSONValue?) {
    guard let name = value?["name"]?.string, let nonce = value?["nonce"]?.string,
      let state = value?["state"]?.string.flatMap(State.init), let count = value?["caches"]?.int
    else { return nil }
    self.init(name: name, nonce: nonce, state: state, cacheCount: count)
  }

  package var value: JSONValue {
    .object([
      "caches": .integer(cacheCount), "name": .string(name), "nonce": .string(nonce), "state": .string(state.rawValue),
    ])
  }
}
