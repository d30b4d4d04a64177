@testable import CacheSyncFeeds
import Foundation
import Testing
import TestSupport

@Suite("The agenda's storage")
struct AgendaStorageTests {
  @Test("spans of one day to a million give the same as checking all events")
  func daySpans() {
    var random = SeededGenerator(state: 11)
    var spans = DaySpans<RecordID>()
    var all: [(id: RecordID, first: LocalDay, last: LocalDay)] = []
    for index in 0..<400 {
      let first = LocalDay(ordinal: Int.random(in: -300...300, using: &random))
      let last = first.advanced(by: Int.random(in: 0...(1 << Int.random(in: 0...20, using: &random)), using: &random))
      all.append((RecordID(index), first, last))
      spans.insert(RecordID(index), from: first, through: last)
    }
    all.append((RecordID(400), .first, .last))
    spans.insert(RecordID(400), from: .first, through: .last)
    for _ in 0..<100 {
      let gone = all.remove(at: Int.random(in: 0..<all.count, using: &random))
      spans.remove(gone.id, from: gone.first, through: gone.last)
    }
    for ordinal in stride(from: -320, through: 900, by: 7) {
      let day = LocalDay(ordinal: ordinal)
      let expected = all.filter { $0.first <= day && day <= $0.last }.map(\.id).sorted()
      #expect(spans.covering(day).sorted() == expected)
    }
  }

  @Test("10,000 tasks in 1,000 files, 100 of which change one after another, are all counted")
  func manyFiles() throws {
    let harness = try FeedHarness()
    func file(_ index: Int, _ title: String) -> String {
      let tasks = (0..<10).map { number in
        let due = number % 2 == 0 ? nil : #""2026-11-\#(10 + (index + number) % 20)""#
        return taskJSON("\(index * 10 + number)", "\(title) \(number)", due: due)
      }
      return "[\(tasks.joined(separator: ","))]"
    }
    for index in 0..<1000 { try harness.put("tasks/\(index).json", file(index, "t")) }
    for index in 0..<100 {
      try harness.put("tasks/\(index).json", file(index, "u\(index)"))
      #expect(try harness.content("task-count", at: "2026-11-21T12:00:00Z")["count"]?.int == 5250)
    }
    // 5000 are undated, and each of 20 days has 250.
    #expect(try harness.content("task-count", at: "2026-11-21T12:00:00Z")["count"]?.int == 5250)
  }

  @Test("the sample files are read completely")
  func samples() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let harness = try FeedHarness()
    for path in ["tasks/team-tasks.json", "cachedTasks.json", "events/calendar.json", "events/recurring.json"] {
      let text = try String(contentsOf: root.appendingPathComponent("sample-cache/" + path), encoding: .utf8)
      #expect(try harness.put(path, text).isEmpty, "\(path)")
    }
    #expect(try harness.content("todays-tasks", at: "2027-06-01T12:00:00Z")["count"]?.int == 4)
    #expect(try harness.content("next-event", at: "2027-06-01T12:00:00Z")["text"]?.string == "Team breakfast")
  }

  @Test("the feeds read what the models for apps write")
  func models() throws {
    let date = try #require(Instant("2026-11-21T08:00:00.25Z"))
    let tasks = TasksSession(
      tasks: [
        .init(id: 1, title: "One", createdAt: date),
        .init(
          id: "two", title: "Two", description: "d", completed: true,
          dueDate: .day(try #require(LocalDay("2026-11-21"))),
          createdAt: date, completedAt: date,
          labels: [.init(id: 1, name: "n", color: "#fff"), .init(id: "l", name: "m")]),
        .init(id: 3, title: "Three", dueDate: .instant(date), createdAt: date),
      ], lastUpdate: date)
    let events = EventsSession(
      events: [
        .init(id: "e", title: "E", startTime: date, endTime: date + .seconds(60), location: "Bar"),
        .init(id: 2, title: "F", startTime: date + .seconds(1), endTime: date + .seconds(1)),
      ], lastUpdate: nil)
    let taskBytes = try JSONEncoder().encode(tasks)
    let eventBytes = try JSONEncoder().encode(events)
    #expect(try JSONDecoder().decode(TasksSession.self, from: taskBytes) == tasks)
    #expect(try JSONDecoder().decode(EventsSession.self, from: eventBytes) == events)

    let harness = try FeedHarness()
    #expect(try harness.put("tasks/a.json", String(decoding: taskBytes, as: UTF8.self)).isEmpty)
    #expect(try harness.put("events/a.json", String(decoding: eventBytes, as: UTF8.self)).isEmpty)
    let today = try harness.content("todays-tasks", at: "2026-11-21T12:00:00Z")
    #expect(today["tasks"]?.array?.map { $0["title"]?.string } == ["Three", "One"])
    #expect(try harness.content("completed-today", at: "2026-11-21T12:00:00Z")["count"]?.int == 1)
    #expect(harness.feeds[TasksFeed.self]?.newestSession == date)
    let next = try harness.content("next-event", at: "2026-11-21T07:00:00Z")
    #expect(next["text"]?.string == "E" && next["event"]?["endTime"]?.string == "2026-11-21T08:01:00Z")
  }
}
