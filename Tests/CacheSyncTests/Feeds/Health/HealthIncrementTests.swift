import CacheSync
import Testing

@Suite("Health: incremental changes")
struct HealthIncrementTests {
  /// A random session with few ids, days and paths, so that they collide.
  static func session(_ dice: inout Dice) -> String {
    let samples = (0..<dice.next(12)).map { _ in
      let type = HealthSession.SampleType.allCases[dice.next(6)].rawValue
      let id = dice.next(2) == 0 ? #""id":\#(dice.next(15)),"# : ""
      let hour = dice.next(24)
      let date = "2026-11-\(10 + dice.next(13))T\(hour < 10 ? "0" : "")\(hour):30:00Z"
      let value = type == "bodyFatPercentage" ? "0.\(dice.next(1000))" : "\(dice.next(300)).\(dice.next(1000))"
      return #"{\#(id)"type":"\#(type)","date":"\#(date)","value":\#(value)}"#
    }
    let goals =
      dice.next(5) == 0 ? #","goals":{"adjustment":\#(dice.next(900)).1,"macros":{"fat":\#(dice.next(40))}}"# : ""
    return #"{"samples":[\#(samples.joined(separator: ","))]\#(goals)}"#
  }

  /// A session of samples that differ little: versions of each other, repetitions, and sources at the same time.
  static func sessionOfRepetitions(_ dice: inout Dice) -> String {
    let samples = (0..<dice.next(12)).map { _ in
      let minute = 10 * dice.next(18)
      func time(_ minute: Int) -> String { "2026-11-21T1\(minute / 60):\(minute % 60 / 10)5:00Z" }
      let id = dice.next(2) == 0 ? #""id":\#(dice.next(4)),"# : ""
      let end = dice.next(3) == 0 ? #""end":"\#(time(minute + 10 * dice.next(4)))","# : ""
      let source = [#""source":"","#, #""source":"Phone","#, #""source":"Watch","#, #""source":"A","#, ""][dice.next(5)]
      let type = ["dietaryCalories", "fat", "iron"][dice.next(3)]
      return #"{\#(id)\#(end)\#(source)"type":"\#(type)","date":"\#(time(minute))","value":0.\#(1 + dice.next(3))}"#
    }
    return #"{"samples":[\#(samples.joined(separator: ","))]\#(dice.next(9) == 0 ? #","authorized":false"# : "")}"#
  }

  /// Everything that is published, as bytes.
  static func published(_ harness: FeedHarness) throws -> [[UInt8]] {
    let moment = try harness.moment("2026-11-21T18:00:00Z")
    let projector = TimelineProjector(feeds: harness.feeds, moment: moment, staleAfter: StaleAges(.seconds(36 * 3600)))
    return HealthFeed.kinds.map { kind in
      SnapshotDocument(kind: kind, timeline: projector.timeline(of: kind), problems: [], timeZone: "UTC").encoded()
        .withoutPublication()
    } + [DayIndexProjector(feeds: harness.feeds, moment: moment).document().withoutPublication()]
      + [Array(try harness.healthProblems(at: "2026-11-21T18:00:00Z").joined(separator: "\n").utf8)]
  }

  @Test("After changes in any order, the bytes are the same as if all files were read at once", arguments: 1...18)
  func equalsFreshFeed(seed: Int) throws {
    var dice = Dice(state: UInt64(seed))
    let harness = try FeedHarness(zone: seed % 2 == 0 ? "UTC" : "Asia/Tokyo")
    var files: [String: (text: String, unusable: Bool)] = [:]
    for step in 0..<60 {
      let path = "health/\(dice.next(9)).json"
      if dice.next(4) == 0 {
        harness.remove(path)
        files[path] = nil
      } else {
        let text = seed > 6 ? Self.sessionOfRepetitions(&dice) : Self.session(&dice)
        let file = (text: text, unusable: dice.next(20) == 0)
        #expect(try harness.put(path, file.text, unusable: file.unusable) == [])
        files[path] = file
      }
      // Sometimes several changes are made together.
      guard dice.next(3) > 0 || step == 59 else { continue }
      let fresh = try FeedHarness(zone: seed % 2 == 0 ? "UTC" : "Asia/Tokyo")
      let paths = dice.next(2) == 0 ? files.keys.sorted() : files.keys.sorted().reversed()
      for path in paths { try fresh.put(path, files[path]?.text ?? "", unusable: files[path]?.unusable ?? false) }
      if paths.isEmpty { _ = fresh.feeds.feed(named: "health") }
      #expect(try Self.published(harness) == Self.published(fresh), "step \(step)")
    }
  }

  @Test("After a change of zone, days are counted in the new zone")
  func rebuild() throws {
    var dice = Dice(state: 7)
    var harness = try FeedHarness(zone: "UTC")
    let other = try FeedHarness(zone: "Pacific/Auckland")
    for path in ["health/a.json", "health/b.json", "health/c.json"] {
      let text = path == "health/c.json" ? Self.session(&dice) : Self.sessionOfRepetitions(&dice)
      try harness.put(path, text)
      try other.put(path, text)
    }
    _ = try Self.published(harness)
    harness.calendar = other.calendar
    harness.feeds[HealthFeed.self]?.rebuild(in: other.calendar)
    #expect(try Self.published(harness) == Self.published(other))
  }
}
