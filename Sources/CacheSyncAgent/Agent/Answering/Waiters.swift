import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

/// The pending requests of `wait` and `sync`. Each gets its reply once everything written before it is published.
struct Waiters {
  struct Waiter {
    var id: Int
    /// The stillness waits that were in progress when the request arrived. The reply does not wait for those that a
    /// later write restarted. Nil: a rescan was due when the request arrived, and will find what was written before it.
    var waits: [CachePath: Uptime]?
    /// Whether to reply also when publishing fails.
    var reportsFailure: Bool
    var reply: @Sendable ([UInt8]) -> Void

    func isSettled(in contents: CacheContents) -> Bool {
      waits?.allSatisfy { path, due in contents.waitDue(of: path) != due } ?? false
    }
  }

  private var waiting: [Waiter] = []

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter isRescanDue: whether events were dropped and the contents have not been compared with the cache yet.
  mutating func add(
    _ id: Int, for contents: CacheContents, isRescanDue: Bool, reportsFailure: Bool,
    reply: @escaping @Sendable ([UInt8]) -> Void
  ) {
    waiting.append(
      Waiter(
        id: id, waits: isRescanDue ? nil : contents.waits, reportsFailure: reportsFailure, reply: reply))
  }

  /// Removes a request whose client disconnected.
  mutating func cancel(_ id: Int) { waiting.removeAll { $0.id == id } }

  /// Replies with the generation to the requests whose files are all published. Requires that no rescan is due.
  mutating func settle(in contents: CacheContents, generation: Int) {
    for index in waiting.indices where waiting[index].waits == nil { waiting[index].waits = contents.waits }
    let settled = waiting.filter { $0.isSettled(in: contents) }
    if settled.isEmpty { return }
    waiting.removeAll { $0.isSettled(in: contents) }
    var json = JSONWriter()
    json.object { $0.member("generation", generation) }
    for waiter in settled { waiter.reply(json.bytes) }
  }

  /// Replies with a failure to the requests that want it reported.
  mutating func report(_ error: PublishError, in cache: FilePath) {
    var json = JSONWriter()
    json.object { json in
      json.member("failure", error.message(in: cache))
      json.member("status", Int(error.status.rawValue))
    }
    for waiter in waiting where waiter.reportsFailure { waiter.reply(json.bytes) }
    waiting.removeAll(where: \.reportsFailure)
  }
}
