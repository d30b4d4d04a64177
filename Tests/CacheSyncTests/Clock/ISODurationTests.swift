import Testing

import CacheSync

@Suite struct ISODurationTests {
  @Test(
    "Days, hours, minutes and seconds are added up",
    arguments: [
      ("PT24H", 86_400_000), ("P1D", 86_400_000), ("P1DT12H", 129_600_000), ("PT90S", 90_000), ("PT0S", 0),
      ("PT1M30S", 90_000), ("PT1.5S", 1_500), ("PT0,25S", 250), ("P0DT0.001S", 1), ("P2DT3H4M5.678S", 183_845_678),
      ("PT007M", 420_000), ("PT48H", 172_800_000),
    ])
  func reads(text: String, milliseconds: Int64) {
    #expect(ISODuration(text)?.duration == .milliseconds(milliseconds))
  }

  @Test(
    "Everything else is refused",
    arguments: [
      "", "P", "PT", "P1DT", "24H", "T24H", "PT24", "P24H", "PT1D", "P1W", "P1Y", "P1M", "PT1H1H", "PT1S1M", "PTT1S",
      "P1D1D", "-PT1S", "+PT1S", "PT-1S", "PT+1S", "pt1s", "PT1s", "PT.5S", "PT1.S", "PT1.5H", "P1.5D", "PT1.5M",
      " PT1S", "PT1S ", "PT1S\n", "P1DT1", "PT99999999999999S", "P9999999999D", "PT9999999999999999999999999999H",
      "P\u{0661}D",
    ])
  func refuses(text: String) {
    #expect(ISODuration(text) == nil)
  }

  @Test("A long fraction is cut to nanoseconds, and a duration of more than 3,660,000 days is refused")
  func extremes() {
    #expect(ISODuration("PT0.99999999999999999999S")?.duration == .nanoseconds(999_999_999))
    #expect(ISODuration("P3660000D")?.duration == .seconds(3_660_000 * 86_400))
    #expect(ISODuration("P3660001D") == nil)
  }
}
