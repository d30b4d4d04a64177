import Testing

@testable import CacheSyncPictures

@Suite("A screen")
struct ScreenTests {
  @Test("puts pictures in rows, as large as they fit")
  func rows() {
    // By hand: two of 364×170 side by side need 744 points, one above the other 364×356. On 800×480 the second way gives
    // 480 / 356 = 1.348, the first 800 / 744 = 1.075.
    let two = Screen([(364, 170), (364, 170)], width: 800, height: 480)
    #expect(two.scale == 1.348)
    #expect(two.places.map(\.y).sorted() == two.places.map(\.y) && two.places[0].x == two.places[1].x)
    #expect(abs(two.places[1].y - two.places[0].maxY - 16) < 0.001)
    // Three small ones: 3 × 170 + 2 × 16 = 542 wide; 800 / 542 = 1.476.
    let three = Screen([(170, 170), (170, 170), (170, 170)], width: 800, height: 300)
    #expect(three.scale == 1.476 && Set(three.places.map(\.y)).count == 1)
  }

  @Test("centres them, and keeps them inside")
  func centre() {
    let sizes: [(width: Double, height: Double)] = [(364, 382), (170, 170), (172, 76), (257, 26)]
    for (width, height) in [(800, 480), (480, 800), (1_404, 1_872), (8_192, 8_192), (100, 100)] {
      let screen = Screen(sizes, width: width, height: height)
      let display = Rect(width: Double(width) / screen.scale, height: Double(height) / screen.scale)
      #expect(screen.places.count == sizes.count)
      for (index, place) in screen.places.enumerated() {
        #expect(display.contains(place, within: 0.01), "\(width)x\(height)")
        #expect(!screen.places[(index + 1)...].contains { $0.overlaps(place) })
      }
      let top = screen.places.map(\.y).min() ?? 0
      let bottom = screen.places.map(\.maxY).max() ?? 0
      #expect(abs(top - (display.height - bottom)) < 0.01)
    }
  }
}
