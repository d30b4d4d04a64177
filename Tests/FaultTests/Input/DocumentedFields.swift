import CacheSync
import Foundation

/// A complete session of every feed with every documented field (feeds.md), and the fields that are read.
enum DocumentedFields {
  private static let date = "2026-11-20T08:00:00Z"

  static let sessions: [String: String] = [
    "meal-plan": """
    {"id":"s","plan":[{"day_index":0,"meal_track":"adult","meal_type":"dinner","meal_id":"m","meal_name":"Soup"}],
    "meals_snapshot":[],"history":[],"is_finalized":true,"created_at":"\(date)","updated_at":"\(date)",
    "week_start":"2026-11-16"}
    """,
    "nutrition": """
    {"lastUpdated":"\(date)","todayNutrition":{"calories":1,"protein":2,"carbs":3,"fat":4},
    "goals":{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65},
    "recentFoods":[{"id":"f","name":"Oats","calories":1,"protein":2,"carbs":3,"fat":4,"defaultQuantity":1,"unit":"cup"}],
    "trackingMode":"full"}
    """,
    "health": """
    {"samples":[{"id":"a","type":"protein","date":"\(date)","value":1}],
    "goals":{"adjustment":-400,"macros":{"protein":30,"carbs":40,"fat":30},"firstWeekday":"monday"}}
    """,
    "tasks": """
    {"tasks":[{"id":1,"title":"t","description":"d","completed":false,"dueDate":"2026-11-21","createdAt":"\(date)",
    "completedAt":null,"labels":[{"id":1,"name":"l","color":"#fff"}]}],"lastUpdate":"\(date)"}
    """,
    "events": """
    {"events":[{"id":"e","title":"t","startTime":"\(date)","endTime":"\(date)","location":"here"}],"lastUpdate":"\(date)"}
    """,
    "shoes": """
    {"shoes":[{"id":"s","name":"n","brand":"b","model":"m","icon":"i","archived":false}],
    "sessions":[{"id":1,"shoeId":"s","start":"\(date)","end":"\(date)","steps":1,"distance":0.5}],
    "suggestions":[{"shoeId":"s","reason":"r","confidence":0.5}],"lastUpdated":"\(date)"}
    """,
    "intents": #"{"id":"i","type":"add-task","title":"t","dueDate":"2026-11-21","at":"\#(date)"}"#,
  ]

  /// Every field that the agent reads, by feed, without those that only `check` reads.
  static let pointers: [String: String] = [
    "meal-plan": """
    /id /plan /plan/0 /plan/0/day_index /plan/0/meal_track /plan/0/meal_type /plan/0/meal_id /plan/0/meal_name
    /is_finalized /created_at /updated_at /week_start
    """,
    "nutrition": """
    /lastUpdated /todayNutrition /todayNutrition/calories /todayNutrition/protein /todayNutrition/carbs
    /todayNutrition/fat /goals /goals/calorieTarget /goals/proteinTarget /goals/carbsTarget /goals/fatTarget /recentFoods
    /recentFoods/0 /recentFoods/0/id /recentFoods/0/name /recentFoods/0/calories /recentFoods/0/protein
    /recentFoods/0/carbs /recentFoods/0/fat /recentFoods/0/defaultQuantity /recentFoods/0/unit /trackingMode
    """,
    "health": """
    /samples /samples/0 /samples/0/id /samples/0/type /samples/0/date /samples/0/value /goals /goals/adjustment
    /goals/macros /goals/macros/protein /goals/macros/carbs /goals/macros/fat /goals/firstWeekday
    """,
    "tasks": """
    /tasks /tasks/0 /tasks/0/id /tasks/0/title /tasks/0/completed /tasks/0/dueDate /tasks/0/createdAt
    /tasks/0/completedAt /tasks/0/labels /tasks/0/labels/0 /tasks/0/labels/0/name /tasks/0/labels/0/color /lastUpdate
    """,
    "events": """
    /events /events/0 /events/0/id /events/0/title /events/0/startTime /events/0/endTime /events/0/location /lastUpdate
    """,
    "shoes": """
    /shoes /shoes/0 /shoes/0/id /shoes/0/name /shoes/0/brand /shoes/0/model /shoes/0/icon /shoes/0/archived /sessions
    /sessions/0 /sessions/0/id /sessions/0/shoeId /sessions/0/start /sessions/0/end /sessions/0/steps
    /sessions/0/distance /suggestions /suggestions/0 /suggestions/0/shoeId /suggestions/0/reason
    /suggestions/0/confidence /lastUpdated
    """,
    "intents": "/id /type /title /dueDate /at",
  ]

  /// One document for each field, in which only that field has a value of a wrong type.
  static func wrongTypes(of feed: String) throws -> [(pointer: String, text: String)] {
    guard let session = sessions[feed], let pointers = pointers[feed] else { return [] }
    return try pointers.split(whereSeparator: \.isWhitespace).map { pointer in
      let whole = try JSONSerialization.jsonObject(with: Data(session.utf8))
      let path = pointer.split(separator: "/").map(String.init)
      let damaged = replacing(path[...], in: whole)
      return (String(pointer), String(decoding: try JSONSerialization.data(withJSONObject: damaged), as: UTF8.self))
    }
  }

  private static func replacing(_ path: ArraySlice<String>, in value: Any) -> Any {
    guard let first = path.first else {
      // No field is both an object and an array, and no scalar is either.
      return value is [String: Any] ? [Any]() : [String: Any]()
    }
    if var array = value as? [Any], let index = Int(first) {
      array[index] = replacing(path.dropFirst(), in: array[index])
      return array
    }
    guard var object = value as? [String: Any] else { return value }
    object[first] = replacing(path.dropFirst(), in: object[first] ?? NSNull())
    return object
  }
}
