import Testing

import CacheSync

/// The text of a rule: which parts are read, and where an invalid text goes wrong.
@Suite struct RecurrenceRuleTests {
  @Test("Each part is read")
  func parts() throws {
    let rule = try RecurrenceRule(
      "FREQ=YEARLY;INTERVAL=2;COUNT=7;BYSECOND=0,60;BYMINUTE=30;BYHOUR=8,20;BYDAY=MO,-1FR,+2FR;BYMONTHDAY=1,-1;"
        + "BYYEARDAY=100,-1,100;BYMONTH=1,12;BYSETPOS=2,-1;WKST=SU")
    #expect(rule.frequency == .yearly)
    #expect(rule.interval == 2)
    #expect(rule.end == .count(7))
    #expect(rule.seconds == NumberSet([0, 59]))
    #expect(rule.minutes == NumberSet([30]))
    #expect(rule.hours == NumberSet([8, 20]))
    #expect(rule.weekdays == NumberSet([0]))
    let none = SignedNumberSet()
    #expect(rule.weekdayOrdinals == [none, none, none, none, SignedNumberSet([-1, 2]), none, none])
    #expect(rule.monthDays == SignedNumberSet([1, -1]))
    #expect(rule.yearDays == [-1, 100])
    #expect(rule.months == NumberSet([1, 12]))
    #expect(rule.positions == [-1, 2])
    #expect(rule.firstWeekday == .sunday)
    #expect(try RecurrenceRule("FREQ=YEARLY;BYWEEKNO=1,-53").weekNumbers == SignedNumberSet([1, -53]))
  }

  @Test(
    "A rule is written as it is read",
    arguments: [
      "FREQ=YEARLY;COUNT=7;INTERVAL=2;BYMONTH=1,12;BYYEARDAY=-1,100;BYDAY=MO,-1FR,2FR;BYHOUR=8,20;BYMINUTE=30;BYSECOND=0;"
        + "BYSETPOS=-1,2;WKST=SU",
      "FREQ=YEARLY;BYWEEKNO=-53,1", "FREQ=DAILY;UNTIL=20261123T080000Z",
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=-1,31",
    ])
  func text(rule: String) throws {
    #expect(try RecurrenceRule(rule).text(until: "20261123T080000Z") == rule)
  }

