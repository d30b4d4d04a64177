/// POSIX rule strings for zones without a name by which readers could find them.
enum ZoneRuleText {
  /// The string with a file's rules from a moment on; nil if the file has no rule that is right by then.
  static func lasting(_ file: TZifFile, from now: Instant) -> String? {
    let table = OffsetTable(file)
    guard let text = file.footer else {
      return table.nextChange(after: now.seconds) == nil ? constant(table.offset(at: now.seconds)) : nil
    }
    guard let rule = PosixZone(text) else { return nil }
    let rules = OffsetTable(rule: rule)
    var second = now.seconds
    // After its last change the file has the same rules as its footer.
    while let last = file.times.last, second <= last {
      guard table.offset(at: second) == rules.offset(at: second) else { return nil }
      let changes = [table, rules].compactMap { $0.nextChange(after: second) }
      guard let next = changes.min() else { break }
      second = next
    }
    return rules.times.isEmpty ? constant(rules.offsets[0]) : text
  }

  /// The name of an offset without changes: `UTC`, `GMT+03:37`, or a string if it has seconds.
  static func constant(_ offset: Int) -> String {
    TimeZoneDatabase.fixedName(offset: offset) ?? name(offset) + west(offset)
  }

  /// A string that is right from a moment for most of a year, for a zone whose changes follow no known rule.
  ///
  /// It repeats the next two changes in every year, or the next one, and the day before the moment as its end. The
  /// caller gets a new string before a year is over.
  static func passing(_ table: OffsetTable, from now: Instant) -> String {
    let now = now.seconds
    let offset = table.offset(at: now)
    let standard = name(offset) + west(offset)
    let year: Int64 = 365 * 86_400
    guard let first = table.nextChange(after: now), first < now + year - 30 * 86_400 else { return standard }
    let other = table.offset(at: first)
    var end = now - 86_400
    if let second = table.nextChange(after: first), second < now + year, table.offset(at: second) == offset {
      end = second
    }
    return standard + name(other) + west(other) + "," + change(first + Int64(offset)) + "," + change(end + Int64(other))
  }

  /// `<+0100>`.
  private static func name(_ offset: Int) -> String {
    let minutes = abs(offset) / 60
    var bytes = Array((offset < 0 ? "<-" : "<+").utf8)
    ASCIIDigits.append(minutes / 60, count: 2, to: &bytes)
    ASCIIDigits.append(minutes % 60, count: 2, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + ">"
  }

  /// POSIX counts west as positive.
  private static func west(_ offset: Int) -> String { (offset > 0 ? "-" : "") + time(abs(offset)) }

  /// `Jn/time` of a second of the wall clock. 29 February has no such number; it is written as 28 February plus 24
  /// hours.
  private static func change(_ wall: Int64) -> String {
    let day = Int(Gregorian.floorDivide(wall, Gregorian.secondsPerDay))
    let seconds = Int(Gregorian.floorRemainder(wall, Gregorian.secondsPerDay))
    let date = Gregorian.date(ordinal: day)
    let isLeapDay = date.month == 2 && date.day == 29
    let common = Gregorian.ordinal(year: 2001, month: date.month, day: isLeapDay ? 28 : date.day)
    let number = common - Gregorian.ordinal(year: 2001, month: 1, day: 1) + 1
    return "J\(number)/" + time(seconds + (isLeapDay ? 86_400 : 0))
  }

  /// `h`, `h:mm` or `h:mm:ss`.
  private static func time(_ seconds: Int) -> String {
    var bytes = Array("\(seconds / 3_600)".utf8)
    for part in [seconds % 3_600 / 60, seconds % 60].prefix(seconds % 60 > 0 ? 2 : seconds % 3_600 > 0 ? 1 : 0) {
      bytes.append(UInt8(ascii: ":"))
      ASCIIDigits.append(part, count: 2, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
