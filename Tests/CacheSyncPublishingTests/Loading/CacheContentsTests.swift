import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@Suite("Loading")
struct CacheContentsTests {
  let cache: TemporaryCache

  init() throws { cache = try TemporaryCache() }

  static let good = MealPlanFixture.session(id: "good")
  static let better = MealPlanFixture.session(id: "better", updated: "2026-11-20T09:30:00Z")

  func contents() throws -> CacheContents { try OneShot.contents(of: cache.path, environment: cache.laterEnvironment) }

  func shown(_ contents: CacheContents) throws -> (session: String?, state: String, problems: [Problem]) {
    let kind = try #require(FeedRegistry.builtIn.kind(named: "meal-plan"))
    let instant = try #require(Instant("2026-11-21T12:00:00Z"))
    let document = contents.projector.snapshot(of: kind, at: contents.moment(at: instant)).encoded()
    let snapshot = try Snapshot(bytes: document.bytes(generation: 1, publishedAt: instant))
    return (
      snapshot.entries[0].content["session"]?.string, snapshot.entries[0].state.rawValue,
      contents.projector.problems(of: kind, at: contents.moment(at: instant))
    )
  }

  @Test(
    "Unfinished files and names of other kinds are not read",
    arguments: [
      "meal-plan/.hidden.json", "meal-plan/.dir/a.json", "meal-plan/a.json~", "meal-plan/a~/b.json",
      "meal-plan/a.tmp.json",
      "meal-plan/a.part/b.json", "meal-plan/x.swp.json", "meal-plan/x.nosync/y.json", "meal-plan/@eaDir/a.json",
      "meal-plan/a.txt",
      "other/a.json", "session.json", "snapshots/x.json", "meal-plan-cach/a.json",
    ])
  func ignoredNames(name: String) throws {
    try cache.write(name, Self.good)
    let contents = try contents()
    #expect(contents.files.isEmpty && contents.present.isEmpty)
  }

  @Test(
    "Every path that a feed claims is read, at any depth",
    arguments: [
      "latest-session.json", "meal-plan/a.json", "meal-plan-cache/2026/11/week.json", "meal-plan/x.json/y.json",
      "meal-plan/A.JSON", "meal-plan/my.party.json",
    ])
  func claimedNames(name: String) throws {
    try cache.write(name, Self.good)
    #expect(try shown(contents()).session == "good")
  }

  @Test(
    "A calendar makes events present with its first VEVENT and tasks with its first VTODO, in both directories",
    arguments: [
      ("events/a.ics", [String](), ["events"]), ("events/a.ics", ["VEVENT"], ["events"]),
      ("events/a.ics", ["VTODO"], ["tasks"]), ("events/a.ics", ["VEVENT", "VTODO"], ["events", "tasks"]),
      ("tasks/a.ics", [], []), ("tasks/a.ics", ["VEVENT"], ["events"]), ("tasks/a.ics", ["VTODO"], ["tasks"]),
      ("tasks/a.ics", ["VTODO CANCELLED"], ["tasks"]), ("events/a.ics", ["VTODO x"], ["tasks"]),
    ])
  func calendars(path: String, components: [String], present: [String]) throws {
    let parts = components.map { words in
      let words = words.split(separator: " ")
      let more = words.dropFirst().map { $0 == "x" ? "DUE:x\n" : "STATUS:\($0)\n" }.joined()
      return "BEGIN:\(words[0])\nUID:a\nDTSTART:20261121T080000Z\n\(more)END:\(words[0])\n"
    }
    try cache.write(path, "BEGIN:VCALENDAR\n\(parts.joined())END:VCALENDAR\n")
    #expect(try contents().present.map(\.description).sorted() == present)
  }

