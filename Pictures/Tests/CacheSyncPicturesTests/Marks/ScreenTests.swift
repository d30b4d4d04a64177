import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("A screen")
struct ScreenTests {
  private static func frames(_ families: [ViewFamily]) -> [Frame] { families.compactMap { Frame($0) } }

  private func screen(_ families: ViewFamily..., width: Int, height: Int) -> Screen {
    Screen(Self.frames(families), width: width, height: height)
  }

  @Test("Pictures are put in rows, as large as they fit")
  func rows() {
    // By hand: two of 364×170 side by side need 744 points, one above the other 364×356. On 800×480 the second way gives
    // 480 / 356 = 1.348, the first 800 / 744 = 1.075.
    let two = screen(.systemMedium, .systemMedium, width: 800, height: 480)
    #expect(two.scale == 1.348)
    #expect(two.places.map(\.y).sorted() == two.places.map(\.y) && two.places[0].x == two.places[1].x)
    #expect(abs(two.places[1].y - two.places[0].maxY - 16) < 1)
    // Three small ones: 3 × 170 + 2 × 16 = 542 wide; 800 / 542 = 1.476.
    let three = screen(.systemSmall, .systemSmall, .systemSmall, width: 800, height: 300)
    #expect(three.scale == 1.476 && Set(three.places.map(\.y)).count == 1)
  }

  @Test("Rows end where that makes the pictures largest")
  func rowsOfDifferentHeights() {
    // By hand. 172×76, and two of 170×170 below it: 356 wide, 262 high; 600 / 356 = 1.685.
    #expect(screen(.accessoryRectangular, .systemSmall, .systemSmall, width: 600, height: 448).scale == 1.685)
    // 257×26, two of 170×170, 257×26: 356 wide, 254 high; 480 / 254 = 1.889.
    let four = screen(.accessoryInline, .systemSmall, .systemSmall, .accessoryInline, width: 800, height: 480)
    #expect(four.scale == 1.889)
  }

  @Test("Where pictures would become small, their cards become smaller, and a point has 1.3 pixels")
  func cells() {
    // By hand: 800×480 at 1.3 are 615.4×369.2 points. Less a gap of 16, a half is 299.7 wide and 176.6 high.
    let four = screen(.systemMedium, .systemMedium, .systemMedium, .systemMedium, width: 800, height: 480)
    #expect(four.scale == 1.3)
    #expect(four.places.allSatisfy { $0.width == 299 && $0.height == 176 })
    #expect(four.places[0].y == four.places[1].y && four.places[0].x == four.places[2].x)
    // A high one beside two low ones.
    for families in [
      [ViewFamily.systemMedium, .systemMedium, .systemLarge], [.systemLarge, .systemMedium, .systemMedium],
    ] {
      let three = Screen(Self.frames(families), width: 800, height: 480)
      #expect(three.scale == 1.3)
      for (family, place) in zip(families, three.places) {
        #expect(place.width == 299 && place.height == (family == .systemLarge ? 369 : 176), "\(families)")
      }
    }
    // A display of 400×300 has 307.7×230.8 points; a card grows by at most a quarter of its usual height, 212.5.
    let one = screen(.systemMedium, width: 400, height: 300)
    #expect(one.scale == 1.3 && one.places[0].width == 307 && one.places[0].height == 212)
  }

  @Test("The layout is the best of all ways to end the rows and columns", arguments: 0..<40 as Range<UInt64>)
  func best(seed: UInt64) {
    let families = ViewFamily.allCases.filter { $0 != .terminal }
    var random = SeededGenerator(state: seed)
    let frames = Self.frames(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in families.randomElement(using: &random) ?? .systemSmall })
    let (width, height) = (Int.random(in: 200...2_000, using: &random), Int.random(in: 200...2_000, using: &random))
    let usual = Self.best(frames.map(\.size), width, height)
    let expected = usual >= 1.3 ? usual : min(1.3, Self.best(frames.map(\.leastSize), width, height))
    let scale = Screen(frames, width: width, height: height).scale
    #expect(abs(scale - min(expected, 15.999)) < 0.001_002, "\(frames.map(\.family)) on \(width)x\(height)")
  }

  /// The largest scale of all ways: after each card a row ends, a column ends, or the column goes on, up to four cards.
  private static func best(_ sizes: [(width: Double, height: Double)], _ width: Int, _ height: Int) -> Double {
    func length(_ parts: [Double]) -> Double { parts.reduce(-16) { $0 + 16 + $1 } }
    let ways = (1..<sizes.count).reduce(1) { count, _ in 3 * count }
    let scales = (0..<ways).compactMap { way -> Double? in
      var rows = [[[sizes[0]]]]
      var rest = way
      for size in sizes.dropFirst() {
        let row = rows.count - 1
        switch rest % 3 {
        case 0: rows.append([[size]])
        case 1: rows[row].append([size])
        default: rows[row][rows[row].count - 1].append(size)
        }
        rest /= 3
      }
      guard !rows.joined().contains(where: { $0.count > 4 }) else { return nil }
      let broadest = rows.map { row in length(row.map { $0.map(\.width).max() ?? 0 }) }.max() ?? 0
      let heights = rows.map { row in row.map { length($0.map(\.height)) }.max() ?? 0 }
      return min(Double(width) / broadest, Double(height) / length(heights))
    }
    return scales.max() ?? 0
  }

  @Test("Pictures are centred, inside the screen, and apart")
  func centre() {
    let frames = Self.frames([.systemLarge, .systemSmall, .accessoryRectangular, .accessoryInline])
    for (width, height) in [(800, 480), (480, 800), (1_404, 1_872), (8_192, 8_192), (100, 100)] {
      let screen = Screen(frames, width: width, height: height)
      let display = Rect(width: Double(width) / screen.scale, height: Double(height) / screen.scale)
      #expect(screen.places.count == frames.count)
      for (index, place) in screen.places.enumerated() {
        #expect(display.contains(place, within: 0.01), "\(width)x\(height)")
        #expect(!screen.places[(index + 1)...].contains { $0.overlaps(place) })
        let least = width == 100 ? (0, 0) : frames[index].leastSize
        #expect(place.width >= least.0 && place.height >= least.1)
        #expect(place.width <= frames[index].mostSize.width && place.height <= frames[index].mostSize.height)
      }
      let top = screen.places.map(\.y).min() ?? 0
      let bottom = screen.places.map(\.maxY).max() ?? 0
      #expect(abs(top - (display.height - bottom)) < 1.01)
    }
  }
}
