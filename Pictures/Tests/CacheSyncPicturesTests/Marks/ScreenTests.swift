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
    // By hand, with margins of 16: two of 364×170 side by side need 776 points, one above the other 396×388. On 1000×600
    // the second way gives 600 / 388 = 1.546, the first 1000 / 776 = 1.288.
    let two = screen(.systemMedium, .systemMedium, width: 1_000, height: 600)
    #expect(two.scale == 1.546)
    #expect(two.places.map(\.y).sorted() == two.places.map(\.y) && two.places[0].x == two.places[1].x)
    #expect(abs(two.places[1].y - two.places[0].maxY - 16) < 1)
    // Three small ones: 3 × 170 + 4 × 16 = 574 wide; 800 / 574 = 1.393.
    let three = screen(.systemSmall, .systemSmall, .systemSmall, width: 800, height: 300)
    #expect(three.scale == 1.393 && Set(three.places.map(\.y)).count == 1)
  }

  @Test("Rows end where that makes the pictures largest")
  func rowsOfDifferentHeights() {
    // By hand. 172×76, and two of 170×170 below it: 388 wide, 294 high with the margins; 448 / 294 = 1.523.
    #expect(screen(.accessoryRectangular, .systemSmall, .systemSmall, width: 600, height: 448).scale == 1.523)
    // 257×26, two of 170×170, 257×26: 388 wide, 286 high; 480 / 286 = 1.678.
    let four = screen(.accessoryInline, .systemSmall, .systemSmall, .accessoryInline, width: 800, height: 480)
    #expect(four.scale == 1.678)
  }

  @Test("Where pictures would become small, their cards become smaller, and a point has 1.3 pixels")
  func cells() {
    // By hand: 800×480 at 1.3 are 615.4×369.2 points. Less three gaps of 8, a half is 295.7 wide; the second row is 170 high,
    // and the first has 175.2.
    let four = screen(.systemMedium, .systemMedium, .systemMedium, .systemMedium, width: 800, height: 480)
    #expect(four.scale == 1.3)
    #expect(four.places.map(\.width) == [295, 295, 295, 295] && four.places.map(\.height) == [175, 175, 170, 170])
    #expect(four.places[0].y == four.places[1].y && four.places[0].x == four.places[2].x)
    // A high one beside two low ones: with the margins 372 points high, so 1.29, and 620.2×372.1 points.
    for families in [
      [ViewFamily.systemMedium, .systemMedium, .systemLarge], [.systemLarge, .systemMedium, .systemMedium],
    ] {
      let three = Screen(Self.frames(families), width: 800, height: 480)
      #expect(three.scale == 1.29)
      for (family, place) in zip(families, three.places) {
        #expect(place.width == 298 && place.height == (family == .systemLarge ? 356 : 174), "\(families)")
      }
    }
    // A display of 400×300 has 307.7×230.8 points, and one card all of them but the margins.
    let one = screen(.systemMedium, width: 400, height: 300)
    #expect(one.scale == 1.3 && one.places[0].width == 291 && one.places[0].height == 214)
  }

  @Test("The layout is the best of all ways to end the rows and columns", arguments: 0..<40 as Range<UInt64>)
  func best(seed: UInt64) {
    let families = ViewFamily.allCases.filter { $0 != .terminal }
    var random = SeededGenerator(state: seed)
    let frames = Self.frames(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in families.randomElement(using: &random) ?? .systemSmall })
    let (width, height) = (Int.random(in: 200...2_000, using: &random), Int.random(in: 200...2_000, using: &random))
    for columns in [nil, 1, 2, 3] {
      let usual = Self.best(frames.map(\.size), width, height, gap: 16, columns)
      let least = Self.best(frames.map(\.family.leastSize), width, height, gap: 8, columns)
      let scale = Screen(frames, width: width, height: height, columns: columns).scale
      let expected = usual >= 1.3 ? usual : min(1.3, least)
      #expect(
        abs(scale - min(expected, 15.999)) < 0.001_002, "\(frames.map(\.family)) on \(width)x\(height), \(columns ?? 0)"
      )
    }
  }

  /// The largest scale of all ways: after each card a row ends, a column ends, or the column goes on, up to four cards.
  private static func best(
    _ sizes: [(width: Double, height: Double)], _ width: Int, _ height: Int, gap: Double, _ columns: Int?
  ) -> Double {
    func length(_ parts: [Double]) -> Double { parts.reduce(-gap) { $0 + gap + $1 } }
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
      if let columns, rows.last?.count ?? 0 > columns || rows.dropLast().contains(where: { $0.count != columns }) {
        return nil
      }
      let broadest = rows.map { row in length(row.map { $0.map(\.width).max() ?? 0 }) }.max() ?? 0
      let heights = rows.map { row in row.map { length($0.map(\.height)) }.max() ?? 0 }
      return min(Double(width) / (broadest + 2 * gap), Double(height) / (length(heights) + 2 * gap))
    }
    return scales.max() ?? 0
  }

  @Test("Pictures fill the screen, with margins of one gap, and are apart")
  func margins() {
    let frames = Self.frames([.systemLarge, .systemSmall, .accessoryRectangular, .accessoryInline])
    for (width, height) in [(800, 480), (480, 800), (1_404, 1_872), (8_192, 8_192), (100, 100)] {
      let screen = Screen(frames, width: width, height: height)
      let display = Rect(width: Double(width) / screen.scale, height: Double(height) / screen.scale)
      #expect(screen.places.count == frames.count)
      for (index, place) in screen.places.enumerated() {
        #expect(display.contains(place, within: 0.01), "\(width)x\(height)")
        #expect(!screen.places[(index + 1)...].contains { $0.overlaps(place) })
        let least = width == 100 ? (0, 0) : frames[index].family.leastSize
        #expect(place.width >= least.0 && place.height >= least.1)
      }
      guard width > 100 else { continue }
      let gap = screen.places[0].x
      #expect(gap == 16 || gap == 8)
      // Cards have whole points.
      let edges = [
        gap - (screen.places.map(\.y).min() ?? 0), display.width - gap - (screen.places.map(\.maxX).max() ?? 0),
        display.height - gap - (screen.places.map(\.maxY).max() ?? 0),
      ]
      #expect(edges.allSatisfy { (-0.01..<1).contains($0) }, "\(width)x\(height): \(edges)")
    }
  }

  @Test("Cards of a row are equally high, a card alone in a row is as wide as the screen, and the last row stays low")
  func heights() {
    // By hand, with the margins: 776 wide and 382 + 170 + 48 = 600 high; 1600 / 776 = 2.061, so 776.3×630.7 points, of which
    // 30.7 are left.
    let screen = screen(.systemLarge, .systemLarge, .systemMedium, width: 1_600, height: 1_300)
    #expect(screen.scale == 2.061)
    #expect(screen.places.map(\.height) == [412, 412, 170] && screen.places.map(\.width) == [364, 364, 744])
    let row = self.screen(.systemMedium, .systemSmall, width: 1_600, height: 600).places
    #expect(row[0].height == row[1].height && row[0].y == row[1].y && row[0].x < row[1].x)
    let beside = self.screen(.systemLarge, .systemMedium, .systemMedium, width: 1_600, height: 1_000).places
    #expect(beside[1].x == beside[2].x && beside[0].y == beside[1].y && abs(beside[0].maxY - beside[2].maxY) <= 1)
  }

  @Test("Rows that need more room get it first, and the others nothing if there is no more")
  func needs() {
    let frames = Self.frames([.systemMedium, .systemMedium, .systemMedium])
    // By hand: 396 points wide, so a scale of 2, and 1100 / 2 = 550 − 2 × 16 − 2 × 16 − 3 × 170 leaves less than 0; 1300
    // leaves 76.
    func heights(_ needs: [Double]) -> [Double] {
      Screen(frames, width: 792, height: 1_300) { card, width in
        #expect(width == 364)
        return needs[card]
      }.places.map(\.height)
    }
    #expect(heights([170, 170, 170]) == [208, 208, 170])
    #expect(heights([170, 170, 400]) == [170, 170, 246])
    #expect(heights([190, 170, 180]) == [213, 193, 180])
    #expect(heights([400, 180, 400]) == [203, 180, 203])
  }

  @Test("Cards without a family take the greatest that the room allows, and the last ones give way first")
  func choosing() {
    let any: [ViewFamily] = [.systemLarge, .systemMedium, .systemSmall]
    func families(_ cards: [[ViewFamily]], _ width: Int, _ height: Int, _ least: Double = 1.25) -> ([ViewFamily], Int) {
      let chosen = Screen.choosing(cards, width: width, height: height, leastScale: least)
      #expect(chosen.screen == Screen(Self.frames(chosen.families), width: width, height: height))
      #expect(chosen.families.isEmpty || chosen.screen.scale >= least)
      return (chosen.families, cards.count - chosen.families.count)
    }
    // By hand, at 1.25 in least sizes: 800×480 are 640×384 points. With gaps and margins of 8 they take two large ones
    // (604×372), a large one beside a medium above a small one (604×372), or a large one between two small ones (622×372),
    // but not two large ones and a small one (762 wide).
    #expect(families([any, any], 800, 480) == ([.systemLarge, .systemLarge], 0))
    #expect(families([any, any, any], 800, 480) == ([.systemLarge, .systemMedium, .systemSmall], 0))
    #expect(families([any, [.systemLarge], any], 800, 480) == ([.systemSmall, .systemLarge, .systemSmall], 0))
    #expect(families([[.systemLarge], [.systemLarge], [.systemSmall]], 800, 480) == ([.systemLarge, .systemLarge], 1))
    #expect(families([any], 100, 100) == ([], 1))
    #expect(families([any], 400, 400, 1) == ([.systemLarge], 0))
    // Beside a large card there are 150 points: enough for a small one, not for a rectangular or inline one, which are wider.
    #expect(families([[.systemLarge], ViewFamily.greatestFirst], 580, 465) == ([.systemLarge, .systemSmall], 0))
  }

  @Test("Equal cards without a family are arranged at once, even 64 of them on a small window")
  func many() {
    let cards = Array(repeating: ViewFamily.greatestFirst, count: 64)
    let chosen = Screen.choosing(cards, width: 320, height: 240, leastScale: 0.5)
    // By hand: of 640×480 points, seven columns of 84 and five rows of 84.
    #expect(chosen.families == Array(repeating: .accessoryCircular, count: 35))
  }
}
