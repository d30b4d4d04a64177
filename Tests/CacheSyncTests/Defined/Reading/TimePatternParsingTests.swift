import Testing

@testable import CacheSyncValues

@Suite struct TimePatternParsingTests {
  private static let good: [(String, [TimePattern.Part])] = [
    ("yyyyMMdd", [.digits(.year, 4...4), .digits(.month, 2...2), .digits(.day, 2...2)]),
    (
      "d.M.yyyy",
      [.digits(.day, 1...2), .literal("."), .digits(.month, 1...2), .literal("."), .digits(.year, 4...4)]
    ),
    (
      "yyyy-MM-dd'T'HH:mm:ss",
      [
        .digits(.year, 4...4), .literal("-"), .digits(.month, 2...2), .literal("-"), .digits(.day, 2...2),
        .literal("T"),
        .digits(.hour, 2...2), .literal(":"), .digits(.minute, 2...2), .literal(":"), .digits(.second, 2...2),
      ]
    ),
    (
      "dd 'o''clock' ''yyyy年MM",
      [
        .digits(.day, 2...2), .literal(" o'clock '"), .digits(.year, 4...4), .literal("年"), .digits(.month, 2...2),
      ]
    ),
    (
      "yyyyMMdd H:m",
      [
        .digits(.year, 4...4), .digits(.month, 2...2), .digits(.day, 2...2), .literal(" "), .digits(.hour, 1...2),
        .literal(":"), .digits(.minute, 1...2),
      ]
    ),
  ]

  @Test("Patterns of a day are parsed", arguments: good)
  func days(text: String, parts: [TimePattern.Part]) throws {
    #expect(try TimePattern.parse(text, for: .day).parts == parts)
  }

  @Test("A pattern of a time needs the hour")
  func times() throws {
    #expect(try TimePattern.parse("Hmm", for: .time).parts == [.digits(.hour, 1...2), .digits(.minute, 2...2)])
    #expect(throws: TextDefect(0, "a pattern here needs the hour, HH")) { try TimePattern.parse("mm", for: .time) }
    #expect(throws: TextDefect(0, "a pattern here needs the hour, HH")) { try TimePattern.parse("", for: .time) }
  }

  private static let bad: [(String, Int, String)] = [
    ("", 0, "a pattern here needs the year, yyyy"),
    ("yyyy-MM", 0, "a pattern here needs the day, dd"),
    ("yyyy-dd", 0, "a pattern here needs the month, MM"),
    ("yyyy-MM-dd mm", 0, "a pattern here needs the hour, HH"),
    ("yyyy-MM-dd HH ss", 0, "a pattern here needs the minute, mm"),
    ("yyyy-MMMMM-dd", 5, unknown("MMMMM")), ("yyyy-MM-ddT", 10, unknown("T")), ("yyyy-MM-dd s", 11, unknown("s")),
    ("yyyy-MM-dd h:mm", 0, "'h' needs 'a' for am or pm; without it write 'H'"),
    ("yyyy-MM-dd HH:mm a", 0, "'a' needs 'h'"), ("yyyy-MM-dd HH h a", 14, "the hour comes twice"),
    ("yyyy-MM-dd Z", 0, "a pattern here needs the hour, HH"), ("EEE EEEE d MMM yyyy", 4, "the weekday comes twice"),
    ("d do MMM yyyy", 2, "the day comes twice"),
    ("dd.MM.yyyy M", 11, "the month comes twice"),
    ("yyyy-MM-dd'T", 10, "the quote is not closed"),
    ("ä'", 2, "the quote is not closed"),
  ]

  private static func unknown(_ letters: String) -> String {
    "unknown unit '\(letters)'; the units are yyyy, M, MM, MMM, MMMM, d, dd, do, EEE, EEEE, H, HH, h, hh, a, m, mm, ss, "
      + "Z, XXX; other letters are quoted: '…'"
  }

  @Test("An invalid pattern is reported at its byte", arguments: bad)
  func defects(text: String, offset: Int, message: String) {
    #expect(throws: TextDefect(offset, message)) { try TimePattern.parse(text, for: .day) }
  }
}
