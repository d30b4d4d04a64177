import Testing

@testable import CacheSyncValues
@testable import CacheSyncPictures

@Suite("Layout side by side")
struct ColumnTests {
  private func marks(_ view: ViewNode, _ family: ViewFamily = .systemMedium) throws -> [Mark] {
    let frame = try #require(Frame(family))
    return Array(Layout(Typesetter()).picture(of: view, in: frame, title: "Test").marks.dropFirst())
  }

  private func line(_ mark: Mark) -> Mark.Line? {
    if case .text(let line) = mark.shape { line } else { nil }
  }

  @Test("Fields of rows in one stack are aligned in columns")
  func columns() throws {
    let bars = try marks(
      .vertical(.row(nil, .bar(nil), .value("1 g")), .text("between"), .row(nil, .bar(nil), .value("1000 / 2000 g")))
    ).filter { line($0) == nil }
    #expect(bars.count == 2 && bars[0].box.width == bars[1].box.width)
    // A row with another number of fields is in none of these columns.
    let alone = try marks(.vertical(.row(nil, .bar(nil), .value("1 g")), .row(nil, .value("1000 / 2000 g"))))
    #expect(try #require(alone.first).box.width > bars[0].box.width)
  }

  @Test("The unit stays beside a number that was shortened")
  func units() throws {
    let lines = try marks(.horizontal(.label("1000000000", .ink, .title), .word("left"), gap: 4), .systemSmall)
    #expect(lines.compactMap(line).map(\.text) == ["1e9", "left"])
    #expect(abs(lines[1].box.x - lines[0].box.maxX - 4) < 0.01)
  }

  @Test("The remaining texts side by side are centred")
  func centre() throws {
    let lines = try marks(
      .centred(.horizontal(.label("1000000000", .ink, .title), .word("left"), gap: 4)), .systemSmall)
    #expect(abs((lines[0].box.x + lines[1].box.maxX) / 2 - 85) < 0.01)
  }

  @Test("Numbers are shortened before words get smaller")
  func words() throws {
    let lines = try marks(.horizontal(.word("Protein").growing(), .value("1000000000 g")), .systemSmall)
    #expect(lines.compactMap(line).map(\.text) == ["Protein", "1e9 g"])
    #expect(lines.compactMap(line).allSatisfy { $0.type.size == 15 })
  }

  @Test("If the height is too small, the horizontal gaps do not change")
  func gaps() throws {
    let rows = (1...7).map { ViewNode.horizontal(.label("\($0)"), .label("a"), gap: 16) }
    let lines = try marks(.vertical(rows, gap: 16), .systemSmall)
    #expect(lines[1].box.x - lines[0].box.maxX == 16)
    #expect(lines[2].box.y - lines[0].box.maxY == 4)
  }

  @Test("Letters inside a ring keep their distance from it", arguments: ["5", "540", "1234", "-1e300", "W"])
  func ring(number: String) throws {
    let center = ViewNode.centred(.label(number, .ink, .number), .word("left", .soft, .caption), gap: 0)
    let marks = try marks(.centred(.ring(0.5, center, diameter: 80)), .systemSmall)
    let circle = marks[0].box.inset(by: 8)
    for mark in marks.dropFirst() {
      // Capitals and digits of Inter are 0.73 sizes high, above the baseline.
      let text = try #require(line(mark))
      for y in [text.baseline, text.baseline - 0.73 * text.type.size] {
        for x in [mark.box.x, mark.box.maxX] {
          let (dx, dy) = (x - circle.midX, y - circle.midY)
          #expect((dx * dx + dy * dy).squareRoot() <= circle.width / 2, "\(text.text)")
        }
      }
    }
  }
}
