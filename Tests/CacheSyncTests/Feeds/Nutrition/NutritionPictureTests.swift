import CacheSync
import Testing

@Suite("Pictures of nutrition")
struct NutritionPictureTests {
  private static let daily = #"""
    {"calorieProgress":0.61725,"calorieTarget":2000,"calories":1234.5,"caloriesRemaining":765.5,
     "lastUpdated":"2026-11-21T14:30:00Z","showsNumbers":true,"symbol":"fork.knife","text":"1234 / 2000",
     "trackingMode":"full","macros":[{"name":"protein","grams":80.25,"progress":0.535,"target":150},
      {"name":"carbs","grams":150,"progress":0.6,"target":250},{"name":"fat","grams":0,"progress":0,"target":65}]}
    """#
  private static let breakdown = #"""
    {"showsNumbers":true,"trackingMode":"full","macros":[
      {"name":"protein","grams":80.25,"progress":0.535,"target":150,"remaining":69.75,"calories":321,"share":0.3486},
      {"name":"carbs","grams":150,"progress":0.6,"target":250,"remaining":100,"calories":600,"share":0.6514},
      {"name":"fat","grams":0,"progress":0,"target":65,"remaining":65,"calories":0,"share":0}]}
    """#
  private static let foods = #"""
    {"isEmpty":false,"showsNumbers":true,"foods":[
      {"id":"oats","name":"Oats 3000","calories":150.9,"defaultQuantity":1,"unit":"bowl"},
      {"id":7,"name":"Egg","calories":70,"defaultQuantity":2,"unit":"piece"},
      {"id":"","name":"","calories":0,"defaultQuantity":1,"unit":"cup"}]}
    """#
  private static let noFoods = #"""
    {"foods":[],"isEmpty":true,"message":"Add favorites to quick log","showsNumbers":true,"symbol":"star"}
    """#
  private static let left = #"""
    {"circular":"fork.knife","inline":"765 calories remaining","progress":0.61725,"rectangular":"765 cal left",
     "remaining":765.5,"showsNumbers":true}
    """#
  private static let unsynced = #"""
    {"circular":"fork.knife","inline":"Sync required","progress":0,"rectangular":"Open app to sync","remaining":2000,
     "showsNumbers":true}
    """#

  /// New York is UTC-5 in November, so 14:30Z is 09:30. Grams have one decimal; kcal and percentages are truncated.
  @Test(
    "Each picture has the texts of the contract",
    arguments: [
      ("daily-progress", daily, .systemSmall, .current, "765 · left · 1234 / 2000"),
      (
        "daily-progress", daily, .systemMedium, .current,
        "765 · cal left · 1234 / 2000 · Protein · 80.3 g · Carbs · 150 g · Fat · 0 g · as of 09:30"
      ),
      ("daily-progress", daily, .systemSmall, .empty, "Open app to sync"),
      ("daily-progress", daily, .systemMedium, .empty, "Open app to sync"),
      (
        "macro-breakdown", breakdown, .systemMedium, .current,
        "Protein · 80.3 / 150 g · 69.8 g left · Carbs · 150 / 250 g · 100 g left · Fat · 0 / 65 g · 65 g left"
      ),
      (
        "macro-breakdown", breakdown, .systemLarge, .current,
        "Macros · Protein · 34% · Carbs · 65% · Fat · 0% · Protein · 80.3 / 150 g · 69.8 g left · 321 kcal · "
          + "Carbs · 150 / 250 g · 100 g left · 600 kcal · Fat · 0 / 65 g · 65 g left · 0 kcal"
      ),
      ("macro-breakdown", breakdown, .systemMedium, .empty, "Open app to sync"),
      ("macro-breakdown", breakdown, .systemLarge, .empty, "Open app to sync"),
      ("quick-log", foods, .systemMedium, .current, "Quick Log · Oats 3000 · 150 cal · Egg · 70 cal · — · 0 cal"),
      ("quick-log", noFoods, .systemMedium, .empty, "Add favorites to quick log"),
      ("calories", left, .accessoryCircular, .current, ""),
      ("calories", left, .accessoryRectangular, .current, "765 cal left"),
      ("calories", left, .accessoryInline, .current, "765 calories remaining"),
      ("calories", unsynced, .accessoryRectangular, .empty, "Open app to sync"),
      ("calories", unsynced, .accessoryInline, .empty, "Sync required"),
    ] as [(KindName, String, ViewFamily, SnapshotState, String)])
  func current(kind: KindName, content: String, family: ViewFamily, state: SnapshotState, words: String) throws {
    #expect(try tree(kind, content, family, state).words == words)
  }

  /// The texts that are published in this mode.
  private static func mindful(_ content: String) -> String {
    content.replacing(#""showsNumbers":true"#, with: #""showsNumbers":false"#)
      .replacing(#""symbol":"fork.knife""#, with: #""symbol":"leaf.fill""#)
      .replacing(#/"(765 cal[a-z ]*|1234 / 2000)"/#, with: #""Mindful mode""#)
  }

  @Test(
    "In mindful mode there are no digits, except in names of foods",
    arguments: [
      ("daily-progress", daily, .systemSmall, "Mindful mode"),
      ("daily-progress", daily, .systemMedium, "Mindful mode · Protein · Carbs · Fat"),
      ("macro-breakdown", breakdown, .systemMedium, "Protein · Carbs · Fat"),
      ("macro-breakdown", breakdown, .systemLarge, "Macros · Protein · Carbs · Fat · Protein · Carbs · Fat"),
      ("quick-log", foods, .systemMedium, "Quick Log · Oats 3000 · Egg · —"),
      ("calories", left, .accessoryCircular, ""),
      ("calories", left, .accessoryRectangular, "Mindful mode"),
      ("calories", left, .accessoryInline, "Mindful mode"),
    ] as [(KindName, String, ViewFamily, String)])
  func withoutDigits(kind: KindName, content: String, family: ViewFamily, words: String) throws {
    #expect(try tree(kind, Self.mindful(content), family).words == words)
  }

  @Test("In mindful mode a leaf replaces the number inside the ring")
  func leaf() throws {
    #expect(try tree("daily-progress", Self.mindful(Self.daily), .systemSmall).symbols == ["leaf.fill"])
    #expect(try tree("daily-progress", Self.daily, .systemSmall).symbols.isEmpty)
  }

  @Test("Each tile logs its food")
  func tiles() throws {
    let actions = try tree("quick-log", Self.foods, .systemMedium).actions
    #expect(actions == ["oats", "7", ""].map { .intent("log-food", ["foodId": $0]) })
  }

  @Test("One bar shows the shares of the macros, in the colours of their own bars")
  func shares() throws {
    let view = try tree("macro-breakdown", Self.breakdown, .systemLarge)
    let bars = view.bars
    #expect(bars.first?.parts == [.init(0.3486, .blue), .init(0.6514, .orange), .init(0, .purple)])
    #expect(bars.dropFirst().map(\.tint) == [.blue, .orange, .purple])
    #expect(bars.dropFirst().map(\.progress) == [0.535, 0.6, 0])
  }
}
