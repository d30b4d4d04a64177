import CacheSync
import Testing

@Suite("Snapshots of defined kinds for readers")
struct DefinedReadingTests {
  private func snapshot(_ content: String, kind: String = "bins", template: String? = nil, _ members: String = "")
    throws -> Snapshot
  {
    let template = (template.map { #""template":"\#($0)","# } ?? "") + members
    let text = #"""
      {"kind":"\#(kind)",\#(template)"widgetKind":"bins","deepLink":"cachesync://bins","generation":1,"timeZone":"UTC",
       "publishedAt":"2026-11-23T00:00:00Z","families":["systemSmall"],
       "entries":[{"date":"2026-11-23T00:00:00Z","state":"current","content":\#(content)}]}
      """#
    return try Snapshot(bytes: Array(text.utf8))
  }

  private let moment = Instant(seconds: 1_795_392_000)
  private let content = #"{"count":1,"more":0,"items":[{"start":null,"end":null,"title":"Grey","price":3}]}"#

  @Test("Without a template, the view follows the names in the content")
  func inferred() throws {
    let snapshot = try snapshot(content)
    #expect(snapshot.view(of: snapshot.entries[0], family: .systemSmall).words == "Grey")
    #expect(KindText(snapshot, at: moment).lines == ["Grey"])
  }

  @Test("A card of a definition's kind without a title has the kind's name, as the terminal has it above")
  func untitled() throws {
    let snapshot = try snapshot(content, kind: "bins-soon", template: "list")
    #expect(snapshot.displayName == "Bins soon" && KindText(snapshot, at: moment).heading.hasPrefix("Bins soon"))
    #expect(snapshot.view(of: snapshot.entries[0], family: .systemMedium).words == "Bins soon · Grey")
    #expect(KindText(snapshot, at: moment).lines == ["Grey"])
  }

  @Test("The kind's title and symbol are on cards whose content has none; in a terminal the title is above")
  func titleAndSymbol() throws {
    let members = #""title":"Müll","symbol":"🗑","#
    let snapshot = try snapshot(content, members)
    #expect(snapshot.displayName == "Müll" && KindText(snapshot, at: moment).heading.hasPrefix("Müll"))
    #expect(snapshot.view(of: snapshot.entries[0], family: .systemMedium).words == "🗑 · Müll · Grey")
    #expect(!KindText(snapshot, at: moment).lines.contains { $0.contains("Müll") })
    let own = try self.snapshot(#"{"count":1,"more":0,"value":3,"title":"Own","symbol":"x"}"#, members)
    #expect(own.view(of: own.entries[0], family: .systemMedium).words == "Own · 3")
  }

  @Test(
    "A definition's title is in the cache's language, otherwise in English, otherwise in the first",
    arguments: [
      (#""Bins""#, "de", "Bins"), (#"{"en":"Bins","de":"Müll"}"#, "de", "Müll"),
      (#"{"en":"Bins","de":"Müll"}"#, "fr", "Bins"), (#"{"de-AT":"Müll"}"#, "en", "Müll"),
      (#"{"pt":"Lixo","nl":"Afval"}"#, "en", "Afval"),
    ])
  func translations(title: String, tag: String, shown: String) throws {
    let text = #"{"version":1,"items":{"each":"$[*]"},"kinds":{"bins":{"show":"all","title":\#(title),"symbol":"🗑"}}}"#
    let read = DefinitionsFeed.read(Array(text.utf8), named: "bins")
    let kind = try #require(read.definition?.kinds.first, "\(read.problems)")
    #expect(kind.title?.text(in: try #require(CacheLocale(tag)).language) == shown && kind.symbol == "🗑")
    #expect(kind.families.count == 6)
  }

  @Test(
    "An icon's name without a drawing is a warning, unless data fills it, wherever a definition has one",
    arguments: [
      ("plus", nil), ("🗑", nil), ("É", nil), ("flame.fil", "did you mean flame.fill?"),
      ("house", "use one of \(DefinitionReader.drawnIcons.joined(separator: ", "))"),
    ])
  func undrawnIcons(name: String, advice: String?) throws {
    let icon = #""symbol":"\#(name)""#
    let icons = #"\#(icon),"content":{\#(icon)},"empty":{\#(icon)},"items":{"title":"a",\#(icon)}"#
    let filled = #""bins":{"show":"all","items":{"title":"b","symbol":"{id}"}}"#
    let text = #"{"version":1,"items":{"each":"$[*]"},"kinds":{\#(filled),"bins-a":{"show":"all",\#(icons)}}}"#
    let read = DefinitionsFeed.read(Array(text.utf8), named: "bins")
    #expect(read.definition != nil && read.problems.allSatisfy { $0.severity == .warning })
    let expected = advice.map { "no icon '\(name)', a dot is drawn: \($0)" }
    #expect(read.problems.map(\.message) == Array(repeating: expected, count: 4).compactMap(\.self))
  }

  @Test(
    "An unknown family is a warning; those of Apple that no picture has are not",
    arguments: [
      ("systemSmall", nil), ("systemExtraLarge", nil), ("accessoryCorner", nil),
      ("systemSmal", "did you mean systemSmall?"),
      (
        "small",
        "use one of systemSmall, systemMedium, systemLarge, accessoryCircular, accessoryRectangular, accessoryInline"
      ),
    ])
  func families(name: String, advice: String?) throws {
    let text = #"{"version":1,"items":{"each":"$[*]"},"kinds":{"bins":{"show":"all","families":["\#(name)"]}}}"#
    let read = DefinitionsFeed.read(Array(text.utf8), named: "bins")
    #expect(read.definition?.kinds.first?.families == [name])
    #expect(read.problems.map(\.message) == [advice].compactMap { $0.map { "unknown family '\(name)': \($0)" } })
    #expect(read.problems.allSatisfy { $0.severity == .warning })
  }

  @Test(
    "A strip whose kind has no entry when its items begin is a warning",
    arguments: [
      (#""show":"today""#, true), (#""show":"all","values":{"a":{"of":"week","count":true}}"#, true),
      (#""show":"now""#, false), (#""show":"next""#, false), (#""show":"today","hours":[6,12,18]"#, true),
      (#""show":"today","values":{"n":{"of":"now","first":"p"}}"#, true),
      (#""show":"today","values":{"n":{"of":"now","first":"p"}},"content":{"text":"{n:0.0} ct"}"#, false),
    ])
  func stripsOfMidnight(show: String, isWarned: Bool) throws {
    let items = #""items":{"each":"$[*]","start":"@.s","fields":{"p":"@.p"}}"#
    let kind = #"{\#(show),"template":"strip","items":{"value":"{p}"}}"#
    let read = DefinitionsFeed.read(Array(#"{"version":1,\#(items),"kinds":{"bins":\#(kind)}}"#.utf8), named: "bins")
    #expect(read.definition != nil)
    let warning = #"what is now stays that of midnight: give 'content' a text of a value with "of": "now""#
    #expect(read.problems.map(\.message) == (isWarned ? [warning] : []))
    #expect(read.problems.allSatisfy { $0.severity == .warning })
  }

  @Test("A snapshot's view is that of the template it names")
  func defined() throws {
    let text = KindText(try snapshot(content, template: "table"), at: moment)
    #expect(text.lines == ["Title  Price", "Grey       3"])
  }

  @Test("A snapshot contains the definition's template and words, so that every reader shows the same")
  func templateAndWords() throws {
    let read = DefinitionsFeed.read(
      Array(
        #"""
        {"version":1,"words":{"today":"heute","Nov":"Nov.","Mon":"Mo"},"items":{"each":"$[*]","start":"@"},
         "kinds":{"bins":{"show":"all","template":"table","items":{"title":"x"}},
                  "bins-b":{"show":"all","items":{"title":"{start:days}"}}}}
        """#.utf8), named: "bins")
    let definition = try #require(read.definition, "\(read.problems)")
    let calendar = CivilCalendar(.utc)
    let trial = DefinitionTrial(definition, zones: TimeZones(environment: nil), calendar: calendar)
    let path = trial.path(ofFile: Array("a.json".utf8))
    #expect(
      trial.read(Array(#"["2026-11-23","2026-11-30"]"#.utf8), from: SessionFile(path: path, modified: moment)).isEmpty)
    let now = Moment(moment, calendar: calendar, firstWeekday: .monday)
    let snapshots = try trial.snapshots(at: now).map {
      try Snapshot(bytes: $0.document.bytes(generation: 1, publishedAt: moment))
    }
    #expect(snapshots.map(\.template) == ["table", "list"])
    #expect(snapshots.map(\.words) == Array(repeating: ["today": "heute", "Nov": "Nov.", "Mon": "Mo"], count: 2))
    // The reader adds the day beside a row itself.
    #expect(KindText(snapshots[1], at: moment).lines == ["heute      heute", "in 7 days  Mo 30 Nov."])
  }

  @Test("Waybar gets the percentage of a ring")
  func percentage() throws {
    func line(_ content: String) throws -> String {
      String(decoding: SnapshotFormat.waybar.line(of: try snapshot(content), at: moment), as: UTF8.self)
    }
    #expect(try line(#"{"progress":0.295}"#).contains(#""percentage":29,"#))
    #expect(try !line(#"{"progress":"x"}"#).contains("percentage"))
  }

  @Test("Links may lead to any app or site, but never run anything")
  func links() {
    for link in ["https://example.org/a?b=%20#c", "app://x", "mailto:a@example.org"] {
      #expect(DeepLink.mayOpen(link), "\(link)")
    }
    let refused = [
      "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
      "file:///etc/passwd", "/picture", "//example.org", "", "https://a/\"onclick=", "https://a/<b>", "https://a/ b",
    ]
    for link in refused { #expect(!DeepLink.mayOpen(link), "\(link)") }
  }
}
