/// The patterns that a text with digits may be written in, such as `EEEE do MMMM yyyy` for "Tuesday 24th November 2026".
///
/// It proposes; the caller tests each pattern on all values.
enum WrittenPattern {
  /// Patterns of days, with or without a time of day, the more exact first. If days and months are both numbers, the
  /// day is tried before the month.
  static func days(like text: String) -> [String] {
    guard let tokens = tokens(of: text) else { return [] }
    var patterns: [String] = []
    for order in [Order.dayFirst, .monthFirst] {
      for isExact in [true, false] {
        guard let pattern = pattern(tokens, order, isExact: isExact), pattern.hasDay else { continue }
        if !patterns.contains(pattern.text) { patterns.append(pattern.text) }
      }
    }
    return patterns
  }

  /// Patterns of times of day.
  static func clocks(like text: String) -> [String] {
    guard let tokens = tokens(of: text) else { return [] }
    var patterns: [String] = []
    for isExact in [true, false] {
      guard let pattern = pattern(tokens, .dayFirst, isExact: isExact), !pattern.hasDay, pattern.hasClock else {
        continue
      }
      if !patterns.contains(pattern.text) { patterns.append(pattern.text) }
    }
    return patterns
  }

  private enum Order { case dayFirst, monthFirst }

  private enum Token {
    case digits(String)
    case letters(String)
    case other(UInt8)
  }

  /// No time is written longer.
  private static let longest = 48

