import NIOCore
import Synchronization

/// A page that listens, as far as it has not been told yet. One that reads slowly gets the newest of each part, so
/// that what waits for it never grows beyond one page.
final class Listener: Sendable {
  private struct Waiting {
    var order: [String] = []
    var events: [String: ByteBuffer] = [:]
    /// The publication up to which the page knows everything, once it has all that waits.
    var generation: Int?
    var lastGeneration: Int?
    var hasComment = false
  }

  private let waiting = Mutex(Waiting())
  private let news: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (news, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// An event about a part of the page; it replaces one about the same part that still waits.
  func tell(_ event: ByteBuffer, about part: String) {
    waiting.withLock { waiting in
      if waiting.events.updateValue(event, forKey: part) == nil { waiting.order.append(part) }
    }
    signal.yield()
  }

  func tell(generation: Int) {
    let isNew = waiting.withLock { waiting in
      if waiting.events.isEmpty, waiting.lastGeneration == generation { return false }
      (waiting.generation, waiting.lastGeneration) = (generation, generation)
      return true
    }
    if isNew { signal.yield() }
  }

  /// A comment, so that a connection that has died shows.
  func tellComment() {
    waiting.withLock { $0.hasComment = true }
    signal.yield()
  }

  func end() { signal.finish() }

  /// Writes what waits, again and again, until the end or until writing fails.
  func writeAll(to write: ([ByteBuffer]) async throws -> Void) async throws {
    for await _ in news {
      let buffers = takeWaiting()
      if !buffers.isEmpty { try await write(buffers) }
    }
  }

  /// The last event carries the generation as its id, so that a page that connects again asks for what it lacks.
  func takeWaiting() -> [ByteBuffer] {
    let taken = waiting.withLock { waiting in
      defer { waiting = Waiting(lastGeneration: waiting.lastGeneration) }
      return waiting
    }
    var buffers = taken.order.compactMap { taken.events[$0] }
    if let generation = taken.generation {
      let id = ByteBuffer(string: "id: \(generation)\n")
      if buffers.isEmpty {
        buffers = [id, ByteBuffer(string: "\n")]
      } else {
        buffers.insert(id, at: buffers.count - 1)
      }
    }
    if taken.hasComment, buffers.isEmpty { buffers = [ByteBuffer(string: ":\n\n")] }
    return buffers
  }
}

extension ByteBuffer {
  /// A server-sent event (HTML, section 9.2): a line of data for each line of markup.
  init(event name: String, data: HTML) {
    let lines = data.text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
    self.init(string: "event: \(name)\n\(lines.joined())\n")
  }
}
