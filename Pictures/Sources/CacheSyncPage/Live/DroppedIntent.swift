import CacheSync
import FoundationEssentials

/// An intent as a file holds it, of any type.
struct DroppedIntent: Encodable {
  var id: String
  var at: Instant
  var type: String
  var fields: [String: String]

  static let feed = "intents"

  var bytes: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in fields { try container.encode(value, forKey: Key(stringValue: name)) }
    try container.encode(id, forKey: Key(stringValue: "id"))
    try container.encode(at, forKey: Key(stringValue: "at"))
    try container.encode(type, forKey: Key(stringValue: "type"))
  }
}
