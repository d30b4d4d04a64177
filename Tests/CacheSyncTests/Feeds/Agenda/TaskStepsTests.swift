import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

/// Steps of tasks (feeds.md: tasks of calendars). The expected tasks are worked out by hand.
@Suite("Steps of tasks")
struct TaskStepsTests {
  private static let now = "2026-11-25T12:00:00Z"

  private static func calendar(_ toDos: [[String]]) -> String {
    "BEGIN:VCALENDAR\n"
      + toDos.map { "BEGIN:VTODO\n" + $0.map { $0 + "\n" }.joined() + "END:VTODO\n" }.joined() + "END:VCALENDAR\n"
  }

  /// The ids of the tasks that are due, overdue, and exported as open ones.
  private static func open(_ harness: FeedHarness) throws -> (due: [String], overdue: [String], exported: [String]) {
    let content = try harness.content("todays-tasks", at: now)
    func ids(_ key: String) -> [String] { content[key]?.array?.compactMap { $0["id"]?.string }.sorted() ?? [] }
    let calendar = try #require(harness.feeds.registry.feed(named: "tasks")?.calendar)
    let exported = calendar(harness.feeds, try harness.moment(now)).filter { component in
      component.properties.contains { if case .plain("STATUS", "NEEDS-ACTION") = $0 { true } else { false } }
    }
    return (ids("tasks"), ids("overdue"), exported.map(\.id).sorted())
  }