  @Test(
    "Every frequency has its word",
    arguments: zip(
      ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"], RecurrenceRule.Frequency.allCases))
  func frequencies(word: String, frequency: RecurrenceRule.Frequency) throws {
    #expect(try RecurrenceRule("FREQ=\(word)").frequency == frequency)
    #expect(frequency.word == word)
  }

  @Test("SKIP is read with and without RSCALE, and a rule without it has none", arguments: RecurrenceRule.Skip.allCases)
  func skip(skip: RecurrenceRule.Skip) throws {
    #expect(try RecurrenceRule("RSCALE=GREGORIAN;FREQ=DAILY;SKIP=\(skip.rawValue)").skip == skip)
    #expect(try RecurrenceRule("freq=daily;skip=\(skip.rawValue.lowercased())").skip == skip)
    #expect(try RecurrenceRule("RSCALE=GREGORIAN;FREQ=DAILY").skip == nil)
  }

  @Test(
    "A rule of another calendar is known as such, whatever its other parts are",
    arguments: [
      ("RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD", true), ("FREQ=YEARLY;RSCALE=chinese", true),
      ("BYMONTH=5L;FREQ=YEARLY;RSCALE=ETHIOPIC", true), ("FREQ=YEARLY;BYMONTH=5L;RSCALE=GREGORIAN", false),
    ])
  func otherCalendars(text: String, isOther: Bool) {
    do throws(RecurrenceRule.Defect) {
      let rule = try RecurrenceRule(text)
      Issue.record("\(text) is \(rule)")
    } catch {
      #expect(error.isOtherCalendar == isOther, "\(error)")
    }
  }

  @Test("UNTIL is a day, a wall time or a moment")
  func until() throws {
    let day = try #require(LocalDay("2026-12-31"))
    #expect(try RecurrenceRule("FREQ=DAILY;UNTIL=20261231").end == .untilDay(day))
    let wall = WallTime(day, secondOfDay: 18 * 3_600 + 5)
    #expect(try RecurrenceRule("FREQ=DAILY;UNTIL=20261231T180005").end == .untilWall(wall))
    let moment = try #require(Instant("2026-12-31T18:00:05Z"))
    #expect(try RecurrenceRule("FREQ=DAILY;UNTIL=20261231T180005Z").end == .untilInstant(moment))
    let lastSecond = WallTime(day, secondOfDay: 86_399)
    #expect(try RecurrenceRule("FREQ=DAILY;UNTIL=20261231T235960").end == .untilWall(lastSecond))
  }

  @Test(
    "Harmless mistakes of exports are tolerated",
    arguments: [
      "freq=weekly;byday=mo,tu;wkst=mo", "FREQ=WEEKLY;BYDAY=MO,TU;WKST=MO;", ";FREQ=WEEKLY;;BYDAY=MO,TU;WKST=MO",
      " FREQ = WEEKLY ; BYDAY = MO , TU ; WKST = MO ", "BYDAY=TU,MO,MO;WKST=MO;FREQ=WEEKLY;INTERVAL=01",
      "FREQ=WEEKLY;X-VENDOR=1;BYDAY=MO,TU;x-b=;WKST=MO", "FREQ=WEEKLY;WKST=MO;BYDAY=MO,TU\r\n",
      "RSCALE=GREGORIAN;FREQ=WEEKLY;WKST=MO;BYDAY=MO,TU",
    ])
  func tolerance(text: String) throws {
    #expect(try RecurrenceRule(text) == RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,TU"))
  }

  @Test("Numbers beyond the last year are limited and do not overflow")
  func hugeNumbers() throws {
    #expect(try RecurrenceRule("FREQ=DAILY;INTERVAL=4294967296").interval == 4_294_967_296)
    let greatest = RecurrenceRule.greatestNumber
    #expect(try RecurrenceRule("FREQ=DAILY;INTERVAL=99999999999999999999999999").interval == greatest)
    #expect(try RecurrenceRule("FREQ=DAILY;COUNT=99999999999999999999999999").end == .count(greatest))
  }

  @Test(
    "An invalid rule is a defect at the byte where it goes wrong",
    arguments: [
      ("", 0), (";", 0), ("DAILY", 0), ("RRULE:FREQ=DAILY", 0), ("INTERVAL=2", 0), ("FREQ=DAYLY", 5), ("FREQ=", 5),
      ("FREQ", 0), ("FREQ=DAILY;FREQ=DAILY", 11), ("FREQ=DAILY;INTERVALL=2", 11), ("FREQ=DAILY;BYEASTER=0", 11),
      ("FREQ=DAILY;INTERVAL=0", 20), ("FREQ=DAILY;INTERVAL=-1", 20), ("FREQ=DAILY;INTERVAL=1.5", 20),
      ("FREQ=DAILY;COUNT=0", 17), ("FREQ=DAILY;COUNT=x", 17), ("FREQ=DAILY;COUNT=1;UNTIL=20261231", 19),
      ("FREQ=DAILY;UNTIL=20261231;COUNT=1", 11), ("FREQ=DAILY;UNTIL=20260230", 17), ("FREQ=DAILY;UNTIL=2026-12-31", 17),
      ("FREQ=DAILY;UNTIL=20261231T240000", 17), ("FREQ=DAILY;UNTIL=20261231Z", 17), ("FREQ=DAILY;UNTIL=Z", 17),
      ("FREQ=DAILY;UNTIL=20261231T1800", 17), ("FREQ=DAILY;BYSECOND=61", 20), ("FREQ=DAILY;BYMINUTE=0,60", 22),
      ("FREQ=DAILY;BYHOUR=24", 18), ("FREQ=DAILY;BYHOUR=8,,9", 20), ("FREQ=DAILY;BYHOUR=8, x", 21),
      ("FREQ=MONTHLY;BYMONTHDAY=0", 24), ("FREQ=MONTHLY;BYMONTHDAY=1,-32", 26), ("FREQ=YEARLY;BYYEARDAY=367", 22),
      ("FREQ=YEARLY;BYWEEKNO=54", 21), ("FREQ=YEARLY;BYMONTH=13", 20), ("FREQ=YEARLY;BYMONTH=-1", 20),
      ("FREQ=YEARLY;BYMONTH=5L", 20), ("FREQ=MONTHLY;BYDAY=MO,XX", 22), ("FREQ=MONTHLY;BYDAY=MON", 19),
      ("FREQ=MONTHLY;BYDAY=0MO", 19), ("FREQ=MONTHLY;BYDAY=999MO", 19),
      ("FREQ=MONTHLY;BYDAY=-99999999999999999999MO", 19), ("FREQ=MONTHLY;BYDAY=", 19), ("FREQ=MONTHLY;BYDAY=M", 19),
      ("FREQ=MONTHLY;BYDAY=--1MO", 19),
      ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", 31), ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", 31), ("FREQ=DAILY;WKST=1MO", 16),
      ("FREQ=MONTHLY;BYSETPOS=1", 13), ("FREQ=MONTHLY;BYWEEKNO=1", 13), ("BYWEEKNO=1;FREQ=MONTHLY", 0),
      ("FREQ=WEEKLY;BYMONTHDAY=1", 12), ("FREQ=DAILY;BYYEARDAY=1", 11), ("FREQ=WEEKLY;BYYEARDAY=1", 12),
      ("FREQ=MONTHLY;BYYEARDAY=1", 13), ("FREQ=WEEKLY;BYDAY=MO,1TU", 21), ("FREQ=DAILY;BYDAY=-1TU", 17),
      ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,1TU", 32), ("RSCALE=HEBREW;FREQ=YEARLY", 7), ("FREQ=YEARLY;SKIP=ALL", 17),
      ("FREQ=YEARLY;BYMONTH=5L;RSCALE=HEBREW", 30), ("SKIP=OMIT;FREQ=DAILY;SKIP=OMIT", 21), ("FREQ=DAILY;é=1", 11),
      ("FREQ=DAILY;BYHOUR=\u{0}", 18),
    ])
  func defects(text: String, offset: Int) {
    do throws(RecurrenceRule.Defect) {
      let rule = try RecurrenceRule(text)
      Issue.record("\(text) is \(rule)")
    } catch {
      #expect(error.offset == offset, "\(text): \(error.message)")
      #expect(!error.message.contains("\n"))
    }
  }

  @Test(
    "A defect's message says what would be valid",
    arguments: [
      ("FREQ=DAYLY", #"no frequency "DAYLY"; did you mean DAILY?"#),
      ("FREQ=DAILY;BYDAYS=MO", #"a rule has no part "BYDAYS"; did you mean BYDAY?"#),
      ("FREQ=DAILY;BYHOUR=24", #"BYHOUR has "24"; write numbers from 0 to 23"#),
      ("RRULE:FREQ=DAILY", "leave out RRULE: here; a rule begins with its parts, as FREQ=DAILY"),
      ("FREQ=DAILY;SKIP=BACK", #"SKIP is "BACK"; write OMIT, BACKWARD or FORWARD"#),
      ("FREQ=WEEKLY;BYDAY=2MO", #""2MO": a weekday with a number does not go with FREQ=WEEKLY"#),
      ("FREQ=WEEKLY;BYDAY=MONDAY", #"no weekday "MONDAY"; use MO, TU, WE, TH, FR, SA or SU"#),
    ])
  func messages(text: String, message: String) {
    do throws(RecurrenceRule.Defect) {
      let rule = try RecurrenceRule(text)
      Issue.record("\(text) is \(rule)")
    } catch {
      #expect(error.message == message)
    }
  }

  @Test(
    "If asked for, parts and entries without a value are left out and named; otherwise each is a defect",
    arguments: [
      ("FREQ=MONTHLY;BYMONTHDAY=,24", "FREQ=MONTHLY;BYMONTHDAY=24", ["BYMONTHDAY"]),
      ("FREQ=WEEKLY;BYDAY=MO,,TU", "FREQ=WEEKLY;BYDAY=MO,TU", ["BYDAY"]),
      ("FREQ=WEEKLY;INTERVAL=;COUNT=", "FREQ=WEEKLY", ["INTERVAL", "COUNT"]),
      ("FREQ=DAILY;UNTIL=;COUNT=3", "FREQ=DAILY;COUNT=3", ["UNTIL"]),
      ("BYSECOND=;BYMINUTE=, ,;BYHOUR= ;FREQ=DAILY", "FREQ=DAILY", ["BYSECOND", "BYMINUTE", "BYHOUR"]),
      (
        "FREQ=YEARLY;BYWEEKNO=,;BYYEARDAY=;BYMONTH=,1, ,2,", "FREQ=YEARLY;BYMONTH=1,2",
        ["BYWEEKNO", "BYYEARDAY", "BYMONTH"]
      ),
      ("FREQ=WEEKLY;BYMONTHDAY=;WKST=", "FREQ=WEEKLY", ["BYMONTHDAY", "WKST"]),
      ("FREQ=WEEKLY;BYDAY=;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO", ["BYDAY"]),
      ("FREQ=WEEKLY;BYDAY;COUNT=2", "FREQ=WEEKLY;COUNT=2", ["BYDAY"]),
      // What chooses has nothing left to choose from.
      ("FREQ=MONTHLY;BYDAY=;BYSETPOS=1", "FREQ=MONTHLY", ["BYDAY", "BYSETPOS"]),
      ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=,1", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", ["BYSETPOS"]),
      ("FREQ=DAILY;X-A=", "FREQ=DAILY", []),
    ])
  func emptyEntries(text: String, rule: String, parts: [String]) throws {
    var emptyParts: [String] = []
    #expect(try RecurrenceRule(text, leavingOut: &emptyParts) == RecurrenceRule(rule))
    #expect(emptyParts == parts)
    if !parts.isEmpty { #expect(throws: RecurrenceRule.Defect.self) { try RecurrenceRule(text) } }
  }

  @Test(
    "What is not empty must be right, and a rule needs its frequency",
    arguments: [
      "FREQ=", "FREQ=,", "FREQ", "FREQ=DAILY;BYHOUR=,25", "FREQ=DAILY;COUNT=1;UNTIL=20261231", "FREQ=DAILY;=",
      "FREQ=MONTHLY;BYSETPOS=1",
    ])
  func emptyEntriesOfBadRules(text: String) {
    var emptyParts: [String] = []
    #expect(throws: RecurrenceRule.Defect.self) { try RecurrenceRule(text, leavingOut: &emptyParts) }
  }
}
