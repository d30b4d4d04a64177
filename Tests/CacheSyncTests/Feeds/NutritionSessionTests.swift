import CacheSync
import Foundation
import Testing

@Suite("A diet app's session model")
struct NutritionSessionTests {
  static let foods = (1...8).map {
    NutritionSession.Food(id: "f\($0)", name: "Food \($0)", calories: 100, protein: 1, carbs: 2, fat: 3, unit: "g")
  }

  static func session() throws -> NutritionSession {
    NutritionSession(
      lastUpdated: try #require(Instant("2026-11-21T10:00:00.25Z")),
      todayNutrition: .init(calories: 1234.5, protein: 80.25, carbs: 150, fat: 40),
      goals: .init(calorieTarget: 1800), recentFoods: Array(foods.prefix(2)), trackingMode: .simple)
  }

  @Test("The agent reads the session")
  func roundTrip() throws {
    let session = try Self.session()
    let bytes = try JSONEncoder().encode(session)
    let harness = try FeedHarness()
    #expect(try harness.put("widget-data/a.json", String(decoding: bytes, as: UTF8.self)).isEmpty)
    let content = try harness.content("daily-progress", at: "2026-11-21T12:00:00Z")
    #expect(content["text"]?.string == "1234 / 1800")
    #expect(content["lastUpdated"]?.string == "2026-11-21T10:00:00Z")
    #expect(content["trackingMode"]?.string == "simple")
    #expect(try harness.content("quick-log", at: "2026-11-21T12:00:00Z")["foods"]?[1]?["id"]?.string == "f2")
    #expect(try JSONDecoder().decode(NutritionSession.self, from: bytes) == session)
  }

  @Test("The model reads older files with dates as numbers")
  func numbers() throws {
    let text = NutritionFixtures.session(updated: "816948000")
    let session = try JSONDecoder().decode(NutritionSession.self, from: Data(text.utf8))
    #expect(session.lastUpdated.description == "2026-11-21T10:00:00Z")
    #expect(session.goals == .init())
  }

  @Test("The sample cache has an example")
  func sample() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../../sample-cache").standardized
    let harness = try FeedHarness(zone: "America/New_York")
    for path in ["widget-data/widgetData.json", "intents/log-oatmeal.json", "intents/add-task-beans.json"] {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      #expect(try harness.put(path, text).isEmpty)
    }
    let content = try harness.content("daily-progress", at: "2026-11-21T14:03:22Z")
    #expect(content["text"]?.string == "1459 / 2000")
  }

  @Test("New totals keep foods, mode and goals")
  func totals() throws {
    let old = try Self.session()
    var session = old
    let later = try #require(Instant("2026-11-21T18:00:00Z"))
    session.update(today: .init(calories: 1900), at: later)
    #expect(session.todayNutrition.calories == 1900 && session.lastUpdated == later)
    #expect(session.recentFoods == old.recentFoods && session.trackingMode == .simple && session.goals == old.goals)
    session.update(today: .init(calories: 1950), goals: .init(calorieTarget: 2100), at: later)
    #expect(session.goals.calorieTarget == 2100 && session.recentFoods == old.recentFoods)
  }

  @Test("One new part keeps the others, including the date of the totals")
  func parts() throws {
    let old = try Self.session()
    var session = old
    session.update(trackingMode: .mindful)
    session.update(goals: .init(calorieTarget: 2200))
    session.update(recentFoods: Self.foods)
    #expect(session.trackingMode == .mindful && session.goals.calorieTarget == 2200)
    #expect(session.todayNutrition == old.todayNutrition && session.lastUpdated == old.lastUpdated)
    #expect(session.recentFoods.map(\.id) == ["f1", "f2", "f3", "f4", "f5", "f6"])
  }

  @Test("The last six logged foods are kept, the latest first")
  func recentFoods() throws {
    var session = try Self.session()
    for food in Self.foods { session.remember(food) }
    #expect(session.recentFoods.map(\.id) == ["f8", "f7", "f6", "f5", "f4", "f3"])
    session.remember(Self.foods[4])
    #expect(session.recentFoods.map(\.id) == ["f5", "f8", "f7", "f6", "f4", "f3"])
  }
}
