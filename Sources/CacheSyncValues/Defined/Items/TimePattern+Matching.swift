extension TimePattern {
  /// What a text has according to the pattern. Each is nil if the pattern lacks it; missing minutes and seconds are 0.
  struct Match {
    var day: LocalDay?
    var secondOfDay: Int?
    /// Seconds east of UTC.
    var offset: Int?
  }

  /// Reads a text that matches the pattern exactly. Nil for any other text, and for a day or a time that does not
  /// exist.
  func match(_ text: String) -> Match? {
    text.withUTF8Bytes { bytes in
      var search = PatternSearch(bytes: bytes, parts: parts)
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
      case .digits(let unit, let range): result += String(repeating: unit.rawValue, count: range.lowerBound)
      case .word(let word): result += word.rawValue
      case .literal(let text): result += text.wrappedValue
      }
    }
  }
}

/// Tries the parts in order. A single letter takes two digits if the rest then fits, otherwise one: `Hmm` reads 1530
/// and 830.
private struct PatternSearch {
  /// Far more than a sensible pattern needs. Without a limit, a pattern of thousands of single letters could take
  /// forever.
  private static let mostSteps = 1_000

  let bytes: UnsafeBufferPointer<UInt8>
  let parts: [TimePattern.Part]
  var values: [TimePattern.Unit: Int] = [:]
  var isAfternoon = false
  var steps = 0
  var found = TimePattern.Match()

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
        // Two digits, which only RFC 822 has: RFC 5322, section 4.3.
        values[unit] = unit == .year && count == 2 ? value + (value < 50 ? 2000 : 1900) : value
        if match(part: part + 1, at: index + count) { return true }
      }
      return false
    case .word(let word):
      guard let length = read(word, at: index) else { return false }
      return match(part: part + 1, at: index + length)
    }
  }

  /// Reads a word, and returns its length.
  private mutating func read(_ word: TimePattern.Word, at index: Int) -> Int? {
    switch word {
    case .shortMonth, .month:
      guard let (month, length) = DateWords.months.first(in: bytes, at: index) else { return nil }
      values[.month] = month + 1
      return length
    case .shortWeekday, .weekday: return DateWords.weekdays.first(in: bytes, at: index)?.length
    case .ordinalDay:
      for count in [2, 1] {
        guard let day = ASCIIDigits.number(bytes, at: index, count: count),
          let (_, length) = DateWords.ordinals.first(in: bytes, at: index + count)
        else { continue }
        values[.day] = day
        return count + length
      }
      return nil
    case .halfDay:
      guard let (half, length) = DateWords.halves.first(in: bytes, at: index) else { return nil }
      isAfternoon = half == 1
      return length
    case .offset, .isoOffset:
      guard let (seconds, length) = DateWords.offset(in: bytes, at: index) else { return nil }
      found.offset = seconds
      return length
    }
  }

  /// Whether the digits form a day and a time that exist.
  private mutating func settle() -> Bool {
    if values[.year] != nil || values[.month] != nil || values[.day] != nil {
      guard let year = values[.year], let month = values[.month], let day = values[.day],
        let date = LocalDay(year: year, month: month, day: day)
      else { return false }
      found.day = date
    }
    var hour = values[.hour]
    if let clockHour = values[.clockHour] {
      guard (1...12).contains(clockHour) else { return false }
      hour = clockHour % 12 + (isAfternoon ? 12 : 0)
    }
    if let hour {
      let (minute, second) = (values[.minute] ?? 0, values[.second] ?? 0)
      guard hour <= 23, minute <= 59, second <= 59 else { return false }
      found.secondOfDay = hour * 3_600 + minute * 60 + second
    }
    return true
  }
}

/// English words of dates, found in any case.
private struct DateWords {
  /// By index; of each the longest first.
  private let spellings: [[String]]

  static let months = DateWords(LocaleFormats.english.months, also: [8: ["sept"]])
  static let weekdays = DateWords(LocaleFormats.english.weekdays, also: [1: ["tues"], 3: ["thurs", "thur"]])
  static let ordinals = DateWords(spellings: [["st"], ["nd"], ["rd"], ["th"]])
  static let halves = DateWords(spellings: [["a.m.", "am"], ["p.m.", "pm"]])
  /// The zones of RFC 822, and their hours east of UTC.
  private static let zones = DateWords(
    spellings: [["gmt", "utc", "ut", "z"], ["edt"], ["est", "cdt"], ["cst", "mdt"], ["mst", "pdt"], ["pst"]])
  private static let zoneHours = [0, -4, -5, -6, -7, -8]

  private init(spellings: [[String]]) { self.spellings = spellings }

  /// Full words and their first three letters.
  private init(_ words: [String], also: [Int: [String]]) {
    spellings = words.map { $0.lowercased() }.enumerated().map { [$1] + (also[$0] ?? []) + [String($1.prefix(3))] }
  }

  /// The index of the word at a byte, and its length. An abbreviation may have a full stop.
  func first(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (index: Int, length: Int)? {
    for (place, words) in spellings.enumerated() {
      for word in words {
        let length = word.utf8.count
        guard length <= bytes.count - index,
          zip(bytes[index..<(index + length)], word.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && $0 >= 0x41 })
        else { continue }
        let hasStop =
          length == 3 && index + length < bytes.count && bytes[index + length] == UInt8(ascii: ".") && words.count > 1
        return (place, length + (hasStop ? 1 : 0))
      }
    }
    return nil
  }

  /// The seconds east of UTC at a byte, and the length of what gives them.
  static func offset(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (seconds: Int, length: Int)? {
    guard index < bytes.count else { return nil }
    let sign = bytes[index]
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return zones.first(in: bytes, at: index).map { (zoneHours[$0.index] * 3_600, $0.length) }
    }
    guard let hours = ASCIIDigits.number(bytes, at: index + 1, count: 2), hours <= 23 else { return nil }
    let hasColon = index + 3 < bytes.count && bytes[index + 3] == UInt8(ascii: ":")
    guard let minutes = ASCIIDigits.number(bytes, at: index + (hasColon ? 4 : 3), count: 2), minutes <= 59 else {
      return nil
    }
    let seconds = hours * 3_600 + minutes * 60
    return (sign == UInt8(ascii: "-") ? -seconds : seconds, hasColon ? 6 : 5)
  }
}

extension TimePattern {
  /// The dates of RFC 822 and RFC 5322: with or without weekday and seconds, the year in two or four digits, and with
  /// or without a zone.
  private static let rfc822: [TimePattern] = {
    let days = ["EEE, d MMM yyyy", "d MMM yyyy"]
    let times = [" H:mm:ss Z", " H:mm:ss", " H:mm Z", " H:mm"]
    let whole = days.flatMap { day in times.compactMap { try? TimePattern.parse(day + $0, for: .day) } }
    // A definition has no unit for a year of two digits.
    return whole
      + whole.map { pattern in
        TimePattern(pattern.parts.map { $0 == .digits(.year, 4...4) ? .digits(.year, 2...2) : $0 })
      }
  }()

  /// Reads a date of RFC 822. Blanks may be repeated, and a comment in parentheses may follow.
  static func matchRFC822(_ text: String) -> Match? {
    // A date with all its comments is short. Dates come from outside.
    guard text.utf8.count <= 128 else { return nil }
    let words = text.prefix { $0 != "(" }.split(separator: " ").joined(separator: " ")
    for pattern in rfc822 {
      if let match = pattern.match(words) { return match }
    }
    return nil
  }
}
