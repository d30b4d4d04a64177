import CacheSync
import Testing

@Suite("The picture of the meal plan")
struct MealPlanPictureTests {
  /// A Saturday with these meals: track, label, symbol and name as JSON.
  private static func day(_ meals: (track: String, label: String, symbol: String, name: String)...) -> String {
    let meals = meals.map { meal in
      #"{"label":"\#(meal.label)","mealTrack":"\#(meal.track)","mealType":"\#(meal.label.lowercased())","symbol":"\#(meal.symbol)","mealName":\#(meal.name)}"#
    }
    return #"{"dayName":"Saturday","isEmpty":false,"meals":[\#(meals.joined(separator: ","))]}"#
  }

  private static let three = day(
    ("family", "Breakfast", "sunrise", #""Pancakes""#), ("family", "Lunch", "sun.max", "null"),
    ("family", "Dinner", "moon.stars", #""Pizza""#))
  private static let five = day(
    ("family", "Breakfast", "sunrise", #""Pancakes""#), ("adult", "Breakfast", "sunrise", #""Eggs""#),
    ("family", "Lunch", "sun.max", #""""#), ("family", "Dinner", "moon.stars", #""Pizza""#),
    ("adult", "Dinner", "moon.stars", #""Steak""#))
  private static let none = #"""
    {"dayName":"Saturday","isEmpty":true,"meals":[],"title":"No Meal Plan","message":"Open app to generate",
     "symbol":"fork.knife"}
    """#

  @Test(
    "The picture has the day's meals in the content's order, with a dash for a missing name",
    arguments: [
      (three, "Saturday · Breakfast · Pancakes · Lunch · — · Dinner · Pizza"),
      (
        five,
        "Saturday · Breakfast · Pancakes · Adult breakfast · Eggs · Lunch · — · Dinner · Pizza · Adult dinner · Steak"
      ),
      (none, "No Meal Plan · Open app to generate"),
    ])
  func words(content: String, words: String) throws {
    #expect(try tree("meal-plan", content, .systemMedium).words == words)
  }

  @Test("Up to three meals are rows, and more are in two columns", arguments: [(three, 1), (five, 2)])
  func columns(content: String, count: Int) throws {
    guard case .stack(.vertical, let lines) = try tree("meal-plan", content, .systemMedium).form else {
      Issue.record("not one under another")
      return
    }
    #expect(lines.count == 4)
    for line in lines.dropFirst() {
      switch line.form {
      case .row: #expect(count == 1)
      case .stack(.horizontal, let cells): #expect(cells.count == count)
      default: Issue.record("\(line)")
      }
    }
  }

  @Test("A redacted picture keeps icons and labels")
  func placeholder() throws {
    let view = try tree("meal-plan", Self.five, .systemMedium).dressed(for: .placeholder, in: .systemMedium, .english)
    #expect(
      view.texts.filter { !$0.isWithheld }.map(\.words) == [
        "Breakfast", "Adult breakfast", "Lunch", "Dinner", "Adult dinner",
      ])
    #expect(view.symbols == ["sunrise", "sunrise", "sun.max", "moon.stars", "moon.stars"])
  }
}
