import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("Marks")
struct MarksTests {
  private static func picture(of view: ViewNode) throws -> Picture {
    let frame = try #require(Frame(.systemSmall))
    return Layout(Typesetter()).picture(of: view, in: frame, title: "t", link: "app://whole")
  }

  private static func text(_ words: String) -> ViewNode { ViewNode(.text(ViewNode.Text(words, .text))) }

  @Test("Targets act from the outside in, and are named by their label, or else by their texts")
  func targets() throws {
    var circle = Self.text("○")
    circle.action = .intent("done", [:])
    circle.label = "Bake bread\u{202E}"
    let row = ViewNode(.row(circle, [Self.text("Bake"), Self.text("16:30")]), action: .link("app://row"))
    let targets = try Self.picture(of: ViewNode(.stack(.vertical, [row]))).targets
    #expect(targets.map(\.action) == [.link("app://whole"), .link("app://row"), .intent("done", [:])])
    #expect(targets.map(\.label) == ["t", "○, Bake, 16:30", "Bake bread"])
    #expect(targets[1].box.contains(targets[2].box))
  }

  @Test("Marks that grow one below another have the same height, whatever is inside them")
  func equalHeights() throws {
    func tile(_ lines: Int) -> ViewNode {
      var tile = ViewNode(.stack(.vertical, Array(repeating: Self.text("x"), count: lines)))
      tile.room.ground = .tile
      tile.room.grows = true
      return tile
    }
    let marks = try Self.picture(of: ViewNode(.stack(.vertical, [tile(1), tile(2)]))).marks
    let tiles = marks.filter { $0.shape == .box(radius: 8, fill: .token(.tile), border: nil) }
    // Of 170 points, 16 are margin above and below, and 8 are between the two.
    #expect(tiles.map(\.box.height) == [65, 65])
  }

  @Test("A text that reads from right to left is at the right, also its second line, unless it is centred")
  func rightToLeft() throws {
    func boxes(_ words: String, _ axis: ViewNode.Axis = .vertical) throws -> [Rect] {
      var text = ViewNode.Text(words, .text)
      text.lineLimit = 2
      let view = ViewNode(.stack(axis, [ViewNode(.text(text))]))
      return try Self.picture(of: view).marks.compactMap { if case .text = $0.shape { $0.box } else { nil } }
    }
    // A small card is 170 points wide, with margins of 16.
    #expect(try boxes("Bake bread").map(\.x) == [16])
    let lines = try boxes("לאפות לחם שיפון עם זרעים Bread again")
    #expect(lines.count == 2)
    for line in lines + (try boxes("שלום")) { #expect(abs(line.maxX - 154) < 0.01 && line.x > 16) }
    #expect(abs(try boxes("שלום", .centred)[0].midX - 85) < 0.01)
  }

  @Test("In a round card, lines are as wide as the circle is at their letters")
  func roundCard() throws {
    func text(_ words: String, _ size: ViewNode.Size) -> ViewNode {
      var text = ViewNode.Text(words, .label)
      text.size = size
      return ViewNode(.text(text))
    }
    let frame = try #require(Frame(.accessoryCircular))
    func lines(_ nodes: [ViewNode]) -> [(box: Rect, line: Mark.Line)] {
      let marks = Layout(Typesetter()).picture(of: ViewNode(.stack(.centred, nodes)), in: frame, title: "t").marks
      return marks.compactMap { mark in if case .text(let line) = mark.shape { (mark.box, line) } else { nil } }
    }
    let short = lines([text("a", .micro), text("1234", .number), text("tasks", .micro)])
    #expect(short.map(\.line.text) == ["a", "1234", "tasks"])
    #expect(short.map(\.line.type.size) == [11, 22, 11])

    let words = "far too long for a round card"
    let long = lines([text(words, .micro), text(words, .number), text(words, .micro)])
    try #require(long.count == 3)
    for (box, line) in short + long {
      // Letters take 0.7 of a line's height, in its middle. Their corners are inside the card's circle, which is 76
      // wide.
      let reach = abs(box.midY - 38) + 0.35 * box.height
      let half = max(38 - box.x, box.maxX - 38)
      #expect((half * half + reach * reach).squareRoot() <= 38, "\(line.text)")
    }
    // Each is as long as possible: the middle one is longer than those above and below it.
    #expect(long[1].box.width > long[0].box.width && long[0].box.width > 30)
  }
}
