import CacheSync
import Testing

/// Sums worked out by hand.
@Suite("Health: sources that measure the same")
struct HealthSourcesTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var samples: [String]
    var intake: Double
    /// Nil: there is no warning.
    var rivals: [String]?
  }

  static func warning(_ type: String, _ path: String, _ sources: [String]) -> String {
    let names = sources.map { "\"\($0)\"" }.joined(separator: " and ")
    return "\(path):1:1: warning: \(type) has samples of \(names) at the same time: "
      + "in such an hour only the one with more samples counts"
  }

  private static func meal(_ kcal: Double, _ source: String?, at minute: Int, end: Int? = nil) -> String {
    HealthRepeatsTests.meal(kcal, at: minute, end: end, source: source)
  }

  private static let examples = [
    Example(
      testDescription: "the same date: the source with more samples in the hour",
      samples: [
        meal(100, "Phone", at: 5), meal(101, "Watch", at: 5), meal(200, "Watch", at: 40), meal(400, "Phone", at: 60),
      ], intake: 701, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "of equals the lesser name by bytes",
      samples: [meal(1, "watch", at: 5), meal(2, "Watch", at: 5), meal(4, "Éclair", at: 5)], intake: 2,
      rivals: ["Watch", "watch"]),
    Example(
      testDescription: "ranges that overlap",
      samples: [meal(100, "Phone", at: 0, end: 10), meal(200, "Watch", at: 9, end: 20), meal(300, "Watch", at: 30)],
      intake: 500, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "a moment within a range",
      samples: [meal(100, "Phone", at: 0, end: 10), meal(200, "Watch", at: 9)], intake: 100,
      rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "ranges that touch do not overlap",
      samples: [meal(100, "Phone", at: 0, end: 10), meal(200, "Watch", at: 10, end: 20), meal(300, "Phone", at: 20)],
      intake: 600),
    Example(
      testDescription: "a range that began long before, behind shorter ones",
      samples: [
        meal(1, "Phone", at: 0, end: 50), meal(2, "Phone", at: 10, end: 12), meal(4, "Phone", at: 12, end: 14),
        meal(8, "Watch", at: 49),
      ], intake: 7, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "one hour beside others without an overlap",
      samples: [
        meal(1, "Phone", at: 5), meal(2, "Watch", at: 5), meal(4, "Watch", at: 65), meal(8, "Phone", at: 70),
        meal(16, "Watch", at: 50),
      ], intake: 2 + 4 + 8 + 16, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "an overlap over the full hour is in the hour in which it begins",
      samples: [
        meal(1, "Phone", at: 50, end: 70), meal(2, "Watch", at: 51), meal(4, "Watch", at: 61), meal(8, "Phone", at: 62),
        meal(16, "Watch", at: 63),
      ], intake: 1 + 4 + 16, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "three sources: only one of them counts",
      samples: [
        meal(1, "Phone", at: 5), meal(2, "Watch", at: 5), meal(4, "Scale", at: 50), meal(8, "Scale", at: 51),
      ], intake: 12, rivals: ["Phone", "Scale"]),
    Example(
      testDescription: "samples without a source count beside them, and contest nothing",
      samples: [
        meal(1, "Phone", at: 5), meal(2, nil, at: 5), meal(4, "", at: 5), meal(8, "Watch", at: 5), meal(16, nil, at: 6),
      ], intake: 1 + 2 + 4 + 16, rivals: ["Phone", "Watch"]),
    Example(
      testDescription: "one source and one without a name",
      samples: [meal(1, "Phone", at: 5), meal(2, nil, at: 5), meal(4, "", at: 5)], intake: 7),
    Example(
      testDescription: "another type is another matter",
      samples: [meal(1, "Phone", at: 5), HealthTests.sample("fat", HealthRepeatsTests.time(5), 3, source: "Watch")],
      intake: 1),
    Example(
      testDescription: "an end before the date is none",
      samples: [meal(1, "Phone", at: 5, end: 1), meal(2, "Watch", at: 3)], intake: 3),
  ]

  @Test("Of named sources with samples at the same time one counts in that hour", arguments: examples)
  func oneSource(example: Example) throws {
    // In one file, and each sample in a file of its own.
    for filesAreApart in [false, true] {
      let harness = try FeedHarness()
      let files = filesAreApart ? example.samples.map { [$0] } : [example.samples]
      for (place, samples) in files.enumerated() {
        try harness.put("health/\(place).json", HealthRepeatsTests.file(samples))
      }
      #expect(try harness.content("budget", at: HealthTests.now)["intake"]?.double == example.intake)
      let problems = try harness.healthProblems(at: HealthTests.now)
      #expect(problems.count == (example.rivals == nil ? 0 : 1))
      guard !filesAreApart, let rivals = example.rivals else { continue }
      #expect(problems == [Self.warning("dietaryCalories", "health/0.json", rivals)])
    }
  }

  @Test("Repetitions are left out before samples are compared")
  func afterRepetitions() throws {
    let harness = try FeedHarness()
    // With its repetitions, the phone would have three samples and the watch two.
    try harness.put(
      "health/a.json", HealthRepeatsTests.file([Self.meal(1, "Phone", at: 5), Self.meal(2, "Phone", at: 7)]))
    try harness.put(
      "health/b.json",
      HealthRepeatsTests.file([
        Self.meal(1, "Watch", at: 5), Self.meal(4, "Watch", at: 7), Self.meal(2, "Phone", at: 7),
      ]))
    #expect(try harness.content("budget", at: HealthTests.now)["intake"]?.double == 5)
    #expect(try HealthTests().sources(harness, "budget") == ["health/b.json"])
    let warning = Self.warning("dietaryCalories", "health/b.json", ["Phone", "Watch"])
    #expect(try harness.healthProblems(at: HealthTests.now) == [warning])
  }

  @Test("Each type has one warning, in the first file by path with samples left out; it ends with its reason")
  func warnings() throws {
    let harness = try FeedHarness()
    func day(_ day: Int, _ type: String, _ source: String) -> String {
      HealthTests.sample(type, "2026-11-\(day)T08:00:00Z", source == "Phone" ? 80 : 81, source: source)
    }
    let ofPhone = (10...19).flatMap { [day($0, "protein", "Phone"), day($0, "bodyMass", "Phone")] }
    try harness.put("health/phone.json", HealthRepeatsTests.file(ofPhone))
    for number in 10...19 {
      try harness.put(
        "health/watch-\(number).json",
        HealthRepeatsTests.file([day(number, "protein", "Watch"), day(number, "bodyMass", "Scale")]))
    }
    let protein = Self.warning("protein", "health/watch-10.json", ["Phone", "Watch"])
    let bodyMass = Self.warning("bodyMass", "health/watch-10.json", ["Phone", "Scale"])
    #expect(try harness.healthProblems(at: HealthTests.now) == [protein, bodyMass])
    try harness.put("health/watch-10.json", HealthRepeatsTests.file([day(10, "bodyMass", "Scale")]))
    let next = Self.warning("protein", "health/watch-11.json", ["Phone", "Watch"])
    #expect(try harness.healthProblems(at: HealthTests.now) == [next, bodyMass])
    harness.remove("health/phone.json")
    #expect(try harness.healthProblems(at: HealthTests.now) == [])
  }

  @Test(
    "An hour is one of the wall clock, and an hour that the clock repeats is two",
    arguments: [
      // (zone, times and sources, the sum of the values 1, 2, 4, …)
      // Kathmandu is 5:45 ahead: its hour from 11:00 ends at 06:15.
      ("Asia/Kathmandu", [("06:10", "Phone"), ("06:10", "Watch"), ("06:14", "Watch"), ("06:15", "Phone")], 2 + 4 + 8),
      // New York's hour from 01:00 is there from 05:00 to 06:00 and from 06:00 to 07:00.
      (
        "America/New_York",
        [("05:10", "Phone"), ("05:10", "Watch"), ("05:50", "Watch"), ("06:10", "Phone"), ("06:20", "Phone")],
        2 + 4 + 8 + 16
      ),
      ("UTC", [("05:59", "Phone"), ("05:59", "Watch"), ("06:00", "Watch"), ("06:01", "Watch")], 1 + 4 + 8),
    ])
  func hours(zone: String, samples: [(time: String, source: String)], sum: Int) throws {
    let harness = try FeedHarness(zone: zone)
    let rows = samples.enumerated().map { place, sample in
      HealthTests.sample(
        "dietaryCalories", "2026-11-01T\(sample.time):00Z", Double(1 << place), source: sample.source)
    }
    try harness.put("health/a.json", HealthRepeatsTests.file(rows))
    #expect(try harness.content("budget", at: "2026-11-01T12:00:00Z")["intake"]?.int == sum)
  }

  @Test("After a change of zone, the hours are those of the new zone")
  func rebuild() throws {
    let harness = try FeedHarness()
    try harness.put(
      "health/a.json",
      HealthRepeatsTests.file([
        Self.meal(1, "Phone", at: 10), Self.meal(2, "Watch", at: 10), Self.meal(4, "Watch", at: 50),
      ]))
    #expect(try harness.content("budget", at: HealthTests.now)["intake"]?.int == 6)
    let other = CivilCalendar(try TimeZoneDatabase().rules(named: "Asia/Kathmandu"))
    harness.feeds[HealthFeed.self]?.rebuild(in: other)
    // 17:55 and 18:35 there: two hours, and of equals Phone counts in the first.
    #expect(try harness.content("budget", at: HealthTests.now)["intake"]?.int == 5)
    #expect(try harness.healthProblems(at: HealthTests.now).count == 1)
  }
}
