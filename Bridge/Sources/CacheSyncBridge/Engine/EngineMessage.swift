package struct EngineMessage: Sendable {
  package var subject: String
  /// The subject for an answer; empty when none is wanted.
  package var reply = ""
  package var headers: [String: String] = [:]
  package var payload: [UInt8] = []

  /// The size that the engine limits: the content, and the headers as they are sent, from `NATS/1.0` to the empty line.
  package var byteCount: Int {
    headers.isEmpty
      ? payload.count
      : payload.count + headers.reduce(12) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
  }

  /// The code of a message with a status and no content, for example 503: no server answers on that subject.
  package var status: Int? { headers["Status"].flatMap { Int($0) } }

  /// Whether the message deletes its key, in the form of every KV client.
  package var isDeletion: Bool { headers["KV-Operation"].map { $0 == "DEL" || $0 == "PURGE" } ?? false }

  /// When its file was modified, as its producer says: nanoseconds since 1970.
  var modified: Int64? { headers[Header.modified].flatMap { Int64($0) } }
}

/// A message of a stream, with its sequence and time there.
package struct StoredMessage: Sendable {
  package var message: EngineMessage
  package var sequence: UInt64
  /// When the engine stored it: nanoseconds since 1970.
  package var time: Int64

  /// The version of its key: nanoseconds since 1970.
  package var version: Int64 { putBackVersion ?? time }

  /// The version of a put-back, which differs from that of its message.
  package var putBackVersion: Int64? { message.headers[Header.again].flatMap { Int64($0) } }

  /// When its file was modified: nanoseconds since 1970.
  var modified: Int64 { message.modified ?? version }
}

/// Why the engine did not carry out a request.
package enum EngineError: Error, Sendable, Equatable, CustomStringConvertible {
  case notConnected
  /// No answer within the time. The engine may have carried the request out.
  case unanswered
  /// No stream has the subject, or there is no JetStream.
  case noResponders
  case notPermitted(String)
  /// The last sequence of the stream, or of the subject, was another one (error 10071).
  case wrongLastSequence
  case refused(code: Int, String)
  /// The answer cannot be read.
  case unreadable
  case tooLarge(limit: Int)
  case cannotConnect(String)

  package var description: String {
    switch self {
    case .notConnected: "not connected to the engine"
    case .unanswered: "the engine did not answer"
    case .noResponders: "the engine has no such stream, or no JetStream: run cachesync-bridge setup"
    case .notPermitted(let what): "the engine does not permit it: \(what)"
    case .wrongLastSequence: "another program wrote meanwhile"
    case .refused(let code, let text): "the engine refused: \(text) (error \(code))"
    case .unreadable: "the engine's answer cannot be read"
    case .tooLarge(let limit): "larger than the engine takes (max_payload: \(limit) bytes)"
    case .cannotConnect(let why): why
    }
  }
}
