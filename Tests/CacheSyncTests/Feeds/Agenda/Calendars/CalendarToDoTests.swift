import CacheSync
import CacheSyncSystem
import Testing

/// Tasks of calendars (feeds.md). The expected values are read off the table there.
@Suite("To-dos of calendars")
struct CalendarToDoTests {
  private static let now = "2026-11-25T12:00:00Z"

  private static func calendar(_ toDos: [String]) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\n" + toDos.joined() + "END:VCALENDAR\n"
  }

  private static func toDo(_ lines: String...) -> String {
    "BEGIN:VTODO\n" + lines.map { $0 + "\n" }.joined() + "END:VTODO\n"
  }

  private func harness(_ toDos: String..., at path: String = "tasks/home.ics", zone: String = "UTC") throws
    -> FeedHarness
  {
    let harness = try FeedHarness(zone: zone)
    #expect(try harness.put(path, Self.calendar(toDos)).isEmpty)
    return harness
  }

  /// The ids of the tasks that are due at a moment.
  private func due(_ harness: FeedHarness, at moment: String = now) throws -> [String] {
    try harness.content("todays-tasks", at: moment)["tasks"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  private func tasks(_ toDos: String...) throws -> [TasksSession.Item] {
    let calendar = CivilCalendar(.utc)
    let modified = try #require(Instant("2026-11-24T10:00:00Z"))
    return try file(Self.calendar(toDos)).toDos.map { $0.task(calendar, modified: modified) }
  }

  private func file(_ text: String) throws -> CalendarFile {
    try Array(text.utf8).withUnsafeBufferPointer {
      try CalendarFile.read($0, path: CachePath("tasks/a.ics"), zones: CalendarZones(FeedRegistry.builtInZones))
    }
  }

  @Test("Every property gives its field of a task")
  func fields() throws {
    let task = try #require(
      tasks(
        Self.toDo(
          "UID:milk", "SUMMARY:Milk\\, and", " eggs", "DESCRIPTION:Two\\nlitres", "DUE;VALUE=DATE:20261125",
          "CREATED:20261120T080000Z", "CATEGORIES:Shop,Food\\, fresh,,shop", "CATEGORIES:Food\\, fresh, ")
      ).first)
    #expect(task.id == "milk")
    #expect(task.title == "Milk, andeggs")
    #expect(task.dueDate == DayReference("2026-11-25"))
    #expect(task.createdAt == Instant("2026-11-20T08:00:00Z"))
    #expect(task.labels?.map(\.name) == ["Shop", "Food, fresh", "shop"])
    #expect(!task.completed && task.completedAt == nil)
  }

  /// In the forms of those programs' own exports, shortened.
  @Test(
    "What clients write is read without a warning",
    arguments: [
      (
        "Nextcloud Tasks",
        """
        CREATED:20261120T101500
        DTSTAMP:20261121T080000
        LAST-MODIFIED:20261121T080000
        STATUS:IN-PROCESS
        PERCENT-COMPLETE:40
        PRIORITY:5
        DUE;TZID=Europe/Berlin:20261125T180000
        RELATED-TO:parent
        X-APPLE-SORT-ORDER:3
        """, "2026-11-25T17:00:00Z", false
      ),
      (
        "tasks.org",
        """
        DTSTAMP:20261121T080000Z
        PRIORITY:9
        DUE;VALUE=DATE:20261125
        DTSTART;VALUE=DATE:20261125
        RRULE:FREQ=WEEKLY;INTERVAL=1
        STATUS:NEEDS-ACTION
        CATEGORIES:Home
        BEGIN:VALARM
        TRIGGER;RELATED=END:PT0S
        ACTION:DISPLAY
        DESCRIPTION:Default Tasks.org description
        END:VALARM
        """, "2026-11-25", false
      ),
      (
        "Thunderbird",
        """
        DTSTAMP:20261121T080000Z
        COMPLETED:20261121T080000Z
        PERCENT-COMPLETE:100
        STATUS:COMPLETED
        DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20261124T090000
        DUE;TZID=Europe/Berlin:20261125T180000
        X-MOZ-GENERATION:2
        """, "2026-11-25T17:00:00Z", true
      ),
      (
        "Evolution",
        """
        DTSTAMP:20261121T080000Z
        DUE;VALUE=DATE:20261125
        SEQUENCE:3
        CLASS:PUBLIC
        PERCENT-COMPLETE:0
        URL:
        """, "2026-11-25", false
      ),
      (
        "Vikunja",
        """
        DTSTAMP:20261121T080000Z
        SUMMARY;LANGUAGE=en:Ignored
        DUE:20261125T170000Z
        COMPLETED:20261121T080000Z
        STATUS:COMPLETED
        CREATED:20261120T101500Z
        PRIORITY:1
        """, "2026-11-25T17:00:00Z", true
      ),
    ])
  func clients(name: String, lines: String, due: String, isCompleted: Bool) throws {
    let toDo = try file(Self.calendar([Self.toDo("UID:1", "SUMMARY:Title", lines)]))
    #expect(toDo.problems.isEmpty, "\(name)")
    let modified = try #require(Instant("2026-11-24T10:00:00Z"))
    let tasks = toDo.toDos.map { $0.task(CivilCalendar(.utc), modified: modified) }
    #expect(tasks.map(\.title) == ["Title"], "\(name)")
    #expect(tasks.map(\.dueDate) == [DayReference(due)], "\(name)")
    #expect(tasks.map(\.completed) == [isCompleted], "\(name)")
  }

  @Test("What is missing has its stand-in")
  func standIns() throws {
    let bare = try #require(tasks(Self.toDo("SUMMARY:")).first)
    #expect(bare.id == "tasks/a.ics:0")
    #expect(bare.title == "Untitled")
    #expect(bare.dueDate == nil)
    #expect(bare.createdAt == Instant("2026-11-24T10:00:00Z"))
    let old = try #require(tasks(Self.toDo("UID:a", "CREATED:16010101T000000Z", "DTSTAMP:20261101T000000Z")).first)
    // A date before 1970 counts as absent, so DTSTAMP counts.
    #expect(old.createdAt == Instant("2026-11-01T00:00:00Z"))
  }

  @Test(
    "STATUS decides whether a to-do is completed; without it COMPLETED or 100 per cent do",
    arguments: [
      (["STATUS:COMPLETED"], true), (["STATUS:NEEDS-ACTION", "COMPLETED:20261125T080000Z"], false),
      (["STATUS:IN-PROCESS", "PERCENT-COMPLETE:100"], false), (["COMPLETED:20261125T080000Z"], true),
      (["COMPLETED:16010101T000000Z"], false), (["PERCENT-COMPLETE:100"], true), (["PERCENT-COMPLETE:99"], false),
      (["PERCENT-COMPLETE:all", "STATUS:NEEDS-ACTION"], false), ([], false),
    ])
  func completed(lines: [String], isCompleted: Bool) throws {
    let text = "BEGIN:VTODO\nUID:a\n" + lines.map { $0 + "\n" }.joined() + "END:VTODO\n"
    #expect(try tasks(text).map(\.completed) == [isCompleted])
  }

  @Test("A cancelled to-do is left out, and a completed one counts on its day")
  func done() throws {
    let harness = try harness(
      Self.toDo("UID:a", "STATUS:CANCELLED"), Self.toDo("UID:b", "STATUS:COMPLETED", "COMPLETED:20261125T080000Z"),
      Self.toDo("UID:c", "STATUS:COMPLETED", "LAST-MODIFIED:20261125T090000Z"),
      Self.toDo("UID:d", "STATUS:COMPLETED", "LAST-MODIFIED:20261124T090000Z"))
    #expect(try due(harness).isEmpty)
    #expect(try harness.content("completed-today", at: Self.now)["count"]?.int == 2)
  }

  @Test(
    "DUE counts, or else DTSTART and DURATION",
    arguments: [
      (["DUE:20261125T170000Z", "DTSTART:20261101T000000Z", "DURATION:P1D"], "2026-11-25T17:00:00Z"),
      (["DTSTART;VALUE=DATE:20261125", "DURATION:P1D"], "2026-11-25"),
      (["DTSTART;VALUE=DATE:20261125", "DURATION:P3D"], "2026-11-27"),
      (["DTSTART:20261125T170000Z", "DURATION:PT90M"], "2026-11-25T18:30:00Z"),
      (["DTSTART:20261125T170000Z"], nil), (["DURATION:P1D"], nil),
    ])
  func dueDate(lines: [String], due: String?) throws {
    let text = "BEGIN:VTODO\nUID:a\n" + lines.map { $0 + "\n" }.joined() + "END:VTODO\n"
    #expect(try tasks(text).map(\.dueDate) == [due.flatMap { DayReference($0) }])
  }

  @Test("A to-do is not due before the local day of DTSTART, whatever its DUE")
  func start() throws {
    let harness = try harness(
      Self.toDo("UID:later", "DTSTART;VALUE=DATE:20261127"),
      Self.toDo("UID:late", "DTSTART;VALUE=DATE:20261127", "DUE;VALUE=DATE:20261125"),
      Self.toDo("UID:always"))
    #expect(try due(harness) == ["always"])
    #expect(try due(harness, at: "2026-11-27T00:00:00Z") == ["late", "always", "later"])
    #expect(try due(harness, at: "2026-11-28T12:00:00Z") == ["always", "later"])
    try harness.expectConsistent("todays-tasks", at: Self.now)
  }

  @Test("Floating times are the cache's, also after its zone changes")
  func floating() throws {
    var harness = try harness(
      Self.toDo("UID:a", "DUE:20261125T233000"), "X-WR-TIMEZONE:Asia/Tokyo\n", zone: "America/New_York")
    #expect(try due(harness, at: "2026-11-26T03:00:00Z") == ["a"])
    harness.calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Asia/Tokyo"))
    harness.feeds.rebuild(in: harness.calendar)
    #expect(try due(harness, at: "2026-11-25T14:00:00Z") == ["a"])
    #expect(try due(harness, at: "2026-11-25T16:00:00Z").isEmpty)
  }

  @Test("Of a repeating to-do the first occurrence shows that no override completes or cancels")
  func series() throws {
    let master = Self.toDo(
      "UID:bins", "SUMMARY:Bins", "DTSTART;VALUE=DATE:20261111", "DUE;VALUE=DATE:20261111", "RRULE:FREQ=WEEKLY")
    let first = Self.toDo(
      "UID:bins", "RECURRENCE-ID;VALUE=DATE:20261111", "STATUS:COMPLETED", "COMPLETED:20261111T090000Z")
    let second = Self.toDo("UID:bins", "RECURRENCE-ID;VALUE=DATE:20261118", "STATUS:CANCELLED")
    let third = Self.toDo(
      "UID:bins", "SUMMARY:Bins, moved", "RECURRENCE-ID;VALUE=DATE:20261125", "DUE;VALUE=DATE:20261126")
    #expect(try tasks(master).map(\.dueDate) == [DayReference("2026-11-11")])
    #expect(try tasks(master, first, second).map(\.id) == ["bins#20261111", "bins"])
    #expect(try tasks(master, first, second).last?.dueDate == DayReference("2026-11-25"))
    // An override shows in its occurrence's place, and that of a later occurrence waits.
    #expect(try tasks(first, second, third, master).map(\.title) == ["Untitled", "Bins, moved"])
    #expect(try tasks(master, first, third).map(\.dueDate) == [nil, DayReference("2026-11-18")])
  }

  @Test("A to-do of whole days repeats without the times of day of its rule, and each occurrence is one")
  func seriesOfDays() throws {
    let master = Self.toDo(
      "UID:bins", "SUMMARY:Bins", "DUE;VALUE=DATE:20261130", "RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=9,17;COUNT=2")
    func done(_ days: String...) -> String {
      days.map { Self.toDo("UID:bins", "RECURRENCE-ID;VALUE=DATE:\($0)", "STATUS:COMPLETED") }.joined()
    }
    #expect(try tasks(master).last?.dueDate == DayReference("2026-11-30"))
    #expect(try tasks(master, done("20261130")).last?.dueDate == DayReference("2026-12-07"))
    #expect(try tasks(master, done("20261130", "20261207")).allSatisfy(\.completed))
  }

  @Test("A series of which every occurrence is done, or whose to-do is completed, has nothing due")
  func seriesDone() throws {
    let master = Self.toDo("UID:a", "DUE:20261125T080000Z", "RRULE:FREQ=DAILY;COUNT=1")
    #expect(try tasks(master, Self.toDo("UID:a", "RECURRENCE-ID:20261125T080000Z", "STATUS:CANCELLED")).isEmpty)
    #expect(
      try tasks(Self.toDo("UID:a", "DUE:20261125T080000Z", "RRULE:FREQ=DAILY", "STATUS:COMPLETED")).map(\.completed)
        == [true])
  }

  @Test("A rule that gives no occurrence ends the search, and one that takes too long leaves the to-do out")
  func endless() throws {
    let first = Self.toDo("UID:a", "RECURRENCE-ID:20261125T080000Z", "STATUS:COMPLETED", "COMPLETED:20261125T080000Z")
    func read(_ rule: String) throws -> CalendarFile {
      try file(Self.calendar([Self.toDo("UID:a", "DTSTART:20261125T080000Z", "RRULE:\(rule)"), first]))
    }
    let never = try read("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    #expect(never.toDos.map(\.id) == ["a#20261125T080000Z"])
    #expect(never.problems.isEmpty)
    let long = try read("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")
    #expect(long.toDos.isEmpty)
    #expect(long.problems.map(\.message) == ["the series takes more than 100000 steps: the to-do is left out"])
  }

  @Test("Fifty thousand to-dos, or changes of one, take linear time, and more are left out with one warning")
  func many() throws {
    let master = Self.toDo("UID:a", "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY")
    let start = CalendarMoment(WallTime(try #require(LocalDay("2026-01-01"))), in: .utc)
    let changes = (0..<20_000).map { hour in
      Self.toDo(
        "UID:a", "RECURRENCE-ID:\(start.advanced(days: 0, seconds: hour * 3_600).digits)", "STATUS:CANCELLED")
    }
    let next = start.advanced(days: 0, seconds: 20_000 * 3_600)
    let tasks = try file(Self.calendar([master] + changes)).toDos
    #expect(tasks.map(\.start) == [next])
    let file = try file(Self.calendar((0...50_001).map { Self.toDo("UID:\($0)") }))
    #expect(file.toDos.count == 50_000)
    #expect(file.problems.map(\.pointer) == ["/VTODO/50000"])
  }

  @Test("Many labels, different warnings and dates of one file take linear time")
  func large() throws {
    let words = (0..<50_000).map { "c\($0)" }
    let labelled = try #require(tasks(Self.toDo("UID:a", "CATEGORIES:\(words.joined(separator: ",")),c1,C1")).first)
    #expect(labelled.labels?.map(\.name) == words + ["C1"])
    let lines = (0..<50_000).map { "EXDATE;VALUE=X\($0):20261201T100000Z\n" }.joined()
    let warned = try file("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\n\(lines)END:VTODO\nEND:VCALENDAR\n")
    // 1,000 are kept, and the others counted.
    #expect(warned.problems.count == 1_000)
    #expect(warned.warnings.last?.message == "49980 more warnings")
    #expect(warned.warnings.count == 21)
    let first = try #require(Instant("2026-11-01T00:00:00Z"))
    let harness = try FeedHarness()
    try harness.put(
      "tasks/a.ics",
      Self.calendar(
        (0..<50_000).map { number in
          let written = (first + .seconds(number)).description.filter { $0 != "-" && $0 != ":" }
          return Self.toDo("UID:\(number)", "LAST-MODIFIED:\(written)")
        }))
    #expect(try harness.content("todays-tasks", at: Self.now)["count"]?.int == 50_000)
  }

  @Test("A date in UTC moves with its series' wall clock when clocks change")
  func clockChange() throws {
    // 23:59 in Berlin is 22:59 in UTC before 29 March 2026, and 21:59 after.
    let master = Self.toDo(
      "UID:a", "DTSTART;TZID=Europe/Berlin:20260323T090000", "DUE:20260323T225900Z", "RRULE:FREQ=WEEKLY")
    let done = Self.toDo("UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260323T090000", "STATUS:CANCELLED")
    #expect(try tasks(master).map(\.dueDate) == [DayReference("2026-03-23T22:59:00Z")])
    #expect(try tasks(master, done).map(\.dueDate) == [DayReference("2026-03-30T21:59:00Z")])
  }

  @Test(
    "What a to-do does not need may be broken",
    arguments: [
      ["SEQUENCE:1.0"], ["DURATION:x", "DUE:20261125T080000Z"], ["DURATION:-P1D"],
      ["STATUS:NEEDS-ACTION", "COMPLETED:x"],
      ["STATUS:NEEDS-ACTION", "COMPLETED"], ["COMPLETED:20261125T080000Z", "PERCENT-COMPLETE:x"], ["EXDATE:x"],
      ["STATUS:COMPLETED", "COMPLETED:20261125T080000Z", "RRULE:x"],
    ])
  func unneeded(lines: [String]) throws {
    let text = "BEGIN:VTODO\nUID:a\n" + lines.map { $0 + "\n" }.joined() + "END:VTODO\n"
    let file = try file(Self.calendar([text]))
    #expect(file.toDos.count == 1)
    #expect(file.problems.isEmpty)
    let cancelled = try self.file(Self.calendar([text.replacing("UID:a", with: "UID:a\nSTATUS:CANCELLED")]))
    #expect(cancelled.problems.isEmpty)
  }

  @Test(
    "A to-do that is neither completed nor cancelled needs its rule",
    arguments: [["RRULE:x"], ["DUE:20261125T080000Z", "RRULE:FREQ=DAILY;BYHOUR=25"]])
  func needed(lines: [String]) throws {
    let file = try file(Self.calendar([Self.toDo((["UID:a"] + lines).joined(separator: "\n"))]))
    #expect(file.toDos.isEmpty)
    #expect(file.problems.map(\.pointer) == ["/VTODO/0/RRULE"])
  }

  @Test("An override without a title has its series', and blanks are no title")
  func titles() throws {
    let master = Self.toDo("UID:a", "SUMMARY:Bins", "DUE;VALUE=DATE:20261111", "RRULE:FREQ=WEEKLY")
    #expect(try tasks(master, Self.toDo("UID:a", "RECURRENCE-ID;VALUE=DATE:20261111")).map(\.title) == ["Bins"])
    #expect(try tasks(Self.toDo("UID:a", "SUMMARY:  ")).map(\.title) == ["Untitled"])
    #expect(try tasks(Self.toDo("UID:a", "STATUS:", "COMPLETED:20261125T080000Z")).map(\.completed) == [true])
  }

  @Test("Warnings about to-dos do not hide those about events, and a zone's name concerns events alone")
  func manyWarnings() throws {
    let bad = (0..<25).map { Self.toDo("UID:\($0)", "DUE:x") }
    let file = try file(Self.calendar(["X-WR-TIMEZONE:Mars/Base\n"] + bad + ["BEGIN:VEVENT\nUID:e\nEND:VEVENT\n"]))
    #expect(file.warnings.filter { $0.scope == TasksFeed.name }.last?.message == "5 more warnings")
    #expect(file.warnings.filter { $0.scope == EventsFeed.name }.count == 2)
    #expect(file.warnings.count == 23)
  }

  @Test("A budget that the file's to-dos use up together is named as such")
  func budget() throws {
    let long = (0..<12).flatMap { number in
      [
        Self.toDo("UID:\(number)", "DTSTART:20261125T080000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"),
        Self.toDo("UID:\(number)", "RECURRENCE-ID:20261125T080000Z", "STATUS:CANCELLED"),
      ]
    }
    let messages = try file(Self.calendar(long)).problems.map(\.message)
    #expect(messages.first == "the series takes more than 100000 steps: the to-do is left out")
    #expect(
      messages.last == "the rules of the file's to-dos take more than 1000000 steps: the to-do is left out")
  }

  @Test("Of one UID twice the later LAST-MODIFIED counts, with a warning")
  func twice() throws {
    let old = Self.toDo("UID:a", "SUMMARY:Old", "LAST-MODIFIED:20261101T000000Z")
    let new = Self.toDo("UID:a", "SUMMARY:New", "LAST-MODIFIED:20261102T000000Z")
    for toDos in [[old, new], [new, old]] {
      let file = try file(Self.calendar(toDos))
      #expect(file.toDos.map(\.title) == ["New"])
      #expect(file.problems.map(\.pointer) == ["/VTODO/1"])
    }
  }

  @Test("What cannot be read is left out alone, with a warning at its place, and the others count")
  func bad() throws {
    let file = try file(
      Self.calendar([
        "BEGIN:VEVENT\nUID:e\nDTSTART:20261125T080000Z\nEND:VEVENT\n",
        Self.toDo("UID:a", "DUE:tomorrow"), Self.toDo("UID:b", "RRULE:FREQ=NEVER"),
        Self.toDo("UID:c", "PERCENT-COMPLETE:x"),
        Self.toDo("UID:d", "CREATED:x", "LAST-MODIFIED:x", "DTSTAMP:x", "GEO:x", "DTEND:x", "LOCATION"),
        "BEGIN:VTODO\nUID:f\n",
      ]))
    #expect(file.toDos.map(\.id) == ["a", "c", "d"])
    #expect(
      file.problems.map(\.pointer) == [
        "/VTODO/0/DUE", "/VTODO/1/RRULE", "/VTODO/2/PERCENT-COMPLETE", "/VTODO/3/CREATED", "/VTODO/3/LAST-MODIFIED",
        "/VTODO/3/DTSTAMP", "/VTODO/4",
      ])
    #expect(file.series.map(\.id) == ["e"])
    #expect(file.warnings.map(\.scope) == Array(repeating: TasksFeed.name, count: 7))
  }

  @Test("A calendar gives events and tasks, in whichever directory it is", arguments: ["events/a.ics", "tasks/a.ics"])
  func both(path: String) throws {
    let harness = try harness(
      Self.toDo("UID:t"), "BEGIN:VEVENT\nUID:e\nSUMMARY:E\nDTSTART:20261125T180000Z\nEND:VEVENT\n", at: path)
    #expect(try due(harness) == ["t"])
    #expect(try harness.content("next-event", at: Self.now)["event"]?["title"]?.string == "E")
    // The next version has neither.
    try harness.put(path, Self.calendar([]))
    #expect(try harness.state("todays-tasks", at: Self.now) == "empty")
    #expect(try harness.content("next-event", at: Self.now)["event"] == .null)
    harness.remove(path)
  }

  @Test("A task's calendar is a source of its kinds, and a calendar without to-dos is not")
  func sources() throws {
    let harness = try harness(Self.toDo("UID:t"))
    try harness.put("events/b.ics", Self.calendar(["BEGIN:VEVENT\nUID:e\nDTSTART:20261125T180000Z\nEND:VEVENT\n"]))
    #expect(try harness.timeline("todays-tasks", at: Self.now).sources.named.map(\.description) == ["tasks/home.ics"])
  }

  @Test("To-dos of one UID merge by LAST-MODIFIED, or else by the file's date; an app's task stays beside them")
  func merged() throws {
    let harness = try harness(Self.toDo("UID:a", "SUMMARY:Calendar", "LAST-MODIFIED:20261120T000000Z"))
    func title() throws -> String? {
      try harness.content("todays-tasks", at: Self.now)["tasks"]?.array?.first?["title"]?.string
    }
    try harness.put(
      "tasks/other.ics", Self.calendar([Self.toDo("UID:a", "SUMMARY:Other", "LAST-MODIFIED:20261119T000000Z")]))
    #expect(try title() == "Calendar")
    try harness.put(
      "tasks/home.ics", Self.calendar([Self.toDo("UID:a", "SUMMARY:Calendar")]), modified: "2026-11-18T00:00:00Z")
    #expect(try title() == "Other")
    try harness.put(
      "tasks/app.json",
      #"{"tasks": [{"id": "a", "title": "App", "completed": false, "createdAt": "2026-11-01T00:00:00Z"}], "lastUpdate": "2026-11-29T00:00:00Z"}"#
    )
    #expect(try title() == "App")
    #expect(try harness.content("todays-tasks", at: Self.now)["count"]?.int == 2)
  }

  @Test("An intent that completes a to-do ends by a newer version of its UID alone")
  func intents() throws {
    let harness = try harness(
      Self.toDo("UID:a", "LAST-MODIFIED:20261120T000000Z"), Self.toDo("UID:b", "LAST-MODIFIED:20261120T000000Z"))
    func intent(_ name: String, _ rest: String) throws {
      try harness.put("intents/\(name).json", #"{"id": "\#(name)", "at": "2026-11-25T10:00:00Z", \#(rest)}"#)
    }
    try intent("1", #""type": "complete-task", "taskId": "a""#)
    try intent("2", #""type": "add-task", "title": "New""#)
    #expect(try due(harness) == ["intent:2", "b"])
    #expect(try harness.content("completed-today", at: Self.now)["count"]?.int == 1)
    // Another to-do is edited after the intents, and another calendar is.
    try harness.put(
      "tasks/home.ics",
      Self.calendar([
        Self.toDo("UID:a", "LAST-MODIFIED:20261120T000000Z"), Self.toDo("UID:b", "LAST-MODIFIED:20261125T110000Z"),
      ]), modified: "2026-11-25T11:00:00Z")
    #expect(try due(harness) == ["intent:2", "b"])
    // An app's file includes the intent that adds a task, but not the one on the calendar's.
    try harness.put("tasks/app.json", #"{"tasks": [], "lastUpdate": "2026-11-25T11:00:00Z"}"#)
    #expect(try due(harness) == ["b"])
    // The client has written the to-do anew, and it is open.
    try harness.put(
      "tasks/home.ics", Self.calendar([Self.toDo("UID:a", "LAST-MODIFIED:20261125T113000Z")]))
    #expect(try due(harness) == ["a"])
    try harness.expectConsistent("todays-tasks", at: Self.now)
  }

  /// What clients write when a task of a series is done elsewhere, or when its people change their minds.
  @Test(
    "An intent on a to-do ends when any VTODO of its UID is written anew",
    arguments: [
      ("an override completes the occurrence", "STATUS:COMPLETED", "daily", ["daily"]),
      ("an override cancels it", "STATUS:CANCELLED", "daily", ["daily"]),
      ("an override of a later day waits", "RECURRENCE-ID:20261127T090000Z", "daily", ["daily"]),
      ("the occurrence has an override", "STATUS:COMPLETED", "daily#20261125T090000Z", ["daily"]),
    ])
  func intentsOfSeries(change: String, line: String, id: String, expected: [String]) throws {
    let series = ["UID:daily", "DUE:20261125T090000Z", "RRULE:FREQ=DAILY"]
    let old = "LAST-MODIFIED:20261120T000000Z"
    func toDo(_ lines: [String]) -> String { "BEGIN:VTODO\n" + lines.joined(separator: "\n") + "\nEND:VTODO\n" }
    let master = toDo(series + [old])
    let first = toDo(["UID:daily", "RECURRENCE-ID:20261125T090000Z", "DUE:20261125T100000Z", old])
    let harness = try FeedHarness(zone: "UTC")
    try harness.put("tasks/home.ics", Self.calendar(id == "daily" ? [master] : [master, first]))
    try harness.put(
      "intents/1.json",
      #"{"id": "1", "at": "2026-11-25T11:00:00Z", "type": "complete-task", "taskId": "\#(id)"}"#)
    #expect(try due(harness).isEmpty)
    let place = line.hasPrefix("RECURRENCE") ? [] : ["RECURRENCE-ID:20261125T090000Z"]
    let new = toDo(["UID:daily", "LAST-MODIFIED:20261125T113000Z", line] + place)
    try harness.put("tasks/home.ics", Self.calendar([master, new]))
    let next = line.hasPrefix("STATUS") ? "2026-11-26T12:00:00Z" : Self.now
    #expect(try due(harness, at: next) == expected, "\(change)")
    let intents = try #require(harness.feeds[IntentsFeed.self])
    #expect(intents.currentProblems(at: try harness.moment(Self.now), feeds: harness.feeds).isEmpty)
    try harness.expectConsistent("todays-tasks", at: next)
  }

  @Test("An intent on a to-do that is cancelled or completed by then is not a problem")
  func intentsOfDone() throws {
    for status in ["CANCELLED", "COMPLETED"] {
      let harness = try harness(Self.toDo("UID:a", "LAST-MODIFIED:20261125T110000Z", "STATUS:\(status)"))
      try harness.put(
        "intents/1.json", #"{"id": "1", "at": "2026-11-25T10:00:00Z", "type": "complete-task", "taskId": "a"}"#)
      let intents = try #require(harness.feeds[IntentsFeed.self])
      #expect(intents.currentProblems(at: try harness.moment(Self.now), feeds: harness.feeds).isEmpty, "\(status)")
    }
  }

  /// (what it is, the VTODOs' lines, the ids and titles that show on 2026-11-25)
  @Test(
    "A task that is open is never lost",
    arguments: [
      ("DUE after UNTIL", [["UID:a", "DUE:20261125T090000Z", "RRULE:FREQ=DAILY;UNTIL=20261124T090000Z"]], ["a"]),
      (
        "a change of an undated to-do",
        [["UID:a"], ["UID:a", "RECURRENCE-ID:20261125T090000Z", "DUE:20261125T100000Z"]],
        ["a#20261125T090000Z", "a"]
      ),
      (
        "a change of an occurrence that the rule no longer gives",
        [
          ["UID:a", "DUE:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=1"],
          ["UID:a", "RECURRENCE-ID:20261124T080000Z", "STATUS:COMPLETED"],
          ["UID:a", "RECURRENCE-ID:20261125T090000Z", "DUE:20261125T100000Z"],
        ], ["a#20261125T090000Z"]
      ),
      (
        "a zone in the change of a series without one",
        [
          ["UID:a", "DUE:20261124T090000", "RRULE:FREQ=DAILY"],
          ["UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000", "STATUS:COMPLETED"],
        ], ["a"]
      ),
      (
        "a zone in the exception of a series without one",
        [["UID:a", "DUE:20261124T090000", "RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20261124T090000"]], ["a"]
      ),
    ])
  func neverLost(what: String, toDos: [[String]], expected: [String]) throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    let text = toDos.map { "BEGIN:VTODO\n" + $0.joined(separator: "\n") + "\nEND:VTODO\n" }
    try harness.put("tasks/home.ics", Self.calendar(text))
    #expect(try due(harness, at: "2026-11-25T07:00:00Z") == expected, "\(what)")
  }

  @Test("A warning says that a change of this and later occurrences counts for one alone")
  func laterOccurrences() throws {
    let file = try file(
      Self.calendar([
        Self.toDo("UID:a", "DUE:20261125T090000Z", "RRULE:FREQ=DAILY"),
        Self.toDo("UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261126T090000Z", "SUMMARY:New"),
      ]))
    #expect(
      file.problems.map(\.message) == [
        #""New": RANGE=THISANDFUTURE is ignored: a to-do with RECURRENCE-ID changes its occurrence alone"#
      ])
  }

  @Test("A rule with too many occurrences does not hide an earlier one of another rule")
  func severalRules() throws {
    let task = try #require(
      tasks(
        Self.toDo(
          "UID:a", "DTSTART:20261125T000000Z", "RRULE:FREQ=SECONDLY;BYHOUR=12,13,14", "RRULE:FREQ=HOURLY",
          "EXDATE:20261125T000000Z")
      ).first)
    #expect(task.startDate == DayReference("2026-11-25T01:00:00Z"))
  }

  @Test("An intent on a to-do that no calendar has is a problem of its file")
  func unknown() throws {
    let harness = try harness(Self.toDo("UID:a"))
    try harness.put(
      "intents/1.json", #"{"id": "1", "at": "2026-11-25T10:00:00Z", "type": "complete-task", "taskId": "z"}"#)
    let problems = try #require(harness.feeds[IntentsFeed.self]).currentProblems(
      at: try harness.moment(Self.now), feeds: harness.feeds)
    #expect(problems.map(\.message) == ["unknown task \"z\""])
  }

  // By hand: the first of the days that is not excluded.
  @Test(
    "An EXDATE with a time excludes its day from a to-do of whole days",
    arguments: [
      ("EXDATE:20261111T000000Z", "2026-11-18"), ("EXDATE:20261111T120000Z", "2026-11-18"),
      ("EXDATE:20261111T080000", "2026-11-18"), ("EXDATE;TZID=Asia/Tokyo:20261111T000000", "2026-11-18"),
      ("EXDATE;VALUE=DATE:20261111", "2026-11-18"), ("EXDATE:20261112T000000Z", "2026-11-11"),
    ])
  func excludedTimesOfDays(line: String, due: String) throws {
    let toDo = Self.toDo("UID:a", "DUE;VALUE=DATE:20261111", "RRULE:FREQ=WEEKLY", line)
    #expect(try tasks(toDo).map(\.dueDate) == [DayReference(due)])
  }

  @Test("A due date that cannot be read leaves the task, and DTSTART with DURATION counts")
  func badDue() throws {
    for value in ["DUE:x", "DUE", "DUE:", "DUE;TZID=PDT:20261125T080000", "DUE:20261125T080000Z\nDUE:20261126T080000Z"]
    {
      let file = try file(Self.calendar([Self.toDo("UID:a", value)]))
      #expect(file.toDos.count == 1 && file.problems.map(\.pointer) == ["/VTODO/0/DUE"], "\(value)")
      if value.contains("\n") { continue }
      let lasting = try tasks(Self.toDo("UID:a", value, "DTSTART:20261125T080000Z", "DURATION:PT1H"))
      #expect(lasting.map(\.dueDate) == [DayReference("2026-11-25T09:00:00Z")], "\(value)")
    }
  }

  // By hand: whether an occurrence is more than a day after the completion.
  @Test(
    "A repeating to-do that is completed as a whole while its rule goes on is a warning",
    arguments: [
      (["RRULE:FREQ=DAILY", "STATUS:COMPLETED", "COMPLETED:20261123T200000Z"], true),
      (["RRULE:FREQ=DAILY", "STATUS:COMPLETED"], true), (["RRULE:FREQ=DAILY", "PERCENT-COMPLETE:100"], true),
      (["RRULE:FREQ=DAILY", "COMPLETED:20261123T200000Z"], true),
      (["RRULE:FREQ=YEARLY", "STATUS:COMPLETED", "COMPLETED:20261123T200000Z"], true),
      (["RDATE:20261201T190000Z", "STATUS:COMPLETED", "COMPLETED:20261123T200000Z"], true),
      (["RRULE:FREQ=DAILY;COUNT=23", "STATUS:COMPLETED", "COMPLETED:20261123T200000Z"], false),
      (["RRULE:FREQ=DAILY;COUNT=23", "STATUS:COMPLETED", "COMPLETED:20261123T180000Z"], false),
      (["RRULE:FREQ=DAILY;UNTIL=20261110", "STATUS:COMPLETED", "COMPLETED:20261123T200000Z"], false),
      (["RRULE:FREQ=DAILY;COUNT=1", "STATUS:COMPLETED"], false), (["STATUS:COMPLETED"], false),
      (["RRULE:FREQ=DAILY", "STATUS:CANCELLED"], false), (["RRULE:FREQ=DAILY", "STATUS:IN-PROCESS"], false),
      (["RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "STATUS:COMPLETED"], false),
    ])
  func completedAsWhole(lines: [String], warns: Bool) throws {
    let text = (["UID:a", "SUMMARY:Eye drops", "DTSTART:20261101T190000Z"] + lines).joined(separator: "\n")
    let file = try file(Self.calendar([Self.toDo(text)]))
    #expect(
      file.problems.map(\.message)
        == (warns ? ["\"Eye drops\": it is completed as a whole, though its rule goes on"] : []))
  }

  @Test("Occurrences that are done do not count as ones to come")
  func completedLast() throws {
    let file = try file(
      Self.calendar([
        Self.toDo("UID:a", "DUE:20261120T080000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "STATUS:COMPLETED"),
        Self.toDo("UID:a", "RECURRENCE-ID:20261127T080000Z", "STATUS:CANCELLED"),
      ]))
    #expect(file.problems.isEmpty)
  }
}
