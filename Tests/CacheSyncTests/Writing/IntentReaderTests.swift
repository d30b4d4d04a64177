import CacheSync
import Foundation
import SystemPackage
import Testing
import TestSupport

@Suite("Reading intents")
struct IntentReaderTests {
  private let cache: TemporaryCache
  private let reader: IntentReader

  init() throws {
    cache = try TemporaryCache()
    reader = IntentReader(cache: cache.path)
  }

  private func drop(_ name: String, _ type: String, _ fields: String, at: String) throws {
    try cache.write("intents/\(name).json", #"{"id":"\#(name)","type":"\#(type)","at":\#(at),\#(fields)}"#)
  }

  private func ids(_ types: String...) throws -> [String] { try reader.pending(types: types).map(\.intent.id) }

  private static let tasks =
    #"{"tasks":[{"id":1,"title":"T","completed":false,"createdAt":0}],"lastUpdate":"2026-11-21T10:00:00Z"}"#

  @Test("A reader gets the unabsorbed intents of its types in the order of their dates, with their fields")
  func pending() throws {
    try cache.write("tasks/a.json", Self.tasks)
    // A session absorbs intents that are dated before it, to the microsecond.
    try drop("old", "complete-task", #""taskId":1"#, at: #""2026-11-21T09:59:59.999Z""#)
    try drop("same", "complete-task", #""taskId":1"#, at: #""2026-11-21T10:00:00Z""#)
    try drop(
      "b", "add-task", #""title":"Beans","dueDate":"2026-11-23","to":"tasks/anna""#, at: #""2026-11-21T11:00:00Z""#)
    try drop("a", "add-task", #""title":"Apples""#, at: #""2026-11-21T11:00:00Z""#)
    try drop("food", "log-food", #""foodId":"oats""#, at: "817000000")
    #expect(try ids("complete-task", "add-task") == ["same", "a", "b"])
    #expect(try ids("complete-task") == ["same"])
    #expect(try ids("log-food") == ["food"])
    let beans = try #require(try reader.pending(types: ["add-task"]).last)
    #expect(beans.path == "intents/b.json" && beans.intent.at == Instant("2026-11-21T11:00:00Z"))
    #expect(
      beans.intent.action
        == .addTask(title: "Beans", due: LocalDay("2026-11-23").map(DayReference.day), to: "tasks/anna"))
    let food = try #require(try reader.pending(types: ["log-food"]).first)
    #expect(food.intent.action == .logFood(id: "oats", quantity: 1))
    #expect(food.intent.at == Instant(secondsSince2001: 817_000_000))
  }

  @Test("A reader can also get intents that are too old for readers, each id once, and none from an unreadable file")
  func others() throws {
    try drop("ancient", "end-session", #""x":1"#, at: #""2001-01-02T00:00:00Z""#)
    try drop("broken", "end-session", #""x":"#, at: #""2026-11-21T11:00:00Z""#)
    try cache.write("intents/z/copy.json", #"{"id":"ancient","type":"end-session","at":"2026-11-21T11:00:00Z"}"#)
    let found = try reader.pending(types: ["end-session"])
    #expect(found.map(\.path) == ["intents/ancient.json"])
    try reader.acknowledge(found[0])
    #expect(try reader.pending(types: ["end-session"]).map(\.path) == ["intents/z/copy.json"])
  }

  @Test("A reader gets all pending intents, also more than readers show at once")
  func many() throws {
    for number in 0..<205 {
      let type = number.isMultiple(of: 5) ? "complete-task" : "add-task"
      let fields = number.isMultiple(of: 5) ? #""taskId":1"# : #""title":"T""#
      try drop("\(number)", type, fields, at: "\(817_000_000 + number)")
    }
    #expect(try ids("complete-task") == (0..<41).map { "\($0 * 5)" })
    #expect(try ids("add-task").count == 164)
  }

  @Test("Acknowledging deletes only that file, and only if it was not replaced")
  func acknowledge() throws {
    try drop("a", "add-task", #""title":"A""#, at: #""2026-11-21T11:00:00Z""#)
    try drop("b", "add-task", #""title":"B""#, at: #""2026-11-21T12:00:00Z""#)
    let found = try reader.pending(types: ["add-task"])
    try reader.acknowledge(found[0])
    try reader.acknowledge(found[0])
    #expect(try cache.names(in: "intents") == ["b.json"])
    try cache.write("intents/new.json", #"{"id":"b","type":"add-task","title":"Other","at":"2026-11-21T13:00:00Z"}"#)
    try cache.remove("intents/b.json")
    try FileManager.default.moveItem(at: cache.file("intents/new.json"), to: cache.file("intents/b.json"))
    #expect(throws: IntentReader.Failure.changed("intents/b.json")) { try reader.acknowledge(found[1]) }
    #expect(try cache.names(in: "intents") == ["b.json"])
  }

  @Test("Errors say what is wrong")
  func failures() throws {
    #expect(throws: IntentReader.Failure.unknownType("add-tusk")) { try reader.pending(types: ["add-tusk"]) }
    #expect(
      IntentReader.Failure.unknownType("add-tusk").description
        == "unknown intent type \"add-tusk\": did you mean add-task?")
    #expect(throws: IntentReader.Failure.self) {
      try IntentReader(cache: cache.path.appending("none")).pending(types: ["add-task"])
    }
  }
}
