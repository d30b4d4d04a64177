/// Session files as producers write them, for Saturday 2026-11-21.
enum Sessions {
  static let noon = "2026-11-21T12:00:00Z"

  static func plan(_ meal: String = "Pancakes", id: String = "plan-1", updated: String = "2026-11-20T08:00:00Z")
    -> String
  {
    let days = (0...6).map { day in
      #"{"day_index":\#(day),"meal_type":"dinner","meal_id":"m\#(day)","meal_name":"\#(meal)"}"#
    }
    return """
      {"id":"\(id)","plan":[\(days.joined(separator: ","))],"meals_snapshot":[],"history":[],"is_finalized":true,\
      "created_at":"2026-11-15T08:00:00Z","updated_at":"\(updated)"}

      """
  }

  static func nutrition(mode: String = "full", updated: String = "2026-11-21T09:00:00Z") -> String {
    """
    {"lastUpdated":"\(updated)","todayNutrition":{"calories":1234.5,"protein":80.25,"carbs":150,"fat":40},\
    "goals":{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65},"trackingMode":"\(mode)",\
    "recentFoods":[{"id":"oats","name":"Oatmeal","calories":150,"protein":5,"carbs":27,"fat":3,"defaultQuantity":1.5,\
    "unit":"bowl"},{"id":"tea","name":"お茶","calories":2,"protein":0,"carbs":0,"fat":0,"defaultQuantity":1,"unit":"cup"}]}

    """
  }

  static let health = """
    {"samples":[{"id":"a","type":"dietaryCalories","date":"2026-11-21T08:00:00Z","value":519},
    {"id":"b","type":"dietaryCalories","date":"2026-11-20T08:00:00Z","value":2000},
    {"id":"c","type":"protein","date":"2026-11-21T08:00:00Z","value":35},
    {"id":"d","type":"bodyMass","date":"2026-11-21T07:00:00Z","value":80.6},
    {"id":"e","type":"fiber","date":"2026-11-21T08:00:00Z","value":12.5}],
    "goals":{"macros":{"protein":30}}}

    """

  static let tasks = """
    {"lastUpdate":"2026-11-21T08:00:00Z","tasks":[
    {"id":1,"title":"Descale the machine","description":null,"completed":false,"dueDate":"2026-11-21",
    "createdAt":"2026-11-20T08:00:00Z","completedAt":null,"labels":[{"id":1,"name":"bar","color":"#ff0000"}]},
    {"id":2,"title":"Count the cups","description":null,"completed":false,"dueDate":null,
    "createdAt":"2026-11-20T08:00:00Z","completedAt":null},
    {"id":3,"title":"Open up","description":null,"completed":true,"dueDate":null,
    "createdAt":"2026-11-21T06:00:00Z","completedAt":"2026-11-21T07:00:00Z"}]}

    """

  /// The same for agents, whose day is the day when the tests run: two open tasks that are due on any day.
  static let tasksOfAnyDay = tasks.replacing(#""dueDate":"2026-11-21""#, with: #""dueDate":null"#)

  static let events = """
    {"lastUpdate":"2026-11-21T08:00:00Z","events":[
    {"id":"e1","title":"Cupping","startTime":"2026-11-21T14:00:00Z","endTime":"2026-11-21T15:30:00Z","location":"Bar"},
    {"id":"e2","title":"Roasting","startTime":"2026-11-23T09:00:00Z","endTime":"2026-11-23T10:00:00Z","location":null}]}

    """

  static let shoes = """
    {"lastUpdated":"2026-11-21T08:00:00Z","shoes":[
    {"id":"s1","name":"Pegasus","brand":"Nike","model":"Pegasus 41","icon":"figure.run"},{"id":"s2","name":"Office"}],
    "sessions":[{"id":1,"shoeId":"s2","start":"2026-11-21T06:00:00Z","end":"2026-11-21T07:05:00Z","steps":4000,"distance":3.2},
    {"id":2,"shoeId":"s1","start":"2026-11-21T07:40:00Z","end":null,"steps":0,"distance":0}],
    "suggestions":[{"shoeId":"s2","reason":"Dry","confidence":0.756}]}

    """

  /// One file of each feed.
  static let all = [
    "meal-plan/week.json": plan(), "nutrition/today.json": nutrition(), "health/log.json": health,
    "tasks/today.json": tasks, "events/today.json": events, "shoes/shoes.json": shoes,
  ]

  static let kinds = [
    "budget", "calendar", "calories", "completed-today", "current-shoe", "daily-progress", "daily-stats",
    "macro-breakdown", "macros", "meal-plan", "next-event", "nutrients", "overview", "quick-add", "quick-log",
    "quick-selection",
    "shoe-status", "smart-suggestions", "task-count", "task-progress", "todays-tasks",
  ]
}
