import Foundation
import Testing

import CacheSync

/// Compares random rules with python-dateutil. `recurrence_vectors.py`, in this directory, says how to run it again and
/// where dateutil is wrong.
@Suite struct RecurrenceVectorTests {
  private static let lines: [Substring] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    guard let text = try? String(contentsOf: file.appendingPathComponent("recurrence_vectors.txt"), encoding: .utf8)
    else {
      return []
    }
    return text.split(separator: "\n")
  }()

  @Test("A thousand rules give the same first occurrences as dateutil")
  func firstOccurrences() throws {
    #expect(Self.lines.count == 1_000)
    for line in Self.lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 3)
      let start = try Self.wallTime(fields[1], at: 0)
      let expected = try fields[2].split(separator: " ").map { try Self.wallTime($0, at: start.secondOfDay) }
      let horizon = WallTime(start.day.advanced(by: 10_958), secondOfDay: start.secondOfDay)
      let found = try RecurrenceRule(String(fields[0])).occurrences(from: start, notAfter: horizon).prefix(8)
      #expect(Array(found) == expected, "\(fields[0]) from \(fields[1])")
    }
  }

  /// "20261122T093000", or a day alone, at the given second.
  private static func wallTime(_ text: Substring, at second: Int) throws -> WallTime {
    let parts = text.split(separator: "T").compactMap { Int($0) }
    let date = try #require(parts.first)
    let day = try #require(LocalDay(year: date / 10_000, month: date / 100 % 100, day: date % 100))
    guard parts.count == 2 else { return WallTime(day, secondOfDay: second) }
    return WallTime(day, secondOfDay: parts[1] / 10_000 * 3_600 + parts[1] / 100 % 100 * 60 + parts[1] % 100)
  }
}
