@testable import CacheSyncFeeds
import Testing

@Suite("Health: the index of days")
struct HealthDaysTests {
  @Test("The index of days equals a dictionary, whatever is put and removed", arguments: [3, 90, 1000])
  func againstADictionary(range: Int) {
    var dice = Dice(state: UInt64(range))
    var series = SortedList<HealthFeed.Day>()
    var plain: [LocalDay: Double] = [:]
    for step in 0..<400 {
      let day = LocalDay(ordinal: dice.next(range) - range / 2)
      let value = dice.next(3) == 0 ? nil : Double(step)
      if let known = series[day] { series.remove(known) }
      if let value { series.insert(HealthFeed.Day(day: day, value: value, newest: .referenceDate)) }
      plain[day] = value
      let from = LocalDay(ordinal: dice.next(range) - range / 2)
      let window = from...from.advanced(by: dice.next(range))
      let expected = plain.filter { window.contains($0.key) }.sorted { $0.key < $1.key }
      #expect(series.days(in: window).elementsEqual(expected) { $0.day == $1.key && $0.value == $1.value })
      #expect(series.count(in: window) == expected.count)
      #expect(series[day]?.value == value && series[from]?.value == plain[from])
      let latest = plain.filter { $0.key <= from }.max { $0.key < $1.key }
      let found = series.latest(upTo: from)
      #expect(found?.day == latest?.key && found?.value == latest?.value)
    }
  }
}

/// Numbers that are the same on every run (a linear congruential generator; Knuth's MMIX).
struct Dice {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
