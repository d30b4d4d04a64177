/// The id of a task, an event or a label: a whole number or a text.
///
/// The agent takes ids for the same when their texts are, so 3 and "3" are one; here they are different values, as they are
/// in the app's file.
public enum AgendaID: Sendable, Hashable, Codable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A whole number, as most apps number their records.
  case integer(Int)
  /// A text, such as a UUID.
  case text(String)

  /// A whole number as it stands.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// A text as it stands.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Reads a whole number or a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Writes a number or a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let integer): try container.encode(integer)
    case .text(let text): try container.encode(text)
    }
  }
}
