import CacheSync
import Testing

@Suite("Pictures of shoes")
struct ShoesPictureTests {
  /// Worn since yesterday, 07:40 in New York.
  private static let worn = #"{"id":1,"name":"Pegasus","icon":"figure.run","since":"2026-11-20T12:40:00Z"}"#

  private static let selection = #"""
    {"currentShoe":\#(worn),"today":{"distance":1.456,"steps":2067},"top":[
      {"id":1,"name":"Pegasus","icon":"figure.run","isActive":true},{"id":"b c","name":"Office","icon":null,"isActive":false}]}
    """#

  private static let noneSelected = #"{"currentShoe":null,"today":{"distance":0,"steps":0},"top":[]}"#

  private static let stats = #"""
    {"activeSince":"2026-11-20T12:40:00Z","activeText":"1 h 5 min","currentShoe":\#(worn),"distance":1.4,"steps":2067}
    """#

  private static let noStats = #"{"activeSince":null,"activeText":"0 min","currentShoe":null,"distance":0,"steps":0}"#

  private static func suggestions(_ count: Int) -> String {
    let cards = (0..<count).map { #"{"name":"n\#($0)","reason":"r","match":"75% match","shoeId":\#($0)}"# }
    return #"{"insight":{"text":"2 km this week"},"slot":"midday","suggestions":[\#(cards.joined(separator: ","))]}"#
  }

  private static let current = #"""
    {"circular":"figure.run","inline":"Pegasus","rectangular":{"subtitle":"Active since 07:40","title":"Pegasus"},
     "shoe":\#(worn)}
    """#
  private static let noCurrent = #"{"circular":"shoe.2","inline":"Select Shoes","rectangular":null,"shoe":null}"#

  @Test(
    "Each picture has the texts of the contract",
    arguments: [
      ("quick-selection", selection, .systemSmall, "Pegasus · 2067 steps · 1.46 km"),
      ("quick-selection", noneSelected, .systemSmall, "Select Shoes · 0 steps · 0 km"),
      (
        "daily-stats", stats, .systemMedium,
        "Current Shoe · Pegasus · on since Fri 20 Nov 07:40 · Today's Activity · 2067 steps · 1.4 km · 1 h 5 min"
      ),
      (
        "daily-stats", noStats, .systemMedium,
        "Current Shoe · Select Shoes · Today's Activity · 0 steps · 0 km · 0 min"
      ),
      (
        "smart-suggestions", suggestions(1), .systemLarge,
        "Smart Suggestions · Based on your activity patterns · n0 · r · 75% match · 2 km this week"
      ),
      (
        "smart-suggestions", #"{"insight":null,"suggestions":[]}"#, .systemLarge,
        "Smart Suggestions · Based on your activity patterns · No suggestions yet"
      ),
      ("quick-selection", noneSelected, .systemMedium, "Select Shoes · 0 steps · 0 km"),
      ("shoe-status", stats, .systemSmall, "Pegasus · on since Fri 20 Nov 07:40 · 2067 steps · 1.4 km · 1 h 5 min"),
      ("current-shoe", current, .accessoryCircular, ""),
      ("current-shoe", current, .accessoryRectangular, "Pegasus · Active since 07:40"),
      ("current-shoe", current, .accessoryInline, "Pegasus"),
      ("current-shoe", noCurrent, .accessoryRectangular, "Select Shoes"),
    ] as [(KindName, String, ViewFamily, String)])
  func texts(kind: KindName, content: String, family: ViewFamily, words: String) throws {
    #expect(try tree(kind, content, family).words == words)
  }

  @Test(
    "Without data, the picture asks to select shoes",
    arguments: [
      ("quick-selection", noneSelected, .systemSmall), ("daily-stats", noStats, .systemMedium),
      ("smart-suggestions", #"{"insight":null,"suggestions":[]}"#, .systemLarge),
    ] as [(KindName, String, ViewFamily)])
  func empty(kind: KindName, content: String, family: ViewFamily) throws {
    let view = try tree(kind, content, family, .empty)
    #expect(view.words == "Select Shoes" && view.symbols == ["shoe.2"])
  }

  @Test("A tile puts its shoe on, has the shoe's name as its label, and marks the worn one")
  func tiles() throws {
    let view = try tree("quick-selection", Self.selection, .systemSmall)
    #expect(
      view.actions == [.intent("select-shoe", ["shoeId": "1"]), .intent("select-shoe", ["shoeId": "b c"])])
    #expect(view.symbols == ["figure.run", "figure.run", "shoe.2"])
    #expect(view.all.first { $0.room.ground == .chosen(.blue) }?.label == "Pegasus")
    #expect(view.all.first { $0.room.ground == .tile }?.label == "Office")
  }

  @Test(
    "Up to two suggestions are in one column, and more in two",
    arguments: [(1, 0), (2, 0), (3, 2), (4, 2), (9, 2)])
  func cards(count: Int, rows: Int) throws {
    let view = try tree("smart-suggestions", Self.suggestions(count), .systemLarge)
    let shown = min(count, 4)
    #expect(view.actions == (0..<shown).map { .intent("select-shoe", ["shoeId": "\($0)"]) })
    guard case .stack(_, let nodes) = view.form else { return }
    let pairs = nodes.filter {
      if case .stack(.horizontal, let cards) = $0.form { cards.count == 2 && $0.room.grows } else { false }
    }
    #expect(pairs.count == rows)
  }

  @Test("A lock screen shows the shoe's own icon")
  func icon() throws {
    #expect(try tree("current-shoe", Self.current, .accessoryCircular).symbols == ["figure.run"])
    #expect(try tree("current-shoe", Self.noCurrent, .accessoryCircular).symbols == ["shoe.2"])
  }
}
