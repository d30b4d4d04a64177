import CacheSync

/// Those who asked to be told when everything that was there is published.
struct Waiters {
  /// One request.
  struct Waiter {
    var id: Int
    /// The waits for stillness that were under way when it came. One that a later write began anew is not waited for.
    var waits: [CachePath: Uptime]
    /// Whether to reply too when nothing can be written.
    var reportsFailure: Bool
    var reply: @Sendable ([UInt8]) -> Void

    func isSettled(in contents: CacheContents) -> Bool {
      waits.allSatisfy { path, due in contents.waitDue(of: path) != due }
    }
  }

  private var waiting: [Waiter] = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(
    _ id: Int, for contents: CacheContents, reportsFailure: Bool, reply: @escaping @Sendable ([UInt8]) -> Void
  ) {
    waiting.append(
      Waiter(
        id: id, waits: contents.waits, reportsFailure: reportsFailure, reply: reply))
  }

  /// The client went away.
  mutating func cancel(_ id: Int) { waiting.removeAll { $0.id == id } }

  /// Replies to those whose files are all published.
  mutating func settle(in contents: CacheContents, generation: Int) {
    let settled = waiting.filter { $0.isSettled(in: contents) }
    if settled.isEmpty { return }
    waiting.removeAll { $0.isSettled(in: contents) }
    var json = JSONWriter()
    json.object { $0.member("generation", generation) }
    for waiter in settled { waiter.reply(json.bytes) }
  }

  /// Tells those who want to know that nothing can be written.
  mutating func report(_ error: PublishError) {
    var json = JSONWriter()
    json.object { json in
      json.member("failure", error.description)
      json.member("status", Int(error.status.rawValue))
    }
    for waiter in waiting where waiter.reportsFailure { waiter.reply(json.bytes) }
    waiting.removeAll(where: \.reportsFailure)
  }
}
