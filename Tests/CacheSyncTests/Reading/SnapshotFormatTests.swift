import CacheSync
import Testing

@Suite("Lines of a snapshot")
struct SnapshotFormatTests {
  private static let before = "2026-11-21T12:00:00Z"
  private static let after = "2026-11-22T12:00:00Z"

  /// A snapshot with two entries. The second one begins at midnight and is empty.
  private func snapshot(
    _ content: String, kind: String = "of-tomorrow", state: String = "current", problems: String = ""
  ) throws -> Snapshot {
    let text = """
      {"deepLink":"x://y","entries":[{"content":\(content),"date":"2026-11-21T00:00:00Z","state":"\(state)"},\
      {"content":{},"date":"2026-11-22T00:00:00Z","state":"empty"}],"families":[],"generation":7,"kind":"\(kind)",\
      "publishedAt":"2026-11-21T00:00:00Z","problems":[\(problems)],"timeZone":"UTC","widgetKind":"X"}

      """
    return try Snapshot(bytes: Array(text.utf8))
  }

  private func line(_ format: SnapshotFormat, _ snapshot: Snapshot, at moment: String = before) throws -> String {
    String(decoding: format.line(of: snapshot, at: try #require(Instant(moment))), as: UTF8.self)
  }

  @Test("json is the published line without its newline, at any moment")
  func json() throws {
    let snapshot = try snapshot(#"{"steps":12}"#)
    let published = String(decoding: snapshot.bytes, as: UTF8.self)
    for moment in [Self.before, Self.after] { #expect(try line(.json, snapshot, at: moment) + "\n" == published) }
    #expect(!SnapshotFormat.json.followsTime && SnapshotFormat.entry.followsTime)
  }

  private static let problem =
    #"{"column":3,"line":2,"message":"no <date>","path":"a/b.json","pointer":"/x","severity":"error"}"#

  @Test("entry is the current entry, the link and the problems, with keys in order")
  func entry() throws {
    let snapshot = try snapshot(#"{"steps":12,"far":1.5,"none":null}"#, state: "stale", problems: Self.problem)
    #expect(
      try line(.entry, snapshot)
        == #"{"content":{"far":1.5,"none":null,"steps":12},"date":"2026-11-21T00:00:00Z","deepLink":"x://y","#
        + #""kind":"of-tomorrow","problems":[\#(Self.problem)],"state":"stale"}"#)
    #expect(
      try line(.entry, snapshot, at: Self.after)
        == #"{"content":{},"date":"2026-11-22T00:00:00Z","deepLink":"x://y","kind":"of-tomorrow","#
        + #""problems":[\#(Self.problem)],"state":"empty"}"#)
  }

  @Test("line is the first line of the view without indentation, and empty if the view is")
  func text() throws {
    let snapshot = try snapshot(#"{"a":"one\ntwo\u0000\u001b[1m\u202e\u2028","b":"x"}"#)
    #expect(try line(.line, snapshot) == #"a: one two\x00\x1b[1m\xe2\x80\xae"#)
    #expect(try line(.line, snapshot, at: Self.after) == "")
    // The first row has no icon and the second has one: both begin after a column of icons.
    let rows = #"{"tasks":[],"count":2,"inline":"2 tasks","rectangular":"x","allDone":false}"#
    #expect(try !line(.line, self.snapshot(rows, kind: "todays-tasks")).hasPrefix(" "))
  }

  @Test("waybar has text and tooltip with markup escaped, and a class for state and problems")
  func waybar() throws {
    let snapshot = try snapshot(#"{"a":"<b>&'\"\n\\","b":1}"#, state: "stale", problems: Self.problem)
    #expect(
      try line(.waybar, snapshot)
        == #"{"alt":"of-tomorrow","class":["stale","problem"],"#
        + #""text":"a: &lt;b&gt;&amp;&#39;&quot; \\","#
        + #""tooltip":"Of tomorrow  (stale)\n  a: &lt;b&gt;&amp;&#39;&quot; \\\n  b: 1\n"#
        + #"! a/b.json:2:3: no &lt;date&gt; [/x]"}"#)
    let warning = Self.problem.replacing("error", with: "warning")
    #expect(try line(.waybar, self.snapshot("{}", problems: warning)).contains(#""class":["current","warning"]"#))
    #expect(
      try line(.waybar, self.snapshot("{}"), at: Self.after)
        == #"{"alt":"of-tomorrow","class":["empty"],"text":"","tooltip":"Of tomorrow  (empty)"}"#)
  }

  @Test("four kinds have a percentage")
  func kindsWithPercentage() {
    let kinds = KnownKind.all.map(\.name).filter { FeedRegistry.builtIn.kind(named: KindName($0))?.progressKey != nil }
    #expect(kinds == ["daily-progress", "calories", "budget", "task-progress"])
  }

  @Test(
    "a percentage is whole, rounded down, from 0 to 100, and omitted if the content has none",
    arguments: [
      ("0", 0), ("0.29", 29), ("0.999", 99), ("1", 100), ("1.7", 100), ("-1", 0), ("0.72975", 72), ("null", nil),
      (#""x""#, nil),
    ] as [(String, Int?)])
  func percentage(progress: String, percentage: Int?) throws {
    let content = #"{"calorieProgress":\#(progress),"progress":\#(progress),"macros":[]}"#
    for kind in ["daily-progress", "calories", "budget", "task-progress"] {
      let text = try line(.waybar, snapshot(content, kind: kind))
      let value = Array(text.utf8).withUnsafeBytes { JSONValue.parse($0) }
      #expect(value?["percentage"]?.int == percentage && value?["alt"] == .string(kind), "\(text)")
    }
  }

  @Test("an entry is current from its date until the next entry's, and the first one also before its date")
  func period() throws {
    let snapshot = try snapshot("{}")
    let midnight = try #require(Instant("2026-11-22T00:00:00Z"))
    let begin = try #require(Instant("2026-11-21T00:00:00Z"))
    #expect(snapshot.period(at: begin) == begin..<midnight)
    #expect(snapshot.period(at: midnight) == midnight..<Instant.validRange.upperBound)
    let early = try #require(Instant("2026-11-20T00:00:00Z"))
    #expect(snapshot.period(at: early) == Instant.validRange.lowerBound..<begin)
  }
}
