import CacheSyncSystem
import Foundation
import Testing

import CacheSync

@Suite("Session files of the shoes app")
struct ShoesDecodingTests {
  static let shoe = #"{"id":"run","name":"Runner"}"#
  static let session = #"{"id":1,"shoeId":"run","start":"2026-11-21T09:00:00Z","end":null,"steps":10,"distance":1.5}"#
  static let suggestion = #"{"shoeId":"run","reason":"why not","confidence":0.5}"#

  static func file(
    shoe: String = shoe, session: String = session, suggestion: String = suggestion,
    more: String = #""lastUpdated":"2026-11-21T10:00:00Z""#
  ) -> String {
    #"{"shoes":[\#(shoe)],"sessions":[\#(session)],"suggestions":[\#(suggestion)],\#(more)}"#
  }

  @Test(
    "Valid files are read",
    arguments: [
      file(), "{}", #"{"shoes":[],"sessions":[],"suggestions":[]}"#, #" { "lastUpdated" : 816962400.25 } "#,
      file(shoe: #"{"id":7,"name":"","brand":"b","model":"m","icon":"i","archived":true,"size":{"eu":43}}"#),
      file(session: #"{"id":"s","shoeId":7,"start":816962400,"steps":0,"distance":0.0}"#),
      file(session: #"{"id":"s","shoeId":7,"start":816962400,"end":816962400,"steps":2.0,"distance":1e3}"#),
      file(
        session:
          #"{"end":"2026-11-21T10:00:00+0100","id":"s","shoeId":7,"start":816944400,"steps":1,"distance":0}"#
      ),
      file(suggestion: #"{"shoeId":1,"reason":"","confidence":0},{"shoeId":1,"reason":"","confidence":1.0,"new":[]}"#),
      file(more: #""unknown":{"shoes":null},"lastUpdated":"2026-11-21T10:00:00.123456789-05:00""#),
    ])
  func good(text: String) throws {
    let harness = try FeedHarness()
    #expect(try harness.put("shoes/a.json", text).isEmpty)
    #expect(ShoesFeed.defects(text).isEmpty)
    #expect(try harness.state("daily-stats", at: "2026-11-21T12:00:00Z") == "current")
  }

  @Test(
    "A single missing or invalid field is one problem: an error of the file, or else a warning about the part",
    arguments: [
      // (the file, the pointer to the defect)
      ("[]", ""), ("null", ""),
      (#"{"shoes":1}"#, "/shoes"), (#"{"sessions":{}}"#, "/sessions"), (#"{"suggestions":""}"#, "/suggestions"),
      (#"{"shoes":[1]}"#, "/shoes/0"), (#"{"sessions":[null]}"#, "/sessions/0"),
      (file(more: #""lastUpdated":"2026-11-21""#), "/lastUpdated"),
      (file(more: #""lastUpdated":"2026-11-21T10:00:00""#), "/lastUpdated"),
      (file(more: #""shoes":[]"#), "/shoes"),
      (file(shoe: #"{"name":"n"}"#), "/shoes/0/id"), (file(shoe: #"{"id":1.5,"name":"n"}"#), "/shoes/0/id"),
      (file(shoe: #"{"id":null,"name":"n"}"#), "/shoes/0/id"),
      (file(shoe: #"{"id":1}"#), "/shoes/0/name"), (file(shoe: #"{"id":1,"name":null}"#), "/shoes/0/name"),
      (file(shoe: #"{"id":1,"name":"n","brand":1}"#), "/shoes/0/brand"),
      (file(shoe: #"{"id":1,"name":"n","model":1}"#), "/shoes/0/model"),
      (file(shoe: #"{"id":1,"name":"n","icon":[]}"#), "/shoes/0/icon"),
      (file(shoe: #"{"id":1,"name":"n","archived":0}"#), "/shoes/0/archived"),
      (file(session: #"{"shoeId":"a","start":1,"steps":1,"distance":1}"#), "/sessions/0/id"),
      (file(session: #"{"id":1,"start":1,"steps":1,"distance":1}"#), "/sessions/0/shoeId"),
      (file(session: #"{"id":1,"shoeId":"a","steps":1,"distance":1}"#), "/sessions/0/start"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"distance":1}"#), "/sessions/0/steps"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":1}"#), "/sessions/0/distance"),
      (file(session: #"{"id":true,"shoeId":"a","start":1,"steps":1,"distance":1}"#), "/sessions/0/id"),
      (file(session: #"{"id":1,"shoeId":[],"start":1,"steps":1,"distance":1}"#), "/sessions/0/shoeId"),
      (file(session: #"{"id":1,"shoeId":"a","start":null,"steps":1,"distance":1}"#), "/sessions/0/start"),
      (file(session: #"{"id":1,"shoeId":"a","start":"2026-11-21","steps":1,"distance":1}"#), "/sessions/0/start"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"end":"now","steps":1,"distance":1}"#), "/sessions/0/end"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":1.5,"distance":1}"#), "/sessions/0/steps"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":"1","distance":1}"#), "/sessions/0/steps"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":-1,"distance":1}"#), "/sessions/0/steps"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":1,"distance":-0.5}"#), "/sessions/0/distance"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":1,"distance":null}"#), "/sessions/0/distance"),
      (file(session: #"{"id":1,"shoeId":"a","start":1,"steps":1,"distance":1e999}"#), "/sessions/0/distance"),
      // the end before the start, in either order in the file
      (file(session: #"{"id":1,"shoeId":"a","start":1,"end":0.999,"steps":1,"distance":1}"#), "/sessions/0/end"),
      (file(session: #"{"id":1,"shoeId":"a","end":0,"start":1,"steps":1,"distance":1}"#), "/sessions/0/end"),
      (file(suggestion: #"{"reason":"r","confidence":0}"#), "/suggestions/0/shoeId"),
      (file(suggestion: #"{"shoeId":1,"confidence":0}"#), "/suggestions/0/reason"),
      (file(suggestion: #"{"shoeId":1,"reason":"r"}"#), "/suggestions/0/confidence"),
      (file(suggestion: #"{"shoeId":null,"reason":"r","confidence":0}"#), "/suggestions/0/shoeId"),
      (file(suggestion: #"{"shoeId":1,"reason":1,"confidence":0}"#), "/suggestions/0/reason"),
      (file(suggestion: #"{"shoeId":1,"reason":"r","confidence":"0"}"#), "/suggestions/0/confidence"),
      (file(suggestion: #"{"shoeId":1,"reason":"r","confidence":1.01}"#), "/suggestions/0/confidence"),
      (file(suggestion: #"{"shoeId":1,"reason":"r","confidence":-0.01}"#), "/suggestions/0/confidence"),
    ])
  func defective(text: String, pointer: String) throws {
    let harness = try FeedHarness()
    let defects = try harness.put("shoes/a.json", text)
    // Not a session at all, a second key, and a file none of whose records can be read.
    let isError =
      ["[]", "null", #"{"shoes":[1]}"#, #"{"sessions":[null]}"#].contains(text) || text.hasSuffix(#""shoes":[]}"#)
    #expect(defects.isEmpty != isError)
    let feed = try #require(FeedRegistry.builtIn.feed(named: "shoes"))
    let problems = Array(text.utf8).withUnsafeBytes {
      feed.problems(of: $0, at: CachePath("shoes/a.json"))
    }
    #expect(problems.map(\.pointer) == [pointer])
    #expect(problems.map(\.severity) == [isError ? .error : .warning])
    #expect(try harness.state("daily-stats", at: "2026-11-21T12:00:00Z") == (isError ? "empty" : "current"))
  }

  @Test("Each damaged part has a warning, if any record is left")
  func several() {
    let text = Self.file(
      shoe: #"{"id":1}"#, session: #"{"id":1,"shoeId":"a","start":1,"end":0,"distance":1}"#, more: #""lastUpdated":"x""#
    )
    // All but the end, which is a warning at first.
    let feed = FeedRegistry.builtIn.feed(named: "shoes")
    let problems = Array(text.utf8).withUnsafeBytes { feed?.problems(of: $0, at: CachePath("a.json")) ?? [] }
    #expect(problems.map(\.pointer) == ["/shoes/0/name", "/sessions/0/steps", "/lastUpdated"])
  }

  @Test("A file that an app encodes with the library's model has the intended effect")
  func producer() throws {
    let harness = try FeedHarness()
    let start = try harness.instant("2026-11-21T08:30:00.25Z")
    let session = ShoesSession(
      shoes: [
        .init(id: "run", name: "Runner", brand: "B", model: "M", icon: "figure.run"),
        .init(id: "o", name: "O", archived: true),
      ],
      sessions: [
        .init(id: "1", shoeId: "run", start: start, end: start + .seconds(1800), steps: 2000, distance: 1.6),
        .init(id: "2", shoeId: "run", start: start + .seconds(3600), steps: 0, distance: 0),
      ],
      suggestions: [.init(shoeId: "run", reason: "You like it", confidence: 0.755)],
      lastUpdated: start + .seconds(3601))
    let data = try JSONEncoder().encode(session)
    #expect(try JSONDecoder().decode(ShoesSession.self, from: data) == session)
    #expect(try harness.put("shoes/app.json", String(decoding: data, as: UTF8.self)).isEmpty)
    let stats = try harness.content("daily-stats", at: "2026-11-21T12:00:00Z")
    #expect(stats["steps"]?.int == 2000 && stats["distance"]?.double == 1.6 && stats["activeSeconds"]?.int == 1800)
    #expect(stats["activeSince"]?.string == "2026-11-21T09:30:00Z")
    #expect(stats["currentShoe"]?["brand"]?.string == "B")
    let smart = try harness.content("smart-suggestions", at: "2026-11-21T12:00:00Z")
    #expect(smart["suggestions"]?[0]?["match"]?.string == "75% match")
  }

  @Test("The sample cache shows something on any later day")
  func sample() throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../sample-cache/shoes")
    for name in ["wardrobe.json", "sessions-2026-11.json"] {
      let text = try String(contentsOf: folder.standardizedFileURL.appending(path: name), encoding: .utf8)
      #expect(try harness.put("shoes/\(name)", text).isEmpty)
      #expect(ShoesFeed.defects(text).isEmpty)
    }
    for moment in ["2026-11-21T12:00:00Z", "2031-07-01T12:00:00Z"] {
      #expect(try harness.content("current-shoe", at: moment)["inline"]?.string == "Pegasus")
      #expect(try harness.content("quick-selection", at: moment)["top"]?.array?.count == 4)
      #expect(try harness.content("smart-suggestions", at: moment)["suggestions"]?.array?.count == 2)
    }
    // 7, 9 and 11 November against 14 to 20: 6.9 + 3.8 + 5.62 = 16.32 km before, and this week 7.85 + 5.1 + 3.4 + 6.4
    // and 1.5 of 3.75 h of 4.35 km before Berlin's midnight at 23:00 UTC, 1.74: 24.49 km.
    let insight = try harness.content("smart-suggestions", at: "2026-11-21T12:00:00Z")["insight"]
    #expect(insight?["text"]?.string == "24.5 km this week, 50% more than last")
  }
}

extension ShoesFeed {
  /// The defects that `check` finds.
  static func defects(_ text: String) -> [JSONDefect] { Array(text.utf8).withUnsafeBytes { check($0) } }
}
