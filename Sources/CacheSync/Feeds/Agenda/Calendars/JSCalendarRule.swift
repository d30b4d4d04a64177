/// A recurrence rule as JSCalendar writes it (RFC 8984, 4.3.3): the parts of an RRULE as members of an object.
enum JSCalendarRule {
  private enum Key: String, JSONKey {
    case frequency, interval, count, until, firstDayOfWeek, byDay, byMonthDay, byMonth, byYearDay, byWeekNo, byHour
    case byMinute, bySecond, bySetPosition, rscale, skip
    static let table = JSONKeyTable<Key>()
  }

  private enum DayKey: String, JSONKey {
    case day, nthOfPeriod
    static let table = JSONKeyTable<DayKey>()
  }

  /// Reads a rule: as the RRULE of the same meaning, whose reader says what is wrong with it.
  static func decode(_ json: inout JSONReader) -> RecurrenceRule? {
    let offset = json.valueOffset
    var parts: [String] = []
    let isObject = json.object(Key.self, required: [.frequency]) { json, key in
      switch key {
      case .frequency: append("FREQ", json.string(), to: &parts)
      case .interval: append("INTERVAL", json.integer().map(String.init), to: &parts)
      case .count: append("COUNT", json.integer().map(String.init), to: &parts)
      case .until:
        append("UNTIL", json.localTime().map { CalendarText.digits($0) }, to: &parts)
      case .firstDayOfWeek: append("WKST", json.string(), to: &parts)
      case .byDay: append("BYDAY", list(json.list(day)), to: &parts)
      case .byMonthDay: append("BYMONTHDAY", numbers(&json), to: &parts)
      case .byMonth: append("BYMONTH", list(json.list { $0.string() }), to: &parts)
      case .byYearDay: append("BYYEARDAY", numbers(&json), to: &parts)
      case .byWeekNo: append("BYWEEKNO", numbers(&json), to: &parts)
      case .byHour: append("BYHOUR", numbers(&json), to: &parts)
      case .byMinute: append("BYMINUTE", numbers(&json), to: &parts)
      case .bySecond: append("BYSECOND", numbers(&json), to: &parts)
      case .bySetPosition: append("BYSETPOS", numbers(&json), to: &parts)
      case .rscale: append("RSCALE", json.string(), to: &parts)
      case .skip: append("SKIP", json.string(), to: &parts)
      }
    }
    guard isObject else { return nil }
    do {
      return try RecurrenceRule(parts.joined(separator: ";"))
    } catch {
      json.fail(error.message, at: offset)
      return nil
    }
  }

  private static func append(_ name: String, _ value: String?, to parts: inout [String]) {
    // A ";" would begin a part of its own.
    if let value { parts.append("\(name)=\(value.replacing(";", with: ","))") }
  }

  private static func list(_ values: [String]) -> String { values.joined(separator: ",") }

  private static func numbers(_ json: inout JSONReader) -> String {
    list(json.list { $0.integer().map(String.init) })
  }

  private static func day(_ json: inout JSONReader) -> String? {
    var day = ""
    var number: Int?
    let isObject = json.object(DayKey.self, required: [.day]) { json, key in
      switch key {
      case .day: day = json.string() ?? ""
      case .nthOfPeriod: number = json.integer()
      }
    }
    return isObject ? (number.map(String.init) ?? "") + day : nil
  }
}

extension JSONReader {
  /// A local date and time of JSCalendar, `2026-11-23T08:00:00`, without zone.
  mutating func localTime() -> WallTime? {
    stringBytes("a local date and time such as 2026-11-23T08:00:00") { CalendarText.localTime($0) }
  }
}

extension CalendarText {
  /// `2026-11-23T08:00:00`; a fraction of a second is not kept.
  static func localTime(_ text: UnsafeBufferPointer<UInt8>) -> WallTime? {
    guard text.count >= 19, let day = LocalDay(isoPrefix: text), text[10] == UInt8(ascii: "T"),
      let hour = ASCIIDigits.number(text, at: 11, count: 2), hour <= 23, text[13] == UInt8(ascii: ":"),
      let minute = ASCIIDigits.number(text, at: 14, count: 2), minute <= 59, text[16] == UInt8(ascii: ":"),
      let second = ASCIIDigits.number(text, at: 17, count: 2), second <= 59
    else { return nil }
    let rest = text[19...]
    guard rest.isEmpty || (rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy { $0 &- 0x30 <= 9 }) else {
      return nil
    }
    return WallTime(day, secondOfDay: hour * 3_600 + minute * 60 + second)
  }

  /// `20261123T080000`
  static func digits(_ wall: WallTime) -> String {
    var bytes: [UInt8] = []
    ASCIIDigits.append(wall.day.year, count: 4, to: &bytes)
    ASCIIDigits.append(wall.day.month, count: 2, to: &bytes)
    ASCIIDigits.append(wall.day.day, count: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    ASCIIDigits.append(wall.secondOfDay / 3_600, count: 2, to: &bytes)
    ASCIIDigits.append(wall.secondOfDay / 60 % 60, count: 2, to: &bytes)
    ASCIIDigits.append(wall.secondOfDay % 60, count: 2, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
