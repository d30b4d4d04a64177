import CacheSyncSystem
import Testing

@Suite("A percentage")
struct PercentageTests {
  @Test("A percentage is whole, and rounded down as a decimal", arguments: 0...100)
  func whole(percent: Int) throws {
    let text = percent == 100 ? "1" : "0." + (percent < 10 ? "0" : "") + "\(percent)"
    let share = try #require(Double(text))
    #expect(Percentage.whole(of: share) == Double(percent))
    #expect(Percentage.whole(of: -share) == -Double(percent))
    #expect(Percentage.whole(of: share.nextDown) == Double(max(0, percent - 1)))
    #expect(Percentage.whole(of: share + 0.009) == Double(percent))
  }

  @Test("A percentage may be of any number, or missing", arguments: [1e300, -1e300, Double.infinity])
  func extremes(share: Double) {
    #expect(abs(Percentage.whole(of: share) / 100 / share - 1) < 1e-9 || share.isInfinite)
    #expect(Percentage.whole(of: .nan).isNaN)
  }
}
