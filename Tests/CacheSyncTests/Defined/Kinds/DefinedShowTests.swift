import Testing

import CacheSync

/// Which items each `show` chooses, around midnights and changes of clocks (definitions.md: show).
@Suite struct DefinedShowTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let show: DefinedKind.Show
    let date: String
    let titles: String

    init(_ show: DefinedKind.Show, _ date: String, _ titles: String) {
      self.show = show
      self.date = date
      self.titles = titles
    }

    var testDescription: String { "\(show) at \(date)" }
  }

  /// Berlin is an hour ahead of UTC in November. `within` is two days.
  static let cases = [
    // 21 November, 23:59:59 in Berlin, and the midnight after it.
    Case(.today, "2026-11-21T22:59:59Z", "past over"),
    Case(.today, "2026-11-21T23:00:00Z", "over whole point noon"),
    Case(.today, "2026-11-22T22:59:59Z", "over whole point noon"),
    Case(.today, "2026-11-22T23:00:00Z", "next"),
    Case(.now, "2026-11-21T22:59:59Z", "over"),
    Case(.now, "2026-11-21T23:00:00Z", "over whole"),
    Case(.now, "2026-11-22T00:59:59Z", "over whole"),
    Case(.now, "2026-11-22T01:00:00Z", "whole"),
    Case(.now, "2026-11-22T11:00:00Z", "whole noon"),
    Case(.now, "2026-11-22T12:00:00Z", "whole"),
    Case(.now, "2026-11-22T23:00:00Z", ""),
    // An item that starts now is no longer next. An item that starts exactly at the end of the two days is included.
    Case(.next, "2026-11-21T22:59:59Z", "whole point noon next"),
    Case(.next, "2026-11-21T23:00:00Z", "point noon next"),
    Case(.next, "2026-11-22T08:00:00Z", "noon next"),
    Case(.next, "2026-11-22T18:59:59Z", "next"),
    Case(.next, "2026-11-22T19:00:00Z", "next later"),
    Case(.coming, "2026-11-22T00:59:59Z", "over whole point noon next"),
    Case(.coming, "2026-11-22T01:00:00Z", "whole point noon next"),
    Case(.coming, "2026-11-22T07:59:59Z", "whole point noon next"),
    Case(.coming, "2026-11-22T08:00:00Z", "whole noon next"),
    Case(.coming, "2026-11-22T23:00:00Z", "next later"),
    Case(.nextDay, "2026-11-21T22:59:59Z", "over"),
    Case(.nextDay, "2026-11-21T23:00:00Z", "over whole point noon"),
    Case(.nextDay, "2026-11-22T12:00:00Z", "whole"),
    Case(.nextDay, "2026-11-22T23:00:00Z", "next"),
    Case(.nextDay, "2026-11-23T19:00:00Z", "later"),
    Case(.due, "2026-11-21T22:59:59Z", "past over"),
    Case(.due, "2026-11-21T23:00:00Z", "past over whole point noon"),
    Case(.due, "2026-11-23T22:59:59Z", "past over whole point noon next"),
    Case(.all, "2026-11-22T12:00:00Z", "past over whole point noon next later none"),
    Case(.all, "1950-01-01T00:00:00Z", "past over whole point noon next later none"),
  ]

  @Test(arguments: cases) func chooses(_ case: Case) throws {
    let kind = DefinedKind(`case`.show) {
      $0.within = 2
      $0.limit = 50
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
    try feed.put([
      DefinedItem("past", start: "2026-11-21T08:00:00Z", end: "2026-11-21T09:00:00Z"),
      DefinedItem("over", start: "2026-11-21T22:00:00Z", end: "2026-11-22T01:00:00Z"),
      DefinedItem("whole", start: "2026-11-22"),
      DefinedItem("point", start: "2026-11-22T08:00:00Z"),
      DefinedItem("noon", start: "2026-11-22T11:00:00Z", end: "2026-11-22T12:00:00Z"),
      DefinedItem("next", start: "2026-11-23T18:00:00Z", end: "2026-11-23T19:00:00Z"),
      DefinedItem("later", start: "2026-11-24T19:00:00Z", end: "2026-11-24T20:00:00Z"),
      DefinedItem("none"),
    ])
    #expect(try feed.titles(at: `case`.date) == `case`.titles)
    // All are counted, including those beyond the limit.
    #expect(try feed.content(at: `case`.date)["count"]?.int == `case`.titles.split(separator: " ").count)
  }

  @Test func withinEndsAtTheSameWallTimeWhenClocksChange() throws {
    // Berlin changes to summer time on 29 March 2026: a day later at the same wall time is 23 hours later.
    let kind = DefinedKind(.next) { $0.within = 1 }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
    try feed.put([DefinedItem("a", start: "2026-03-29T12:00"), DefinedItem("skipped", start: "2026-03-29T02:30")])
    #expect(try feed.titles(at: "2026-03-28T10:59:59Z") == "skipped")
    #expect(try feed.titles(at: "2026-03-28T11:00:00Z") == "skipped a")
    // The skipped time counts as 03:00, 01:00Z. A day after 02:00 of the day before is 02:00, which is skipped too and
    // is the same moment.
    #expect(try feed.titles(at: "2026-03-28T00:59:59Z") == "")
    #expect(try feed.titles(at: "2026-03-28T01:00:00Z") == "skipped")
    #expect(
      try feed.changes(from: "2026-03-27T23:00:00Z", days: 2, "count") == [
        "2026-03-27T23:00:00Z 0", "2026-03-28T01:00:00Z 1", "2026-03-28T11:00:00Z 2", "2026-03-29T01:00:00Z 1",
        "2026-03-29T10:00:00Z 0",
      ])
  }

  @Test func repeatingItemsAreSearchedFromSixDaysBefore() throws {
    let daily = try DefinedItem("d", start: "2026-01-01T10:00") { $0.rule = try? RecurrenceRule("FREQ=DAILY") }
    for (show, reach, count) in [
      (DefinedKind.Show.all, DefinedKind.Reach.sevenDays, 13), (.all, .midnight, 8), (.due, .sevenDays, 7),
    ] {
      let kind = DefinedKind(show) {
        $0.limit = 50
        $0.reach = reach
      }
      let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
      try feed.put([daily])
      #expect(try feed.content(at: "2026-11-22T12:00:00Z")["count"]?.int == count)
      let first = try feed.content(at: "2026-11-22T12:00:00Z")["items"]?[0]
      #expect(first?["start"]?.string == "2026-11-16T09:00:00Z")
      #expect(first?["id"]?.string == "d#20261116T090000Z")
    }
  }

  @Test func aConditionAppliesToTheKindAndItsValues() throws {
    var all = ValueRule("all", .count)
    all.of = .show(.all)
    var high = ValueRule("high", .count)
    high.condition = [.test(.field(1), .above, .number(2))]
    let kind = DefinedKind(.today) {
      $0.condition = [.test(.field(1), .above, .number(1))]
      $0.values = [all, high]
      $0.content = templates(["all": "{all}", "high": "{high}"])
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title", "n"], kind))
    try feed.put([
      DefinedItem([.text("a"), .number(1)], start: "2026-11-22"),
      DefinedItem([.text("b"), .number(2)], start: "2026-11-22"),
      DefinedItem([.text("c"), .number(3)], start: "2026-11-22"),
      DefinedItem([.text("d"), .number(4)], start: "2026-11-25"),
      DefinedItem([.text("e"), .null], start: "2026-11-22"),
    ])
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z") == "b c")
    #expect(try feed.content(at: "2026-11-22T12:00:00Z")["all"]?.int == 3)
    #expect(try feed.content(at: "2026-11-22T12:00:00Z")["high"]?.int == 1)
  }
}
