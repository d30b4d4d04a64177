import CacheSync
import Testing

@Suite("A stale view")
struct ViewStatesTests {
  private static let heading = ViewNode.word("Macros", .ink, .headline)

  @Test("A stale view has its badge at the end of its heading, or above everything if it has no heading")
  func badge() {
    let list = ViewNode.vertical(Self.heading, .text("a"), gap: 12)
    let stale = list.dressed(for: .stale, in: .systemMedium, .english)
    guard case .stack(.vertical, let nodes) = stale.form, case .stack(.horizontal, let first) = nodes[0].form else {
      Issue.record("\(stale)")
      return
    }
    #expect(nodes.count == 2 && stale.room == list.room)
    #expect(first.first == Self.heading.growing())
    #expect(stale.words == "Macros · stale · a" && stale.symbols == ["exclamationmark.triangle"])

    let twoLines = ViewNode.vertical(.text("a").twoLines(), .text("b"))
    let ring = ViewNode.centred(.ring(0.5, .label("1")), .text("b"))
    for view in [twoLines, ring] {
      let stale = view.dressed(for: .stale, in: .systemSmall, .english)
      guard case .stack(.vertical, let nodes) = stale.form else {
        Issue.record("\(stale)")
        continue
      }
      #expect(nodes.count == 2 && nodes[1] == view.growing() && nodes[0].words == "stale")
    }
  }

  @Test("A circle and a ring in it have their badge below all lines")
  func circle() {
    let lines = ViewNode.centred(.label("6"), .word("tasks"), gap: 0)
    for view in [lines, .ring(0.5, lines)] {
      let stale = view.dressed(for: .stale, in: .accessoryCircular, .english)
      let stacks = stale.all.compactMap { if case .stack(.centred, let nodes) = $0.form { nodes } else { nil } }
      #expect(stacks.map(\.count) == [3] && stacks.first?.last?.symbols == ["exclamationmark.triangle"])
    }
    // Rows that may be omitted are not mixed with those that may not.
    var list = lines
    list.room.more = 0
    #expect(list.dressed(for: .stale, in: .accessoryCircular, .english).all.contains(list))
  }
}
