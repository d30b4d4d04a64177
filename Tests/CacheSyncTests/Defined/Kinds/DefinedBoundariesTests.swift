import Testing

@testable import CacheSyncValues

/// A kind's content may change only at a midnight, at one of its hours, or at one of its boundaries. The test computes
/// the contents of random feeds throughout three days. Between two such moments they must all be equal.
@Suite struct DefinedBoundariesTests {
  struct Days: Sendable, CustomTestStringConvertible {
    let zone: String
    let first: String

    init(_ zone: String, _ first: String) {
      self.zone = zone
      self.first = first
    }

    var testDescription: String { "\(zone) \(first)" }
  }

  /// Each first day is the day before a change of clocks, or as many days before it as `within` covers.
  static let cases = [
    Days("UTC", "2026-11-21"),
    Days("Europe/Berlin", "2026-03-28"), Days("Europe/Berlin", "2026-10-24"), Days("Europe/Berlin", "2026-03-26"),
    Days("Europe/Berlin", "2026-10-22"),
    // Across midnight: the day begins at 01:00, or 24:00 becomes 23:00 again.
    Days("America/Santiago", "2026-09-04"), Days("America/Santiago", "2026-04-03"),
    // 00:01 to 23:01 of the day before.
    Days("America/St_Johns", "2010-11-05"), Days("America/St_Johns", "2010-11-04"),
    // 2011-12-30 was skipped.
    Days("Pacific/Apia", "2011-12-28"), Days("Pacific/Apia", "2011-12-26"),
    // Half an hour.
    Days("Australia/Lord_Howe", "2026-04-04"), Days("Australia/Lord_Howe", "2026-10-02"),
  ]

  static let shows: [DefinedKind.Show] = [.all, .today, .now, .next, .coming, .nextDay, .due]

  /// The interval at which contents are computed. The last microsecond before each moment is always included.
  private let minutes = 30

  @Test(arguments: cases, shows) func contentChangesOnlyAtBoundaries(_ days: Days, _ show: DefinedKind.Show) throws {
    var random = SeededNumbers(UInt64(days.testDescription.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    let feed = try randomFeed(show, days, &random)
    let first = try #require(LocalDay(days.first))
    let start = feed.calendar.start(of: first)
    let end = feed.calendar.start(of: first.advanced(by: 3))

    let projection = feed.projection
    var moments: Set<Instant> = [end]
    var day = feed.calendar.day(of: start)
    while feed.calendar.start(of: day) < end {
      let interval = feed.calendar.interval(of: day)
      moments.insert(interval.lowerBound)
      for boundary in projection.boundaries(of: feed.kind, in: interval, calendar: feed.calendar) {
        #expect(interval.contains(boundary.date))
        moments.insert(boundary.date)
      }
      day = feed.calendar.day(after: day)
    }

    let sorted = moments.sorted()
    for (from, to) in zip(sorted, sorted.dropFirst()) {
      let content = feed.json(at: from, projection)
      var date = from + .microseconds(1)
      while date < to {
        let other = feed.json(at: date, projection)
        guard content == other else {
          let texts = [content, other].map { String(decoding: $0, as: UTF8.self) }
          Issue.record("\(days) \(show): from \(from) on \(texts[0]), at \(date.rfc3339()) \(texts[1])")
          return
        }
        let last = to + .microseconds(-1)
        date = date < last ? min(date + .seconds(60 * minutes), last) : to
      }
    }
  }

  private func randomFeed(_ show: DefinedKind.Show, _ days: Days, _ random: inout SeededNumbers) throws
    -> DefinedFeedHarness
  {
    let kind = DefinedKind(show) {
      $0.within = random.below(3) + 1
      $0.limit = random.below(4)
      var other = ValueRule("other", .list("title"))
      other.of = .show(Self.shows[random.below(Self.shows.count)])
      var ofPeriod = ValueRule("period", .count)
      ofPeriod.of = .period(ValueRule.Period.allCases[random.below(ValueRule.Period.allCases.count)])
      $0.values = [ValueRule("first", .first("title")), ValueRule("start", .min("start")), other, ofPeriod]
      $0.content = templates([
        "text": "{first} {start:relative} {start:days}", "other": "{other}", "count2": "{count} of {more}",
        "days": "{start:dayCount}", "period": "{period}",
      ])
      // Conditions on values and fields that change with time.
      let isBusy = Condition.test(.field(4), .above, .number(2))
      $0.content[0].cases = [DefinedKind.Case(condition: [isBusy], text: template("many"))]
      $0.items = templates(["title": "{title} {start:days} {start:years}"])
      let isLate = Condition.test(.start, .below, .text("\(days.first)T12:00:00Z"))
      $0.items?[0].cases = [DefinedKind.Case(condition: [isLate], text: template("{title} early"))]
      $0.tones = [
        DefinedKind.ToneRule(tone: .bad, itemCondition: nil, contentCondition: [isBusy]),
        DefinedKind.ToneRule(tone: .good, itemCondition: [isLate], contentCondition: nil),
        DefinedKind.ToneRule(tone: .warn, itemCondition: [.test(.allDay, .is, .bool(true))], contentCondition: nil),
      ]
      $0.empty = templates(["text": "nothing"])
      if random.below(3) == 0 { $0.reach = .midnight }
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind), zone: days.zone)
    let first = try #require(LocalDay(days.first))
    var items: [DefinedItem] = []
    for index in 0..<8 {
      // Mostly at full minutes around midnight and around changes of clocks.
      let day = first.advanced(by: random.below(9) - 2)
      let hour = [0, 0, 1, 2, 3, 23, random.below(24)][random.below(7)]
      let wall = WallTime(day, secondOfDay: hour * 3_600 + [0, 0, 1, 30, 59][random.below(5)] * 60)
      var item = try DefinedItem("i\(index)")
      let hasTime = random.below(4) > 0
      item.start = DefinedItem.Time(.wall(hasTime ? wall : WallTime(day)), hasTime: hasTime)
      if random.below(3) == 0, hasTime {
        item.start = DefinedItem.Time(.instant(feed.calendar.firstInstant(at: wall) + .seconds(3_600)), hasTime: true)
      }
      switch random.below(4) {
      case 0: item.end = .lasts(days: random.below(3), seconds: random.below(5) * 1_800)
      case 1: item.end = .next
      case 2: item.end = .time(DefinedItem.Time(.wall(wall.advanced(bySeconds: 90_000)), hasTime: random.below(2) == 0))
      default: break
      }
      if random.below(4) == 0 {
        item.rule = try? RecurrenceRule(
          ["FREQ=DAILY", "FREQ=HOURLY;INTERVAL=5", "FREQ=DAILY;INTERVAL=2"][random.below(3)])
      }
      // An item's own zone.
      if random.below(4) == 0 { item.frame = .zone(try TimeZoneDatabase().rules(named: "Asia/Kathmandu")) }
      if random.below(6) == 0 {
        item.start = DefinedItem.Time(.wall(WallTime(day)), hasTime: false)
        item.frame = .cache
      }
      if random.below(8) == 0 { item.start = nil }
      items.append(item)
    }
    try feed.put(items)
    return feed
  }
}

/// The same numbers in each run (SplitMix64).
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (z ^ (z >> 31)) >> 33) % bound
  }
}
