import Foundation
import Testing

@testable import CacheSync

@Suite("A week of meals")
struct WeekOfMealsTests {
  private func read(_ entries: [String]) -> MealPlanSession? {
    let text = """
      {"id":"s","plan":[\(entries.joined(separator: ","))],"is_finalized":true,"created_at":0,"updated_at":0}
      """
    return Array(text.utf8).withUnsafeBytes { bytes in JSONReader.read(bytes) { MealPlanSession.decode(&$0) }.value }
  }

  private func entry(_ day: Int, _ track: String, _ meal: String, id: String, name: String) -> String {
    #"{"day_index":\#(day),"meal_track":"\#(track)","meal_type":"\#(meal)","meal_id":\#(id),"meal_name":\#(name)}"#
  }

  @Test("Every slot of every day is read, whatever the order of entries")
  func everyPlace() throws {
    let slots = [
      ("family", "breakfast"), ("adult", "breakfast"), ("family", "lunch"), ("family", "dinner"), ("adult", "lunch"),
      ("adult", "dinner"),
    ]
    var entries: [String] = []
    for day in 0..<7 {
      for (track, meal) in slots {
        entries.append(entry(day, track, meal, id: #""\#(day)""#, name: #""\#(track) \#(meal)""#))
      }
    }
    let week = try #require(read(entries.reversed()))
    for day in Weekday.allCases {
      let meals = week.meals(on: day)
      #expect(meals.count == 6)
      #expect(MealSlot.allCases.map { meals[$0]?.mealId } == Array(repeating: "\(day.rawValue)", count: 6))
      #expect(MealSlot.allCases.map { meals[$0]?.mealName } == slots.map { "\($0) \($1)" })
    }
  }

  @Test(
    "Texts of any length are read, and a missing one is distinguished from an empty one", arguments: [0, 1, 16_383])
  func lengths(count: Int) throws {
    let long = String(repeating: "é", count: count)
    let week = try #require(
      read([
        entry(0, "family", "dinner", id: "null", name: #""\#(long)""#),
        entry(0, "family", "lunch", id: #""\#(long)""#, name: "null"),
        entry(6, "adult", "dinner", id: #""after""#, name: #""""#),
      ]))
    let monday = week.meals(on: .monday)
    #expect(Set(monday.keys) == [.familyLunch, .familyDinner])
    #expect(monday[.familyLunch]?.mealId == long && monday[.familyLunch]?.mealName == nil)
    #expect(monday[.familyDinner]?.mealId == nil && monday[.familyDinner]?.mealName == long)
    let sunday = try #require(week.meals(on: .sunday)[.adultDinner])
    #expect(sunday.mealId == "after")
    #expect(sunday.mealName?.isEmpty == true)
    #expect(week.meals(on: .tuesday).isEmpty)
  }

  @Test("Of two entries for one slot the later counts, even without a meal; texts are unescaped")
  func later() throws {
    let week = try #require(
      read([
        entry(2, "family", "dinner", id: #""1""#, name: #""Soup""#),
        #"{"day_index":2,"meal_type":"dinner"}"#,
        entry(2, "adult", "lunch", id: #""2""#, name: #""Soup""#),
        entry(2, "adult", "lunch", id: #""3""#, name: #""Cr\u00eape \"S\"""#),
      ]))
    let meals = week.meals(on: .wednesday)
    #expect(Set(meals.keys) == [.familyDinner, .adultLunch])
    #expect(meals[.familyDinner]?.mealId == nil && meals[.familyDinner]?.mealName == nil)
    #expect(meals[.adultLunch]?.mealId == "3" && meals[.adultLunch]?.mealName == "Crêpe \"S\"")
  }

  @Test("Without entries the week is empty")
  func empty() throws {
    let week = try #require(read([]))
    #expect(Weekday.allCases.allSatisfy { week.meals(on: $0).isEmpty })
  }
}
