import CacheSync
import Foundation
import Glibc
import Testing

@Suite struct ShowCommandTests {
  @Test("show --json is each published snapshot without generation and publishedAt, byte for byte")
  func sameAsPublished() throws {
    let cache = try CommandCache(Sessions.all)
    try cache.write("tasks/broken.json", "{")
    #expect(try cache.run("sync", "--at", Sessions.noon).status == 0)
    let parts = try Sessions.kinds.map { kind in
      var text = try cache.text("snapshots/\(kind).json")
      text.replace(try Regex(#""generation":[0-9]+,"#), with: "")
      text.replace(try Regex(#""publishedAt":"[^"]+","#), with: "")
      return "\"\(kind)\":" + text.dropLast()
    }
    let shown = try cache.run("show", "--json", "--at", Sessions.noon)
    #expect(shown.output == "{" + parts.joined(separator: ",") + "}\n")
    let two = try cache.run("show", "task-count", "meal-plan", "--json", "--at", Sessions.noon)
    #expect(try json(two.output).keys == ["meal-plan", "task-count"])
  }

  @Test("show --format prints one line for each kind, in their order: json as published, without the publication")
  func formats() throws {
    let cache = try CommandCache(Sessions.all)
    let snapshots = try json(try cache.run("show", "--json", "--at", Sessions.noon).output)
    func lines(_ format: String, _ kinds: String...) throws -> [String] {
      let outcome = try Program.run(
        ["show"] + kinds + ["--format", format, "--at", Sessions.noon, "--cache", cache.path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      return outcome.lines
    }
    let all = try lines("json").map { try json($0 + "\n") }
    #expect(all.compactMap { $0["kind"]?.string } == KnownKind.all.map(\.name))
    for snapshot in all { #expect(snapshot == snapshots[snapshot["kind"]?.string ?? ""]) }
    #expect(try lines("line", "task-count", "meal-plan") == ["🌅 Breakfast  —", "2 tasks"])
    let entry = try json(try lines("entry", "task-count")[0] + "\n")
    #expect(entry.keys == ["content", "date", "deepLink", "kind", "problems", "state"])
    #expect(entry["content"] == snapshots["task-count"]?["entries"]?[0]?["content"])
    let module = try json(try lines("waybar", "calories")[0] + "\n")
    // 1234.5 of 2000.
    #expect(module["percentage"] == .integer(61) && module["class"] == .array([.string("current")]))
    #expect(try cache.run("show", "--json", "--format", "line").isWrongUsage)
  }

  @Test("show writes nothing, and shows contents that no agent has published")
  func writesNothing() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let outcome = try cache.run("show", "--at", Sessions.noon)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(try cache.names(".") == ["meal-plan"])
    #expect(outcome.output.contains("Pancakes"))
  }

  @Test("The page begins with the day in the cache's zone, and groups the kinds of a feed")
  func page() throws {
    let cache = try CommandCache(Sessions.all)
    let outcome = try cache.run("show", "--at", Sessions.noon, "--time-zone", "Asia/Tokyo")
    #expect(outcome.lines.first == "Saturday 21 November 2026, 21:00  Asia/Tokyo")
    let order = [
      "Meal Plan", "Daily Progress", "Macro Breakdown", "Quick Log", "Calories", "Budget", "Macros", "Overview",
      "Nutrients", "Today's Tasks", "Task Count", "Task Progress", "Completed Today", "Quick Add", "Calendar",
      "Next Event",
      "Quick Shoe Selection", "Daily Activity Stats", "Smart Suggestions", "Current Shoe", "Shoe Status",
    ]
    let headings = outcome.lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
    #expect(headings.map { $0.trimmingCharacters(in: .whitespaces) } == order)
    #expect(!outcome.output.contains("\u{1B}"), "no colours but on a terminal")
    #expect(outcome.lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  /// The lines of one kind, without their indent.
  private func lines(_ kind: String, _ sessions: [String: String] = Sessions.all, at time: String = Sessions.noon)
    throws
    -> [String]
  {
    let outcome = try CommandCache(sessions).run("show", kind, "--at", time)
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.lines.filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
  }

  // The numbers are those of Sessions.swift, or were worked out from them by hand.
  @Test(
    "Each kind is shown",
    arguments: [
      ("meal-plan", ["🌅 Breakfast  —", "🌞 Lunch      —", "🌙 Dinner     Pancakes"]),
      (
        "daily-progress",
        [
          "🍴 calories  1234 / 2000 kcal  ████████████░░░░░░░░  765 left",
          "   protein       80.3 / 150 g  ██████████░░░░░░░░░░",
          "   carbs          150 / 250 g  ████████████░░░░░░░░",
          "   fat              40 / 65 g  ████████████░░░░░░░░", "updated 09:00",
        ]
      ),
      (
        "macro-breakdown",
        [
          "protein  80.3 / 150 g  ██████████░░░░░░░░░░  69.8 g left  321 kcal  25%",
          "carbs     150 / 250 g  ████████████░░░░░░░░   100 g left  600 kcal  46%",
          "fat         40 / 65 g  ████████████░░░░░░░░    25 g left  360 kcal  28%",
        ]
      ),
      ("quick-log", ["+ Oatmeal  150 kcal  1.5 bowl", "+ お茶       2 kcal  1 cup"]),
      ("calories", ["🍴 ████████████░░░░░░░░  765 cal left"]),
      (
        "todays-tasks",
        ["2 tasks", "○ Descale the machine  due today  #bar", "○ Count the cups       —"]
      ),
      ("task-count", ["2 tasks"]), ("task-progress", ["██████░░░░░░░░░░░░░░  1 of 3"]),
      ("completed-today", ["1 completed today"]),
      (
        "quick-add",
        ["+ Add Task   cafe://new-task", "+ Add Event  cafe://new-event", "+ AI Chat    cafe://chat"]
      ),
      (
        "calendar",
        ["📅 November 2026", "14:00–15:30             Cupping   @ Bar", "Mon 23 Nov 09:00–10:00  Roasting  —"]
      ),
      ("next-event", ["14:00–15:30  Cupping  @ Bar"]),
      (
        "quick-selection",
        ["👟 Pegasus  since 07:40", "4000 steps, 3.2 km", "● Pegasus  Nike Pegasus 41", "○ Office   —"]
      ),
      ("daily-stats", ["👟 Pegasus  since 07:40", "4000 steps, 3.2 km", "active 1 h 5 min, on since 07:40"]),
      ("smart-suggestions", ["midday", "Office  ███████████████░░░░░  75% match  Dry", "week  —"]),
      ("current-shoe", ["👟 Pegasus  Active since 07:40"]),
    ] as [(String, [String])])
  func drawn(_ kind: String, _ expected: [String]) throws {
    // "Pegasus" and "Office" were put on once each today, so they are ordered by their names.
    let expected = kind == "quick-selection" ? Array(expected[..<2]) + [expected[3], expected[2]] : expected
    #expect(try lines(kind) == expected)
  }

  @Test("The health kinds are shown, with a dash for missing values")
  func health() throws {
    #expect(try lines("macros").last == "fat           0 / — g  —")
    let overview = try lines("overview")
    #expect(overview.contains { $0.hasPrefix("weight 80.6 kg  → 0 kg a week") }, "\(overview)")
    #expect(
      overview.contains("Thu 19 Nov     —")
        && overview.contains("Fri 20 Nov  2000  " + String(repeating: "█", count: 20)))
    let budget = try lines("budget")
    #expect(budget.first?.hasPrefix("🔥 519 / ") == true && budget.contains { $0.hasSuffix("too few days to be sure") })
    #expect(budget.contains("• density estimated"), "\(budget)")
  }

  @Test("Empty kinds say so", arguments: Sessions.kinds)
  func empty(_ kind: String) throws {
    let outcome = try CommandCache().run("show", kind)
    let name = try #require(KnownKind.all.first { $0.name == kind }).displayName
    #expect(outcome.status == 0 && outcome.lines.contains("  \(name)  (empty)"), "\(outcome)")
    #expect(outcome.lines.count >= 4, "a heading, the feed, the kind, and something to read")
  }

  @Test("In mindful mode no text has a digit")
  func mindful() throws {
    for kind in ["daily-progress", "macro-breakdown", "quick-log", "calories"] {
      let lines = try lines(kind, ["nutrition/a.json": Sessions.nutrition(mode: "mindful")])
      #expect(!lines.isEmpty && !lines.contains { $0.contains(where: \.isNumber) }, "\(lines)")
    }
  }

  @Test("Names from files cannot contain control characters, and wide ones keep the columns aligned")
  func names() throws {
    let tasks = """
      [{"id":1,"title":"a\\u001b[31m\\u202e","description":null,"completed":false,"dueDate":null,"createdAt":"2026-11-20T08:00:00Z"},
      {"id":2,"title":"🇩🇪 茶 e\\u0301","description":null,"completed":false,"dueDate":null,"createdAt":"2026-11-20T08:00:00Z"}]
      """
    let lines = try lines("todays-tasks", ["tasks/a.json": tasks])
    #expect(lines == ["2 tasks", #"○ a\x1b[31m\xe2\x80\xae  —"#, "○ 🇩🇪 茶 e\u{301}                —"])
  }

  @Test("A problem appears once under its feed, with its place")
  func problems() throws {
    let cache = try CommandCache(["nutrition/a.json": "{"])
    let outcome = try cache.run("show")
    #expect(outcome.status == 0)
    #expect(outcome.lines.filter { $0.hasPrefix("  ! nutrition/a.json:1:2: ") }.count == 1, "\(outcome.output)")
  }

  @Test("On a terminal there are colours, unless NO_COLOR is set")
  func colours() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    #expect(try Self.onTerminal(["show", "--cache", cache.path], ["TERM": "xterm"]).contains("\u{1B}[1m"))
    let plain = try Self.onTerminal(["show", "--cache", cache.path], ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(plain.contains("Pancakes") && !plain.contains("\u{1B}"))
  }

  @Test("On a terminal no line is too wide and colours end correctly; in a pipe every line is complete")
  func width() throws {
    let meal = "Pancakes with more maple syrup than anybody has ever seen"
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan(meal)])
    let arguments = ["show", "--cache", cache.path, "--at", Sessions.noon]
    let narrow = try Self.onTerminal(arguments, ["TERM": "xterm", "NO_COLOR": "1"], columns: 40).split(
      separator: "\r\n")
    #expect(narrow.contains("    🌙 Dinner     Pancakes with more ma…"), "\(narrow)")
    #expect(narrow.allSatisfy { $0.count <= 40 })
    let coloured = try Self.onTerminal(arguments, ["TERM": "xterm"], columns: 10).split(separator: "\r\n")
    #expect(coloured.first == "\u{1B}[1mSaturday …\u{1B}[0m\u{1B}[2m\u{1B}[0m", "\(coloured)")
    #expect(try Self.onTerminal(arguments, ["TERM": "dumb"]).contains(meal), "a terminal that tells no width")
    #expect(try cache.run("show", "--at", Sessions.noon).output.contains(meal))
  }

  // asm-generic/ioctls.h: TIOCSPTLCK, TIOCGPTN.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// What a command prints when its standard output is a terminal.
  private static func onTerminal(_ arguments: [String], _ environment: [String: String], columns: UInt16 = 0) throws
    -> String
  {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    defer { close(terminal) }
    // The same as unlockpt(3) and ptsname(3), which Swift cannot import.
    var (lock, number): (Int32, UInt32) = (0, 0)
    try #require(ioctl(terminal, Self.setLock, &lock) == 0 && ioctl(terminal, Self.getNumber, &number) == 0)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    let name = "/dev/pts/\(number)"
    // Kept open, so that the output stays readable after the command's end.
    let held = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(held) }
    let outcome = try Child(arguments, environment: environment, output: name).outcome()
    try #require(outcome.status == 0, "\(outcome)")
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(terminal, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
