import CacheSync
import CacheSyncSystem
import Testing

/// A task as an app writes it. Fields that are nil are left out.
func taskJSON(
  _ id: String, _ title: String = "T", completed: Bool = false, due: String? = nil, created: String? = nil,
  completedAt: String? = nil, labels: String? = nil
) -> String {
  var members = [#""id":\#(id),"title":"\#(title)","completed":\#(completed)"#]
  members.append(#""createdAt":\#(created ?? "\"2026-11-01T08:00:00Z\"")"#)
  if let due { members.append(#""dueDate":\#(due)"#) }
  if let completedAt { members.append(#""completedAt":\#(completedAt)"#) }
  if let labels { members.append(#""labels":\#(labels)"#) }
  return "{" + members.joined(separator: ",") + "}"
}

private let noon = "2026-11-21T12:00:00Z"

@Suite("Tasks")
struct TasksTests {
  @Test("The first five due tasks are shown, with two labels each")
  func todaysTasks() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    let labels = ##"[{"id":1,"name":"a","color":"#f00"},{"id":"x","name":"b"},{"id":3,"name":"c","color":null}]"##
    // New York is UTC-5: 2026-11-21 is 05:00Z to 05:00Z of the next day.
    try harness.put(
      "tasks/a.json",
      "["
        + [
          taskJSON("7", "Undated b"), taskJSON("8", "Undated a"),
          taskJSON("1", "Late", due: #""2026-11-22T04:59:59.999Z""#),
          taskJSON("2", "Day", due: #""2026-11-21""#, labels: labels),
          taskJSON("3", "Tomorrow", due: #""2026-11-22T05:00:00Z""#),
          taskJSON("4", "Overdue", due: #""2026-11-21T04:59:59Z""#),
          taskJSON("5", "Done", completed: true, due: #""2026-11-21""#),
          taskJSON("\"six/ä:~\"", "Early", due: "816930000.5"),  // 2026-11-21T05:00:00.5Z
          taskJSON("9", "Undated c"),
        ].joined(separator: ",") + "]")
    let content = try harness.content("todays-tasks", at: noon)
    #expect(content["count"]?.int == 6)
    #expect(content["more"]?.int == 1)
    #expect(content["allDone"]?.bool == false)
    #expect(content["text"]?.string == "6 tasks")
    #expect(content["inline"]?.string == "6 tasks today, 1 overdue")
    #expect(content["rectangular"]?.string == "Overdue")
    #expect(content["overdueCount"]?.int == 1 && content["completedToday"]?.int == 0)
    #expect(content["overdue"]?[0]?["deepLink"]?.string == "cafe://task/4" && content["overdue"]?.array?.count == 1)
    #expect(content["title"]?.string == "Today")
    let titles = content["tasks"]?.array?.map { $0["title"]?.string ?? "" }
    #expect(titles == ["Day", "Early", "Late", "Undated a", "Undated b"])
    let day = try #require(content["tasks"]?[0])
    #expect(day["dueDate"]?.string == "2026-11-21T05:00:00Z")
    #expect(day["id"]?.int == 2)
    #expect(day["labels"]?.array?.count == 2)
    #expect(day["labels"]?[0] == .object(["name": .string("a"), "color": .string("#f00")]))
    #expect(day["labels"]?[1] == .object(["name": .string("b"), "color": .null]))
    #expect(day["deepLink"]?.string == "cafe://task/2")
    #expect(content["tasks"]?[1]?["dueDate"]?.string == "2026-11-21T05:00:00Z")
    #expect(content["tasks"]?[1]?["id"]?.string == "six/ä:~")
    #expect(content["tasks"]?[1]?["deepLink"]?.string == "cafe://task/six%2F%C3%A4:~")
    #expect(content["tasks"]?[3]?["dueDate"] == .null)
  }

  /// A row of the table in feeds.md: todays-tasks. It has the counts of due, overdue and completed tasks, and the texts.
  struct Words: Sendable, CustomTestStringConvertible {
    var (due, overdue, completed): (Int, Int, Int)
    var (text, inline, rectangular, short): (String, String, String, String)

    init(_ counts: (Int, Int, Int), _ text: String, _ inline: String, _ rectangular: String, _ short: String) {
      (due, overdue, completed) = counts
      (self.text, self.inline, self.rectangular, self.short) = (text, inline, rectangular, short)
    }

    var testDescription: String { "\(due) due, \(overdue) overdue, \(completed) completed" }
  }

  @Test(
    "Each kind has its words for the counts",
    arguments: [
      Words((3, 0, 0), "3 tasks", "3 tasks today", "d0", "3 tasks"),
      Words((1, 0, 4), "1 task", "1 task today", "d0", "1 task"),
      Words((3, 2, 1), "3 tasks", "3 tasks today, 2 overdue", "o0", "3 tasks"),
      Words((1, 1, 0), "1 task", "1 task today, 1 overdue", "o0", "1 task"),
      Words((0, 2, 0), "2 overdue", "2 overdue", "o0", "2 overdue"),
      Words((0, 1, 3), "1 overdue", "1 overdue", "o0", "1 overdue"),
      Words((0, 0, 2), "All done!", "0 tasks today", "No tasks", "0 tasks"),
      Words((0, 0, 0), "No tasks", "0 tasks today", "No tasks", "0 tasks"),
    ])
  func words(_ row: Words) throws {
    let harness = try FeedHarness()
    var tasks = (0..<row.due).map { taskJSON("\($0)", "d\($0)") }
    // The oldest is first, whatever its title and id.
    tasks += (0..<row.overdue).map { taskJSON("\(50 - $0)", "o\($0)", due: "\"2026-11-1\(5 + $0)\"") }
    tasks += (0..<row.completed).map {
      taskJSON("\(100 + $0)", completed: true, due: #""2026-11-02""#, completedAt: #""2026-11-21T00:00:00Z""#)
    }
    try harness.put("cachedTasks.json", #"{"tasks":[\#(tasks.joined(separator: ","))]}"#)
    let today = try harness.content("todays-tasks", at: noon)
    #expect(today["text"]?.string == row.text && today["inline"]?.string == row.inline)
    #expect(today["rectangular"]?.string == row.rectangular)
    #expect(today["allDone"]?.bool == (row.due == 0 && row.overdue == 0))
    #expect(today["completedToday"]?.int == row.completed && today["overdueCount"]?.int == row.overdue)
    let number = try harness.content("task-count", at: noon)
    #expect(
      number
        == .object([
          "count": .integer(row.due), "overdueCount": .integer(row.overdue), "text": .string(row.short),
        ]))
    let share = try harness.content("task-progress", at: noon)
    let total = row.due + row.overdue + row.completed
    #expect(share["completed"]?.int == row.completed && share["total"]?.int == total)
    #expect(share["progress"]?.double == (total == 0 ? 1 : Double(row.completed) / Double(total)))
    let completed = try harness.content("completed-today", at: noon)
    #expect(completed["text"]?.string == "\(row.completed) completed today")
    #expect(try harness.state("todays-tasks", at: noon) == "current")
  }

  @Test("A task is overdue from the midnight after its day on, even with a time, and the first five are listed")
  func overdue() throws {
    // New York is UTC-5 in November: the day of 20 November ends at 05:00Z.
    let harness = try FeedHarness(zone: "America/New_York")
    let tasks = ["B", "A", "C", "D", "E", "F"].enumerated().map { index, title in
      taskJSON("\(index)", title, due: #""2026-11-20T20:00:00Z""#)
    }
    try harness.put(
      "tasks/a.json", "[\((tasks + [taskJSON("9", "Day", due: #""2026-11-20""#)]).joined(separator: ","))]")
    let before = try harness.content("todays-tasks", at: "2026-11-21T04:59:59Z")
    #expect(before["count"]?.int == 7 && before["overdueCount"]?.int == 0)
    let after = try harness.content("todays-tasks", at: "2026-11-21T05:00:00Z")
    #expect(after["count"]?.int == 0 && after["overdueCount"]?.int == 7 && after["more"]?.int == 0)
    // A day counts as its first instant, so it is before the times.
    #expect(after["overdue"]?.array?.map { $0["title"]?.string } == ["Day", "A", "B", "C", "D"])
    try harness.expectConsistent("todays-tasks", at: "2026-11-20T12:00:00Z")
    try harness.expectConsistent("task-progress", at: "2026-11-20T12:00:00Z")
  }

  @Test("Overdue tasks and a filter by label are shown only if a widget asks for them")
  func options() throws {
    let harness = try FeedHarness()
    let label = #"[{"id":1,"name":"Home","color":null}]"#
    try harness.put(
      "tasks/a.json",
      "[\(taskJSON("1", "Late", due: #""2026-11-20""#, labels: label)),\(taskJSON("2", "Other")),"
        + "\(taskJSON("3", "Ours", labels: label))]")
    func content(_ kind: KindName, _ options: TextMap<JSONValue>) throws -> JSONValue {
      let plain = try #require(FeedRegistry.builtIn.kind(named: kind))
      var values = TextMap(plain.options.map { ($0.name, $0.standard) })
      for (name, value) in options { values[name] = value }
      let widget = WidgetConfiguration(name: "mine", kind: kind, options: values)
      let kind = try #require(FeedRegistry.builtIn.adding([widget]).kind(named: "mine"))
      let timeline = TimelineProjector(feeds: harness.feeds, moment: try harness.moment(noon))
        .timeline(of: kind)
      return try harness.value(timeline.entries[0].content)
    }
    let without = try content("todays-tasks", ["overdue": .bool(false)])
    #expect(without["overdue"]?.array == [] && without["overdueCount"]?.int == 0)
    #expect(without["text"]?.string == "2 tasks" && without["inline"]?.string == "2 tasks today")
    #expect(try content("task-progress", ["overdue": .bool(false)])["total"]?.int == 2)
    let home = try content("todays-tasks", ["label": .string("Home")])
    #expect(home["tasks"]?.array?.map { $0["title"]?.string } == ["Ours"] && home["overdueCount"]?.int == 1)
    #expect(try content("task-count", ["label": .string("home")])["count"]?.int == 0)
    // The index of the label is updated with the files and the intents.
    try harness.put("tasks/b.json", "[\(taskJSON("4", "New", labels: label))]")
    try harness.put("intents/a.json", #"{"id":"a","type":"complete-task","taskId":3,"at":"2026-11-21T11:00:00Z"}"#)
    try harness.put("intents/b.json", #"{"id":"b","type":"add-task","title":"No label","at":"2026-11-21T11:00:00Z"}"#)
    #expect(try content("todays-tasks", ["label": .string("Home")])["tasks"]?[0]?["title"]?.string == "New")
    #expect(try content("completed-today", ["label": .string("Home")])["count"]?.int == 1)
    harness.remove("tasks/a.json")
    #expect(try content("todays-tasks", ["label": .string("Home")])["overdueCount"]?.int == 0)
  }

  @Test("A task completed within the local day counts as completed today, or one created then if the app gives no time")
  func completedToday() throws {
    let harness = try FeedHarness(zone: "Australia/Lord_Howe")  // UTC+11 in November: midnight is 13:00Z
    try harness.put(
      "tasks/a.json",
      "["
        + [
          taskJSON("1", completed: true, completedAt: #""2026-11-20T13:00:00Z""#),
          taskJSON("2", completed: true, completedAt: #""2026-11-21T12:59:59.9Z""#),
          taskJSON("3", completed: true, completedAt: #""2026-11-21T13:00:00Z""#),
          taskJSON("4", completed: true, completedAt: #""2026-11-20T12:59:59Z""#),
          taskJSON("5", completed: true, created: #""2026-11-21T01:00:00+0530""#, completedAt: "null"),
          taskJSON("6", completed: true, created: #""2026-11-21T01:00:00Z""#, completedAt: #""2026-11-01T00:00:00Z""#),
          taskJSON("7", completed: false, completedAt: #""2026-11-21T01:00:00Z""#),
        ].joined(separator: ",") + "]")
    #expect(try harness.content("completed-today", at: noon)["text"]?.string == "3 completed today")
    let progress = try harness.content("task-progress", at: noon)
    #expect(progress["completed"]?.int == 3 && progress["total"]?.int == 4 && progress["progress"]?.double == 0.75)
    #expect(
      try harness.day("tasks", "2026-11-21", now: noon) == .object(["completed": .integer(3), "due": .integer(0)]))
    #expect(
      try harness.day("tasks", "2026-11-22", now: noon) == .object(["completed": .integer(1), "due": .integer(0)]))
    // Nothing is due or completed, although a task without a date is open.
    #expect(try harness.day("tasks", "2026-11-23", now: noon) == nil)
  }

  @Test("Tasks are ordered by due date, then title, then id")
  func order() throws {
    let harness = try FeedHarness()
    try harness.put(
      "tasks/a.json",
      "["
        + [
          taskJSON("\"10\"", "Same"), taskJSON("9", "Same"), taskJSON("10", "Same"), taskJSON("\"B\"", "Same"),
          taskJSON("1", "Z", due: #""2026-11-21T08:00:00.001Z""#), taskJSON("2", "a", due: #""2026-11-21T08:00:00Z""#),
          taskJSON("3", "B", due: #""2026-11-21T08:00:00Z""#),
        ].joined(separator: ",") + "]")
    let tasks = try harness.content("todays-tasks", at: noon)["tasks"]?.array
    // "B" is before "a" by bytes. "10" and 10 are the same id, and the later one in the file counts: an integer, after
    // 9.
    #expect(tasks?.map { $0["id"] } == [.integer(3), .integer(2), .integer(1), .integer(9), .integer(10)])
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 6)
  }

  @Test("There is an entry for each day, and two for completed tasks")
  func timelines() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put(
      "tasks/a.json",
      "[\(taskJSON("1", due: #""2026-11-23""#)),\(taskJSON("2", completed: true, completedAt: "\"2026-11-21T06:00:00Z\""))]"
    )
    for kind in ["todays-tasks", "task-count", "task-progress"] as [KindName] {
      let timeline = try harness.timeline(kind, at: noon)
      #expect(timeline.entries.map(\.date.description) == (21...27).map { "2026-11-\($0)T05:00:00Z" })
      #expect(timeline.reloadAfter?.description == "2026-11-28T05:00:00Z")
      try harness.expectConsistent(kind, at: noon)
    }
    let counts = try harness.timeline("task-count", at: noon).entries.map {
      try harness.value($0.content)["count"]?.int
    }
    #expect(counts == [0, 0, 1, 0, 0, 0, 0])
    let timeline = try harness.timeline("completed-today", at: noon)
    #expect(timeline.entries.map(\.date.description) == ["2026-11-21T05:00:00Z", "2026-11-22T05:00:00Z"])
    #expect(timeline.reloadAfter?.description == "2026-11-23T05:00:00Z")
    try harness.expectConsistent("completed-today", at: noon)
  }

  @Test(
    "Local days of every length are respected",
    arguments: [
      ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z", 23.0),
      ("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z", 25.0),
      ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:29:59Z", 24.5),
      ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", "2026-10-04T12:59:59Z", 23.5),
    ])
  func dayLengths(zone: String, day: String, first: String, last: String, hours: Double) throws {
    let harness = try FeedHarness(zone: zone)
    try harness.put(
      "tasks/a.json",
      "["
        + [
          taskJSON("1", due: "\"\(first)\""), taskJSON("2", due: "\"\(last)\""), taskJSON("3", due: "\"\(day)\""),
          taskJSON("4", completed: true, completedAt: "\"\(first)\""),
          taskJSON("5", completed: true, completedAt: "\"\(last)\""),
        ].joined(separator: ",") + "]")
    let object = try harness.day("tasks", day, now: last)
    #expect(object == .object(["completed": .integer(2), "due": .integer(3)]))
    for kind in ["todays-tasks", "task-progress", "completed-today"] as [KindName] {
      try harness.expectConsistent(kind, at: first)
    }
    let entry = try #require(try harness.timeline("task-progress", at: last).entries.first)
    #expect(entry.date.description == first)
    #expect(try harness.value(entry.content)["total"]?.int == 5)
    let (start, end) = (try harness.instant(first), try harness.instant(last))
    #expect(end - start == .seconds(hours * 3600 - 1))
  }

  @Test("Days move with the zone")
  func zoneChange() throws {
    var harness = try FeedHarness()
    try harness.put(
      "tasks/a.json", "[\(taskJSON("1", due: #""2026-11-21T23:00:00Z""#)),\(taskJSON("2", due: #""2026-11-21""#))]")
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 2)
    harness.calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Asia/Tokyo"))
    harness.feeds["tasks"]?.rebuild(in: harness.calendar)
    let content = try harness.content("todays-tasks", at: noon)
    #expect(content["count"]?.int == 1)
    #expect(content["tasks"]?[0]?["dueDate"]?.string == "2026-11-20T15:00:00Z")
    harness.remove("tasks/a.json")
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 0)
  }

  @Test("A due day that the zone skipped counts as its first instant")
  func skippedDay() throws {
    let harness = try FeedHarness(zone: "Pacific/Apia")
    try harness.put("tasks/a.json", "[\(taskJSON("1", due: #""2011-12-30""#))]")
    let content = try harness.content("todays-tasks", at: "2011-12-31T00:00:00Z")  // 2011-12-31 14:00 in Apia
    #expect(content["tasks"]?[0]?["dueDate"]?.string == "2011-12-30T10:00:00Z")
    try harness.expectConsistent("todays-tasks", at: "2011-12-29T20:00:00Z")
  }

  @Test("An empty list means nothing to do, and no list means empty, both in the words of count 0")
  func empty() throws {
    let harness = try FeedHarness()
    try harness.put("tasks/a.json", "[]")
    #expect(try harness.state("todays-tasks", at: noon) == "current")
    let current = try harness.timeline("todays-tasks", at: noon)
    #expect(current.sources.named == [CachePath("tasks/a.json")])
    harness.remove("tasks/a.json")
    let empty: [(KindName, String)] = [
      (
        "todays-tasks",
        #"{"allDone":true,"completedToday":0,"count":0,"inline":"0 tasks today","more":0,"overdue":[],"overdueCount":0,"#
          + #""rectangular":"No tasks","tasks":[],"text":"No tasks","title":"Today"}"#
      ),
      ("task-count", #"{"count":0,"overdueCount":0,"text":"0 tasks"}"#),
      ("task-progress", #"{"completed":0,"progress":1,"total":0}"#),
      ("completed-today", #"{"count":0,"text":"0 completed today"}"#),
    ]
    for (kind, content) in empty {
      let timeline = try harness.timeline(kind, at: noon)
      #expect(timeline.entries.allSatisfy { $0.state == .empty })
      #expect(String(decoding: timeline.entries[0].content, as: UTF8.self) == content)
      #expect(timeline.sources.count == 0)
    }
  }

  @Test("Actions that can be started are offered, whatever the files contain")
  func quickAdd() throws {
    let harness = try FeedHarness()
    try harness.put("cachedEvents.json", "[]")
    let timeline = try harness.timeline("quick-add", at: noon)
    #expect(timeline.entries.count == 1 && timeline.reloadAfter == nil && timeline.sources.count == 0)
    #expect(timeline.entries[0].date.description == "2001-01-01T00:00:00Z" && timeline.entries[0].state == .current)
    #expect(
      String(decoding: timeline.entries[0].content, as: UTF8.self)
        == #"{"actions":[{"deepLink":"cafe://new-task","title":"Add Task"},"#
        + #"{"deepLink":"cafe://new-event","title":"Add Event"},{"deepLink":"cafe://chat","title":"AI Chat"}]}"#)
    harness.remove("cachedEvents.json")
    #expect(try harness.state("quick-add", at: noon) == "empty")
    try harness.put("tasks/a.json", "[]", unusable: true)
    #expect(try harness.state("quick-add", at: noon) == "current")
    let kind = try #require(FeedRegistry.builtIn.kind(named: "quick-add"))
    #expect(kind.presentWith == ["tasks", "events"] && kind.feeds == ["tasks", "events"])
  }
}
