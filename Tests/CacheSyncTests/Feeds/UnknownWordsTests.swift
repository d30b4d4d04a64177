import CacheSyncSystem
import Testing

import CacheSync

@Suite("Unknown words")
struct UnknownWordsTests {
  /// The output of `check` or the agent for a file, without its path.
  static func lines(_ feed: FeedName, _ text: String) throws -> [String] {
    let descriptor = try #require(FeedRegistry.builtIn.feed(named: feed))
    let found = Array(text.utf8).withUnsafeBytes {
      descriptor.problems(of: $0, at: CachePath("a.json"))
    }
    return found.map { String($0.line().dropFirst("a.json:1:".count)) }
  }

  /// A meal plan on one line, with these entries.
  static func plan(_ entries: String, end: String = "") -> String {
    #"{"plan":[\#(entries)],"id":"p","is_finalized":true,"created_at":0,"updated_at":0\#(end)}"#
  }

  static let soup = #"{"day_index":5,"meal_type":"lunch","meal_id":"s","meal_name":"Soup"}"#

  @Test(
    "A record with unknown words is left out, with one warning at the first of them",
    arguments: [
      (
        plan(#"{"meal_type":"snack","day_index":5}"#),
        #"warning: unknown meal_type "snack": this entry is left out [/plan/0/meal_type]"#
      ),
      (
        plan(#"{"meal_type":"snack","meal_track":"kids","day_index":"x"}"#),
        #"warning: unknown meal_type "snack": this entry is left out [/plan/0/meal_type]"#
      ),
      (
        plan(#"{"day_index":99,"meal_type":"Lunch"}"#),
        #"warning: unknown meal_type "Lunch": this entry is left out [/plan/0/meal_type]"#
      ),
    ])
  func records(text: String, expected: String) throws {
    let word = try #require(expected.firstMatch(of: /".*?"/)?.output)
    #expect(try Self.lines("meal-plan", text) == ["\(try Self.column(of: word, in: text)): \(expected)"])
  }

  /// The column of a text in a document of one line, from 1.
  static func column(of part: some StringProtocol, in text: String) throws -> Int {
    text.utf8.distance(from: text.startIndex, to: try #require(text.firstRange(of: part)).lowerBound) + 1
  }

  @Test("The rest of the file counts, and its state is unchanged")
  func rest() throws {
    let harness = try FeedHarness()
    let snack = #"{"day_index":5,"meal_type":"snack","meal_name":"Crisps"}"#
    #expect(try harness.put("meal-plan/a.json", Self.plan("\(snack),\(Self.soup),\(snack)")) == [])
    // 21 November 2026 is a Saturday.
    let content = try harness.content("meal-plan", at: "2026-11-21T12:00:00Z")
    #expect(content["meals"]?.array?.compactMap { $0["mealName"]?.string } == ["Soup"])
    #expect(try harness.state("meal-plan", at: "2026-11-21T12:00:00Z") == "current")
    #expect(try harness.day("meal-plan", "2026-11-21", now: "2026-11-21T12:00:00Z")?["entries"] == .integer(1))
  }

  @Test("A second key and invalid text are errors, also in a record that is left out; then warnings are not reported")
  func errors() throws {
    let snack = #"{"meal_type":"snack","day_index":5}"#
    #expect(
      try Self.lines("meal-plan", Self.plan(#"\#(snack),{"meal_type":7,"day_index":5}"#)).map { $0.contains("error: ") }
        == [false, false])
    let twice = #"{"meal_type":"snack","day_index":5,"day_index":9}"#
    #expect(try Self.lines("meal-plan", Self.plan(twice)).map { $0.contains("error: duplicate key") } == [true])
    #expect(try Self.lines("meal-plan", Self.plan(snack, end: #","updated_at":0"#)).first?.contains("error") == true)
    // A lone surrogate makes the whole document invalid JSON, even inside a record that is left out.
    let broken = #"{"meal_type":"snack","day_index":5,"meal_name":"\ud800"}"#
    #expect(
      try Self.lines("meal-plan", Self.plan(broken)) == [
        "\(try Self.column(of: #"\ud"#, in: Self.plan(broken))): error: lone surrogate escape"
      ])
    #expect(try Self.lines("meal-plan", String(Self.plan(snack).dropLast())).map { $0.contains("error: ") } == [true])
  }

  @Test(
    "At most 20 warnings of a file are listed, and one more at the next place counts the rest", arguments: [20, 21, 25])
  func many(count: Int) throws {
    let snacks = Array(repeating: #"{"meal_type":"snack"}"#, count: count).joined(separator: ",")
    let lines = try Self.lines("meal-plan", Self.plan(snacks))
    #expect(lines.count == min(count, 21))
    #expect(lines.prefix(20).allSatisfy { $0.contains(#"unknown meal_type "snack""#) })
    // 9 bytes before the first record, 22 for each with its comma, 13 before the word.
    let rest =
      "\(9 + 20 * 22 + 13 + 1): warning: \(count == 21 ? "1 more warning" : "5 more warnings") [/plan/20/meal_type]"
    #expect(lines.dropFirst(20) == (count == 20 ? [] : [rest]))
  }

  @Test("An unknown word for a whole file counts as its default: full tracking mode, no first weekday")
  func wholeFiles() throws {
    let nutrition = #"""
      {"trackingMode":"zen","lastUpdated":0,"todayNutrition":{"calories":1,"protein":2,"carbs":3,"fat":4},"goals":{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65},"recentFoods":[]}
      """#
    #expect(
      try Self.lines("nutrition", nutrition) == [
        #"17: warning: unknown trackingMode "zen": it counts as full [/trackingMode]"#
      ])
    #expect(
      try Self.lines("health", #"{"goals":{"firstWeekday":"Monday"}}"#) == [
        #"26: warning: unknown firstWeekday "Monday": it counts as absent [/goals/firstWeekday]"#
      ])
    let harness = try FeedHarness()
    #expect(try harness.put("nutrition/a.json", nutrition) == [])
    #expect(try harness.content("daily-progress", at: "2026-11-21T12:00:00Z")["trackingMode"] == .string("full"))
  }

  @Test("Samples of a type that no kind uses are ignored without a warning")
  func samples() throws {
    let text =
      #"{"samples":[{"type":"steps","date":"2026-11-21T07:00:00Z","value":-4},{"type":"mood","value":"fine"}]}"#
    #expect(try Self.lines("health", text) == [])
    let harness = try FeedHarness()
    #expect(try harness.put("health/a.json", text) == [])
    #expect(try harness.state("overview", at: "2026-11-21T12:00:00Z") == "empty")
    #expect(try harness.timeline("overview", at: "2026-11-21T12:00:00Z").sources.count == 0)
    #expect(try harness.day("health", "2026-11-21", now: "2026-11-21T12:00:00Z") == nil)
  }

  @Test("An intent that changes to an unknown type loses its effect")
  func intents() throws {
    let harness = try FeedHarness()
    let add = #"{"id":"i","at":"2026-11-21T11:00:00Z","type":"add-task","title":"T"}"#
    #expect(try harness.put("intents/i.json", add) == [])
    #expect(try harness.content("task-count", at: "2026-11-21T12:00:00Z")["count"] == .integer(1))
    #expect(try harness.put("intents/i.json", add.replacing("add-task", with: "pet-cat")) == [])
    #expect(try harness.state("task-count", at: "2026-11-21T12:00:00Z") == "empty")
  }
}
