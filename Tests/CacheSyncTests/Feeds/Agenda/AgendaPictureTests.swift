import CacheSync
import Testing

@Suite("Pictures of tasks and events")
struct AgendaPictureTests {
  /// Two tasks of seven: one due at 16:30 in New York, and one due on the day, which is published as the day's first
  /// instant.
  private static let tasks = #"""
    {"allDone":false,"count":7,"inline":"7 tasks today","more":5,"rectangular":"Call","text":"7 tasks","title":"Today",
     "tasks":[
      {"deepLink":"cafe://task/1","dueDate":"2026-11-21T21:30:00Z","id":1,"labels":[],"title":"Call"},
      {"deepLink":"cafe://task/","dueDate":"2026-11-21T05:00:00Z","id":"","title":"Bake",
       "labels":[{"color":null,"name":"Stock"},{"color":"#34C759","name":"Weekly"}]}]}
    """#

  private static let noTasks = #"""
    {"allDone":true,"count":0,"inline":"0 tasks today","more":0,"rectangular":"No tasks","tasks":[],
     "text":"All done!","title":"Today"}
    """#

  /// One event of today that ends today, and one that ends on another day.
  private static let events = #"""
    {"date":"2026-11-21","month":"November 2026","more":3,
     "day":21,"weekday":"Saturday","weekdays":["Mon","Tue","Wed","Thu","Fri","Sat","Sun"],
     "weeks":{"first":"2026-11-16","counts":[[0,0,0,0,0,2,9]]},"now":[],"events":[
      {"deepLink":"cafe://event/7","endTime":"2026-11-21T20:30:00Z","id":7,"location":"Back room",
       "startTime":"2026-11-21T19:00:00Z","title":"Latte art"},
      {"deepLink":"cafe://event/8","endTime":"2026-11-28T18:00:00Z","id":8,"location":null,
       "startTime":"2026-11-24T14:00:00Z","title":"Market"}]}
    """#

  /// All-day events in New York: one today, and one from yesterday to tomorrow.
  private static let wholeDays =
    #"{"date":"2026-11-21","day":21,"weekday":"Saturday","month":"November 2026","more":0,"now":[],"events":["#
    + #"{"allDay":true,"endTime":"2026-11-22T05:00:00Z","id":"n","startTime":"2026-11-21T05:00:00Z","title":"Name day"},"#
    + "\(trip)]}"
  private static let trip =
    #"{"allDay":true,"endTime":"2026-11-23T05:00:00Z","id":"t","startTime":"2026-11-20T05:00:00Z","title":"Trip"}"#

  private static let running =
    #"{"endTime":"2026-11-21T12:30:00Z","id":1,"location":null,"startTime":"2026-11-21T11:00:00Z","title":"Stand-up"}"#

  private static let actions = #"""
    {"actions":[{"deepLink":"cafe://new-task","title":"Add Task"},{"deepLink":"cafe://new-event","title":"Add Event"},
     {"deepLink":"cafe://chat","title":"AI Chat"},{"deepLink":"cafe://later","title":"Later"}]}
    """#

  @Test(
    "Each picture has the texts of the contract",
    arguments: [
      ("todays-tasks", tasks, .systemSmall, "Today · 7 · tasks"),
      ("todays-tasks", tasks, .systemMedium, "Today's Tasks · 7 · Call · 16:30 · Bake"),
      ("todays-tasks", tasks, .systemLarge, "Today's Tasks · 7 · Call · 16:30 · Bake · #Stock #Weekly"),
      (
        "todays-tasks", tasks.replacing(#""count":7"#, with: #""count":7,"overdueCount":2"#), .systemMedium,
        "Today's Tasks · 9 · Call · 16:30 · Bake"
      ),
      ("todays-tasks", tasks, .accessoryRectangular, "Today's Tasks · Call"),
      ("todays-tasks", tasks, .accessoryInline, "7 tasks today"),
      ("todays-tasks", noTasks, .systemSmall, "All done!"),
      ("todays-tasks", noTasks, .systemMedium, "All done!"),
      ("todays-tasks", noTasks, .systemLarge, "All done!"),
      ("todays-tasks", noTasks, .accessoryRectangular, "Today's Tasks · No tasks"),
      ("task-count", #"{"count":1,"text":"1 task"}"#, .accessoryCircular, "1 · task"),
      ("task-count", #"{"count":2,"text":"2 tasks"}"#, .accessoryCircular, "2 · tasks"),
      ("task-count", #"{"count":0,"text":"0 tasks"}"#, .accessoryCircular, "Done"),
      ("task-progress", #"{"completed":2,"progress":0.25,"total":8}"#, .accessoryCircular, "2 · /8"),
      ("completed-today", #"{"count":2,"text":"2 completed today"}"#, .accessoryInline, "2 completed today"),
      ("quick-add", actions, .systemSmall, "Quick Add · Tap to create"),
      ("quick-add", actions, .systemMedium, "Quick Add · Add Task · Add Event · AI Chat"),
      ("calendar", events, .systemSmall, "Saturday · 21 · Latte art · today 14:00"),
      (
        "calendar", events, .systemMedium,
        "Saturday · 21 · November 2026 · Latte art · today 14:00 · Back room · Market · Tue 24 Nov 09:00"
      ),
      (
        "calendar", events, .systemLarge,
        "November 2026 · Saturday · Mon · Tue · Wed · Thu · Fri · Sat · Sun · 16 · 17 · 18 · 19 · 20 · 21 · 22 · "
          + "Latte art · today 14:00 · Back room · Market · Tue 24 Nov 09:00"
      ),
      ("calendar", wholeDays, .systemSmall, "Saturday · 21 · Name day · today, all day"),
      (
        "calendar", wholeDays, .systemMedium,
        "Saturday · 21 · November 2026 · Name day · today, all day · Trip · Fri 20 Nov–Sun 22 Nov"
      ),
      (
        "calendar", events.replacing(#""now":[]"#, with: "\"now\":[\(running)]"), .systemSmall,
        "Saturday · 21 · Stand-up · now, until 07:30"
      ),
      (
        "calendar", #"{"day":1,"weekday":"Friday","events":[],"now":[],"more":0,"month":"May 2026"}"#, .systemMedium,
        "Friday · 1 · May 2026 · No upcoming events"
      ),
      (
        "next-event", "{\"event\":null,\"now\":\(running),\"text\":\"Stand-up, until 07:30\"}",
        .accessoryRectangular, "now, until 07:30 · Stand-up"
      ),
      // An open end, of an event that is under way and of one that is not.
      (
        "calendar",
        #"{"day":21,"month":"May","now":[{"id":"1","endTime":"9999-12-31T00:00:00Z","startTime":"2026-11-20T14:00:00Z","#
          + #""title":"Fair"}],"events":[{"id":"2","endTime":"9999-12-31T00:00:00Z","startTime":"2026-11-22T14:00:00Z","#
          + #""title":"Next"}],"weekday":""}"#,
        .terminal, "May · Fri 20 Nov 09:00 · Fair · — · Sun 22 Nov 09:00 · Next · —"
      ),
      ("next-event", #"{"event":null,"text":"No upcoming events"}"#, .accessoryRectangular, "No upcoming events"),
      (
        "next-event",
        #"{"event":{"endTime":"2026-11-24T20:00:00Z","startTime":"2026-11-24T19:00:00Z","title":"Art","location":"Hall"}}"#,
        .accessoryRectangular, "Tue 24 Nov 14:00 · Art · Hall"
      ),
    ] as [(KindName, String, ViewFamily, String)])
  func texts(kind: KindName, content: String, family: ViewFamily, words: String) throws {
    let shown = try tree(kind, content, family).words
    #expect(shown == words)
  }

  @Test(
    "Rows that do not fit are omitted and counted",
    arguments: [(ViewFamily.systemMedium, 7), (.systemLarge, 5)])
  func more(family: ViewFamily, more: Int) throws {
    // Five of ten tasks are in the content; the medium picture shows three of them.
    let task = #"{"deepLink":"cafe://task/1","dueDate":null,"id":1,"labels":[],"title":"t"}"#
    let content = #"{"count":10,"more":5,"tasks":[\#(Array(repeating: task, count: 5).joined(separator: ","))]}"#
    let list = try #require(try tree("todays-tasks", content, family).all.first { $0.room.more != nil })
    #expect(list.room.more == more)
  }

  @Test("A task's circle completes it, and its row opens it")
  func taskActions() throws {
    let view = try tree("todays-tasks", Self.tasks, .systemMedium)
    #expect(
      view.actions == [
        .link("cafe://task/1"), .intent("complete-task", ["taskId": "1"]), .link("cafe://task/"),
        .intent("complete-task", ["taskId": ""]),
      ])
    #expect(view.all.first { $0.action == .intent("complete-task", ["taskId": "1"]) }?.label == "Call")
  }

  @Test("Each event and each tile of quick add has a link, and the tile's icon matches it")
  func links() throws {
    #expect(try tree("calendar", Self.events, .systemSmall).actions == [.link("cafe://event/7")])
    #expect(
      try tree("calendar", Self.events, .systemLarge).actions == [.link("cafe://event/7"), .link("cafe://event/8")])
    let tiles = try tree("quick-add", Self.actions, .systemMedium)
    #expect(tiles.actions == [.link("cafe://new-task"), .link("cafe://new-event"), .link("cafe://chat")])
    #expect(tiles.symbols == ["plus", "checklist", "calendar", "bubble.left"])
  }

  @Test("A ring shows how much is done")
  func ring() throws {
    let view = try tree("task-progress", #"{"completed":2,"progress":0.25,"total":8}"#, .accessoryCircular)
    guard case .ring(let ring, _) = view.form else {
      Issue.record("\(view)")
      return
    }
    #expect(ring.progress == 0.25)
  }

  @Test("The month marks today with a circle, and a day with events with up to three dots")
  func month() throws {
    let view = try tree("calendar", Self.events, .systemLarge)
    #expect(view.all.filter { $0.room.ground == .disc(.purple) }.map(\.words) == ["21"])
    #expect(view.symbols.count == 2 + 3)
  }

  @Test("If the height is too small, the next event loses its location first")
  func location() throws {
    let view = try tree("next-event", #"{"event":{"location":"Hall"}}"#, .accessoryRectangular)
    #expect(view.all.first { $0.room.dropOrder == 1 }?.words == "Hall")
  }
}
