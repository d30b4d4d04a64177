import CacheSync
import Testing

@testable import CacheSyncPictures

/// Contrast as in the pictures: computed from the marks, not from a table of what may be on what.
@Suite("Contrast in pictures")
struct PictureContrastTests {
  @Test(
    "Every text has a contrast of at least 4.5",
    arguments: [Palette.light, .dark, .paper(bits: 4), .paper(bits: 2), .paper(bits: 1)])
  func texts(palette: Palette) throws {
    let layout = Layout(Typesetter())
    var count = 0
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      for state in [Snapshot.State.current, .stale, .placeholder, .empty] {
        var entry = snapshot.entries[0]
        entry.state = state
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
        for (index, mark) in picture.marks.enumerated() {
          guard case .text(let line) = mark.shape else { continue }
          let beneath = picture.marks[..<index].compactMap { $0.fill(under: mark.box) }.last
          let ground = try #require(beneath, "a card lies beneath everything")
          let contrast = palette[line.tint].contrast(with: palette[ground])
          #expect(contrast >= 4.5, "\(kind) \(family) \(state): \(line.text) in \(line.tint)")
          count += 1
        }
      }
    }
    #expect(count > 300, "texts were found")
  }
}
