import Testing

import CacheSync

/// The contract's definitions with its files. The expected items are worked out by hand.
@Suite struct ContractSessionTests {
  @Test func bins() throws {
    let bins = try SampleSession(definition: GoodDefinitions.bins, named: "bins", GoodSessions.bins)
    #expect(bins.places == [])
    #expect(bins.values() == [.text("Rubbish"), .text("Food Bin")])
    #expect(bins.starts == ["2026-11-24", "2026-11-24"])
    #expect(bins.ends == ["2026-11-24 10:00:00", "2026-11-24 10:00:00"])
    #expect(bins.items.map(\.index) == [0, 1])
    #expect(bins.items.map(\.siblingCount) == [2, 2])
  }

  @Test func meds() throws {
    let meds = try SampleSession(definition: GoodDefinitions.meds, named: "meds", GoodSessions.meds)
    #expect(meds.places == [])
    #expect(meds.values(0) == [.text("Metformin"), .text("Metformin"), .text("Ramipril")])
    #expect(meds.values(1) == [.text("500 mg"), .text("500 mg"), .text("5 mg")])
    #expect(meds.starts == ["2026-11-01 08:00:00", "2026-11-01 20:00:00", "2026-11-23 08:00:00"])
    #expect(meds.ends == Array(repeating: "0 d 3600 s", count: 3))
    let daily = try RecurrenceRule("FREQ=DAILY")
    #expect(meds.items.map(\.rule) == [daily, daily, daily])
    #expect(meds.items.map(\.index) == [0, 1, 0])
    #expect(meds.items.map(\.siblingCount) == [2, 2, 1])
  }

  @Test func school() throws {
    let school = try SampleSession(definition: GoodDefinitions.school, named: "school", GoodSessions.school)
    #expect(school.places == [])
    #expect(school.values(3) == [.number(1), .number(2), .number(2)])
    #expect(school.starts == ["2026-08-31 08:00:00", "2026-08-31 08:55:00", "2026-09-07 08:55:00"])
    #expect(school.ends == ["2026-08-31 08:45:00", "2026-08-31 09:40:00", "2026-09-07 09:40:00"])
    let rules = try [1, 2, 2].map { try RecurrenceRule("FREQ=WEEKLY;INTERVAL=\($0);BYDAY=MO") }
    #expect(school.items.map(\.rule) == rules)
    #expect(school.items.allSatisfy { $0.except.map(\.words) == ["2026-12-24", "2027-01-04 08:00:00"] })
  }

  @Test func power() throws {
    let power = try SampleSession(definition: GoodDefinitions.power, named: "power", GoodSessions.power)
    #expect(power.places == [])
    #expect(power.values() == [.number(9.5), .number(8.8)])
    #expect(power.starts == ["2026-11-22T21:00:00Z", "2026-11-22T22:00:00Z"])
    #expect(power.ends == ["2026-11-22T22:00:00Z", "2026-11-22T23:00:00Z"])
  }

  @Test func weather() throws {
    let weather = try SampleSession(definition: GoodDefinitions.weather, named: "weather", GoodSessions.weather)
    #expect(weather.places == [])
    #expect(weather.session?.zone?.name == "Europe/Berlin")
    #expect(weather.values(0) == [.number(4), .number(3), .number(1), .number(1)])
    #expect(weather.values(1) == [.text("Overcast"), .text("Overcast"), .text("Rain"), .text("Rain")])
    #expect(
      weather.starts == [
        "2026-11-22 21:00:00", "2026-11-22 22:00:00", "2026-11-22 23:00:00", "2026-11-23 00:00:00",
      ])
    #expect(weather.ends == Array(repeating: "next", count: 4))
  }

  @Test func trains() throws {
    let definition = try SampleSession.definition(GoodDefinitions.trains, named: "trains")
    let trains = SampleSession(definition, GoodSessions.trains)
    #expect(trains.places == [])
    #expect(trains.session?.updated?.words == "2026-11-22T10:00:00Z")
    #expect(trains.values(0) == [.text("RE1"), .text("S1")])
    #expect(trains.values(2) == [.text("7"), .null])
    #expect(trains.values(3) == [.number(0), .number(5)])
    #expect(trains.starts == ["2026-11-22T09:00:00Z", "2026-11-22T09:04:30Z"])
    // Ids that use the start are made when the cache's zone is known.
    #expect(trains.items.map(\.id) == [nil, nil])
    let settled = definition.settled(try #require(trains.session), in: CivilCalendar(.utc))
    #expect(settled.items.map(\.id) == ["RE1 2026-11-22T09:00:00Z", "S1 2026-11-22T09:04:30Z"])
  }

  @Test func chores() throws {
    let chores = try SampleSession(definition: GoodDefinitions.chores, named: "chores", GoodSessions.chores)
    #expect(chores.places == [])
    #expect(chores.values(0) == [.text("Ann"), .text("Ben"), .text("Cem")])
    #expect(chores.values(1) == Array(repeating: .text("Bins"), count: 3))
    // The mark, which the file does not set.
    #expect(chores.values(2) == Array(repeating: .bool(false), count: 3))
    #expect(chores.items.map(\.id) == ["Ann", "Ben", "Cem"])
    #expect(chores.starts == ["2026-11-02", "2026-11-09", "2026-11-16"])
    #expect(chores.ends == Array(repeating: "7 d 0 s", count: 3))
    let everyThird = try RecurrenceRule("FREQ=WEEKLY;INTERVAL=3")
    #expect(chores.items.map(\.rule) == [everyThird, everyThird, everyThird])
  }

  @Test("A file that is cut off, or has a wrong byte, is read or rejected", arguments: GoodDefinitions.all.indices)
  func damaged(index: Int) throws {
    let definition = try SampleSession.definition(
      GoodDefinitions.all[index].json, named: GoodDefinitions.all[index].name)
    let bytes = Array(GoodSessions.all[index].utf8)
    func isWhole(_ bytes: [UInt8]) -> Bool {
      let (session, defects, _) = bytes.withUnsafeBytes { definition.session(in: $0, zones: SampleSession.zones) }
      #expect((session == nil) == !defects.isEmpty)
      #expect(defects.allSatisfy { $0.offset >= 0 && $0.offset <= bytes.count })
      return session != nil
    }
    for count in bytes.indices { #expect(!isWhole(Array(bytes.prefix(count)))) }
    var generator = SeededGenerator(seed: UInt64(index))
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: bytes.indices, using: &generator)] =
          Array(#"[]{},:"0129-.eTZ/\ nu"#.utf8).randomElement(using: &generator) ?? 0
      }
      _ = isWhole(changed)
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
