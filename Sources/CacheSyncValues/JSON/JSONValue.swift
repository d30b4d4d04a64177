/// Any JSON value.
///
///     let value = JSONValue(Array(#"{"meals": [{"name": "Soup"}]}"#.utf8))
///     print(value?["meals"]?[0]?["name"]?.string ?? "")  // Soup
///
/// A number that is written without fraction and exponent is an ``integer(_:)``, or ``digits(_:)`` if it does not fit
/// an `Int`. ``double`` reads any number. Texts and keys are equal if their bytes are.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent, if it fits.
  case integer(Int)
  /// A number written without fraction and exponent that does not fit, such as an unsigned 64-bit id.
  case digits(String)
  /// Any other number.
  case number(Double)
  /// A text, with its escapes resolved.
  case string(String)
  /// Elements in the document's order.
  case array([JSONValue])
  /// Members by their keys, in no order.
  case object(TextMap<JSONValue>)

  /// Whether two values are equal, texts by their bytes. 1 and 1.0 differ, as they are written differently.
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

  /// Reads a whole document strictly; nil if it has any defect, including a duplicate key and a number beyond every
  /// double.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> JSONValue? {
    guard let tree = JSONTree.read(bytes).tree else { return nil }
    var reading = JSONValueReading(tree)
    let value = reading.value(of: JSONTree.root)
    return reading.defects.isEmpty ? value : nil
  }

  /// Reads a whole document strictly; nil if it has any defect, including a duplicate key and a number beyond every
  /// double.
  public init?(_ bytes: [UInt8]) {
    guard let value = bytes.withUnsafeBytes({ Self.parse($0) }) else { return nil }
    self = value
  }

  /// The first defect of a document that ``init(_:)`` does not read, for people: "line 3, column 5: …"; nil if it is valid.
  public static func defect(in bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { bytes in
      let (tree, defects) = JSONTree.read(bytes)
      var first = defects.first
      if first == nil, let tree {
        var reading = JSONValueReading(tree)
        _ = reading.value(of: JSONTree.root)
        first = reading.defects.first.map {
          JSONDefect(offset: tree.offset(of: $0.node), message: $0.message, place: .value)
        }
      }
      guard let first else { return nil }
      let place = JSONPlace.of(first, in: bytes)
      return "line \(place.line), column \(place.column): \(first.message)"
    }
  }

  /// The value as one line of JSON, without a newline at its end. Keys are sorted by their bytes.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The value of an object's member; nil if there is none.
  public subscript(key: String) -> JSONValue? {
    object?[key]
  }

  /// The element of an array; nil beyond its ends.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The text, if the value is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number, if it is whole and fits, however it was written.
  public var int: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number, if the value is one.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .digits(let digits): Double(digits)
    case .number(let value): value
    default: nil
    }
  }

  /// The boolean, if the value is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, if the value is an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The moment that a string written by the agent names; nil for any other value.
  public var instant: Instant? { string.flatMap { Instant($0) } }

  /// The members, if the value is an object.
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
