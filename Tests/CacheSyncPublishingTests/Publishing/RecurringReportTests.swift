import CacheSyncPublishing
import CacheSyncSystem
import Testing
import TestSupport

@Suite("What comes and goes")
struct RecurringReportTests {
  private let clock = ManualClock()
  private let journal = Journal()
  private let report: RecurringReport

  init() { report = RecurringReport(journal.logger, uptime: clock) }

  private func comeAndGo(_ count: Int) {
    for _ in 0..<count {
      report.begin("x", "x is bad")
      clock.advance(by: .milliseconds(500))
      report.end("x", "x is good")
      clock.advance(by: .milliseconds(500))
    }
  }

  @Test("What comes and goes every second gets two lines, and then one an hour with a count")
  func everySecond() {
    comeAndGo(3600)
    #expect(journal.lines == ["x is bad", "x is good"])
    comeAndGo(3600)
    // By hand: 3,599 times more in the first hour, and once with which the line comes.
    #expect(journal.lines.dropFirst(2) == ["x is bad (3600 more times in the last hour)"])
    comeAndGo(1)
    #expect(journal.lines.count == 4)
  }

  @Test("The hourly line says what is so now, also when nothing changes any more")
  func lastState() {
    comeAndGo(5)
    report.begin("x", "x is bad")
    clock.advance(by: .seconds(3600))
    #expect(journal.lines.count == 2)
    report.remind()
    #expect(journal.lines.last == "x is bad (5 more times in the last hour)")
    // It lasts for another hour, so its end is news.
    clock.advance(by: .seconds(3600))
    report.remind()
    report.end("x", "x is good")
    #expect(journal.lines.count == 4 && journal.lines.last == "x is good")
  }

  @Test("What lasts is repeated every hour, if wanted, with its latest line")
  func lasting() {
    report.begin("x", isRepeated: true, "x is bad")
    report.begin("y", "y is bad")
    report.begin("x", isRepeated: true, "x is worse")
    #expect(journal.lines == ["x is bad", "y is bad"])
    clock.advance(by: .seconds(3600))
    report.remind()
    report.remind()
    #expect(journal.lines == ["x is bad", "y is bad", "x is worse"])
    report.end("x", "x is good")
    report.end("x", "x is good")
    #expect(journal.lines.last == "x is good" && journal.lines.count == 4)
  }

  @Test("What has not changed for an hour is forgotten, and then begins anew")
  func forgotten() {
    comeAndGo(1)
    report.happen("z", "z happened")
    clock.advance(by: .seconds(3600))
    report.remind()
    #expect(report.isEmpty)
    comeAndGo(1)
    report.happen("z", "z happened")
    report.happen("z", "z happened")
    #expect(
      journal.lines == ["x is bad", "x is good", "z happened", "x is bad", "x is good", "z happened"])
  }

  @Test("What comes, goes and stays away is in the end said to be away, also if its end fell between two lines")
  func awayInTheEnd() {
    comeAndGo(2)
    report.begin("x", "x is bad")
    clock.advance(by: .seconds(3600))
    report.end("x", "x is good")
    #expect(journal.lines.last == "x is good (2 more times in the last hour)")
    report.begin("x", "x is bad")
    clock.advance(by: .seconds(3600))
    report.remind()
    report.end("x", "x is good")
    #expect(journal.lines.last == "x is bad (1 more time in the last hour)")
    clock.advance(by: .seconds(3600))
    report.remind()
    #expect(journal.lines.last == "x is good" && journal.lines.count == 5)
  }

  @Test("Every minute: what becomes something else is said at once after a quiet minute, and else when one is over")
  func everyMinute() {
    let report = RecurringReport(journal.logger, uptime: clock, every: .minute)
    report.begin("x", "x is bad")
    clock.advance(by: .seconds(20))
    report.begin("x", isAnother: true, "x is worse")
    report.begin("x", "x is worse still")
    #expect(journal.lines == ["x is bad"] && report.nextLine == clock.now().advanced(by: .seconds(40)))
    clock.advance(by: .seconds(40))
    report.remind()
    #expect(journal.lines.last == "x is worse still (1 more time in the last minute)" && report.nextLine == nil)
    clock.advance(by: .seconds(60))
    report.remind()
    clock.advance(by: .seconds(1))
    report.begin("x", isAnother: true, "x is bad")
    report.end("x", "x is good")
    #expect(journal.lines.dropFirst(2) == ["x is bad", "x is good"] && report.nextLine == nil)
  }

  @Test("A reminder has at most 20 lines")
  func bounded() {
    for number in 100..<150 { report.begin("\(number)", isRepeated: true, isSilent: true, "\(number) is bad") }
    #expect(journal.lines.isEmpty)
    clock.advance(by: .seconds(3600))
    report.remind()
    #expect(journal.lines.count == 21 && journal.lines.last == "and 30 more such lines")
    report.endAll()
    #expect(report.standing("").isEmpty && journal.lines.count == 21)
  }
}
