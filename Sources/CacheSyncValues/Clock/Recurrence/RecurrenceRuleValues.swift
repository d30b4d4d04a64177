import CacheSyncSystem

/// The values of a rule's parts.
extension RecurrenceRuleReader {
  /// The pieces between separators, including empty ones, without the blanks around them.
  static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [Piece] {
    bytes.split(separator: separator, omittingEmptySubsequences: false).map { trimmed($0) }
  }

  /// The bytes without blanks and line ends around them.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> Piece {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return Piece(offset: start, bytes: bytes[start..<max(start, end)])
  }

  /// The items of a list.
  static func items(_ value: Piece) -> [Piece] { split(value.bytes, at: UInt8(ascii: ",")) }

  static func isLetter(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } ?? false
  }

  static func frequency(_ value: Piece) throws(Defect) -> RecurrenceRule.Frequency {
    let word = value.word
    guard let frequency = RecurrenceRule.Frequency.allCases.first(where: { $0.word == word }) else {
      let advice = NearestName.advice(for: word, among: RecurrenceRule.Frequency.allCases.map(\.word))
      throw Defect(offset: value.offset, message: "no frequency \(value.quoted); \(advice)")
    }
    return frequency
  }

  /// INTERVAL and COUNT: 1 or more, of any length.
  static func wholeNumber(_ value: Piece, _ part: Part) throws(Defect) -> Int {
    guard let number = digits(value.bytes), number >= 1 else {
      throw Defect(offset: value.offset, message: "\(part) is \(value.quoted); write a whole number from 1 on")
    }
    return number
  }

  static func numbers(_ value: Piece, _ part: Part, _ range: ClosedRange<Int>) throws(Defect) -> [Int] {
    var numbers: [Int] = []
    for item in items(value) {
      guard let number = digits(item.bytes), range.contains(number) else {
        let right = "write numbers from \(range.lowerBound) to \(range.upperBound)"
        throw Defect(offset: item.offset, message: "\(part) has \(item.quoted); \(right)")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Ascending, each once.
  static func signedNumbers(_ value: Piece, _ part: Part, upTo greatest: Int) throws(Defect) -> [Int] {
    var numbers: Set<Int> = []
    for item in items(value) {
      guard let number = signedNumber(item.bytes), (1...greatest).contains(abs(number)) else {
        let right = "write numbers from 1 to \(greatest), or from -\(greatest) to -1 to count from the end"
        throw Defect(offset: item.offset, message: "\(part) has \(item.quoted); \(right)")
      }
      numbers.insert(number)
    }
    return numbers.sorted()
  }

  /// "MO", "2MO", "+2MO", "-1MO".
  static func readWeekdays(_ value: Piece, into rule: inout RecurrenceRule) throws(Defect) {
    for item in items(value) {
      let name = trimmed(item.bytes.suffix(2))
      let weekday = try weekday(name, of: item)
      let prefix = item.bytes.dropLast(2)
      guard !prefix.isEmpty else {
        rule.weekdays.insert(weekday.rawValue)
        continue
      }
      guard let ordinal = signedNumber(prefix), (1...53).contains(abs(ordinal)) else {
        let right = "write a number from 1 to 53, or from -53 to -1, before a weekday, as 1MO or -1FR"
        throw Defect(offset: item.offset, message: "BYDAY has \(item.quoted); \(right)")
      }
      if rule.weekdayOrdinals.isEmpty { rule.weekdayOrdinals = Array(repeating: SignedNumberSet(), count: 7) }
      rule.weekdayOrdinals[weekday.rawValue].insert(ordinal)
    }
  }

  /// By ``Weekday/rawValue``.
  private static let weekdayWords = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  static func weekday(_ name: Piece, of item: Piece) throws(Defect) -> Weekday {
    let word = name.word
    guard let weekday = weekdayWords.firstIndex(of: word).flatMap(Weekday.init(rawValue:)) else {
      let right = "use MO, TU, WE, TH, FR, SA or SU"
      throw Defect(offset: item.offset, message: "no weekday \(item.quoted); \(right)")
    }
    return weekday
  }

  static func skip(_ value: Piece) throws(Defect) -> RecurrenceRule.Skip {
    guard let skip = RecurrenceRule.Skip(rawValue: value.word) else {
      throw Defect(offset: value.offset, message: "SKIP is \(value.quoted); write OMIT, BACKWARD or FORWARD")
    }
    return skip
  }

  /// "20261231", "20261231T235959", or either with a "Z" after the time.
  static func until(_ value: Piece) throws(Defect) -> RecurrenceRule.End {
    var bytes = value.bytes
    let isUTC = bytes.last.map { $0 | 0x20 == UInt8(ascii: "z") } ?? false
    if isUTC { bytes.removeLast() }
    if !isUTC, let day = day(bytes) { return .untilDay(day) }
    guard let wall = wallTime(bytes) else {
      let right = "write a day as 20261231, a local time as 20261231T180000, or UTC as 20261231T170000Z"
      throw Defect(offset: value.offset, message: "UNTIL is \(value.quoted); \(right)")
    }
    guard isUTC else { return .untilWall(wall) }
    let second = Int64(wall.day.ordinal) * Gregorian.secondsPerDay + Int64(wall.secondOfDay)
    return .untilInstant(Instant(seconds: second))
  }

  private static func day(_ bytes: ArraySlice<UInt8>) -> LocalDay? {
    guard bytes.count == 8, let number = digits(bytes) else { return nil }
    return LocalDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  private static func wallTime(_ bytes: ArraySlice<UInt8>) -> WallTime? {
    guard bytes.count == 15, bytes[bytes.startIndex + 8] | 0x20 == UInt8(ascii: "t"),
      let day = day(bytes.prefix(8)), let time = digits(bytes.suffix(6))
    else { return nil }
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour <= 23, minute <= 59, second <= 60 else { return nil }
    return WallTime(day, secondOfDay: hour * 3_600 + minute * 60 + min(second, 59))
  }

  /// Digits alone; a number above ``RecurrenceRule/greatestNumber`` counts as that.
  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var number = 0
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = min(number * 10 + Int(digit), RecurrenceRule.greatestNumber)
    }
    return number
  }

  private static func signedNumber(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch bytes.first {
    case UInt8(ascii: "+"): digits(bytes.dropFirst())
    case UInt8(ascii: "-"): digits(bytes.dropFirst()).map { -$0 }
    default: digits(bytes)
    }
  }
}
