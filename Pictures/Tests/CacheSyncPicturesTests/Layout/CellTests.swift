import CacheSync
import Testing

@testable import CacheSyncPictures

/// Views in cards that are smaller than their family's own.
@Suite("A card on a screen")
struct CellTests {
  private let layout = Layout(Typesetter())

  private func picture(_ snapshot: Snapshot, _ width: Double, _ height: Double) throws -> Picture {
    try #require(
      layout.picture(of: snapshot.entries[0], in: snapshot, family: .systemMedium, size: (width, height)))
  }

  @Test("If fewer rows are not enough, the view leaves out its secondary lines")
  func compact() throws {
    let plain = try SampleSnapshots.snapshot("macro-breakdown")
    var compact = plain
    compact.widget = Snapshot.Widget(kind: plain.kind, options: ["compactMode": .bool(true)])
    // In the usual height it has them.
    let usual = try picture(plain, 299, 176)
    #expect(usual.description.contains("g left"))
    // With them it needs more than 93 points, which are what a card of 125 has within its margins of 16.
    let low = try picture(plain, 299, 125)
    #expect(!low.description.contains("g left"))
    #expect(low.marks == (try picture(compact, 299, 125)).marks)
  }

  @Test("In a lower card there are fewer rows, and the rest is counted")
  func rows() throws {
    let snapshot = try SampleSnapshots.snapshot("calendar")
    func more(_ height: Double) throws -> String? {
      try picture(snapshot, 364, height).marks.compactMap(\.says).first { $0.hasPrefix("+") }
    }
    #expect(try more(170) == "+3 more")
    #expect(try more(130) == "+4 more")
  }
}
