import CacheSync
import Testing

/// Sums worked out by hand.
@Suite("Health: the same sample in several files")
struct HealthRepeatsTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String: [String]]
    var intake: Double
    var sources: [String]
  }

  /// A meal at a minute past noon on 21 November.
  static func meal(_ kcal: Double, at minute: Int = 5, id: String? = nil, end: Int? = nil, source: String? = nil)
    -> String
  {
    HealthTests.sample(
      "dietaryCalories", time(minute), kcal, id: id, end: end.map(time), source: source)
  }

  static func time(_ minute: Int) -> String {
    "2026-11-21T\(12 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
  }

  private static let examples = [
    Example(
      testDescription: "two exports that overlap",
      files: ["a": [meal(700, at: 0), meal(450), meal(1400, at: 90)], "b": [meal(450), meal(1400, at: 90)]],
      intake: 2550, sources: ["a", "b"]),
    Example(
      testDescription: "an export within another",
      files: ["a": [meal(450), meal(1400, at: 90)], "b": [meal(700, at: 0), meal(450), meal(1400, at: 90)]],
      intake: 2550, sources: ["b"]),
    Example(
      testDescription: "two apples, each in every export",
      files: ["a": [meal(95), meal(95)], "b": [meal(95), meal(95)]],
      intake: 190, sources: ["b"]),
    Example(
      testDescription: "the file with most of them counts",
      files: ["a": [meal(95)], "b": [meal(95), meal(95), meal(95)], "c": [meal(95), meal(95)]], intake: 285,
      sources: ["b"]),
    Example(
      testDescription: "whatever the ids and sources",
      files: [
        "a": [meal(95, id: "1", source: "Phone")], "b": [meal(95, id: "2")], "c": [meal(95, source: "Watch")],
      ], intake: 95, sources: ["c"]),
    Example(
      testDescription: "another value, date, end or type is another sample",
      files: [
        "a": [meal(95)], "b": [meal(96), meal(95, at: 6)], "c": [meal(95, end: 6), meal(95, end: 7)],
        "d": [HealthTests.sample("bodyMass", time(5), 95)],
      ], intake: 5 * 95 + 1, sources: ["a", "b", "c", "d"]),
    Example(
      testDescription: "an end that is not after the date is none",
      files: ["a": [meal(95)], "b": [meal(95, end: 5)], "c": [meal(95, end: 3)]], intake: 95, sources: ["c"]),
    Example(
      testDescription: "versions: the greatest path, and in one file the later",
      files: [
        "a": [meal(100, id: "3"), meal(200, id: "4")],
        "b": [meal(1, id: "3"), meal(2, id: #""3""#), meal(4, id: #""03""#)],
      ], intake: 206, sources: ["a", "b"]),
    Example(
      testDescription: "an older version counts nowhere",
      files: ["a": [meal(100, id: "3", end: 9)], "b": [meal(100, id: "3")]], intake: 100, sources: ["b"]),
    Example(
      testDescription: "one id at two dates and with two types is three samples",
      files: [
        "a": [meal(100, id: "1")], "b": [meal(200, at: 6, id: "1")],
        "c": [HealthTests.sample("protein", time(5), 9, id: "1"), HealthTests.sample("bodyMass", time(5), 9, id: "1")],
      ], intake: 300, sources: ["a", "b", "c"]),
    Example(
      testDescription: "two apples with ids, of which the next export has one",
      files: ["a": [meal(95, id: "1"), meal(95, id: "2")], "b": [meal(95, id: "2")]], intake: 190, sources: ["a"]),
    Example(
      testDescription: "a correction that was taken back",
      files: ["a": [meal(95, id: "1"), meal(95, id: "2")], "b": [meal(96, id: "1")], "c": [meal(95, id: "1")]],
      intake: 190, sources: ["a"]),
  ]

  @Test("A sample counts once, whichever files repeat it and whichever comes first", arguments: examples)
  func once(example: Example) throws {
    for names in [example.files.keys.sorted(), example.files.keys.sorted().reversed()] {
      let harness = try FeedHarness()
      for name in names { try harness.put("health/\(name).json", Self.file(example.files[name] ?? [])) }
      #expect(try harness.content("budget", at: HealthTests.now)["intake"]?.double == example.intake)
      #expect(try HealthTests().sources(harness, "budget") == example.sources.map { "health/\($0).json" })
      #expect(try harness.healthProblems(at: HealthTests.now) == [])
    }
  }

  @Test("When a file goes, what it repeated counts in the others")
  func removal() throws {
    let harness = try FeedHarness()
    func intake() throws -> Double? { try harness.content("budget", at: HealthTests.now)["intake"]?.double }
    try harness.put("health/a.json", Self.file([Self.meal(95), Self.meal(50, at: 6, id: "1")]))
    try harness.put("health/b.json", Self.file([Self.meal(95), Self.meal(95), Self.meal(60, at: 6, id: "1")]))
    #expect(try intake() == 250)
    #expect(try HealthTests().sources(harness, "budget") == ["health/b.json"])
    #expect(try harness.day("health", "2026-11-21", now: HealthTests.now)?["samples"]?.int == 3)
    try harness.put("health/b.json", Self.file([Self.meal(95)]))
    #expect(try intake() == 145)
    #expect(try HealthTests().sources(harness, "budget") == ["health/a.json", "health/b.json"])
    try harness.put("health/b.json", #"{"samples":[\#(Self.meal(60, at: 6, id: "1"))],"authorized":false}"#)
    #expect(try intake() == 145)
    harness.remove("health/b.json")
    #expect(try intake() == 145)
    #expect(try HealthTests().sources(harness, "budget") == ["health/a.json"])
    harness.remove("health/a.json")
    #expect(try harness.state("budget", at: HealthTests.now) == "empty")
  }

  @Test("A file of which nothing counts does not make a kind stale")
  func unusableRepetition() throws {
    let harness = try FeedHarness()
    try harness.put("health/a.json", Self.file([Self.meal(95)]), unusable: true)
    #expect(try harness.state("budget", at: HealthTests.now) == "stale")
    try harness.put("health/b.json", Self.file([Self.meal(95)]))
    #expect(try harness.state("budget", at: HealthTests.now) == "current")
  }

  static func file(_ samples: [String]) -> String { #"{"samples":[\#(samples.joined(separator: ","))]}"# }
}

extension FeedHarness {
  /// The problems that the health feed reports, as lines.
  func healthProblems(at text: String) throws -> [String] {
    guard let feed = feeds[HealthFeed.self] else { return [] }
    return feed.currentProblems(at: try moment(text), feeds: feeds).map { $0.line() }
  }
}
