import CacheSync
import Testing

@Suite("Intents from the command line")
struct IntentDocumentTests {
  static func now() throws -> Instant { try #require(Instant("2026-11-21T11:00:00.25Z")) }

  static func text(_ type: String, _ arguments: String...) throws -> String {
    String(decoding: try IntentDocument(type: type, arguments: arguments, at: now()).bytes, as: UTF8.self)
  }

  @Test("An intent is written with the fields of its type")
  func written() throws {
    #expect(
      try Self.text("log-food", "foodId=3", "quantity=1.50", "id=i")
        == #"{"at":"2026-11-21T11:00:00.250000Z","foodId":"3","id":"i","quantity":1.5,"type":"log-food"}"# + "\n")
    #expect(
      try Self.text("add-task", "title=Buy = \"milk\"\n", "id=i", "dueDate=2026-11-22", "at=2026-11-21T12:00:00+01:00")
        == #"{"at":"2026-11-21T12:00:00+01:00","dueDate":"2026-11-22","id":"i","#
        + #""title":"Buy = \"milk\"\n","type":"add-task"}"#
        + "\n")
    #expect(
      try Self.text("add-task", "title=", "id=", "dueDate=816948000.5", "at=816948000")
        == #"{"at":816948000,"dueDate":816948000.5,"id":"","title":"","type":"add-task"}"# + "\n")
    #expect(
      try Self.text("end-session", "id=i") == #"{"at":"2026-11-21T11:00:00.250000Z","id":"i","type":"end-session"}"#
        + "\n")
    for type in ["select-shoe", "start-session"] {
      #expect(
        try Self.text(type, "shoeId=s", "id=i", "at=2026-11-21T11:00:00Z")
          == #"{"at":"2026-11-21T11:00:00Z","id":"i","shoeId":"s","type":"\#(type)"}"# + "\n")
    }
    #expect(try Self.text("complete-task", "taskId=t", "id=i").contains(#""taskId":"t""#))
  }

  @Test("Each intent gets a new id")
  func freshID() throws {
    let documents = try (0..<100).map { _ in try IntentDocument(type: "end-session", arguments: [], at: Self.now()) }
    #expect(Set(documents.map(\.id)).count == 100)
    #expect(documents.allSatisfy { $0.id.utf8.count == 32 && $0.id.allSatisfy(\.isHexDigit) })
  }

  @Test(
    "An invalid intent is refused with one line",
    arguments: [
      (
        "eat", [],
        "unknown intent type \"eat\": use one of log-food, add-task, complete-task, select-shoe, start-session, "
          + "end-session"
      ),
      ("log-food", [], "log-food needs foodId=…"),
      ("add-task", ["dueDate=2026-11-21"], "add-task needs title=…"),
      ("complete-task", [], "complete-task needs taskId=…"),
      ("select-shoe", ["id=1"], "select-shoe needs shoeId=…"),
      ("complete-task", ["taskid=1"], "complete-task has no field \"taskid\": did you mean taskId?"),
      ("end-session", ["shoeId=s"], "end-session has no field \"shoeId\"; its fields are id, at"),
      (
        "log-food", ["foodId=f", "type=add-task"],
        "log-food has no field \"type\"; its fields are id, at, quantity, foodId"
      ),
      ("log-food", ["foodId"], "expected key=value, found \"foodId\""),
      ("log-food", ["foodId=a", "foodId=b"], "foodId is given twice"),
      (
        "log-food", ["foodId=a", "a\nb=b"],
        "log-food has no field \"a\\u{a}b\"; its fields are id, at, quantity, foodId"
      ),
      ("log-food", ["foodId=a", "quantity=two"], "quantity: expected a number of at least 0, found a string"),
      ("log-food", ["foodId=a", "quantity=0x10"], "quantity: expected a number of at least 0, found a string"),
      ("log-food", ["foodId=a", "quantity=1e999"], "quantity: expected a number of at least 0, found a string"),
      ("log-food", ["foodId=a", "quantity="], "quantity: expected a number of at least 0, found a string"),
      (
        "add-task", ["title=t", "dueDate=tomorrow"],
        "dueDate: expected a day such as 2026-11-21, or a date, found \"tomorrow\""
      ),
      (
        "end-session", ["at=2026-11-21"],
        "at: expected a date with an offset, such as 2026-11-21T09:30:00Z, found \"2026-11-21\""
      ),
    ])
  func refused(type: String, arguments: [String], message: String) throws {
    let error = #expect(throws: IntentArgumentError.self) {
      try IntentDocument(type: type, arguments: arguments, at: Self.now())
    }
    #expect(error?.description == message)
  }
}
