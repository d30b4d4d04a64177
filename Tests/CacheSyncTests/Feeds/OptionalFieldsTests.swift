import CacheSyncSystem
import Testing

@testable import CacheSync

/// "On input `x?` and `x|null` may be absent or null, which means the same" (contract.md: notation). Tests that for
/// every documented field that the agent reads. The documents and tables are written by hand from
/// docs/reference/feeds.md and settings.md.
@Suite("Null counts as missing in optional fields only")
struct OptionalFieldsTests {
  struct Format: Sendable, CustomTestStringConvertible {
    /// The feed; nil for the cache's settings.
    var feed: FeedName?
    /// A document with every documented field.
    var whole: String
    var optional: String
    /// Elements of arrays too, which may not be null.
    var required: String
    /// The pointers that only `check` looks at.
    var onlyChecked = ""

    var testDescription: String { whole.prefix(40) + "…" }
    func pointers(_ list: String) -> [String] { list.split(whereSeparator: \.isWhitespace).map(String.init) }
  }

  static let formats = [
    Format(
      feed: "meal-plan",
      whole: """
        {"id":"s","plan":[{"day_index":3,"meal_track":"adult","meal_type":"dinner","meal_id":"m","meal_name":"Soup"}],
        "meals_snapshot":[{"id":"m","name":"Soup","meal_type":"dinner","audience":"adult","effort":3,"has_red_meat":false,
        "prep_ahead":true,"url":"x","last_planned":0,"created_at":0,"updated_at":0}],
        "history":[{"role":"user","content":"Soup","operations":[
        {"day_index":3,"meal_track":"adult","meal_type":"dinner","new_meal_id":"m"}]}],
        "is_finalized":true,"created_at":0,"updated_at":0,"week_start":"2026-11-16"}
        """,
      optional: """
        /plan/0/meal_track /plan/0/meal_id /plan/0/meal_name /week_start
        /meals_snapshot/0/audience /meals_snapshot/0/prep_ahead /meals_snapshot/0/url /meals_snapshot/0/last_planned
        /history/0/operations /history/0/operations/0/meal_track /history/0/operations/0/new_meal_id
        """,
      required: """
        /id /plan /plan/0 /plan/0/day_index /plan/0/meal_type /is_finalized /created_at /updated_at
        /meals_snapshot /meals_snapshot/0 /meals_snapshot/0/id /meals_snapshot/0/name /meals_snapshot/0/meal_type
        /meals_snapshot/0/effort /meals_snapshot/0/has_red_meat /meals_snapshot/0/created_at /meals_snapshot/0/updated_at
        /history /history/0 /history/0/role /history/0/content
        /history/0/operations/0 /history/0/operations/0/day_index /history/0/operations/0/meal_type
        """,
      onlyChecked: "/meals_snapshot /history"),
    Format(
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
    Format(
      feed: "health",
      whole: """
        {"samples":[{"id":"a","type":"protein","date":0,"value":1}],
        "goals":{"adjustment":-400,"macros":{"protein":30,"carbs":40,"fat":30},"firstWeekday":"sunday"}}
        """,
      optional: """
        /samples /samples/0/id /goals /goals/adjustment /goals/macros /goals/macros/protein /goals/macros/carbs
        /goals/macros/fat /goals/firstWeekday
        """,
      required: "/samples/0 /samples/0/type /samples/0/date /samples/0/value"),
    Format(
      feed: "tasks",
      whole: """
        {"tasks":[{"id":1,"title":"t","description":"d","completed":true,"dueDate":"2026-11-21","createdAt":0,
        "completedAt":5,"labels":[{"id":1,"name":"l","color":"#fff"}]}],"lastUpdate":7}
        """,
      optional: """
        /tasks/0/description /tasks/0/dueDate /tasks/0/completedAt /tasks/0/labels /tasks/0/labels/0/color /lastUpdate
        """,
      required: """
        /tasks /tasks/0 /tasks/0/id /tasks/0/title /tasks/0/completed /tasks/0/createdAt
        /tasks/0/labels/0 /tasks/0/labels/0/id /tasks/0/labels/0/name
        """),
    Format(
      feed: "tasks",
      whole: """
        [{"id":1,"title":"t","description":"d","completed":true,"dueDate":"2026-11-21","createdAt":0,"completedAt":5,
        "labels":[{"id":1,"name":"l","color":"#fff"}]}]
        """,
      optional: "/0/description /0/dueDate /0/completedAt /0/labels /0/labels/0/color",
      required: "/0 /0/id /0/title /0/completed /0/createdAt /0/labels/0 /0/labels/0/id /0/labels/0/name"),
    Format(
      feed: "events",
      whole: """
        {"events":[{"id":"e","title":"t","startTime":0,"endTime":5,"location":"here"}],"lastUpdate":7}
        """,
      optional: "/events/0/location /lastUpdate",
      required: "/events /events/0 /events/0/id /events/0/title /events/0/startTime /events/0/endTime"),
    Format(
      feed: "events",
      whole: #"[{"id":"e","title":"t","startTime":0,"endTime":5,"location":"here"}]"#,
      optional: "/0/location",
      required: "/0 /0/id /0/title /0/startTime /0/endTime"),
    Format(
      feed: "shoes",
      whole: """
        {"shoes":[{"id":"s","name":"n","brand":"b","model":"m","icon":"i","archived":true}],
        "sessions":[{"id":1,"shoeId":"s","start":0,"end":5,"steps":1,"distance":0.5}],
        "suggestions":[{"shoeId":"s","reason":"r","confidence":0.5}],"lastUpdated":7}
        """,
      optional: """
        /shoes /shoes/0/brand /shoes/0/model /shoes/0/icon /shoes/0/archived /sessions /sessions/0/end /suggestions
        /lastUpdated
        """,
      required: """
        /shoes/0 /shoes/0/id /shoes/0/name
        /sessions/0 /sessions/0/id /sessions/0/shoeId /sessions/0/start /sessions/0/steps /sessions/0/distance
        /suggestions/0 /suggestions/0/shoeId /suggestions/0/reason /suggestions/0/confidence
        """),
    Format(
      feed: "intents",
      whole: #"{"id":"i","type":"log-food","at":0,"foodId":"f","quantity":2}"#,
      optional: "/quantity",
      required: "/id /type /at /foodId"),
    Format(
      feed: "intents",
      whole: #"{"id":"i","type":"add-task","at":0,"title":"t","dueDate":"2026-11-21"}"#,
      optional: "/dueDate",
      required: "/id /type /at /title"),
    Format(
      feed: "intents", whole: #"{"id":"i","type":"complete-task","at":0,"taskId":"t"}"#,
      optional: "", required: "/id /type /at /taskId"),
    Format(
      feed: "intents", whole: #"{"id":"i","type":"select-shoe","at":0,"shoeId":"s"}"#,
      optional: "", required: "/id /type /at /shoeId"),
    Format(
      feed: "intents", whole: #"{"id":"i","type":"start-session","at":0,"shoeId":"s"}"#,
      optional: "", required: "/id /type /at /shoeId"),
    Format(
      feed: "intents", whole: #"{"id":"i","type":"end-session","at":0}"#, optional: "", required: "/id /type /at"),
    Format(
      feed: nil,
      whole: """
        {"timeZone":"UTC","firstWeekday":"sunday","staleAfter":"PT24H","durability":"rename","maximumFileBytes":5}
        """,
      optional: "/timeZone /firstWeekday /staleAfter /durability /maximumFileBytes",
      required: ""),
  ]

  @Test("The tables have every field of every feed's documents once", arguments: formats)
  func tables(_ format: Format) throws {
    let tree = try #require(bytes(format.whole).withUnsafeBytes { JSONValue.parse($0) })
    let listed = format.pointers(format.optional) + format.pointers(format.required)
    #expect(listed.sorted() == Self.pointers(in: tree).sorted())
    #expect(Set(Self.formats.compactMap(\.feed)) == Set(FeedRegistry.builtIn.feeds.map { $0.name }))
    #expect(try Self.reading(format, format.whole).defects == [])
    #expect(try Self.reading(format, format.whole, wanting: .everything).defects == [])
  }

  @Test(
    "Null in an optional field is the same as a missing field, for the agent, its log and check", arguments: formats)
  func optional(_ format: Format) throws {
    for pointer in format.pointers(format.optional) {
      let absent = try NutritionFixtures.edited(format.whole, pointer, to: nil)
      let null = try NutritionFixtures.edited(format.whole, pointer, to: .null)
      let expected = try Self.reading(format, absent)
      let found = try Self.reading(format, null)
      #expect(expected.defects == [], "\(pointer)")
      #expect(found.defects == [], "\(pointer)")
      #expect(found.session == expected.session, "\(pointer)")
      let logged = try Self.reading(format, found.pruned)
      #expect(logged.defects == [] && logged.session == expected.session, "\(pointer) in the log")
      #expect(try Self.reading(format, absent, wanting: .everything).defects == [], "\(pointer), check")
      #expect(try Self.reading(format, null, wanting: .everything).defects == [], "\(pointer), check")
    }
  }

  @Test("Null in a required field is a defect at the null", arguments: formats)
  func required(_ format: Format) throws {
    for pointer in format.pointers(format.required) {
      let null = try NutritionFixtures.edited(format.whole, pointer, to: .null)
      let isForAgent = !format.pointers(format.onlyChecked).contains { pointer.hasPrefix($0) }
      #expect(try Self.reading(format, null).defects == (isForAgent ? [pointer] : []))
      #expect(try Self.reading(format, null, wanting: .everything).defects == [pointer])
    }
  }

  private struct Reading {
    /// Everything that the decoder read from the document, as text.
    var session: String
    /// The pointers of the defects. The pointer of a mistyped value, not of a missing one.
    var defects: [String]
    var pruned: String
  }

  private static func reading(_ format: Format, _ text: String, wanting wanted: JSONReader.Wanted = .needed) throws
    -> Reading
  {
    guard let name = format.feed else {
      return reading(text) { bytes in
        let document = CacheSettings.read(bytes, isTimeZone: { _ in true })
        return DecodedSession(session: document.value, defects: document.defects, pruned: document.pruned)
      }
    }
    let feed = try #require(FeedRegistry.builtIn.feed(named: name))
    return reading(text) { feed.decode($0, at: CachePath("a.json"), wanting: wanted, pruning: true) }
  }

  private static func reading(_ text: String, _ read: (UnsafeRawBufferPointer) -> DecodedSession) -> Reading {
    bytes(text).withUnsafeBytes { bytes in
      let document = read(bytes)
      var session = ""
      dump(document.session, to: &session)
      let defects = document.defects.map { defect in
        defect.place == .value ? JSONPlace.of(defect, in: bytes).pointer : defect.message
      }
      return Reading(
        session: session, defects: defects, pruned: document.pruned.map { String(decoding: $0, as: UTF8.self) } ?? text)
    }
  }

  /// The pointers of everything in a document.
  private static func pointers(in tree: JSONValue) -> [String] {
    let members: [(String, JSONValue)] =
      tree.object?.map { ($0.key, $0.value) } ?? tree.array?.enumerated().map { ("\($0.offset)", $0.element) } ?? []
    return members.flatMap { key, value in ["/\(key)"] + pointers(in: value).map { "/\(key)" + $0 } }
  }
}
