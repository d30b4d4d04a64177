import CacheSync
import Foundation
import Testing

@Suite("A day or a moment")
struct DayReferenceTests {
  @Test(
    "A written value reads back the same",
    arguments: [
      "2026-11-21", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00.25Z", "2026-11-21T08:00:00.000001Z", "0001-01-01",
    ])
  func roundTrip(text: String) throws {
    let reference = try #require(DayReference(text))
    #expect(reference.description == text)
    let json = try JSONEncoder().encode([reference])
    #expect(String(decoding: json, as: UTF8.self) == #"["\#(text)"]"#)
    #expect(try JSONDecoder().decode([DayReference].self, from: json) == [reference])
  }

  @Test("A file may give seconds since 2001")
  func seconds() throws {
    let references = try JSONDecoder().decode([DayReference].self, from: Data("[0, 0.5]".utf8))
    #expect(references.map(\.description) == ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00.5Z"])
  }

  @Test(
    "Anything else is refused",
    arguments: ["", "today", "2026-11-31", "2026-11-21 ", "2026-11-21T08:00:00", "2026-11-21T08:00", "0"])
  func nothingElse(text: String) { #expect(DayReference(text) == nil) }
}