  private static func tokens(of text: String) -> [Token]? {
    guard text.utf8.count <= longest else { return nil }
    var tokens: [Token] = []
    var run: [UInt8] = []
    var runIsDigits = false
    func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }
    func close() {
      if run.isEmpty { return }
      let word = String(decoding: run, as: UTF8.self)
      tokens.append(runIsDigits ? .digits(word) : .letters(word))
      run = []
    }
    for byte in text.utf8 {
      if isDigit(byte) || isLetter(byte) {
        if isDigit(byte) != runIsDigits { close() }
        runIsDigits = isDigit(byte)
        run.append(byte)
      } else {
        close()
        tokens.append(.other(byte))
      }
    }
    close()
    return tokens
  }

  private struct Pattern {
    var text = ""
    var hasDay = false
    var hasClock = false
  }

  /// - Parameter isExact: whether two digits are `dd`; otherwise they are `d`, which also takes one digit.
  private static func pattern(_ tokens: [Token], _ order: Order, isExact: Bool) -> Pattern? {
    var pattern = Pattern()
    let hasMonthName = tokens.contains { if case .letters(let word) = $0 { month(word) != nil } else { false } }
    let hasHalf = tokens.contains { if case .letters(let word) = $0 { isHalf(word) } else { false } }
    var hasYear = false
    var hasMonth = hasMonthName
    var hasDayNumber = false
    // 0: no part of the clock yet, 1: the hour, 2: the minute, 3: the second.
    var clock = 0
    var isOffset = false
    for (place, token) in tokens.enumerated() {
      let next = place + 1 < tokens.count ? tokens[place + 1] : nil
      if isOffset { continue }
      switch token {
      case .digits(let digits):
        let isInClock = clock > 0 && clock < 3 && previousIsColon(tokens, place)
        if isInClock {
          guard digits.utf8.count == 2 else { return nil }
          pattern.text += clock == 1 ? "mm" : "ss"
          clock += 1
        } else if clock == 0, case .other(UInt8(ascii: ":"))? = next, digits.utf8.count <= 2 {
          let letter = hasHalf ? "h" : "H"
          pattern.text += isExact && digits.utf8.count == 2 ? letter + letter : letter
          clock = 1
        } else if digits.utf8.count == 4, !hasYear {
          guard isYear(digits) else { return nil }
          pattern.text += "yyyy"
          hasYear = true
        } else if let compact = compact(digits), !hasYear, !hasMonth, !hasDayNumber {
          pattern.text += compact
          (hasYear, hasMonth, hasDayNumber) = (true, true, true)
          if compact.hasSuffix("m") { clock = 2 }
          if compact.hasSuffix("s") { clock = 3 }
        } else if clock == 0, hasYear, hasDayNumber, isAfterT(tokens, place), [4, 6].contains(digits.utf8.count) {
          pattern.text += digits.utf8.count == 4 ? "HHmm" : "HHmmss"
          clock = digits.utf8.count / 2
        } else if digits.utf8.count <= 2 {
          // After the year, the month comes first everywhere.
          let isMonth = !hasMonth && (hasYear ? !hasDayNumber : order == .monthFirst || hasDayNumber)
          if isMonth {
            pattern.text += isExact && digits.utf8.count == 2 ? "MM" : "M"
            hasMonth = true
          } else {
            guard !hasDayNumber else { return nil }
            let isOrdinal = if case .letters(let word)? = next { isOrdinalEnding(word) } else { false }
            pattern.text += isOrdinal ? "do" : isExact && digits.utf8.count == 2 ? "dd" : "d"
            hasDayNumber = true
          }
        } else {
          return nil
        }
      case .letters(let word):
        if isOrdinalEnding(word), place > 0, case .digits = tokens[place - 1] { continue }
        if let month = month(word) {
          pattern.text += month
        } else if let weekday = weekday(word) {
          pattern.text += weekday
        } else if isHalf(word), clock > 0 {
          pattern.text += "a"
        } else if word == "Z", clock > 0, next == nil {
          pattern.text += "XXX"
        } else {
          pattern.text += "'\(word)'"
        }
      case .other(let byte):
        if clock >= 2, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"),
          let offset = offset(tokens[(place + 1)...])
        {
          pattern.text += offset
          isOffset = true
          continue
        }
        // A fraction of a second has no letter in patterns.
        if clock == 3, byte == UInt8(ascii: ".") { return nil }
        pattern.text += byte == UInt8(ascii: "'") ? "''" : String(UnicodeScalar(byte))
      }
    }
    pattern.hasDay = hasYear && hasMonth && hasDayNumber
    pattern.hasClock = clock >= 2
    let isWhole = pattern.hasDay && clock != 1 || !hasYear && !hasMonth && !hasDayNumber && clock >= 2
    return isWhole ? pattern : nil
  }

  private static func previousIsColon(_ tokens: [Token], _ place: Int) -> Bool {
    if place > 0, case .other(UInt8(ascii: ":")) = tokens[place - 1] { true } else { false }
  }

  private static func isAfterT(_ tokens: [Token], _ place: Int) -> Bool {
    if place > 0, case .letters("T") = tokens[place - 1] { true } else { false }
  }

  private static func isYear(_ digits: String) -> Bool { Int(digits).map { (1900...2199).contains($0) } ?? false }

  private static func compact(_ digits: String) -> String? {
    guard isYear(String(digits.prefix(4))) else { return nil }
    switch digits.utf8.count {
    case 8: return "yyyyMMdd"
    case 12: return "yyyyMMddHHmm"
    case 14: return "yyyyMMddHHmmss"
    default: return nil
    }
  }

  /// The letters for what is left of a text, if it is an offset: `01:00` or `0100`.
  private static func offset(_ tokens: ArraySlice<Token>) -> String? {
    let tokens = Array(tokens)
    if tokens.count == 1, case .digits(let digits) = tokens[0], digits.utf8.count == 4 { return "Z" }
    if tokens.count == 3, case .digits(let hour) = tokens[0], case .other(UInt8(ascii: ":")) = tokens[1],
      case .digits(let minute) = tokens[2], hour.utf8.count == 2, minute.utf8.count == 2
    {
      return "XXX"
    }
    return nil
  }

  // MARK: Words

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  private static func month(_ word: String) -> String? {
    let word = word.lowercased()
    if word.utf8.count > 3, months.contains(word) { return "MMMM" }
    return months.contains { $0.prefix(3) == word } ? "MMM" : nil
  }

  private static func weekday(_ word: String) -> String? {
    let word = word.lowercased()
    if weekdays.contains(word) { return "EEEE" }
    return weekdays.contains { $0.prefix(3) == word } ? "EEE" : nil
  }

  private static func isHalf(_ word: String) -> Bool { ["am", "pm"].contains(word.lowercased()) }

  private static func isOrdinalEnding(_ word: String) -> Bool { ["st", "nd", "rd", "th"].contains(word.lowercased()) }
}

/// Converts weekdays as files write them to those of RFC 5545 rules.
enum WeekdayWords {
  static func rule(of word: String) -> String? {
    let word = word.lowercased()
    let german = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
    if let place = german.firstIndex(of: word) { return ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][place] }
    for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    where [day, String(day.prefix(3)), String(day.prefix(2))].contains(word) {
      return day.prefix(2).uppercased()
    }
    return nil
  }
}
