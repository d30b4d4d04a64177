extension PosixZone {
  /// Reads a whole TZ string; nil if it is malformed, or if it names a daylight time without its dates.
  init?(_ text: String) {
    guard let zone = text.withUTF8Bytes(PosixZone.parse) else { return nil }
    self = zone
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> PosixZone? {
    var text = PosixText(bytes: bytes)
    guard text.skipName(), let west = text.time(hours: 0...24) else { return nil }
    var zone = PosixZone(standardOffset: -west, daylight: nil)
    if text.isAtEnd { return zone }

    guard text.skipName() else { return nil }
    var offset = zone.standardOffset + 3_600
    if !text.isAtEnd, !text.next(is: ",") {
      guard let west = text.time(hours: 0...24) else { return nil }
      offset = -west
    }
    guard text.skip(","), let start = text.change(), text.skip(","), let end = text.change(), text.isAtEnd else {
      return nil
    }
    zone.daylight = Daylight(offset: offset, start: start, end: end)
    return zone
  }
}

/// A place in a TZ string, and its grammar. After nil or false from `number`, `time` or `change` the place is
/// undefined.
private struct PosixText {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  func next(is character: Unicode.Scalar) -> Bool {
    index < bytes.count && UInt32(bytes[index]) == character.value
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next(is: character) else { return false }
    index += 1
    return true
  }

  /// Three or more letters, or three or more letters, digits and signs between `<` and `>`.
  mutating func skipName() -> Bool {
    let isQuoted = skip("<")
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): index += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isQuoted: index += 1
      case UInt8(ascii: "+") where isQuoted, UInt8(ascii: "-") where isQuoted: index += 1
      default: return index - start >= 3 && (!isQuoted || skip(">"))
      }
    }
    return index - start >= 3 && !isQuoted
  }

  /// One to three digits within a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let start = index
    while index < bytes.count, index < start + 3, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > start, let number = ASCIIDigits.number(bytes, at: start, count: index - start),
      range.contains(number)
    else { return nil }
    return number
  }

  /// `[+-]hh[:mm[:ss]]` as seconds.
  mutating func time(hours range: ClosedRange<Int>) -> Int? {
    var sign = 1
    if skip("-") { sign = -1 } else { _ = skip("+") }
    guard let hours = number(range) else { return nil }
    var seconds = hours * 3_600
    if skip(":") {
      guard let minutes = number(0...59) else { return nil }
      seconds += minutes * 60
      if skip(":") {
        guard let rest = number(0...59) else { return nil }
        seconds += rest
      }
    }
    return sign * seconds
  }

  /// A date and, after a slash, a time; without it 02:00.
  mutating func change() -> PosixZone.Change? {
    guard let date = date() else { return nil }
    guard skip("/") else { return PosixZone.Change(date: date, time: 7_200) }
    guard let time = time(hours: 0...167) else { return nil }
    return PosixZone.Change(date: date, time: time)
  }

  private mutating func date() -> PosixZone.DateRule? {
    if skip("J") { return number(1...365).map { .julianWithoutLeapDay($0) } }
    guard skip("M") else { return number(0...365).map { .dayOfYear($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let weekday = number(0...6)
    else { return nil }
    return .weekdayOfMonth(month: month, week: week, weekday: weekday)
  }
}
