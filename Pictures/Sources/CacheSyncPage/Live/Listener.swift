import NIOCore
import Synchronization

/// The pending events of one listening page. A page that reads slowly gets only the newest event of each part, so that
/// its pending events never exceed one page.
final class Listener: Sendable {
  private struct Waiting {
    var order: [String] = []
    var events: [String: ByteBuffer] = [:]
    /// What ends the pending events (``Alive``).
    var alive: ByteBuffer?
    /// The publication that the page shows completely, once it has all pending events.
    var generation: Int?
    /// What its document then must agree with.
    var layout: String?
  }

  private let waiting = Mutex(Waiting())
  private let news: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (news, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Adds an event about a part of the page. It replaces a pending event about the same part.
  func send(_ event: ByteBuffer, about part: String) {
    waiting.withLock { waiting in
      if waiting.events.updateValue(event, forKey: part) == nil { waiting.order.append(part) }
    }
    signal.yield()
  }

  /// Adds what ends the pending events.
  ///
  /// - Parameters:
  ///   - generation: the publication that the page then shows completely; nil: unknown.
  ///   - layout: of the page then.
  ///   - isDue: whether it is sent also if the page already shows that.
  func send(alive: ByteBuffer, generation: Int?, _ layout: String? = nil, isDue: Bool) {
    let isNew = waiting.withLock { waiting in
      if !isDue, waiting.events.isEmpty, waiting.generation == generation, waiting.layout == layout { return false }
      waiting.alive = alive
      if let generation { (waiting.generation, waiting.layout) = (generation, layout) }
      return true
    }
    if isNew { signal.yield() }
  }

  func end() { signal.finish() }

  /// Writes pending events repeatedly, until the end or until a write fails.
  func writeAll(to write: ([ByteBuffer]) async throws -> Void) async throws {
    for await _ in news {
      let buffers = removeWaiting()
      if !buffers.isEmpty { try await write(buffers) }
    }
  }

  /// Removes and returns the pending events. The last one carries the generation as its id, so that a page that
  /// reconnects requests only what it lacks.
  func removeWaiting() -> [ByteBuffer] {
    let removed = waiting.withLock { waiting in
      defer { waiting = Waiting(generation: waiting.generation, layout: waiting.layout) }
      return waiting
    }
    return removed.order.compactMap { removed.events[$0] } + (removed.alive.map { [$0] } ?? [])
  }
}

extension ByteBuffer {
  /// A server-sent event (HTML, section 9.2), with one line of data for each line of markup.
  init(event name: String, data: HTML) {
    let lines = data.text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
    self.init(string: "event: \(name)\n\(lines.joined())\n")
  }
}
