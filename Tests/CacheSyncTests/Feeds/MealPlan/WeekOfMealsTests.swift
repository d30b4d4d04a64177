import Foundation
import Testing

@testable import CacheSyncFeeds

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
    "Texts of any length are read, and an empty one is a missing one", arguments: [0, 1, 16_383])
  func lengths(count: Int) throws {
    let long = String(repeating: "é", count: count)
    let found = count == 0 ? nil : long
    let week = try #require(
      read([
        entry(0, "family", "dinner", id: "null", name: #""\#(long)""#),
        entry(0, "family", "lunch", id: #""\#(long)""#, name: "null"),
        entry(6, "adult", "dinner", id: #""after""#, name: #""""#),
      ]))
    let monday = week.meals(on: .monday)
    #expect(Set(monday.keys) == [.familyLunch, .familyDinner])
    #expect(monday[.familyLunch]?.mealId == found && monday[.familyLunch]?.mealName == nil)
    #expect(monday[.familyDinner]?.mealId == nil && monday[.familyDinner]?.mealName == found)
    let sunday = try #require(week.meals(on: .sunday)[.adultDinner])
    #expect(sunday.mealId == "after")
    #expect(sunday.mealName == nil)
    #expect(week.meals(on: .tuesday).isEmpty)
  }

  @Test(
    "All entries of a slot count: each name once in their order, and the first id",
    arguments: [
      // (the entries' ids and names as JSON, the meal's id, its name)
      ([(#""1""#, #""Bean Burgers""#), (#""2""#, #""Oven Chips""#)], "1", "Bean Burgers, Oven Chips"),
      ([(#""2""#, #""Oven Chips""#), (#""1""#, #""Bean Burgers""#)], "2", "Oven Chips, Bean Burgers"),
      ([(#""1""#, #""Soup""#), (#""2""#, #""Bread""#), (#""3""#, #""Soup""#)], "1", "Soup, Bread"),
      ([(#""1""#, #""Soup""#), ("null", "null")], "1", "Soup"),
      ([("null", "null"), (#""2""#, #""Soup""#)], "2", "Soup"),
      ([(#""""#, #""""#), (#""2""#, #"" \t\u00a0""#), (#""3""#, #""Soup""#)], "2", "Soup"),
      ([(#""1""#, #""""#), (#""2""#, #"" ""#)], "1", nil),
      ([("null", "null"), (#""""#, "null")], nil, nil),
      // Names are compared by bytes, and shown as they are written.
      ([("null", #""Cr\u00eape \"S\"""#), ("null", #""Cre\u0302pe \"S\"""#)], nil, "Crêpe \"S\", Cre\u{302}pe \"S\""),
      ([("null", #""Soup ""#), ("null", #""Soup""#), ("null", #""soup""#)], nil, "Soup , Soup, soup"),
    ] as [([(String, String)], String?, String?)])
  func dishes(entries: [(id: String, name: String)], id: String?, name: String?) throws {
    // Those of other slots are in between.
    let others = [
      entry(2, "adult", "dinner", id: #""x""#, name: #""Curry""#), #"{"day_index":1,"meal_type":"dinner"}"#,
    ]
    let week = try #require(
      read(entries.flatMap { [entry(2, "family", "dinner", id: $0.id, name: $0.name)] + others }))
    let meals = week.meals(on: .wednesday)
    #expect(Set(meals.keys) == [.familyDinner, .adultDinner])
    #expect(meals[.familyDinner]?.mealId == id)
    #expect(meals[.familyDinner]?.mealName.map { Array($0.utf8) } == name.map { Array($0.utf8) })
    #expect(meals[.adultDinner]?.mealName == "Curry")
  }

  @Test("Without entries the week is empty")
  func empty() throws {
    let week = try #require(read([]))
    #expect(Weekday.allCases.allSatisfy { week.meals(on: $0).isEmpty })
  }
}
