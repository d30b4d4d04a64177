import CacheSync
import Testing

@Suite("A nutrition session")
struct NutritionDecodingTests {
  static let required: [String] =
    ["/lastUpdated", "/todayNutrition", "/goals", "/recentFoods", "/trackingMode"]
    + ["calories", "protein", "carbs", "fat"].map { "/todayNutrition/\($0)" }
    + ["calorieTarget", "proteinTarget", "carbsTarget", "fatTarget"].map { "/goals/\($0)" }
    + ["id", "name", "calories", "protein", "carbs", "fat", "defaultQuantity", "unit"].map { "/recentFoods/0/\($0)" }

  @Test("Every field is required", arguments: required)
  func missing(pointer: String) throws {
    let text = try NutritionFixtures.edited(NutritionFixtures.session(), pointer, to: nil)
    #expect(try NutritionFixtures.onlyPointer(NutritionFeed.self, text) == pointer)
  }

  @Test("Every field must have its type", arguments: required, [JSONValue.bool(true), .null])
  func mistyped(pointer: String, value: JSONValue) throws {
    let text = try NutritionFixtures.edited(NutritionFixtures.session(), pointer, to: value)
    #expect(try NutritionFixtures.onlyPointer(NutritionFeed.self, text) == pointer)
  }

  @Test(
    "Negative numbers, fractions of target calories, dates without an offset and unknown modes are defects",
    arguments: [
      ("/todayNutrition/calories", JSONValue.integer(-1)), ("/todayNutrition/fat", .number(-0.5)),
      ("/goals/calorieTarget", .integer(-1)), ("/goals/calorieTarget", .number(1999.5)),
      ("/goals/proteinTarget", .integer(-3)), ("/recentFoods/0/calories", .integer(-3)),
      ("/recentFoods/0/defaultQuantity", .integer(-1)), ("/recentFoods/0/id", .number(1.5)),
      ("/lastUpdated", .string("2026-11-21")), ("/lastUpdated", .string("2026-11-21T10:00:00")),
      ("/trackingMode", .array([])), ("/todayNutrition", .array([])), ("/recentFoods", .object([:])),
    ])
  func outOfRange(pointer: String, value: JSONValue) throws {
    let text = try NutritionFixtures.edited(NutritionFixtures.session(), pointer, to: value)
    #expect(try NutritionFixtures.onlyPointer(NutritionFeed.self, text) == pointer)
  }

  @Test("Unknown fields and whole numbers with a fraction of 0 are accepted")
  func unknown() throws {
    let harness = try FeedHarness()
    let text = NutritionFixtures.session(
      goals: #"{"calorieTarget":2000.0,"proteinTarget":150,"carbsTarget":250,"fatTarget":65,"x":[1e999]}"#)
    #expect(try harness.put("widgetData.json", text.dropLast() + #","new":{"a":1,"a":2}}"#).isEmpty)
    #expect(try harness.content("calories", at: "2026-11-21T12:00:00Z")["inline"]?.string == "765 calories remaining")
  }

  @Test(
    "Dates may be numbers or ISO 8601",
    arguments: [
      "816948000", "816948000.0", #""2026-11-21T10:00:00Z""#, #""2026-11-21T15:30:00.000+0530""#,
      #""2026-11-21T10:00:00.9Z""#,
    ])
  func dates(updated: String) throws {
    let harness = try FeedHarness()
    #expect(try harness.put("nutrition/a.json", NutritionFixtures.session(updated: updated)).isEmpty)
    let content = try harness.content("daily-progress", at: "2026-11-21T12:00:00Z")
    #expect(content["lastUpdated"]?.string == "2026-11-21T10:00:00Z")
  }

  @Test("Of two foods with the same id the later one counts, at its own place")
  func sameFood() throws {
    let harness = try FeedHarness()
    let foods = [
      NutritionFixtures.food("a", name: "old"), NutritionFixtures.food("b"), NutritionFixtures.food("a", name: "new"),
      #"{"id":7,"name":"seven","calories":1,"protein":0,"carbs":0,"fat":0,"defaultQuantity":2.5,"unit":"g"}"#,
      NutritionFixtures.food("7", name: "the same seven"), NutritionFixtures.food("c"), NutritionFixtures.food("d"),
    ]
    try harness.put("nutrition/a.json", NutritionFixtures.session(foods: foods))
    let names = try harness.content("quick-log", at: "2026-11-21T12:00:00Z")["foods"]?.array?.map { $0["name"]?.string }
    #expect(names == ["b", "new", "the same seven", "c"])
  }
}
