import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

/// SplitMix64: the same bytes on every machine.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite("Calendars: hostile input")
struct CalendarHostileTests {
  private static let sample = Calendars.text(
    "UID:a\nDTSTART;TZID=\"Own, zone\":20261123T080000\nDTEND;TZID=Europe/Berlin:20261123T090000\nSEQUENCE:1\n"
      + "DTSTAMP:20260101T000000Z\nRRULE:FREQ=DAILY;INTERVAL=2;COUNT=20;BYDAY=MO,TU,WE\nEXDATE:20261125T070000Z,20261126\n"
      + "RDATE;VALUE=PERIOD:20261120T070000Z/PT3H,20261122T070000Z/20261122T120000Z\nSUMMARY:a\\, b\\n č\nLOCATION:x",
    "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261201T070000Z\nDTSTART:20261202T070000Z\nDURATION:P1DT2H",
    "UID:b\nDTSTART;VALUE=DATE:20261123\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20271231T000000Z\nSTATUS:CONFIRMED",
    "DTSTART:20261123T080000\nRRULE:FREQ=HOURLY",
    head: "X-WR-TIMEZONE:America/New_York\nBEGIN:VTIMEZONE\nTZID:Own\\, zone\nBEGIN:STANDARD\nDTSTART:19701025T030000\n"
      + "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\nEND:VTIMEZONE")

