import Testing

@testable import CacheSyncPictures

@Suite("A screen")
struct ScreenTests {
  @Test("Pictures are put in rows, as large as they fit")
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

  @Test("Rows end where that makes the pictures largest")
  func rowsOfDifferentHeights() {
    // By hand. 172×76, and two of 170×170 below it: 356 wide, 262 high; 600 / 356 = 1.685.
    #expect(Screen([(172, 76), (170, 170), (170, 170)], width: 600, height: 448).scale == 1.685)
    // 257×26, two of 170×170, 257×26: 356 wide, 254 high; 480 / 254 = 1.889.
    #expect(Screen([(257, 26), (170, 170), (170, 170), (257, 26)], width: 800, height: 480).scale == 1.889)
  }

  @Test("The layout is the best of all ways to end the rows", arguments: 0..<40 as Range<UInt64>)
  func best(seed: UInt64) {
    let cards: [(width: Double, height: Double)] = [(170, 170), (364, 170), (364, 382), (76, 76), (172, 76), (257, 26)]
    var random = SeededGenerator(state: seed)
    let sizes = (0..<Int.random(in: 1...7, using: &random)).map { _ in cards.randomElement(using: &random) ?? cards[0] }
    let (width, height) = (Int.random(in: 200...2_000, using: &random), Int.random(in: 200...2_000, using: &random))
    // Each bit says whether a row ends after that picture.
    let scales = (0..<(1 << (sizes.count - 1))).map { ends -> Double in
      var rows = [[sizes[0]]]
      for (index, size) in sizes.enumerated().dropFirst() {
        if ends >> (index - 1) & 1 == 1 { rows.append([]) }
        rows[rows.count - 1].append(size)
      }
      let longest = rows.map { $0.reduce(-16) { $0 + 16 + $1.width } }.max() ?? 0
      let heights = rows.map { $0.map(\.height).max() ?? 0 }
      return min(Double(width) / longest, Double(height) / heights.reduce(-16) { $0 + 16 + $1 })
    }
    let scale = Screen(sizes, width: width, height: height).scale
    let most = min(scales.max() ?? 0, 15.999)
    #expect(scale <= most + 1e-9 && scale > most - 0.001_001, "\(sizes) on \(width)x\(height)")
  }

  @Test("Pictures are centred and inside the screen")
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
