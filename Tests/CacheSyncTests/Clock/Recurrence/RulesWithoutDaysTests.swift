import Testing

import CacheSync

/// Rules without occurrences, whatever their start. Worked out by hand from the lengths of months and years.
@Suite struct RulesWithoutDaysTests {
  @Test(
    "A rule has no occurrences if no year has such a day",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
      "FREQ=YEARLY;BYYEARDAY=1;BYMONTHDAY=2", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
      "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1", "FREQ=DAILY;BYHOUR=8;BYSETPOS=2",
      "FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=30;COUNT=2",
    ])
  func nothing(_ text: String) throws {
    var steps = 0
    #expect(try RecurrenceRule(text).givesNothing(countingIn: &steps))
    #expect((1...150_000).contains(steps))
  }

  @Test(
    "A rule with rare or past days has occurrences",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", "FREQ=YEARLY;BYYEARDAY=366", "FREQ=YEARLY;BYYEARDAY=-366",
      "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=1", "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12", "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2",
      "FREQ=WEEKLY", "FREQ=DAILY;UNTIL=19000101", "FREQ=SECONDLY;BYMONTH=12;BYMONTHDAY=31;BYHOUR=23",
      "FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29",
    ])
  func something(_ text: String) throws {
    var steps = 0
    #expect(try !RecurrenceRule(text).givesNothing(countingIn: &steps))
  }
}
