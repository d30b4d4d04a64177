extension TimePattern {
  /// The day and the time of day in a text. Each is nil if the pattern lacks it; missing minutes and seconds are 0.
  struct Match {
    var day: LocalDay?
    var secondOfDay: Int?
  }

  /// Reads a text that matches the pattern exactly. Nil for any other text, and for a day or a time that does not
  /// exist.
  func match(_ text: String) -> Match? {
    text.withUTF8Bytes { bytes in
      var search = PatternSearch(bytes, parts)
      guard search.match(part: 0, at: 0) else { return nil }
      return search.found
    }
  }

  /// Reads a number by its digits. A number has no leading zeros, so those that the pattern needs are added: 830 fits
  /// `HHmm`.
  func match(digits: String) -> Match? {
    var least = 0
    for part in parts {
      guard case .digits(_, let range) = part else { return match(digits) }
      least += range.lowerBound
    }
    return match(String(repeating: "0", count: max(least - digits.utf8.count, 0)) + digits)
  }

  /// The pattern as a definition writes it.
  var description: String {
    parts.reduce(into: "") { result, part in
      switch part {
      case .digits(let unit, let range): result += String(repeating: unit.letter, count: range.lowerBound)
      case .literal(let text): result += text.wrappedValue
      }
    }
  }
}

extension TimePattern.Unit {
  fileprivate var letter: String {
    switch self {
    case .year: "y"
    case .month: "M"
    case .day: "d"
    case .hour: "H"
    case .minute: "m"
    case .second: "s"
    }
  }
}

/// Tries the parts in order. A single letter takes two digits if the rest then fits, otherwise one: `Hmm` reads 1530
/// and 830.
private struct PatternSearch {
  /// Far more than a sensible pattern needs. Without a limit, a pattern of thousands of single letters could take
  /// forever.
  private static let mostSteps = 1_000

  private let bytes: UnsafeBufferPointer<UInt8>
  private let parts: [TimePattern.Part]
  private var values: [TimePattern.Unit: Int] = [:]
  private var steps = 0
  private(set) var found = TimePattern.Match()

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ parts: [TimePattern.Part]) {
    self.bytes = bytes
    self.parts = parts
  }

  mutating func match(part: Int, at index: Int) -> Bool {
    steps += 1
    guard steps <= Self.mostSteps else { return false }
    guard part < parts.count else { return index == bytes.count && settle() }
    switch parts[part] {
    case .literal(let literal):
      let text = literal.wrappedValue
      let length = text.utf8.count
      guard length <= bytes.count - index,
        UnsafeBufferPointer(rebasing: bytes[index..<(index + length)]).elementsEqual(text.utf8)
      else { return false }
      return match(part: part + 1, at: index + length)
    case .digits(let unit, let range):
      for count in range.reversed() {
        guard let value = ASCIIDigits.number(bytes, at: index, count: count) else { continue }
        values[unit] = value
        if match(part: part + 1, at: index + count) { return true }
      }
      return false
    }
  }

  /// Whether the digits form a day and a time that exist.
  private mutating func settle() -> Bool {
    found = TimePattern.Match()
    if values[.year] != nil || values[.month] != nil || values[.day] != nil {
      guard let year = values[.year], let month = values[.month], let day = values[.day],
        let date = LocalDay(year: year, month: month, day: day)
      else { return false }
      found.day = date
    }
    if let hour = values[.hour] {
      let (minute, second) = (values[.minute] ?? 0, values[.second] ?? 0)
      guard hour <= 23, minute <= 59, second <= 59 else { return false }
      found.secondOfDay = hour * 3_600 + minute * 60 + second
    }
    return true
  }
}
