import Testing

@testable import CacheSyncValues

@Suite struct CalendarDurationTests {
  @Test(
    "A duration is days and exact seconds",
    arguments: [
      ("P1W", 7, 0), ("P1D", 1, 0), ("P0D", 0, 0), ("P2W3D", 17, 0), ("PT90M", 0, 5_400), ("PT1H", 0, 3_600),
      ("P1DT2H", 1, 7_200), ("P1DT2H3M4S", 1, 7_384), ("PT1H5S", 0, 3_605), ("P15DT5H0M20S", 15, 18_020),
      ("+P7W", 49, 0), ("-P1DT2H", -1, -7_200), ("-PT10M", 0, -600), ("p1wt1h", 7, 3_600), ("PT86400S", 0, 86_400),
      ("P0000000000000000000007D", 7, 0), ("P3660000D", 3_660_000, 0),
    ])
  func reads(text: String, days: Int, seconds: Int) throws {
    #expect(try CalendarDuration(text) == CalendarDuration(days: days, seconds: seconds))
  }

  @Test(
    "An invalid duration is a defect at the byte where it goes wrong",
    arguments: [
      ("", 0), ("7D", 0), ("-", 1), (" P1D", 0), ("P", 1), ("PT", 2), ("P1DT", 4), ("P1", 2), ("P1M", 2), ("P1Y", 2),
      ("P1H", 2), ("PT1D", 3), ("PT1W", 3), ("P1D1W", 3), ("P1D1D", 3), ("PT1H1H", 5), ("PT1S1M", 4), ("PT1TH", 3),
      ("P1.5D", 2), ("PT1,5S", 3), ("P-1D", 1), ("--P1D", 1), ("P1D ", 3), ("P1D\u{0}", 3), ("Pé", 1), ("P1é", 2),
      ("P3660001D", 1), ("P99999999999999999999999999W", 1), ("P3660000DT24H", 10),
    ])
  func refuses(text: String, offset: Int) {
    do throws(CalendarDuration.Defect) {
      let duration = try CalendarDuration(text)
      Issue.record("\(text) is \(duration)")
    } catch {
      #expect(error.offset == offset, "\(text): \(error.message)")
      #expect(!error.message.contains("\n"))
    }
  }

  @Test("A defect's message says what would be valid")
  func says() {
    #expect(throws: CalendarDuration.Defect(offset: 0, message: "a duration begins with P, as P1W, P2D or PT90M")) {
      try CalendarDuration("1 week")
    }
    let message = "the number needs W or D behind it; hours, minutes and seconds follow a T"
    #expect(throws: CalendarDuration.Defect(offset: 3, message: message)) { try CalendarDuration("P90M") }
  }
}
