import CacheSync
import Foundation

extension Sessions {
  /// Every feed, and the directory of its sessions.
  static let feeds = FeedRegistry.builtIn.feeds.map { $0.name.description }

  /// The directory in which producers of a feed drop their sessions.
  static func directory(of feed: String) -> String { feed == "meal-plan" ? "meal-plan-cache" : feed }

  /// A session like those of the feed's producers, determined only by its number. No two numbers have the same bytes,
  /// the same date or the same new records, so the time of writing does not decide which file wins.
  ///
  /// - Parameter moment: when the session was last written, in whole seconds, or nil for a fixed date.
  static func session(of feed: String, _ number: Int, at moment: Instant? = nil) -> String {
    let second = number % 86_400
    let time =
      moment.map { ($0 + .microseconds(number)).rfc3339() }
      ?? String(
        format: "2026-11-20T%02d:%02d:%02d.%03dZ", second / 3600, second / 60 % 60, second % 60, number / 86_400)
    let day = String(format: "2027-01-%02d", number % 28 + 1)
    switch feed {
    case "meal-plan":
      return """
        {"id":"s\(number)","plan":[{"day_index":\(number % 7),"meal_type":"dinner","meal_id":"m","meal_name":"n\(number)"}],
        "meals_snapshot":[],"history":[],"is_finalized":true,"created_at":"2026-11-15T08:00:00Z","updated_at":"\(time)"}
        """
    case "nutrition":
      return """
        {"lastUpdated":"\(time)","todayNutrition":{"calories":\(number % 3000),"protein":1,"carbs":2,"fat":3},
        "goals":{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65},"trackingMode":"full",
        "recentFoods":[{"id":"f","name":"n\(number)","calories":100,"protein":5,"carbs":27,"fat":3,"defaultQuantity":1,
        "unit":"bowl"}]}
        """
    case "health":
      return """
        {"samples":[{"id":"c\(number)","type":"dietaryCalories","date":"\(time)","value":\(number % 900)},
        {"id":"m\(number)","type":"bodyMass","date":"\(time)","value":\(70 + number % 20)}]}
        """
    case "tasks":
      return """
        {"tasks":[{"id":\(number % 40),"title":"t\(number)","completed":\(number % 3 == 0),
        "createdAt":"2026-11-01T00:00:00Z"}],"lastUpdate":"\(time)"}
        """
    case "events":
      return """
        {"events":[{"id":\(number % 40),"title":"e\(number)","startTime":"\(day)T10:00:00Z","endTime":"\(day)T11:00:00Z",
        "location":null}],"lastUpdate":"\(time)"}
        """
    case "shoes":
      return """
        {"lastUpdated":"\(time)","shoes":[{"id":"s\(number % 10)","name":"n\(number)"}],
        "sessions":[{"id":\(number),"shoeId":"s\(number % 10)","start":"\(time)","end":"\(day)T00:00:00Z","steps":1,
        "distance":0.5}],"suggestions":[]}
        """
    default:
      let act =
        number % 2 == 0
        ? #""type":"add-task","title":"i\#(number)""# : #""type":"log-food","foodId":"f","quantity":1.5"#
      return #"{"id":"i\#(number)","at":"\#(time)",\#(act)}"#
    }
  }
}
