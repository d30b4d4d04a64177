/// The id of a record in an app's file: a whole number of any size, or a text.
///
///     let ids: [RecordID] = [42, "oats", .text(UUID().uuidString)]
///
/// Ids are equal if their texts are, so 3 and "3" are the same id. Whole numbers sort numerically and before texts,
/// which sort by their bytes (feeds.md: common rules).
public struct RecordID: Hashable, Comparable, Sendable {
  package let text: String
  /// Whether it was written as a number; ``text`` then has that number in decimal digits.
  package let isInteger: Bool

  package init(_ integer: Int) {
    text = String(integer)
    isInteger = true
  }

  /// - Parameter digits: an integer without needless zeros, with a minus sign in front if it is negative.
  init(digits: String) {
    text = digits
    isInteger = true
  }

  package init(_ text: String) {
    self.text = text
    isInteger = false
  }

  /// A whole number, as most apps number their records.
  public static func integer(_ integer: Int) -> RecordID { RecordID(integer) }

  /// A text, such as a UUID.
  public static func text(_ text: String) -> RecordID { RecordID(text) }

  /// Whether the texts are the same, byte by byte.
  public static func == (a: RecordID, b: RecordID) -> Bool { isSameText(a.text, b.text) }

  /// Hashes the text's bytes.
  public func hash(into hasher: inout Hasher) {
    // Not the String's own hash, because it is equal for canonically equivalent texts.
    text.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether an id comes before another.
  public static func < (a: RecordID, b: RecordID) -> Bool {
    switch (a.isInteger, b.isInteger) {
    case (true, true): isLess(a.text.utf8, b.text.utf8)
    case (true, false): true
    case (false, true): false
    case (false, false): isOrdered(a.text, before: b.text)
    }
  }

  /// Compares integers of any size by their digits: of two with the same sign, the longer one is further from zero.
  private static func isLess(_ a: String.UTF8View, _ b: String.UTF8View) -> Bool {
    let minus = UInt8(ascii: "-")
    switch (a.first == minus, b.first == minus) {
    case (true, false): return true
    case (false, true): return false
    case (let areNegative, _):
      let (near, far) = areNegative ? (b, a) : (a, b)
      return near.count == far.count ? near.lexicographicallyPrecedes(far) : near.count < far.count
    }
  }
}

extension RecordID: ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation {
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }

  /// A text.
  public init(stringLiteral value: String) { self.init(value) }
}

extension RecordID: Codable {
  /// Reads a whole number or a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int.self) {
      self.init(integer)
    } else {
      self.init(try container.decode(String.self))
    }
  }

  /// Writes a number or a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isInteger, let integer = Int(text) {
      try container.encode(integer)
    } else {
      try container.encode(text)
    }
  }
}
