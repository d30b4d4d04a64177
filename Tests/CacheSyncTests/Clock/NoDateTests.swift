import CacheSync
import Testing

/// The bounds are those that `date -u -d 1900-01-02` and `date -u -d 2900-01-01` print.
@Suite struct NoDateTests {
  @Test(
    "Moments that programs write where they have no date",
    arguments: [
      ("0001-01-01T00:00:00Z", true, false), ("1900-01-01T00:00:00Z", true, false),
      ("1900-01-01T23:59:59Z", true, false), ("1900-01-02T00:00:00Z", false, false),
      ("1970-01-01T00:00:00Z", false, false), ("2899-12-31T23:59:59Z", false, false),
      ("2900-01-01T00:00:00Z", false, true), ("9999-12-31T00:00:00Z", false, true),
    ])
  func meansNoDate(text: String, isBefore: Bool, isAfter: Bool) throws {
    let moment = try #require(Instant(text))
    #expect(moment.isBeforeDates == isBefore)
    #expect(moment.isAfterDates == isAfter)
    #expect(moment.meansNoDate == (isBefore || isAfter))
  }
}
