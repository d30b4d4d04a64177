import CacheSync
import Foundation
import Testing

/// Random caches, compared with another program: Tests/Reference/shoes.py, which does not use this library.
@Suite("The shoes, against another program")
struct ShoesReferenceTests {
  static let cases: [JSONValue] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Reference/shoes.json")
    guard let data = try? Data(contentsOf: file.standardizedFileURL) else { return [] }
    return data.withUnsafeBytes { JSONValue.parse($0) }?.array ?? []
  }()

  @Test("There are cases")
  func some() { #expect(Self.cases.count >= 40) }

  @Test("Each case gives the same contents", arguments: cases.indices)
  func same(index: Int) throws {
    let reference = Self.cases[index]
    let at = try #require(reference["at"]?.string)
    let harness = try Self.harness(reference)
    for (kind, expected) in try #require(reference["expected"]?.object) {
      let name = KindName(kind)
      #expect(Self.difference(try harness.content(name, at: at), expected) == nil, "case \(index), \(kind) at \(at)")
      #expect(try harness.timeline(name, at: at).sources.count == reference["sourceCount"]?.int)
      #expect(try harness.state(name, at: at) == "current")
      try harness.expectConsistent(name, at: at)
    }
    let today = try harness.moment(at).day
    for offset in -Moment.indexedDaysBefore...Moment.indexedDaysAfter {
      let date = today.advanced(by: offset).description
      let day = try harness.day("shoes", date, now: at)
      #expect(day?["sessions"]?.int == reference["days"]?[date]?.int, "case \(index), \(date)")
    }
  }

  @Test(
    "The order in which files are added, removed and changed has no effect, nor does an earlier zone",
    arguments: cases.indices)
  func order(index: Int) throws {
    let reference = Self.cases[index]
    let at = try #require(reference["at"]?.string)
    let first = try Self.harness(reference)
    var second = try FeedHarness(zone: "Asia/Kathmandu")
    let files = try #require(reference["files"]?.array)
    // First other files' data under each path, then the right ones, and one that is removed again.
    for (path, data) in zip(files, files.reversed()) { try Self.put(data, at: path["path"]?.string, in: second) }
    try second.put("shoes/gone.json", Self.text(try #require(files.first?["data"])), modified: at)
    for file in files.reversed() { try Self.put(file, in: second) }
    second.remove("shoes/gone.json")
    for intent in (reference["intents"]?.array ?? []).reversed() { try Self.putIntent(intent, in: second) }
    second.calendar = first.calendar
    second.feeds["shoes"]?.rebuild(in: second.calendar)
    for kind in ShoesFeed.kinds {
      let entries = try [first, second].map { try $0.timeline(kind.name, at: at).entries }
      #expect(entries[0] == entries[1], "case \(index), \(kind.name)")
    }
  }

  private static func harness(_ reference: JSONValue) throws -> FeedHarness {
    let harness = try FeedHarness(zone: try #require(reference["zone"]?.string))
    for file in reference["files"]?.array ?? [] { try put(file, in: harness) }
    for intent in reference["intents"]?.array ?? [] { try putIntent(intent, in: harness) }
    return harness
  }

  private static func put(_ file: JSONValue, at path: String? = nil, in harness: FeedHarness) throws {
    let path = try #require(path ?? file["path"]?.string)
    let defects = try harness.put(
      path, text(try #require(file["data"])), modified: try #require(file["modified"]?.string))
    #expect(defects.isEmpty)
  }

  private static func putIntent(_ intent: JSONValue, in harness: FeedHarness) throws {
    try harness.put("intents/\(try #require(intent["id"]?.string)).json", text(intent))
  }

  private static func text(_ value: JSONValue) -> String {
    var json = JSONWriter()
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Where two values differ. Returns nil if they are equal except for the last digits of numbers.
  static func difference(_ a: JSONValue?, _ b: JSONValue?, at place: String = "") -> String? {
    switch (a, b) {
    case (.array(let x)?, .array(let y)?) where x.count == y.count:
      return zip(x, y).enumerated().lazy.compactMap { difference($1.0, $1.1, at: "\(place)/\($0)") }.first
    case (.object(let x)?, .object(let y)?) where Set(x.keys) == Set(y.keys):
      return x.keys.lazy.compactMap { difference(x[$0], y[$0], at: "\(place)/\($0)") }.first
    default:
      if a == b { return nil }
      if let x = a?.double, let y = b?.double, abs(x - y) <= 1e-9 * max(1, abs(x)) { return nil }
      return "\(place): \(String(describing: a)), expected \(String(describing: b))"
    }
  }
}
