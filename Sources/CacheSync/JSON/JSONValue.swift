/// Any JSON value.
///
/// A number is an ``integer(_:)`` when it is written without fraction and exponent, and ``digits(_:)`` when such a number does
/// not fit an `Int`; ``double`` takes any of them. Texts and keys are
/// equal when their bytes are.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent that fits.
  case integer(Int)
  /// A number written without fraction and exponent that does not fit: an id that counts in 64 bits, for example.
  case digits(String)
  /// Any other number.
  case number(Double)
  /// A text, with its escapes resolved.
  case string(String)
  /// Elements in the document's order.
  case array([JSONValue])
  /// Members by their keys; their order is not kept.
  case object(TextMap<JSONValue>)

  /// Whether two values are the same, texts by their bytes. 1 and 1.0 are two, as they are written.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.digits(let a), .digits(let b)): isSameText(a, b)
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): isSameText(a, b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Reads a whole document strictly; nil when it has any defect, a key that comes twice and a number that no double
  /// can hold included.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> JSONValue? {
    guard let tree = JSONTree.read(bytes).tree else { return nil }
    var reading = JSONValueReading(tree)
    let value = reading.value(of: JSONTree.root)
    return reading.defects.isEmpty ? value : nil
  }

  /// Reads a whole document strictly; nil when it has any defect, a key that comes twice and a number that no double can hold
  /// included.
  public init?(_ bytes: [UInt8]) {
    guard let value = bytes.withUnsafeBytes({ Self.parse($0) }) else { return nil }
    self = value
  }

  /// The value as one line of JSON, without a newline at its end. Keys are in the order of their bytes.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The member of an object.
  public subscript(key: String) -> JSONValue? {
    object?[key]
  }

  /// The element of an array; nil beyond its ends.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The text of a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// A whole number, however it was written.
  public var int: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// Any number.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .digits(let digits): Double(digits)
    case .number(let value): value
    default: nil
    }
  }

  /// `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an object.
  public var object: TextMap<JSONValue>? {
    if case .object(let value) = self { value } else { nil }
  }
}

extension JSONNumber {
  /// The value of a number without fraction and exponent.
  var plainValue: JSONValue {
    switch whole {
    case .value(let value): .integer(value)
    case .tooLarge, .fraction: .digits(wholeDigits ?? "0")
    }
  }
}
