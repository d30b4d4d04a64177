extension TimePattern {
  private static let units: [(letters: String, unit: Unit, digits: ClosedRange<Int>)] = [
    ("yyyy", .year, 4...4), ("MM", .month, 2...2), ("M", .month, 1...2), ("dd", .day, 2...2), ("d", .day, 1...2),
    ("HH", .hour, 2...2), ("H", .hour, 1...2), ("hh", .clockHour, 2...2), ("h", .clockHour, 1...2),
    ("mm", .minute, 2...2), ("m", .minute, 1...2), ("ss", .second, 2...2),
  ]

  /// All letters, for messages.
  static let choice = "yyyy, M, MM, MMM, MMMM, d, dd, do, EEE, EEEE, H, HH, h, hh, a, m, mm, ss, Z, XXX"

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
    var seen: [String] = []
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "'"): literal += try quoted(&cursor)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        pattern.append(literal: &literal)
        let place = cursor.offset
        let part = try Self.part(&cursor, byte)
        if let quantity = part.quantity {
          if seen.contains(quantity) { throw TextDefect(place, "the \(quantity) comes twice") }
          seen.append(quantity)
        }
        pattern.parts.append(part)
      default:
        literal.append(byte)
        cursor.advance()
      }
    }
    pattern.append(literal: &literal)
    for (quantity, letters) in needed(seen, purpose) where !seen.contains(quantity) {
      throw TextDefect(0, "a pattern here needs the \(quantity), \(letters)")
    }
    let hasClockHour = pattern.parts.contains { if case .digits(.clockHour, _) = $0 { true } else { false } }
    if hasClockHour != seen.contains(Part.word(.halfDay).quantity ?? "") {
      throw TextDefect(0, hasClockHour ? "'h' needs 'a' for am or pm; without it write 'H'" : "'a' needs 'h'")
    }
    if purpose == .time, seen.contains(Part.word(.offset).quantity ?? "") {
      throw TextDefect(0, "a time of day has no offset; give 'day' and 'time' in one text, as 'at'")
    }
    return pattern
  }

  private mutating func append(literal: inout [UInt8]) {
    if !literal.isEmpty { parts.append(.literal(ExactText(String(decoding: literal, as: UTF8.self)))) }
    literal = []
  }

  private static func part(_ cursor: inout ByteCursor, _ letter: UInt8) throws(TextDefect) -> Part {
    let place = cursor.offset
    var letters = String(decoding: cursor.passAll { $0 == letter }, as: UTF8.self)
    if letters == "d", cursor.pass("o") { letters = "do" }
    if let unit = units.first(where: { $0.letters == letters }) { return .digits(unit.unit, unit.digits) }
    if let word = Word(rawValue: letters) { return .word(word) }
    throw TextDefect(
      place, "unknown unit \(quotedName(letters)); the units are \(choice); other letters are quoted: '…'")
  }

  private static func quoted(_ cursor: inout ByteCursor) throws(TextDefect) -> [UInt8] {
    let place = cursor.offset
    cursor.advance()
    // Outside of quotes, '' is a quote too.
    if cursor.pass("'") { return [UInt8(ascii: "'")] }
    var text: [UInt8] = []
    while true {
      text += cursor.passAll { $0 != UInt8(ascii: "'") }
      guard cursor.pass("'") else { throw TextDefect(place, "the quote is not closed") }
      guard cursor.pass("'") else { return text }
      text.append(UInt8(ascii: "'"))
    }
  }

  private static func needed(_ seen: [String], _ purpose: Purpose) -> [(String, String)] {
    var needed = purpose == .time ? [("hour", "HH")] : [("year", "yyyy"), ("month", "MM"), ("day", "dd")]
    if seen.contains("second") { needed.append(("minute", "mm")) }
    if seen.contains("minute") || seen.contains("offset") { needed.append(("hour", "HH")) }
    return needed
  }
}

extension TimePattern.Part {
  /// What it gives, in a word; nil for what only has to be there.
  fileprivate var quantity: String? {
    switch self {
    case .digits(.clockHour, _): "hour"
    case .digits(let unit, _): "\(unit)"
    case .word(let word):
      switch word {
      case .shortMonth, .month: "month"
      case .shortWeekday, .weekday: "weekday"
      case .ordinalDay: "day"
      case .halfDay: "half of the day"
      case .offset, .isoOffset: "offset"
      }
    case .literal: nil
    }
  }
}