  @Test("The problems of a calendar show in the kinds of the feed that they concern")
  func calendarProblems() throws {
    try cache.write(
      "events/a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nBEGIN:VTODO\nDUE:x\nEND:VTODO\nEND:VCALENDAR\n")
    try cache.write("tasks/b.ics", "BEGIN:VTODO\n")
    let contents = try contents()
    func problems(_ kind: KindName) throws -> [String] {
      let kind = try #require(FeedRegistry.builtIn.kind(named: kind))
      let moment = contents.moment(at: try #require(Instant("2026-11-21T12:00:00Z")))
      return contents.projector.problems(of: kind, at: moment).map { "\($0.path?.description ?? ""):\($0.pointer)" }
    }
    #expect(try problems("next-event") == ["events/a.ics:/VEVENT/0/DTSTART", "tasks/b.ics:"])
    #expect(try problems("todays-tasks") == ["events/a.ics:/VTODO/0/DUE", "tasks/b.ics:"])
  }

  @Test("The warnings of a valid file are reported again after a restart that reads nothing else of the file")
  func warnings() throws {
    let snack = "{\"day_index\":0,\n \"meal_type\":\"snack\"}"
    try cache.write("meal-plan/a.json", Self.good.replacing(#""plan":["#, with: #""plan":[\#(snack),"#))
    for _ in 0..<2 {
      try cache.sync(clock: cache.laterEnvironment.clock)
      let (session, state, problems) = try shown(contents())
      #expect(session == "good" && state == "current")
      #expect(problems.map(\.severity) == [.warning] && problems.map(\.pointer) == ["/plan/0/meal_type"])
      // The word follows the only newline, a blank and `"meal_type":`.
      #expect(problems.map(\.line) == [2] && problems.map(\.column) == [14])
    }
    try cache.write("meal-plan/a.json", "{ broken")
    #expect(try shown(contents()).problems.map(\.severity) == [.error])
    try cache.write("meal-plan/a.json", Self.good)
    #expect(try shown(contents()).problems == [])
  }

  @Test("If a modification time is in the future, the change time counts, so that a wrong clock hides no intent")
  func wrongClock() throws {
    let now = Instant.now
    try cache.write("tasks/a.json", #"[{"id":1,"title":"T","completed":false,"createdAt":0}]"#)
    // An hour later, so that slow writing of these files does not matter.
    let done = now.advanced(by: .seconds(3_600)).description
    try cache.write("intents/i.json", #"{"id":"i","type":"complete-task","taskId":1,"at":"\#(done)"}"#)
    func count(_ modified: Instant) throws -> JSONValue? {
      let date = Date(timeIntervalSince1970: Double(modified.seconds))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: cache.file("tasks/a.json").path)
      let contents = try contents()
      let kind = try #require(FeedRegistry.builtIn.kind(named: "task-count"))
      let document = contents.projector.snapshot(of: kind, at: contents.moment(at: now.advanced(by: .seconds(7_200))))
        .encoded()
      return try Snapshot(bytes: document.bytes(generation: 1, publishedAt: now)).entries[0].content["count"]
    }
    #expect(try count(now.advanced(by: .seconds(-3_600))) == .integer(0))
    #expect(try count(now.advanced(by: .seconds(5 * 365 * 86_400))) == .integer(0))
  }

  @Test("A file that becomes bad while no agent runs keeps its last good version, and the state is stale")
  func lastGood() throws {
    try cache.write("meal-plan/a.json", Self.good)
    try cache.sync(clock: cache.laterEnvironment.clock)
    try cache.write("meal-plan/a.json", "{ broken")
    let (session, state, problems) = try shown(contents())
    #expect(session == "good" && state == "stale")
    #expect(problems.map { "\($0.line):\($0.column)" } == ["1:3"])
    try cache.sync(clock: cache.laterEnvironment.clock)
    #expect(try cache.text("snapshots/meal-plan.json").contains(#""state":"stale""#))
    // The same in another run, until a valid version arrives.
    try cache.sync(clock: cache.laterEnvironment.clock)
    #expect(try shown(contents()).session == "good")
    try cache.write("meal-plan/a.json", Self.better)
    try cache.sync(clock: cache.laterEnvironment.clock)
    let after = try shown(contents())
    #expect(after.session == "better" && after.state == "current" && after.problems.isEmpty)
  }

  @Test("Deleting a file withdraws its last good version, even if another file with its name comes later")
  func withdrawn() throws {
    try cache.write("meal-plan/a.json", Self.good)
    try cache.sync(clock: cache.laterEnvironment.clock)
    try cache.remove("meal-plan/a.json")
    try cache.sync(clock: cache.laterEnvironment.clock)
    #expect(try shown(contents()).state == "empty")
    try cache.write("meal-plan/a.json", "[]")
    try cache.sync(clock: cache.laterEnvironment.clock)
    let (session, state, problems) = try shown(contents())
    #expect(session == nil && state == "empty" && problems.count == 1)
  }

  @Test("A log that is damaged at any offset is tolerated", arguments: [0, 5, 25, 40, 200])
  func damagedLog(offset: Int) throws {
    try cache.write("meal-plan/a.json", Self.good)
    try cache.sync()
    let file = cache.file(".cachesync/sessions")
    var bytes = try Data(contentsOf: file)
    bytes[min(offset, bytes.count - 1)] ^= 0x55
    try bytes.write(to: file)
    #expect(try shown(contents()).session == "good")
    try cache.sync()
    #expect(try shown(contents()).session == "good")
  }

  @Test("A link inside the cache is followed, and a link that leaves the cache is refused")
  func links() throws {
    let elsewhere = try TemporaryCache()
    let outside = try elsewhere.write("outside.json", Self.better)
    try cache.write("store/real.json", Self.good)
    try FileManager.default.createDirectory(at: cache.file("meal-plan"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: cache.file("meal-plan/in.json").path, withDestinationPath: "../store/real.json")
    #expect(try shown(contents()).session == "good")
    try FileManager.default.createSymbolicLink(at: cache.file("meal-plan/out.json"), withDestinationURL: outside)
    try FileManager.default.createSymbolicLink(
      atPath: cache.file("meal-plan/gone.json").path, withDestinationPath: "nowhere")
    try FileManager.default.createSymbolicLink(
      atPath: cache.file("meal-plan/loop.json").path, withDestinationPath: "loop.json")
    let contents = try contents()
    let shown = try shown(contents)
    #expect(shown.session == "good")
    // A link that leaves the cache belongs to no kind, so only status reports it.
    #expect(shown.problems.map(\.path?.description) == ["meal-plan/gone.json", "meal-plan/loop.json"])
    #expect(contents.files.rejections[CachePath("meal-plan/out.json")] != nil)
  }

  @Test("A FIFO is a problem, is never opened, and does not make its feed present")
  func fifo() throws {
    try FileManager.default.createDirectory(at: cache.file("meal-plan"), withIntermediateDirectories: true)
    #expect(mkfifo(cache.file("meal-plan/pipe.json").path, 0o644) == 0)
    let contents = try contents()
    #expect(contents.present.isEmpty)
    #expect(
      contents.files.rejections[CachePath("meal-plan/pipe.json")]?.note.problem.message.contains("FIFO") == true)
  }

  @Test("A file may be exactly as large as the limit", arguments: [(0, true), (-1, false)])
  func sizeLimit(slack: Int, isRead: Bool) throws {
    try cache.write("meal-plan/a.json", Self.good)
    try cache.write("cachesync.json", #"{"maximumFileBytes":\#(Self.good.utf8.count + slack)}"#)
    let shown = try shown(contents())
    #expect((shown.session == "good") == isRead)
    #expect(shown.problems.isEmpty == isRead)
  }

  @Test(
    "An invalid setting is reported with its key and place",
    arguments: [
      (#"{"TIMEZONE":"UTC"}"#, "unknown key 'TIMEZONE': did you mean 'timeZone'?"),
      (#"{"timeZone":"Mars/Base"}"#, "IANA"),
      (#"{"firstWeekday":"someday"}"#, "weekday"), (#"{"locale":"ar"}"#, "ja, ko, zh-Hans, zh-Hant"),
      (#"{"locale":"zh-Latn"}"#, "one of en, en-US"), (#"{"locale":7}"#, "one of en"),
      (#"{"hourCycle":13}"#, "12 or 24"), (#"{"hourCycle":"24"}"#, "whole number"),
      (#"{"staleAfter":"1 day"}"#, "duration"),
      (#"{"durability":"never"}"#, "flush"), (#"{"maximumFileBytes":0}"#, "maximumFileBytes"), ("[]", "object"),
    ])
  func wrongSettings(text: String, expected: String) throws {
    try cache.write("cachesync.json", text)
    let error = #expect(throws: CacheError.self) { try contents() }
    #expect(error?.status == .configuration)
    #expect(error?.description.contains("cachesync.json:1:") == true)
    if expected != "maximumFileBytes" { #expect(error?.description.contains(expected) == true) }
  }

  @Test(
    "A language changes the weeks that people see, and no sum",
    arguments: [
      (#"{"locale":"pt-BR"}"#, Weekday.sunday, Weekday.monday), (#"{"locale":"de"}"#, .monday, .monday),
      (#"{"locale":"pt-BR","firstWeekday":"monday"}"#, .monday, .monday),
      (#"{"locale":"de","firstWeekday":"saturday"}"#, .saturday, .saturday),
    ])
  func weeks(settings: String, seen: Weekday, summed: Weekday) throws {
    try cache.write("cachesync.json", settings)
    let moment = try contents().moment(at: .referenceDate)
    #expect(moment.shownFirstWeekday == seen && moment.firstWeekday == summed)
  }

  @Test("Settings take effect: the zone as written, the first weekday, and the command line overrides them")
  func settings() throws {
    try cache.write(
      "cachesync.json",
      #"{"timeZone":"GMT+03:37","firstWeekday":"sunday","staleAfter":"P1DT12H","locale":"de-AT","hourCycle":12}"#)
    let contents = try contents()
    #expect(contents.calendar.rules.name == "GMT+03:37")
    let moment = contents.moment(at: .referenceDate)
    #expect(moment.firstWeekday == .sunday && moment.shownFirstWeekday == .sunday)
    #expect(moment.locale == CacheLocale("de", hourCycle: .hours12))
    #expect(contents.settings.staleAfter == .seconds(36 * 3600))
    var environment = cache.environment
    environment.overrides.timeZone = "Asia/Kolkata"
    #expect(try OneShot.contents(of: cache.path, environment: environment).calendar.rules.name == "Asia/Kolkata")
  }
}
