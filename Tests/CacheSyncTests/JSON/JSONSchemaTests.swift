import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

/// Tests/Citizen/test_schemas.py compares what schemas accept with what `check` accepts.
@Suite struct JSONSchemaTests {
  private func text(_ schema: JSONSchema) -> String { String(decoding: schema.value.bytes, as: UTF8.self) }

  @Test(
    "A schema has the type, and the limits that a range has",
    arguments: [
      (JSONSchema.id, #"{"type":["integer","string"]}"#), (.integer(in: .min ... .max), #"{"type":"integer"}"#),
      (.integer(in: 0...6), #"{"maximum":6,"minimum":0,"type":"integer"}"#),
      (.number(in: .notNegative), #"{"minimum":0,"type":"number"}"#), (.flag.orNull, #"{"type":["boolean","null"]}"#),
      (.flag.orNull.orNull, #"{"type":["boolean","null"]}"#), (.text.notEmpty, #"{"minLength":1,"type":"string"}"#),
      (.list(of: .text), #"{"items":{"type":"string"},"type":"array"}"#),
      (.word(["a"]).orNull, #"{"enum":["a",null],"type":["string","null"]}"#),
      (.knownWord(["a"]), #"{"examples":["a"],"type":"string"}"#),
      (
        .object([("a", .text), ("b", .flag)], required: ["b"], isClosed: true),
        #"{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":"boolean"}},"required":["b"],"#
          + #""type":"object"}"#
      ),
    ])
  func keywords(schema: JSONSchema, expected: String) { #expect(text(schema) == expected) }

  @Test("An unknown word that leaves out its object makes the other members free")
  func leavingOut() {
    let schema = JSONSchema.object([("kind", .knownWord(["a"], leavesOut: true)), ("n", .flag)], required: ["n"])
    #expect(
      text(schema)
        == #"{"else":{"properties":{"kind":{"examples":["a"],"type":"string"},"n":{"type":"boolean"}},"required":["n"]},"#
        + #""if":{"anyOf":[{"properties":{"kind":{"not":{"enum":["a"]},"type":"string"}},"required":["kind"]}]},"#
        + #""type":"object"}"#)
  }

  private func pattern(_ schema: JSONSchema) throws -> Regex<AnyRegexOutput> {
    try Regex(#require(schema.keywords["pattern"]?.string))
  }

  @Test(
    "A date's pattern accepts what the reader accepts",
    arguments: [
      "2026-11-22T05:00:00Z", "2026-11-22t05:00:00.123456789z", "2026-11-22T05:00+0530", "2026-11-22T05:00:00-05:30",
      "2024-02-29T00:00:00Z", "9999-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "0001-01-01T00:00Z", "2026-11-22",
      "2026-11-22T05:00:00", "2026-11-22 05:00:00Z", "2026-11-22T24:00:00Z", "2026-11-31T00:00:00Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z",
      "2026-11-22T05:00:00.Z", "2026-11-22T05:00:00+05", "2026-11-22T05:00:00+24:00", "2026-11-22T05:60Z",
      "26-11-22T05:00Z", "", "now", "2026-11-22T05:00:00Zx",
    ])
  func dates(written: String) throws {
    #expect(try (written.firstMatch(of: pattern(.date)) != nil) == (Instant(written) != nil))
    #expect(try (written.firstMatch(of: pattern(.day)) != nil) == (DayReference(written) != nil))
    let day = written.withUTF8Bytes { WrittenDay($0) }
    #expect(try (written.firstMatch(of: pattern(.dayOrMoment)) != nil) == (day != nil))
  }

  @Test(
    "A duration's pattern accepts what the reader accepts",
    arguments: [
      "PT24H", "P2D", "P1DT12H", "PT90S", "PT0.5S", "PT0,5S", "P", "PT", "P1DT", "P1W", "PT1.5H", "-PT1H", "pt1h",
      "PT1M1H", "P1D1H", "PT1H30M",
    ])
  func durations(written: String) throws {
    #expect(try (written.firstMatch(of: pattern(.duration)) != nil) == (ISODuration(written) != nil))
  }

  @Test(
    "A path's pattern accepts what the reader accepts",
    arguments: [
      "a", "a/b", "tasks/anna.json", ".hidden/x", "...", "a/...", "", ".", "..", "/a", "a/", "a//b", "a/./b", "a/../b",
      "../a", "./a", "a/..", "a/.",
    ])
  func paths(written: String) throws {
    #expect(try (written.firstMatch(of: pattern(.path)) != nil) == (CachePath(relative: Array(written.utf8)) != nil))
  }
}
