import Foundation
import Testing

@testable import CacheSyncValues

/// Compares every zone of the system with Python's zoneinfo, which reads the same TZif files in another way:
/// `local_days.py` asks for offsets minute by minute, without tables, footers or cycles.
@Suite struct LocalDaysTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
  private static let firstDay = LocalDay(ordinal: 10_957)  // 2000-01-01
  private static let dayCount = 13_880  // 2000...2037: 38 years, ten of them leap years

  @Test(
    "The local days of 2000 to 2037 in every zone start where Python's zoneinfo says",
    .enabled(if: python != nil, "python3 is not installed"),
    .enabled(if: hasZones, "the system has no zone files"))
  func everyZone() throws {
    let database = TimeZoneDatabase()
    let lines = try Self.pythonOutput().split(separator: "\n")
    #expect(lines.count > 400)
    let moments = Self.moments()
    var checked: [Substring: TimeZoneRules] = [:]
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 5)
      let rules = try database.rules(named: String(fields[0]))
      // Links are other names of zones: they have the same table and the same results from Python.
      let expectation = line[fields[1].startIndex...]
      if let twin = checked[expectation], twin.table == rules.table { continue }
      checked[expectation] = rules
      if let difference = Self.firstDifference(rules, fields, phase: checked.count) {
        Issue.record("\(fields[0]): \(difference)")
      }
      let offsets = moments.map { rules.offset(at: $0) }
      #expect(offsets == fields[4].split(separator: " ").map { Int($0) }, "\(fields[0])")
    }
  }

  /// Goes through the days once and adds up Python's lengths. Returns nil if everything agrees.
  ///
  /// It checks the days around each day of an unusual length, and about one in 31 of the others. Each zone checks other
  /// days, so all zones together check every day.
  private static func firstDifference(_ rules: TimeZoneRules, _ fields: [Substring], phase: Int) -> String? {
    let calendar = CivilCalendar(rules)
    var lengths = [Int64](repeating: 86_400, count: dayCount)
    var isAsked = (0..<dayCount).map { ($0 + phase) % 31 == 0 }
    for pair in fields[3].split(separator: " ") {
      let parts = pair.split(separator: ":").compactMap { Int($0) }
      let index = parts[0] - firstDay.ordinal
      lengths[index] = Int64(parts[1])
      for near in max(0, index - 2)...min(index + 2, dayCount - 1) { isAsked[near] = true }
    }
    guard var start = Int64(fields[1]) else { return "no first start" }
    for (index, length) in lengths.enumerated() {
      defer { start += length }
      guard isAsked[index] else { continue }
      let day = firstDay.advanced(by: index)
      let found = calendar.start(of: day)
      if found.seconds != start { return "\(day) starts at \(found), not \(Instant(seconds: start))" }
      if let wrong = wrongAnswer(calendar, day, start, length) { return "\(day): \(wrong)" }
    }
    let existing = lengths.count { $0 != 0 }
    return fields[2] == "\(existing)" ? nil : "\(existing) days instead of \(fields[2])"
  }

  private static func wrongAnswer(
    _ calendar: CivilCalendar, _ day: LocalDay, _ start: Int64, _ length: Int64
  ) -> String? {
    if calendar.exists(day) != (length > 0) { return "exists: \(calendar.exists(day))" }
    let interval = calendar.interval(of: day)
    if interval.upperBound.seconds != start + length { return "ends at \(interval.upperBound)" }
    if calendar.hours(of: day) != Double(length) / 3_600 { return "\(calendar.hours(of: day)) hours" }
    guard length > 0 else { return nil }
    let next = calendar.day(after: day)
    if calendar.start(of: next) != interval.upperBound { return "the next day, \(next), starts elsewhere" }
    if calendar.day(before: next) != day { return "day(before:) of \(next) is \(calendar.day(before: next))" }
    let instants = [
      start * 1_000_000, start * 1_000_000 + 1, (start + length / 2) * 1_000_000, (start + length) * 1_000_000 - 1,
    ]
    for instant in instants.map(Instant.init(microseconds:)) where calendar.day(of: instant) != day {
      return "\(instant) is in \(calendar.day(of: instant))"
    }
    return nil
  }

  /// The moments of `local_days.py`.
  private static func moments() -> [Instant] {
    var state: UInt64 = 1
    return (0..<60).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Instant(seconds: -3_786_912_000 + Int64((state >> 20) % 256_900_000_000))
    }
  }

  private static func pythonOutput() throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "local_days.py")
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = ["-I", script.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}
