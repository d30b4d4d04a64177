import NIOCore

/// The listeners of pages that show the same, and the last state that they were sent.
struct Audience {
  /// How often a part of the page may change for its listeners: ten times a second.
  static let shortestPause = Duration.milliseconds(100)
  /// How often listeners learn that they are connected, and the agent's status is checked. Proxies end a connection that
  /// is silent for 60 s, and the page waits 70 s.
  static let aliveInterval = Duration.seconds(25)

  /// A part of the page, with its event. All listeners share the event, because a page has 200 KiB.
  struct Sent {
    var html: HTML
    var event: ByteBuffer

    init(_ html: HTML) {
      self.html = html
      event = ByteBuffer(event: "part", data: html)
    }
  }

  var listeners: [ObjectIdentifier: Listener] = [:]
  /// The parts as they were last sent.
  var sent: [String: Sent] = [:]
  var lastTold: [String: ContinuousClock.Instant] = [:]

  /// Sends each listener the parts that changed and may be sent now.
  ///
  /// - Returns: when the first of the other changed parts may be sent; nil without such parts.
  mutating func send(_ parts: [(id: String, html: HTML)], at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    var earliest: ContinuousClock.Instant?
    for part in parts where sent[part.id]?.html != part.html {
      let allowed = lastTold[part.id].map { $0 + Self.shortestPause } ?? now
      guard allowed <= now else {
        earliest = min(earliest ?? allowed, allowed)
        continue
      }
      let new = Sent(part.html)
      sent[part.id] = new
      lastTold[part.id] = now
      for listener in listeners.values { listener.send(new.event, about: part.id) }
    }
    return earliest
  }

  /// The event about a part. It is the shared one, unless the part has changed since.
  func event(about part: (id: String, html: HTML)) -> ByteBuffer {
    if let known = sent[part.id], known.html == part.html { return known.event }
    return Sent(part.html).event
  }
}
