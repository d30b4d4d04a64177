import COpenSSL
import CacheSync

/// Reads times and bytes in the engine's answers.
package enum EngineText {
  /// Nanoseconds since 1970, from RFC 3339 in UTC with up to nine digits of a fraction; nil for anything else.
  /// ``Instant`` has only microseconds, and versions are compared in full.
  package static func nanoseconds(_ text: String) -> Int64? {
    guard text.last == "Z" else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = Instant(parts[0] + "Z") else { return nil }
    var fraction: Int64 = 0
    if parts.count == 2 {
      guard (1...9).contains(parts[1].utf8.count), let digits = Int64(parts[1]), digits >= 0 else { return nil }
      fraction = (parts[1].utf8.count..<9).reduce(digits) { value, _ in value * 10 }
    }
    return second.seconds * 1_000_000_000 + fraction
  }

  /// The bytes of Base64 (RFC 4648, section 4); nil for anything else.
  package static func bytes(base64 text: String) -> [UInt8]? {
    let input = Array(text.utf8)
    var bytes = [UInt8](repeating: 0, count: input.count / 4 * 3)
    // The result counts a zero byte for each = at the end.
    let count = Int(EVP_DecodeBlock(&bytes, input, Int32(input.count)))
    guard count >= 0 else { return nil }
    return Array(bytes.prefix(count - input.suffix(2).count { $0 == UInt8(ascii: "=") }))
  }

  /// The position of a consumer's message, from its reply subject. JetStream uses a form of 9 parts, and a later one of
  /// 11 or 12 with the domain and the account after `$JS.ACK`.
  package struct Delivery: Sendable, Equatable {
    package var sequence: UInt64
    /// Counts the messages of this consumer, from 1.
    package var number: UInt64
    package var time: Int64
    /// How many messages follow.
    package var pending: UInt64

    package init?(reply: String) {
      let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 9, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
      let tail = parts.count == 9 ? parts[5...] : parts.count >= 11 ? parts[7...] : []
      let numbers = tail.prefix(4).map { UInt64($0) }
      guard numbers.count == 4, let sequence = numbers[0], let number = numbers[1], let time = numbers[2],
        let pending = numbers[3], time <= Int64.max
      else { return nil }
      (self.sequence, self.number, self.time, self.pending) = (sequence, number, Int64(time), pending)
    }
  }
}
