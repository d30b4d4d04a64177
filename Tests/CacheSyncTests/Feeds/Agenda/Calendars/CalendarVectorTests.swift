import CacheSync
import Foundation
import Testing

/// Occurrences computed by another program. `calendar_vectors.py`, in this directory, says which and how to run it
/// again.
@Suite("Calendars: occurrences of another program")
struct CalendarVectorTests {
  static let cases: [JSONValue] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "calendar_vectors.json")
    guard let data = try? Data(contentsOf: file), let all = data.withUnsafeBytes({ JSONValue.parse($0) }) else {
      return []
    }
    return all["cases"]?.array ?? []
  }()

  @Test("occurrences are the same in twenty zones around their changes of clocks")
  func all() throws {
    try #require(Self.cases.count >= 400)
    for number in Self.cases.indices {
      let parts = try #require(Self.cases[number].array)
      let zone = try #require(parts[0].string)
      let window = try Self.moment(parts[1])..<Self.moment(parts[2])
      let events = try #require(parts[3].array).compactMap(\.string)
      let file = try Calendars.read(
        "BEGIN:VCALENDAR\n" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n")
      try #require(file.problems.isEmpty, "case \(number): \(Calendars.problems(file))")
      let found = Self.sorted(try Self.occurrences(file, window, zone))
      let expected = Self.sorted(try #require(parts[4].array).compactMap(\.string))
      let isSame = zip(found, expected).allSatisfy { $0 == $1 || Self.withoutLength($0) == $1 }
      #expect(
        found.count == expected.count && isSame,
        "case \(number): \(zone)\n\(events.joined(separator: "\n"))\nhere \(found)\nthere \(expected)")
    }
  }

  @Test("A calendar that is exported and read back gives the same, also by the zones that it defines")
  func exported() throws {
    var seriesCount = 0
    var otherLengths: [Int] = []
    for number in Self.cases.indices {
      let parts = try #require(Self.cases[number].array)
      let zone = try #require(parts[0].string)
      let window = try Self.moment(parts[1])..<Self.moment(parts[2])
      let events = try #require(parts[3].array).compactMap(\.string)
      let text = Calendars.text(events)
      let exported = try Calendars.exported(["events/a.ics": text], at: window.lowerBound.description, in: zone)
      seriesCount += exported.contains("\r\nUID:a\r\n") ? 1 : 0
      // With a name that the system does not know, the VTIMEZONE counts.
      let there = try Calendars.read(exported.replacing(zone, with: "Somewhere"))
      #expect(there.problems.isEmpty, "\(Calendars.problems(there))")
      let found = Self.sorted(try Self.occurrences(there, window, zone))
      let expected = Self.sorted(try Self.occurrences(try Calendars.read(text), window, zone))
      if found != expected, found.map(Self.withoutLength) == expected.map(Self.withoutLength) {
        otherLengths.append(number)
        continue
      }
      #expect(found == expected, "case \(number): \(zone)\n\(events.joined(separator: "\n"))\n\(exported)")
    }
    // A further date at a time that the zone skips goes out in UTC, and its length counts from that moment.
    #expect(otherLengths.count <= 1, "cases \(otherLengths)")
    // The others have no event in the days that are exported.
    #expect(seriesCount > 300)
  }

  /// The events that start in the window, in the format of the vectors.
  private static func occurrences(_ file: CalendarFile, _ window: Range<Instant>, _ zone: String) throws -> [String] {
    let calendar = try Calendars.calendar(zone)
    let events = file.series.flatMap { $0.occurrences(overlappingOrStartingIn: window, calendar: calendar).events }
    return events.filter { window.contains($0.start) }.map { event in
      let start = (event.start.seconds - window.lowerBound.seconds) / 60
      return "\(start)+\((event.end.seconds - event.start.seconds) / 60) \(event.title)"
    }
  }

  /// Puts both in the same order: by start and title, then length.
  private static func sorted(_ occurrences: [String]) -> [String] {
    occurrences.sorted { (withoutLength($0), $0) < (withoutLength($1), $1) }
  }

  private static func withoutLength(_ text: String) -> String {
    text.split(separator: " ").map { $0.prefix { $0 != "+" } }.joined(separator: " ")
  }

  /// `20261123T080000Z`
  private static func moment(_ value: JSONValue) throws -> Instant {
    let text = Array(try #require(value.string))
    return try #require(
      Instant(
        "\(String(text[0..<4]))-\(String(text[4..<6]))-\(String(text[6..<11])):\(String(text[11..<13])):\(String(text[13...]))"
      ))
  }
}