  /// (the VTODOs, the ids that are due, those that are overdue)
  @Test(
    "A step of a task that is over is not due, and neither are its own steps",
    arguments: [
      ([["UID:p", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO:p"]], "", ""),
      ([["UID:p", "STATUS:CANCELLED"], ["UID:s", "RELATED-TO:p"]], "", ""),
      (
        [["UID:p", "PERCENT-COMPLETE:100"], ["UID:s", "RELATED-TO;RELTYPE=parent:p", "DUE:20261120T080000Z"]], "", ""
      ),
      (
        [["UID:p", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO;RELTYPE=\"PARENT\":p"], ["UID:g", "RELATED-TO:s"]], "", ""
      ),
      ([["UID:p"], ["UID:s", "RELATED-TO:p", "STATUS:COMPLETED"], ["UID:g", "RELATED-TO:s"]], "p", ""),
      // Not over, or not a step.
      ([["UID:p"], ["UID:s", "RELATED-TO:p"]], "p s", ""),
      ([["UID:p", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO;RELTYPE=CHILD:p"]], "s", ""),
      ([["UID:p", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO;RELTYPE=SIBLING:p"]], "s", ""),
      ([["UID:s", "RELATED-TO:unknown"], ["UID:t", "RELATED-TO:"]], "s t", ""),
      ([["UID:p", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO;RELTYPE=CHILD:q", "RELATED-TO:p"]], "", ""),
      // What repeats is over with its last occurrence, or as a whole.
      (
        [
          ["UID:p", "DUE:20261124T080000Z", "RRULE:FREQ=DAILY"],
          ["UID:p", "RECURRENCE-ID:20261124T080000Z", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO:p"],
        ], "p s", ""
      ),
      (
        [
          ["UID:p", "DUE:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=1"],
          ["UID:p", "RECURRENCE-ID:20261124T080000Z", "STATUS:COMPLETED"], ["UID:s", "RELATED-TO:p"],
        ], "", ""
      ),
      // A bad parent says nothing.
      ([["UID:p", "RRULE:x"], ["UID:s", "RELATED-TO:p"]], "s", ""),
      // Circles.
      ([["UID:a", "RELATED-TO:a"]], "a", ""),
      ([["UID:a", "RELATED-TO:b"], ["UID:b", "RELATED-TO:a"]], "a b", ""),
      ([["UID:a", "RELATED-TO:b"], ["UID:b", "RELATED-TO:a", "STATUS:COMPLETED"]], "a", ""),
      ([["UID:a", "RELATED-TO:b"], ["UID:b", "RELATED-TO:b", "STATUS:COMPLETED"]], "", ""),
      // Dates of the parent, or of its parent.
      ([["UID:p", "DUE:20261124T080000Z"], ["UID:s", "RELATED-TO:p"]], "", "p s"),
      ([["UID:p", "DUE:20261124T080000Z"], ["UID:s", "RELATED-TO:p"], ["UID:g", "RELATED-TO:s"]], "", "g p s"),
      ([["UID:p", "DUE:20261124T080000Z"], ["UID:s", "RELATED-TO:p", "DUE:20261125T080000Z"]], "s", "p"),
      ([["UID:p", "DTSTART:20261127T080000Z"], ["UID:s", "RELATED-TO:p"]], "", ""),
      ([["UID:p", "DTSTART:20261127T080000Z"], ["UID:s", "RELATED-TO:p", "DTSTART:20261124T080000Z"]], "s", ""),
    ])
  func steps(toDos: [[String]], due: String, overdue: String) throws {
    for toDos in [toDos, toDos.reversed()] {
      let harness = try FeedHarness()
      try harness.put("tasks/a.ics", Self.calendar(toDos))
      let open = try Self.open(harness)
      #expect(open.due == due.split(separator: " ").map(String.init))
      #expect(open.overdue == overdue.split(separator: " ").map(String.init))
      try harness.expectConsistent("todays-tasks", at: Self.now)

      // The same with a file for each UID, in the order of their names and in the other.
      let uids = Set(toDos.map { $0[0] }).sorted()
      for uids in [uids, uids.reversed()] {
        let harness = try FeedHarness()
        for uid in uids {
          try harness.put("tasks/\(uid.dropFirst(4)).ics", Self.calendar(toDos.filter { $0[0] == uid }))
          _ = try Self.open(harness)
        }
        #expect(try Self.open(harness) == open)
      }
    }
  }

  @Test("Steps follow what happens to their parents in other files, with a label too")
  func changes() throws {
    var harness = try FeedHarness()
    try harness.put("tasks/s.ics", Self.calendar([["UID:s", "RELATED-TO:p", "CATEGORIES:home"]]))
    func due() throws -> [String] {
      let tasks = try #require(harness.feeds[TasksFeed.self])
      let day = harness.calendar.interval(of: try harness.moment(Self.now).day)
      let open = try Self.open(harness).due
      #expect(tasks.days(labelled: "home").dueCount(on: day) == open.count { $0 == "s" })
      return open
    }
    #expect(try due() == ["s"])
    try harness.put("events/p.ics", Self.calendar([["UID:p"]]))
    #expect(try due() == ["p", "s"])
    try harness.put("events/p.ics", Self.calendar([["UID:p", "STATUS:COMPLETED"]]))
    #expect(try due() == [])
    try harness.put("events/p.ics", Self.calendar([["UID:p", "STATUS:CANCELLED"]]))
    #expect(try due() == [])
    // A day is another in another zone.
    try harness.put("events/p.ics", Self.calendar([["UID:p", "DUE:20261125T233000"]]))
    #expect(try due() == ["p", "s"])
    harness.calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Pacific/Auckland"))
    harness.feeds.rebuild(in: harness.calendar)
    #expect(try Self.open(harness).overdue == ["p", "s"])
    harness.remove("events/p.ics")
    #expect(try due() == ["s"])
    // The newer file says whether the parent is over.
    try harness.put("tasks/old.ics", Self.calendar([["UID:p", "LAST-MODIFIED:20261101T000000Z", "STATUS:COMPLETED"]]))
    #expect(try due() == [])
    try harness.put("tasks/new.ics", Self.calendar([["UID:p", "LAST-MODIFIED:20261102T000000Z"]]))
    #expect(try due() == ["p", "s"])
    harness.remove("tasks/s.ics")
    #expect(try due() == ["p"])
  }

  @Test("A step that an intent completes counts as completed, and its id stays known")
  func intents() throws {
    for status in ["NEEDS-ACTION", "COMPLETED"] {
      let harness = try FeedHarness()
      try harness.put(
        "tasks/a.ics",
        Self.calendar([
          ["UID:p", "STATUS:\(status)", "DUE:20261124T080000Z", "LAST-MODIFIED:20261120T000000Z"],
          ["UID:s", "RELATED-TO:p", "LAST-MODIFIED:20261120T000000Z"],
        ]))
      try harness.put(
        "intents/1.json", #"{"id": "1", "at": "2026-11-25T11:00:00Z", "type": "complete-task", "taskId": "s"}"#)
      #expect(try Self.open(harness).overdue == (status == "COMPLETED" ? [] : ["p"]))
      #expect(try harness.content("completed-today", at: Self.now)["count"]?.int == 1)
      let intents = try #require(harness.feeds[IntentsFeed.self])
      #expect(intents.currentProblems(at: try harness.moment(Self.now), feeds: harness.feeds).isEmpty)
      try harness.expectConsistent("todays-tasks", at: Self.now)
    }
  }

  @Test("The steps of a task that an intent completes are not due until the intent ends")
  func intentsOfParents() throws {
    let harness = try FeedHarness()
    let written = "LAST-MODIFIED:20261120T000000Z"
    try harness.put(
      "tasks/a.ics",
      Self.calendar([
        ["UID:p", written], ["UID:s", "RELATED-TO:p", written], ["UID:g", "RELATED-TO:s", written], ["UID:o", written],
        ["UID:r", "DUE:20261125T080000Z", "RRULE:FREQ=DAILY", written],
        ["UID:t", "RELATED-TO:r", "DUE:20261125T090000Z", written],
      ]))
    func complete(_ id: String, at moment: String) throws {
      try harness.put(
        "intents/\(id).json", #"{"id": "\#(id)", "at": "\#(moment)", "type": "complete-task", "taskId": "\#(id)"}"#)
    }
    #expect(try Self.open(harness).due == ["g", "o", "p", "r", "t"], "five show")
    try complete("p", at: "2026-11-18T13:00:00Z")
    #expect(try Self.open(harness).exported == ["g", "o", "p", "r", "s", "t"], "a newer version includes the intent")
    try complete("p", at: "2026-11-21T13:00:00Z")
    #expect(try Self.open(harness).due == ["o", "r", "t"])
    try complete("s", at: "2026-11-22T13:00:00Z")
    #expect(try Self.open(harness).due == ["o", "r", "t"])
    // What repeats goes on.
    try complete("r", at: "2026-11-23T13:00:00Z")
    #expect(try Self.open(harness).due == ["o", "t"])
    for kind in ["todays-tasks", "task-count", "completed-today"] as [KindName] {
      for moment in [Self.now, "2026-11-28T12:00:00Z", "2026-11-29T12:00:00Z"] {
        try harness.expectConsistent(kind, at: moment)
      }
    }
    // An intent ends after 168 hours: first that of p, then that of s.
    #expect(try harness.content("todays-tasks", at: "2026-11-28T14:00:00Z")["overdueCount"]?.int == 1)
    #expect(try harness.content("task-count", at: "2026-11-28T14:00:00Z")["count"]?.int == 2)
    #expect(try harness.content("task-count", at: "2026-11-29T14:00:00Z")["count"]?.int == 4)
  }

  @Test("A chain of 20,000 steps, and as many steps of one task, take linear time")
  func many() throws {
    let harness = try FeedHarness()
    let chain = (0..<20_000).map { ["UID:c\($0)", "RELATED-TO:c\($0 + 1)"] }
    let fan = (0..<20_000).map { ["UID:f\($0)", "RELATED-TO:c0"] }
    try harness.put("tasks/a.ics", Self.calendar(chain + fan))
    #expect(try harness.content("todays-tasks", at: Self.now)["count"]?.int == 40_000)
    try harness.put("tasks/b.ics", Self.calendar([["UID:c20000", "STATUS:COMPLETED"]]))
    #expect(try harness.content("todays-tasks", at: Self.now)["count"]?.int == 0)
  }
}
