/// A document with every documented field of a session or of the settings, and which of its fields are optional. The
/// documents and lists are written by hand from docs/reference/feeds.md and settings.md.
public struct DocumentedFields: Sendable, CustomStringConvertible {
  /// The feed; nil for the cache's settings.
  public var feed: String?
  /// The document.
  public var whole: String
  /// The pointers of fields that may be null or missing.
  public var optional: [String]
  /// The pointers of the others, and those of elements of arrays, which may not be null.
  public var required: [String]

  private init(feed: String?, whole: String, optional: String, required: String) {
    func pointers(_ list: String) -> [String] { list.split(whereSeparator: \.isWhitespace).map(String.init) }
    self.feed = feed
    self.whole = whole
    self.optional = pointers(optional)
    self.required = pointers(required)
  }

  /// Its beginning.
  public var description: String { whole.prefix(40) + "…" }

  /// The pointers of everything in the document.
  public var pointers: [String] { optional + required }

  /// Every form of every feed's session and intent, and the settings.
  public static let all = [
    DocumentedFields(
      feed: "meal-plan",
      whole: """
        {"id":"s","plan":[{"day_index":3,"meal_track":"adult","meal_type":"dinner","meal_id":"m","meal_name":"Soup"}],
        "is_finalized":true,"updated_at":0,"week_start":"2026-11-16"}
        """,
      optional: """
        /plan/0/meal_track /plan/0/meal_id /plan/0/meal_name /week_start
        """,
      required: """
        /id /plan /plan/0 /plan/0/day_index /plan/0/meal_type /is_finalized /updated_at
        """),
    DocumentedFields(
      feed: "nutrition",
      whole: """
        {"lastUpdated":0,"todayNutrition":{"calories":1,"protein":2,"carbs":3,"fat":4},
        "goals":{"calorieTarget":2000,"proteinTarget":150,"carbsTarget":250,"fatTarget":65},
        "recentFoods":[{"id":"f","name":"Oats","calories":1,"protein":2,"carbs":3,"fat":4,"defaultQuantity":1,
        "unit":"cup"}],"trackingMode":"full"}
        """,
      optional: "",
      required: """
        /lastUpdated /todayNutrition /todayNutrition/calories /todayNutrition/protein /todayNutrition/carbs
        /todayNutrition/fat /goals /goals/calorieTarget /goals/proteinTarget /goals/carbsTarget /goals/fatTarget
        /recentFoods /recentFoods/0 /recentFoods/0/id /recentFoods/0/name /recentFoods/0/calories /recentFoods/0/protein
        /recentFoods/0/carbs /recentFoods/0/fat /recentFoods/0/defaultQuantity /recentFoods/0/unit /trackingMode
        """),
    DocumentedFields(
      feed: "health",
      whole: """
        {"samples":[{"id":"a","type":"protein","date":0,"end":60,"value":1,"source":"Watch"}],
        "goals":{"adjustment":-400,"macros":{"protein":30,"carbs":40,"fat":30},"firstWeekday":"sunday",
        "nutrients":{"caffeine":1,"calcium":1,"cholesterol":1,"fiber":1,"folate":1,"iron":1,"magnesium":1,
        "monounsaturatedFat":1,"polyunsaturatedFat":1,"potassium":1,"saturatedFat":1,"sodium":1,
        "sugar":1,"vitaminA":1,"vitaminB12":1,"vitaminC":1,"vitaminD":1,"water":1,"zinc":1}},
        "authorized":true}
        """,
      optional: """
        /samples /samples/0/id /samples/0/end /samples/0/source /goals /goals/adjustment /goals/macros /goals/macros/protein /goals/macros/carbs
        /goals/macros/fat /goals/firstWeekday /authorized /goals/nutrients /goals/nutrients/caffeine
        /goals/nutrients/calcium /goals/nutrients/cholesterol /goals/nutrients/fiber /goals/nutrients/folate
        /goals/nutrients/iron /goals/nutrients/magnesium /goals/nutrients/monounsaturatedFat
        /goals/nutrients/polyunsaturatedFat /goals/nutrients/potassium /goals/nutrients/saturatedFat
        /goals/nutrients/sodium /goals/nutrients/sugar /goals/nutrients/vitaminA /goals/nutrients/vitaminB12
        /goals/nutrients/vitaminC /goals/nutrients/vitaminD /goals/nutrients/water /goals/nutrients/zinc
        """,
      required: "/samples/0 /samples/0/type /samples/0/date /samples/0/value"),
    DocumentedFields(
      feed: "tasks",
      whole: """
        {"tasks":[{"id":1,"title":"t","description":"d","completed":true,"dueDate":"2026-11-21","createdAt":0,
        "completedAt":5,"labels":[{"id":1,"name":"l","color":"#fff"}]}],"lastUpdate":7}
        """,
      optional: """
        /tasks/0/description /tasks/0/dueDate /tasks/0/createdAt /tasks/0/completedAt /tasks/0/labels
        /tasks/0/labels/0/color /lastUpdate
        """,
      required: """
        /tasks /tasks/0 /tasks/0/id /tasks/0/title /tasks/0/completed
        /tasks/0/labels/0 /tasks/0/labels/0/id /tasks/0/labels/0/name
        """),
    DocumentedFields(
      feed: "tasks",
      whole: """
        [{"id":1,"title":"t","description":"d","completed":true,"dueDate":"2026-11-21","createdAt":0,"completedAt":5,
        "labels":[{"id":1,"name":"l","color":"#fff"}]}]
        """,
      optional: "/0/description /0/dueDate /0/createdAt /0/completedAt /0/labels /0/labels/0/color",
      required: "/0 /0/id /0/title /0/completed /0/labels/0 /0/labels/0/id /0/labels/0/name"),
    DocumentedFields(
      feed: "events",
      whole: """
        {"events":[{"id":"e","title":"t","startTime":0,"endTime":5,"location":"here"}],"lastUpdate":7}
        """,
      optional: "/events/0/endTime /events/0/location /lastUpdate",
      required: "/events /events/0 /events/0/id /events/0/title /events/0/startTime"),
    DocumentedFields(
      feed: "events",
      whole: #"[{"id":"e","title":"t","startTime":0,"endTime":5,"location":"here"}]"#,
      optional: "/0/endTime /0/location",
      required: "/0 /0/id /0/title /0/startTime"),
    DocumentedFields(
      feed: "shoes",
      whole: """
        {"shoes":[{"id":"s","name":"n","brand":"b","model":"m","icon":"i","archived":true,"tags":["run"]}],
        "sessions":[{"id":1,"shoeId":"s","start":0,"end":5,"steps":1,"distance":0.5}],
        "suggestions":[{"shoeId":"s","reason":"r","confidence":0.5}],"lastUpdated":7,
        "context":{"at":5,"place":"gym"}}
        """,
      optional: """
        /shoes /shoes/0/brand /shoes/0/model /shoes/0/icon /shoes/0/archived /shoes/0/tags /sessions /sessions/0/end
        /suggestions /lastUpdated /context /context/place
        """,
      required: """
        /shoes/0 /shoes/0/id /shoes/0/name /shoes/0/tags/0 /context/at
        /sessions/0 /sessions/0/id /sessions/0/shoeId /sessions/0/start /sessions/0/steps /sessions/0/distance
        /suggestions/0 /suggestions/0/shoeId /suggestions/0/reason /suggestions/0/confidence
        """),
    DocumentedFields(
      feed: "intents",
      whole: #"{"id":"i","type":"log-food","at":0,"foodId":"f","quantity":2}"#,
      optional: "/quantity",
      required: "/id /type /at /foodId"),
    DocumentedFields(
      feed: "intents",
      whole: #"{"id":"i","type":"add-task","at":0,"title":"t","dueDate":"2026-11-21","to":"account"}"#,
      optional: "/dueDate /to",
      required: "/id /type /at /title"),
    DocumentedFields(
      feed: "intents", whole: #"{"id":"i","type":"complete-task","at":0,"taskId":"t","file":"tasks/a.json"}"#,
      optional: "/file", required: "/id /type /at /taskId"),
    DocumentedFields(
      feed: "intents", whole: #"{"id":"i","type":"select-shoe","at":0,"shoeId":"s","file":"shoes/a.json"}"#,
      optional: "/file", required: "/id /type /at /shoeId"),
    DocumentedFields(
      feed: "intents", whole: #"{"id":"i","type":"start-session","at":0,"shoeId":"s","file":"shoes/a.json"}"#,
      optional: "/file", required: "/id /type /at /shoeId"),
    DocumentedFields(
      feed: "intents", whole: #"{"id":"i","type":"end-session","at":0}"#, optional: "", required: "/id /type /at"),
    DocumentedFields(
      feed: nil,
      whole: """
        {"timeZone":"UTC","firstWeekday":"sunday","staleAfter":"PT24H","durability":"rename","maximumFileBytes":5,
        "locale":"de","hourCycle":12,"sweep":"PT5M","me":["a@example.org"]}
        """,
      optional: "/timeZone /firstWeekday /staleAfter /durability /maximumFileBytes /locale /hourCycle /sweep /me",
      required: "/me/0"),
  ]
}
