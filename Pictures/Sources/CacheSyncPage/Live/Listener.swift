import NIOCore
import Synchronization

/// The pending events of one listening page. A page that reads slowly gets only the newest event of each part, so that
/// its pending events never exceed one page.
final class Listener: Sendable {
  private struct Waiting {
    var order: [String] = []
    var events: [String: ByteBuffer] = [:]
    /// The publication that the page shows completely, once it has all pending events.
    var generation: Int?
    var lastGeneration: Int?
    var hasComment = false
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

  func send(generation: Int) {
    let isNew = waiting.withLock { waiting in
      if waiting.events.isEmpty, waiting.lastGeneration == generation { return false }
      (waiting.generation, waiting.lastGeneration) = (generation, generation)
      return true
    }
    if isNew { signal.yield() }
  }

  /// Adds a comment, which reveals a dead connection.
  func sendComment() {
    waiting.withLock { $0.hasComment = true }
    signal.yield()
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
      defer { waiting = Waiting(lastGeneration: waiting.lastGeneration) }
      return waiting
    }
    var buffers = removed.order.compactMap { removed.events[$0] }
    if let generation = removed.generation {
      let id = ByteBuffer(string: "id: \(generation)\n")
      if buffers.isEmpty {
        buffers = [id, ByteBuffer(string: "\n")]
      } else {
        buffers.insert(id, at: buffers.count - 1)
      }
    }
    if removed.hasComment, buffers.isEmpty { buffers = [ByteBuffer(string: ":\n\n")] }
    return buffers
  }
}

extension ByteBuffer {
  /// A server-sent event (HTML, section 9.2), with one line of data for each line of markup.
  init(event name: String, data: HTML) {
    let lines = data.text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
    self.init(string: "event: \(name)\n\(lines.joined())\n")
  }
}