  /// Reads the bytes and queries the events at several times and in two zones.
  private static func look(_ bytes: [UInt8]) throws {
    guard let file = try? Calendars.read(bytes: bytes) else { return }
    let windows = [("2026-11-20", "2026-12-20"), ("0001-01-01", "0001-02-01"), ("9999-12-01", "9999-12-31")]
    for (zone, (from, to)) in zip(["Europe/Berlin", "Pacific/Apia", "UTC"], windows) {
      let calendar = try Calendars.calendar(zone)
      let first = calendar.start(of: try #require(LocalDay(from)))
      let last = calendar.start(of: try #require(LocalDay(to)))
      for series in file.series {
        let found = series.occurrences(overlappingOrStartingIn: first..<last, calendar: calendar)
        #expect(found.events.count <= 500)
        for event in found.events {
          #expect(event.start <= event.end && event.start < last)
          #expect(event.end > first || event.start >= first)
        }
      }
    }
  }

  @Test("changed, cut, duplicated and moved bytes never trap", arguments: [UInt64(1), 2])
  func bytes(seed: UInt64) throws {
    var numbers = Numbers(state: seed)
    let sample = Array(Self.sample.utf8)
    let alphabet = Array("0123456789:;=,\"\\/-+TZtz\r\n ABEGINUIDx\u{0}\u{FF}é".utf8)
    for _ in 0..<80 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        let length = min(Int.random(in: 1...20, using: &numbers), bytes.count - place)
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: bytes[place] = alphabet.randomElement(using: &numbers) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &numbers) ?? 0, at: place)
        case 2 where bytes.count > length: bytes.removeSubrange(place..<(place + length))
        case 3: bytes.insert(contentsOf: Array(bytes[place..<(place + length)]), at: place)
        default: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        }
      }
      try Self.look(bytes)
    }
  }

  @Test("replaced digits never trap")
  func digits() throws {
    var numbers = Numbers(state: 5)
    for _ in 0..<80 {
      let share = Int.random(in: 2...40, using: &numbers)
      try Self.look(
        Self.sample.utf8.map { byte in
          guard (0x30...0x39).contains(byte), Int.random(in: 0..<share, using: &numbers) == 0 else { return byte }
          return UInt8.random(in: 0x30...0x39, using: &numbers)
        })
    }
  }

  @Test(
    "numbers at the limits of the format never trap",
    arguments: [
      "DTSTART:00010101T000000\nDURATION:P3660000D", "DTSTART:99991231T235959\nDURATION:P3660000D\nRRULE:FREQ=DAILY",
      "DTSTART:00010101\nDTEND:99991231\nRRULE:FREQ=DAILY", "DTSTART:99991231\nRRULE:FREQ=DAILY\nRDATE:00010101",
      "DTSTART:00010101T000000Z\nRRULE:FREQ=SECONDLY;INTERVAL=999999999999999999",
      "DTSTART:20261123\nDURATION:PT99999999999999999999S",
      "DTSTART:20261123T000000Z\nDURATION:PT87840000H\nRRULE:FREQ=YEARLY",
      "DTSTART:20261123\nSEQUENCE:9223372036854775807", "DTSTART:20261123\nSEQUENCE:99999999999999999999",
      "DTSTART:20261123T000000Z\nRRULE:FREQ=DAILY;UNTIL=00010101T000000Z",
      "DTSTART:20261123T000000Z\nRRULE:FREQ=DAILY\nEXDATE:00010101T000000,99991231T235959Z",
    ])
  func extremes(lines: String) throws {
    try Self.look(Array(Calendars.text("UID:a\n" + lines, head: "X-WR-TIMEZONE:Pacific/Kiritimati").utf8))
    let far = "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:00010101\nDTSTART:99991231"
    let back = "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:99991231T235959Z\nDTSTART:00010101T000000"
    try Self.look(Array(Calendars.text("UID:a\n" + lines, far, back).utf8))
  }

  @Test("a zone that changes every second is invalid, and so is an event in it")
  func zone() throws {
    let head =
      "BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:20260101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\n"
      + "RRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE"
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART;TZID=X:20261123T080000", head: head))
    #expect(file.problems.map(\.pointer) == ["/VEVENT/0/DTSTART"])
  }

  @Test("a series with thousands of overrides, exclusions and extra dates gives the occurrences of the window")
  func many() throws {
    // 5,000 overrides, 5,000 excluded days and 5,000 extra dates of one series.
    func digits(_ day: Int) -> String {
      LocalDay(ordinal: 20_000 + day).description.replacing("-", with: "")
    }
    let days = (0..<5_000).map(digits)
    let series =
      "UID:a\nDTSTART:20200101T080000Z\nRRULE:FREQ=DAILY\nEXDATE:\(days.joined(separator: ","))\n"
      + "RDATE:\(days.map { $0 + "T090000Z" }.joined(separator: ","))"
    let overrides = days.map { "UID:a\nRECURRENCE-ID:\($0)T080000Z\nDTSTART:\($0)T100000Z" }
    let all = ([series] + overrides).reduce("") { $0 + "BEGIN:VEVENT\n" + $1 + "\nEND:VEVENT\n" }
    let file = try Calendars.read("BEGIN:VCALENDAR\n" + all + "END:VCALENDAR")
    #expect(try Calendars.events(file, from: "2026-11-20", to: "2026-11-27").count == 7)
  }

  // MARK: Bounded work

  /// A file of about this many bytes: lines that repeat between a beginning and an end.
  private static func file(_ head: String, _ line: (Int) -> String, _ tail: String, bytes: Int) -> String {
    var text = "BEGIN:VCALENDAR\n" + head
    var number = 0
    while text.utf8.count < bytes {
      text += line(number)
      number += 1
    }
    return text + tail + "END:VCALENDAR\n"
  }

  private static let zoneHead =
    "BEGIN:VTIMEZONE\nTZID:Home\nBEGIN:STANDARD\nDTSTART:00010101T000000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n"
  private static let zoneTail =
    "END:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Home:20261124T080000\nEND:VEVENT\n"
  private static func zone(_ number: Int, _ rule: String) -> String {
    zoneHead.replacing("Home", with: "Z\(number)") + "RRULE:\(rule)\n"
      + zoneTail.replacing("Home", with: "Z\(number)").replacing("UID:a", with: "UID:\(number)")
  }
  private static let eventHead = "BEGIN:VEVENT\nUID:a\nDTSTART:20261124T080000\n"

  private static func event(_ uid: String, _ lines: String) -> String {
    "BEGIN:VEVENT\nUID:\(uid)\nDTSTART:20200101T080000Z\n\(lines)\nEND:VEVENT\n"
  }

  enum Shape: String, CaseIterable, Sendable {
    case rulesOfZone, zonesBySecond, zonesOfManyDays, zonesOfManyChanges, calendarsWithZones, rulesOfEvent,
      countedRules, eventsBySecond
    case overridesOfAllLater, hourlyEvents
  }

  private static func text(_ shape: Shape, bytes: Int) -> String {
    let never = "BYMONTH=2;BYMONTHDAY=30"
    switch shape {
    case .rulesOfZone: return file(zoneHead, { _ in "RRULE:FREQ=DAILY;\(never)\n" }, zoneTail, bytes: bytes)
    case .zonesBySecond: return file("", { zone($0, "FREQ=SECONDLY;\(never)") }, "", bytes: bytes)
    case .zonesOfManyDays: return file("", { zone($0, "FREQ=YEARLY;BYMONTH=1,2,3;BYDAY=5SU") }, "", bytes: bytes)
    case .zonesOfManyChanges: return file("", { zone($0, "FREQ=DAILY;BYDAY=MO") }, "", bytes: bytes)
    case .calendarsWithZones:
      let end = "END:VCALENDAR\nBEGIN:VCALENDAR\n"
      return file("", { _ in zone(0, "FREQ=DAILY;\(never)") + end }, "", bytes: bytes)
    case .rulesOfEvent:
      let lines = String(repeating: "RRULE:FREQ=DAILY;COUNT=40000;BYDAY=MO\n", count: bytes / 38)
      return file("", { event("\($0)", lines) }, "", bytes: bytes)
    case .countedRules:
      let lines = String(repeating: "RRULE:FREQ=DAILY;COUNT=40000;\(never)\n", count: 8)
      return file("", { event("\($0)", lines) }, "", bytes: bytes)
    case .eventsBySecond:
      return file("", { event("\($0)", "RRULE:FREQ=SECONDLY;\(never);UNTIL=99991231T000000Z") }, "", bytes: bytes)
    case .overridesOfAllLater:
      let line: (Int) -> String = { number in
        let day = LocalDay(ordinal: 20_000 + number).description.replacing("-", with: "")
        return event("a", "RECURRENCE-ID;RANGE=THISANDFUTURE:\(day)T080000Z")
      }
      return file(event("a", "RRULE:FREQ=DAILY\nRRULE:FREQ=HOURLY"), line, "", bytes: bytes)
    case .hourlyEvents: return file("", { event("\($0)", "RRULE:FREQ=HOURLY") }, "", bytes: bytes)
    }
  }

  @Test("the work to read a file and to query a week is bounded, whatever the file contains", arguments: Shape.allCases)
  func work(shape: Shape) throws {
    var limits = CalendarLimits()
    limits.steps = 20_000
    (limits.stepsOfZones, limits.stepsToCount, limits.stepsOfFile) = (60_000, 40_000, 20_000)
    let calendar = try Calendars.calendar()
    let file = try Calendars.read(Self.text(shape, bytes: 16_384), limits: limits)
    #expect(file.steps <= limits.stepsOfZones + limits.stepsToCount)
    let events = CalendarEvents(limits: limits)
    events.put(file, from: CachePath("events/a.ics"))
    let day = try #require(LocalDay("2026-11-24"))
    _ = events.overlapping(calendar.interval(of: day), calendar)
    // The last rule and its occurrences may exceed the bound.
    #expect(events.steps <= limits.stepsOfFile + 2 * limits.steps + limits.stepsOfOccurrence * limits.occurrences)
  }

  @Test("zones whose rules take too long are reported, and those before them count")
  func zonesThatTakeLong() throws {
    #expect(
      try Calendars.read(Self.text(.rulesOfZone, bytes: 8_192)).problems.map(\.message) == [
        "the file's time zone \"Home\" cannot be used: too many rules: write at most 8 for one offset (line 16)"
          + ": this event is left out"
      ])
    var limits = CalendarLimits()
    limits.stepsOfZones = 200_000
    let good = (0..<9).map { Self.zone($0, "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=22000101T000000Z") }.joined()
    let file = try Calendars.read("BEGIN:VCALENDAR\n" + good + "END:VCALENDAR", limits: limits)
    // A rule takes 31 steps for the days of each October, and one for its occurrence: 70,400 in 2,200 years.
    #expect(file.series.map(\.id) == ["0", "1"])
    #expect(file.problems.count == 7 && file.problems[0].message.contains("its rules take too long"))
  }

  @Test("zones with too many changes cost only the steps that were followed")
  func zonesOfManyChanges() throws {
    var limits = CalendarLimits()
    limits.stepsOfZones = 50_000
    let messages = try Calendars.read(Self.text(.zonesOfManyChanges, bytes: 8_192), limits: limits).problems.map(
      \.message)
    #expect(messages[0].contains("more than 4000 changes"))
    #expect(messages.last?.contains("its rules take too long") == true, "\(messages)")
  }

  @Test("an event with too many rules is left out")
  func tooManyRules() throws {
    let rules = String(repeating: "RRULE:FREQ=DAILY;COUNT=2\n", count: 8)
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20261123\n" + rules, "UID:b\nDTSTART:20261123\n" + rules + "RRULE:FREQ=DAILY"))
    #expect(try Calendars.ids(file) == ["a#20261123", "a#20261124"])
    #expect(
      Calendars.problems(file) == [
        "26: more than 8 rules in one event: write one, and other dates as RDATE: this event is left out [/VEVENT/1/RRULE]"
      ])
  }
}
