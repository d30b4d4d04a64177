import CacheSync
import CacheSyncSystem
import Foundation
import Testing

@Suite("Files of intents")
struct IntentsDecodingTests {
  static let at = #""2026-11-21T11:00:00Z""#

  /// A complete intent of each type, with its feed.
  static let types: [(type: String, fields: String, feed: FeedName)] = [
    ("log-food", #","foodId":"f","quantity":1.5"#, "nutrition"),
    ("add-task", #","title":"t","dueDate":"2026-11-21""#, "tasks"),
    ("complete-task", #","taskId":3"#, "tasks"),
    ("select-shoe", #","shoeId":"s""#, "shoes"),
    ("start-session", #","shoeId":"s""#, "shoes"),
    ("end-session", "", "shoes"),
  ]

  static func intent(_ type: String, _ fields: String = "") -> String {
    #"{"id":"i","at":\#(at)\#(fields),"type":"\#(type)"}"#
  }

  static func read(_ text: String) throws -> (reading: DecodedSession, pointers: [String]) {
    let feed = try #require(FeedRegistry.builtIn.feed(named: IntentsFeed.name))
    return Array(text.utf8).withUnsafeBytes { bytes in
      let reading = feed.decode(bytes, at: CachePath("intents/a.json"), pruning: true)
      return (reading, JSONPlace.of(reading.defects, in: bytes).map(\.pointer))
    }
  }

  @Test("An intent with the fields of its type is valid", arguments: types.map { ($0.type, $0.fields) })
  func good(type: String, fields: String) throws {
    #expect(try Self.read(Self.intent(type, fields)).reading.defects.isEmpty)
  }

  @Test(
    "A missing field is a problem in the intent's feed only",
    arguments: [
      ("log-food", "/foodId", "nutrition"), ("add-task", "/title", "tasks"), ("complete-task", "/taskId", "tasks"),
      ("select-shoe", "/shoeId", "shoes"), ("start-session", "/shoeId", "shoes"), ("log-food", "/id", "nutrition"),
      ("end-session", "/at", "shoes"), ("add-task", "/id", "tasks"),
    ])
  func missing(type: String, pointer: String, feed: String) throws {
    let whole = Self.intent(type, try #require(Self.types.first { $0.type == type }).fields)
    let (reading, pointers) = try Self.read(try NutritionFixtures.edited(whole, pointer, to: nil))
    #expect(pointers == [pointer])
    #expect(reading.scope == FeedName(feed))
    #expect(reading.defects.first?.message == "missing field '\(pointer.dropFirst())'")
    for value in [JSONValue.bool(true), .null] {
      let (reading, pointers) = try Self.read(try NutritionFixtures.edited(whole, pointer, to: value))
      #expect(pointers == [pointer] && reading.scope == FeedName(feed))
    }
  }

  @Test(
    "An optional field of another type counts as absent, with a warning; a required one is a defect",
    arguments: [
      ("log-food", #","foodId":"f","quantity":"2""#, "/quantity"),
      ("log-food", #","foodId":"f","quantity":-0.5"#, "/quantity"),
      ("log-food", #","foodId":1.5"#, "/foodId"),
      ("add-task", #","title":"t","dueDate":"tomorrow""#, "/dueDate"),
      ("add-task", #","title":"t","dueDate":false"#, "/dueDate"),
    ])
  func mistyped(type: String, fields: String, pointer: String) throws {
    let (reading, pointers) = try Self.read(Self.intent(type, fields))
    let isRequired = pointer == "/foodId"
    #expect(pointers == (isRequired ? [pointer] : []))
    #expect(
      reading.warnings.map { $0.message.hasSuffix("\(pointer.dropFirst()) counts as absent") }
        == (isRequired ? [] : [true]))
  }

  @Test(
    "A due date that means none counts as absent, as in a file of tasks",
    arguments: [
      #""1970-01-01T00:00:00Z""#, #""0001-01-01T00:00:00Z""#, #""1899-12-30""#, "-978307200", #""2950-01-01""#,
      #""9999-12-31T23:59:59Z""#, #""""#,
    ])
  func noDueDate(date: String) throws {
    let reading = try Self.read(Self.intent("add-task", #","title":"t","dueDate":\#(date)"#)).reading
    #expect(reading.defects.isEmpty)
    #expect(reading.warnings.count == 1 && reading.warnings[0].message.contains("mean"), "\(reading.warnings)")
    let intent = try #require(reading.session as? StoredIntent)
    guard case .add(_, let due, _)? = intent.action as? TaskIntent else {
      Issue.record("\(intent)")
      return
    }
    #expect(due == nil)
  }

  @Test("Fields of other types are ignored, whatever they contain and wherever the type is")
  func otherTypes() throws {
    let noise = #","title":[],"title":1e999,"taskId":null,"quantity":{},"dueDate":7,"x":0"#
    for text in [
      Self.intent("select-shoe", #","shoeId":"s""# + noise),
      #"{"type":"end-session","shoeId":false,"id":"i"\#(noise),"at":\#(Self.at)}"#,
    ] {
      let reading = try Self.read(text).reading
      #expect(reading.defects.isEmpty)
      // The last good version omits the fields that the decoder does not read.
      let pruned = try #require(reading.pruned)
      #expect(!String(decoding: pruned, as: UTF8.self).contains("title"))
      #expect(try Self.read(String(decoding: pruned, as: UTF8.self)).reading.defects.isEmpty)
    }
    #expect(try Self.read(Self.intent("log-food", #","foodId":"a","foodId":"b""#)).pointers == ["/foodId"])
    #expect(try Self.read(Self.intent("log-food", #","foodId":"a","type":"end-session""#)).pointers == ["/type"])
  }

  @Test(
    "If the type is not a text or may be wrong, the problem is shown in every feed that takes intents",
    arguments: [
      (#"{"id":"i","at":\#(at),"type":3,"foodId":null}"#, ["/type"]),
      (#"{"id":"i","at":\#(at)}"#, ["/type"]),
      (#"[]"#, [""]),
      // The text is not JSON, so the decoder does not trust a type in it.
      (#"{"id":"i","at":\#(at),"type":"log-food","foodId":"f"}}"#, [""]),
      (#"{"id":"i","at":\#(at),"type":"log-food","foodId":"f""#, [""]),
      ("{\"id\":\"\\ud800\",\"at\":0,\"type\":\"end-session\"}", [""]),
      ("", [""]),
    ])
  func unknownType(text: String, expected: [String]) throws {
    let (reading, pointers) = try Self.read(text)
    #expect(pointers == expected)
    #expect(reading.scope == nil)
  }

  @Test(
    "An intent of an unknown type has no effect, and is a warning in every kind that uses intents",
    arguments: [
      #"{"id":"i","at":\#(at),"type":"eat-food"}"#, #"{"at":"soon","type":"Log-Food"}"#,
      #"{"type":"","id":[1],"quantity":-1}"#,
    ])
  func unknownWord(text: String) throws {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBytes { bytes in
      let decoded = try #require(FeedRegistry.builtIn.feed(named: IntentsFeed.name)).decode(
        bytes, at: CachePath("intents/i.json"))
      #expect(decoded.defects.isEmpty && decoded.session == nil && decoded.scope == nil)
      let warnings = decoded.problems(at: CachePath("intents/i.json"), in: bytes)
      #expect(warnings.map(\.pointer) == ["/type"] && warnings.map(\.severity) == [.warning])
      #expect(warnings.first?.message.hasSuffix(": this intent has no effect") == true)
    }
  }

  @Test("The first defect of a truncated file is reported")
  func firstDefect() throws {
    let (reading, pointers) = try Self.read(#"{"type":"log-food","foodId":true,"at":"#)
    #expect(pointers == ["/foodId", ""] && reading.scope == nil)
  }

  @Test(
    "Readers write valid intents with `Intent`",
    arguments: [
      .logFood(id: "f", quantity: 1.5), .addTask(title: "t"), .completeTask(id: "3"), .selectShoe(id: "s"),
      .startSession(shoe: "s"), .endSession, .addTask(title: "t", due: .day(LocalDay(ordinal: 20_000))),
      .addTask(title: "t", due: .instant(.referenceDate)), Intent.Action(type: "end-session", texts: [:]),
      Intent.Action(type: "complete-task", texts: ["taskId": "3"]),
    ] as [Intent.Action])
  func written(action: Intent.Action) throws {
    let at = try #require(Instant("2026-11-21T11:00:00.123456Z"))
    let intent = Intent(id: "i", at: at, action: action)
    let bytes = try JSONEncoder().encode(intent)
    #expect(try Self.read(String(decoding: bytes, as: UTF8.self)).reading.defects.isEmpty)
    #expect(try JSONDecoder().decode(Intent.self, from: bytes) == intent)
    let feeds = FeedSet()
    let calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "UTC"))
    let file = SessionFile(path: CachePath("intents/a.json"), modified: .referenceDate)
    _ = bytes.withUnsafeBytes { feeds.read($0, of: IntentsFeed.name, from: file, in: calendar) }
    let feed = try #require(feeds[IntentsFeed.self])
    let all = ["nutrition", "tasks", "shoes"].flatMap { feed.counting(for: FeedName($0), at: at, newest: nil).inForce }
    #expect(all.map(\.intent.at) == [at])
  }
}
