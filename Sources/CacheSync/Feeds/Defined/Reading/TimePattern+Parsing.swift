extension TimePattern {
  private static let units: [(letters: String, unit: Unit, digits: ClosedRange<Int>)] = [
    ("yyyy", .year, 4...4), ("MM", .month, 2...2), ("M", .month, 1...2), ("dd", .day, 2...2), ("d", .day, 1...2),
    ("HH", .hour, 2...2), ("H", .hour, 1...2), ("mm", .minute, 2...2), ("m", .minute, 1...2), ("ss", .second, 2...2),
  ]

  /// What a pattern must contain at its place in a definition.
  enum Purpose {
    /// A day, with or without a time: year, month and day.
    case day
    /// A time of day: the hour.
    case time
  }

  /// Reads a pattern. Letters are units. Other letters are quoted as `'…'`, with `''` for a quote. The rest is literal.
  static func parse(_ text: String, for purpose: Purpose) throws(TextDefect) -> TimePattern {
    var cursor = ByteCursor(text)
    var pattern = TimePattern([])
    var literal: [UInt8] = []
    var seen: [Unit] = []
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "'"): literal += try quoted(&cursor)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        pattern.append(literal: &literal)
        let place = cursor.offset
        let (unit, digits) = try Self.unit(&cursor, byte)
        if seen.contains(unit) { throw TextDefect(place, "the \(unit) comes twice") }
        seen.append(unit)
        pattern.parts.append(.digits(unit, digits))
      default:
        literal.append(byte)
        cursor.advance()
      }
    }
    pattern.append(literal: &literal)
    for (unit, letters) in needed(seen, purpose) where !seen.contains(unit) {
      throw TextDefect(0, "a pattern here needs the \(unit), \(letters)")
    }
    return pattern
  }

  private mutating func append(literal: inout [UInt8]) {
    if !literal.isEmpty { parts.append(.literal(ExactText(String(decoding: literal, as: UTF8.self)))) }
    literal = []
  }

  private static func unit(_ cursor: inout ByteCursor, _ letter: UInt8) throws(TextDefect) -> (Unit, ClosedRange<Int>) {
    let place = cursor.offset
    let letters = String(decoding: cursor.passAll { $0 == letter }, as: UTF8.self)
    if let unit = units.first(where: { $0.letters == letters }) { return (unit.unit, unit.digits) }
    let same = units.filter { $0.letters.utf8.first == letter }.map { "'\($0.letters)'" }.joined(separator: " or ")
    throw TextDefect(
      place, "no unit \(quotedName(letters))" + (same.isEmpty ? "; other letters stand in '…'" : "; \(same)?"))
  }

  private static func quoted(_ cursor: inout ByteCursor) throws(TextDefect) -> [UInt8] {
    let place = cursor.offset
    cursor.advance()
    // Outside of quotes, '' is a quote too.
    if cursor.pass("'") { return [UInt8(ascii: "'")] }
    var text: [UInt8] = []
    while let byte = cursor.byte {
      cursor.advance()
      guard byte == UInt8(ascii: "'") else {
        text.append(byte)
        continue
      }
      guard cursor.pass("'") else { return text }
      text.append(byte)
    }
    throw TextDefect(place, "the quote is not closed")
  }

  private static func needed(_ seen: [Unit], _ purpose: Purpose) -> [(Unit, String)] {
    var needed: [(Unit, String)] =
      switch purpose {
      case .day: [(.year, "yyyy"), (.month, "MM"), (.day, "dd")]
      case .time: [(.hour, "HH")]
      }
    if seen.contains(.second) { needed.append((.minute, "mm")) }
    if seen.contains(.minute) { needed.append((.hour, "HH")) }
    return needed
  }
}
