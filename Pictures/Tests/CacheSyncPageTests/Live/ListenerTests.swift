import NIOCore
import Testing

@testable import CacheSyncPage

@Suite("A listener")
struct ListenerTests {
  private func text(_ buffers: [ByteBuffer]) -> String { buffers.map { String(buffer: $0) }.joined() }

  @Test("A listener gets the newest of each part, in the order in which the parts first changed")
  func newest() {
    let listener = Listener()
    for (part, data) in [("a", "1"), ("b", "2"), ("a", "3")] as [(String, HTML)] {
      listener.send(ByteBuffer(event: "part", data: data), about: part)
    }
    #expect(text(listener.removeWaiting()) == "event: part\ndata: 3\n\nevent: part\ndata: 2\n\n")
    #expect(listener.removeWaiting().isEmpty)
  }

  @Test("The generation is sent after the last event or alone, and only once unless it is due")
  func generation() {
    func alive(_ listener: Listener, _ generation: Int?, isDue: Bool = false) -> String {
      let event = ByteBuffer(string: generation.map { "alive \($0)" } ?? "alive")
      listener.send(alive: event, generation: generation, isDue: isDue)
      return text(listener.removeWaiting())
    }
    let listener = Listener()
    listener.send(ByteBuffer(event: "part", data: "1"), about: "a")
    #expect(alive(listener, 7) == "event: part\ndata: 1\n\nalive 7")
    #expect(alive(listener, 7) == "")
    #expect(alive(listener, 7, isDue: true) == "alive 7")
    #expect(alive(listener, 8) == "alive 8")
    #expect(alive(listener, nil, isDue: true) == "alive")
    #expect(alive(listener, 8) == "")
  }

  @Test("Markup of several lines is sent as several lines of data")
  func lines() {
    #expect(String(buffer: ByteBuffer(event: "part", data: "<p>\n</p>")) == "event: part\ndata: <p>\ndata: </p>\n\n")
  }

  @Test("However slowly it reads, a listener's queue is at most one page")
  func bounded() {
    let listener = Listener()
    for number in 0..<10_000 {
      listener.send(ByteBuffer(event: "part", data: "\(number)"), about: "card-\(number % 18)")
    }
    #expect(listener.removeWaiting().count == 18)
  }
}

@Suite("The audience")
struct AudienceTests {
  @Test("A part is sent at most ten times a second, and then the newest")
  func rate() throws {
    var audience = Audience()
    let listener = Listener()
    audience.listeners[ObjectIdentifier(listener)] = listener
    let begin = ContinuousClock.now
    #expect(audience.send([("a", "1"), ("b", "1")], at: begin) == nil)
    #expect(listener.removeWaiting().count == 2)
    let soon = audience.send([("a", "2"), ("b", "1")], at: begin + .milliseconds(30))
    #expect(soon == begin + .milliseconds(100))
    #expect(listener.removeWaiting().isEmpty)
    #expect(audience.send([("a", "3"), ("b", "1")], at: begin + .milliseconds(100)) == nil)
    #expect(listener.removeWaiting().map { String(buffer: $0) } == ["event: part\ndata: 3\n\n"])
  }

  @Test("A later listener shares the memory of an event, unless the part has changed")
  func shared() {
    func place(_ buffer: ByteBuffer) -> UnsafeRawPointer? { buffer.withUnsafeReadableBytes { $0.baseAddress } }
    var audience = Audience()
    let listener = Listener()
    audience.listeners[ObjectIdentifier(listener)] = listener
    _ = audience.send([("a", "1")], at: .now)
    let sent = listener.removeWaiting()
    #expect(sent.map(place) == [place(audience.event(about: ("a", "1")))])
    #expect(String(buffer: audience.event(about: ("a", "2"))) == "event: part\ndata: 2\n\n")
    #expect(audience.sent["a"]?.html == "1")
  }
}
