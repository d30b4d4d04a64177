import CacheSync
import Testing

@Suite("Pictures of health")
struct HealthPictureTests {
  private static func budget(
    intake: Int = 1000, remaining: Double = 1600.9, credit: Double = 400.5, daysLeft: Int = 2,
    quality: String = #""isValid":true,"flags":[]"#
  ) -> String {
    #"{"base":2400,"budget":2600,"credit":\#(credit),"daysLeft":\#(daysLeft),"intake":\#(intake),"#
      + #""remaining":\#(remaining),\#(quality)}"#
  }
  private static let over = budget(intake: 2700, remaining: -100.9, credit: -420, daysLeft: 1)
  private static let calibrating = budget(quality: #""isValid":false,"flags":["slopeClamped","budgetClamped"]"#)

  private static let macros = #"""
    "macros":[{"name":"protein","grams":100,"budget":168.35,"remaining":68.35,"progress":0.594},
     {"name":"carbs","grams":238,"budget":224.5,"remaining":-13.5,"progress":1},
     {"name":"fat","grams":78.1,"budget":null,"remaining":null,"progress":null}]
    """#
  private static func overview(_ weight: String = #"{"latest":80.64,"slopePerWeek":-0.419,"trend":"down"}"#) -> String {
    #"""
    {"calories":{"budget":2600,"intake":1000,"remaining":1600.9},\#(macros),"weight":\#(weight),"week":[
     {"date":"2026-11-14","intake":2000},{"date":"2026-11-15","intake":null},{"date":"2026-11-16","intake":1000},
     {"date":"2026-11-17","intake":0}]}
    """#
  }
  private static let neverWeighed = overview(#"{"latest":null,"slopePerWeek":0,"trend":"flat"}"#)
  private static let empty = #"{"macros":[],"week":[],"flags":[]}"#

  @Test(
    "Each picture has the texts of the contract",
    arguments: [
      ("budget", budget(), .systemSmall, "Budget · 1600 · left · 1000 / 2600 · Credit · +400"),
      ("budget", budget(), .systemMedium, "1600 · left · 1000 / 2600 kcal · Credit · +400, 2 days left"),
      ("budget", over, .systemSmall, "Budget · 100 · over · 2700 / 2600 · Credit · −420"),
      ("budget", over, .systemMedium, "100 · over · 2700 / 2600 kcal · Credit · −420, 1 day left"),
      (
        "budget", calibrating, .systemMedium,
        "1600 · left · 1000 / 2600 kcal · Credit · +400, 2 days left · Calibrating · Slope clamped"
      ),
      ("macros", "{\(macros)}", .systemSmall, "Protein · 68.4 · g left · 100 / 168.4 g"),
      (
        "macros", "{\(macros)}", .systemMedium,
        "Protein · 68.4 · g left · 100 / 168.4 g · Carbs · 13.5 · g over · 238 / 224.5 g · Fat · 78.1 · g"
      ),
      (
        "overview", overview(), .systemMedium,
        "1600 · left · Protein · 68.4 g left · Carbs · 13.5 g over · Fat · 78.1 g · 80.6 kg · −0.42 kg a week"
      ),
      (
        "overview", overview(), .systemLarge,
        "1600 · left · Protein · 68.4 g left · Carbs · 13.5 g over · Fat · 78.1 g · "
          + "Weight · 80.6 kg · −0.42 kg a week · Past week · S · — · S · M · T"
      ),
      (
        "overview", neverWeighed, .systemMedium,
        "1600 · left · Protein · 68.4 g left · Carbs · 13.5 g over · Fat · 78.1 g"
      ),
    ] as [(KindName, String, ViewFamily, String)])
  func current(kind: KindName, content: String, family: ViewFamily, words: String) throws {
    #expect(try tree(kind, content, family).words == words)
  }

  @Test(
    "Without data, each picture says so",
    arguments: [
      ("budget", .systemSmall), ("budget", .systemMedium), ("macros", .systemSmall), ("macros", .systemMedium),
      ("overview", .systemMedium), ("overview", .systemLarge),
    ] as [(KindName, ViewFamily)])
  func withoutData(kind: KindName, family: ViewFamily) throws {
    let view = try tree(kind, Self.empty, family, .empty)
    #expect(view.words == "No health data" && view.symbols == ["chart.pie.fill"])
  }

  /// The scale ends at the greater of base and budget, and the dot is at the lesser: 1000, 2700 and 2400 of 2600.
  @Test("A ring has the intake and a dot", arguments: [(budget(), 1000 / 2600.0), (over, 2700 / 2600.0)])
  func ring(content: String, progress: Double) throws {
    for family in [ViewFamily.systemSmall, .systemMedium] {
      let ring = try #require(try tree("budget", content, family).rings.first)
      #expect(ring.progress == progress && ring.dot == 2400 / 2600.0)
    }
  }

  @Test("Without a budget there is no share, and a negative rest counts as over budget")
  func shares() throws {
    let rings = try tree("macros", "{\(Self.macros)}", .systemMedium).rings
    #expect(rings.map(\.tint) == [.red, .orange, .green])
    #expect(rings[0].progress == 0.594 && rings[1].progress.map { $0 > 1 } == true && rings[2].progress == nil)
    let zero = try tree("budget", #"{"base":0,"budget":0,"intake":0,"remaining":0}"#, .systemSmall).rings
    #expect(zero.first?.progress == nil && zero.first?.dot == nil)
  }

  @Test("The word and the number turn red together")
  func red() throws {
    let texts = try tree("budget", Self.over, .systemSmall).texts.filter { $0.tint == .red }
    #expect(texts.map(\.words) == ["100", "over"])
    #expect(try tree("budget", Self.budget(), .systemSmall).texts.allSatisfy { $0.tint != .red })
  }

  @Test(
    "The arrow points in the direction of the weight's trend",
    arguments: [("down", "arrow.down.right"), ("up", "arrow.up.right"), ("flat", "arrow.right")])
  func arrow(trend: String, symbol: String) throws {
    let content = Self.overview(#"{"latest":80,"slopePerWeek":0,"trend":"\#(trend)"}"#)
    #expect(try tree("overview", content, .systemMedium).symbols == [symbol])
  }

  @Test("Each day's bar is relative to the greatest of the week, and a day without data has none")
  func week() throws {
    let bars = try tree("overview", Self.overview(), .systemLarge).bars.filter(\.isUpright)
    #expect(bars.map(\.progress) == [1, 0.5, 0])
  }
}
