import Testing

import CacheSync

@Suite("Dates in session files")
struct JSONDateTests {
  @Test(
    "A number of seconds since 1970 is an error that shows the intended date",
    // The years and dates are those of `date -u -d @NUMBER` and `date -u -d @$((NUMBER + 978307200))`.
    arguments: [
      ("1200000000", "1200000000 is in the year 2039, counted from 2001; ", "2008-01-10T21:20:00Z"),
      ("1764000000", "1764000000 is in the year 2056, counted from 2001; ", "2025-11-24T16:00:00Z"),
      ("1764000000.75", "1764000000.75 is in the year 2056, counted from 2001; ", "2025-11-24T16:00:00Z"),
      ("1.764e9", "1.764e9 is in the year 2056, counted from 2001; ", "2025-11-24T16:00:00Z"),
      ("99999999999", "99999999999 is in the year 5169, counted from 2001; ", "5138-11-16T09:46:39Z"),
      // Milliseconds.
      ("100000000000", "100000000000 is in the year 5169, counted from 2001; ", "1973-03-03T09:46:40Z"),
      ("1764000000000", "1764000000000 is no date; ", "2025-11-24T16:00:00Z"),
      ("1764000000123.5", "1764000000123.5 is no date; ", "2025-11-24T16:00:00Z"),
      // Microseconds.
      ("1764000000000000", "1764000000000000 is no date", nil),
      ("1e300", "1e300 is no date", nil),
      ("-1e15", "-1e15 is not a valid date", nil),
    ] as [(String, String, String?)])
  func wrongEpoch(number: String, finding: String, date: String?) {
    let advice = date.map { "a number that counts from 1970 must be written as a date such as \"\($0)\"" } ?? ""
    for read in [{ $0.date().map(DayReference.instant) }, { $0.dayReference() }]
      as [(inout JSONReader) -> DayReference?]
    {
      let found = CacheSyncTests.read(" " + number, read)
      #expect(found.defects == [JSONDefect(offset: 1, message: finding + advice, place: .value)])
    }
  }

  @Test("A number before 10 January 2039 counts from 2001", arguments: ["1199999999.999", "0", "-63113904000", "8e8"])
  func numbers(number: String) throws {
    let expected = Instant(secondsSince2001: try #require(Double(number)))
    #expect(read(number) { $0.date() }.value == expected)
  }

  /// A file for each place where a date is allowed, with `@` in place of the number.
  static let places: [(FeedName, String, String)] = [
    ("meal-plan", UnknownWordsTests.plan("").replacing(#""updated_at":0"#, with: #""updated_at":@"#), "/updated_at"),
    ("health", #"{"samples":[{"type":"fat","value":1,"date":@}]}"#, "/samples/0/date"),
    ("tasks", #"{"tasks":[],"lastUpdate":@}"#, "/lastUpdate"),
    ("tasks", #"[{"id":1,"title":"","completed":true,"createdAt":@}]"#, "/0/createdAt"),
    ("tasks", #"[{"id":1,"title":"","completed":true,"createdAt":0,"completedAt":@}]"#, "/0/completedAt"),
    ("tasks", #"[{"id":1,"title":"","completed":true,"createdAt":0,"dueDate":@}]"#, "/0/dueDate"),
    ("events", #"[{"id":1,"title":"","startTime":0,"endTime":@}]"#, "/0/endTime"),
    ("events", #"[{"id":1,"title":"","startTime":@,"endTime":0}]"#, "/0/startTime"),
    ("shoes", #"{"lastUpdated":@}"#, "/lastUpdated"),
    ("shoes", #"{"sessions":[{"id":"s","shoeId":"a","start":@,"steps":0,"distance":0}]}"#, "/sessions/0/start"),
    ("shoes", #"{"sessions":[{"id":"s","shoeId":"a","start":0,"end":@,"steps":0,"distance":0}]}"#, "/sessions/0/end"),
    ("intents", #"{"id":"i","type":"end-session","at":@}"#, "/at"),
    ("intents", #"{"id":"i","type":"add-task","title":"","at":0,"dueDate":@}"#, "/dueDate"),
  ]

  @Test("The same error is reported wherever a date is allowed", arguments: places)
  func everywhere(feed: FeedName, text: String, pointer: String) throws {
    let lines = try UnknownWordsTests.lines(feed, text.replacing("@", with: "1764000000"))
    #expect(
      lines.count == 1 && lines[0].contains("counted from 2001") && lines[0].hasSuffix("[\(pointer)]"), "\(lines)")
    #expect(
      try UnknownWordsTests.lines(feed, text.replacing("@", with: "816937200")).allSatisfy { !$0.contains("2001") })
  }
}
