@testable import CacheSyncValues
import Testing

@Suite("Views of defined kinds")
struct DefinedViewTests {
  private typealias Template = DefinedKind.Template

  private func node(_ content: String, _ family: ViewFamily = .terminal, as template: DefinedKind.Template? = nil)
    throws
    -> ViewNode
  {
    let input = try ViewInput(content, family)
    return template.map { DefinedView.of($0)(input) } ?? DefinedView.inferred(input)
  }

  private func lines(_ content: String, width: Int? = nil, as template: DefinedKind.Template? = nil) throws -> [String]
  {
    TerminalView(style: .plain, width: width).lines(of: try node(content, as: template))
  }

  private static let list = #"""
    {"count":3,"more":1,"text":"tomorrow: Rubbish, Food","items":[
      {"start":"2026-11-22T05:00:00Z","end":"2026-11-22T15:00:00Z","title":"Rubbish","color":"#2e7d32"},
      {"start":"2026-11-21T15:30:00Z","end":null,"title":"Food","detail":"brown bin","deepLink":"https://example.org/f"}]}
    """#
  private static let value = #"{"count":1,"more":0,"value":-9.25,"unit":"ct","text":"cheapest at 23:00"}"#
  private static let ring = #"{"count":4,"more":4,"progress":0.625,"text":"5 of 8"}"#
  private static let table = #"""
    {"count":2,"more":0,"items":[{"start":null,"end":null,"to":"Bern","delay":5},
      {"start":null,"end":null,"to":"Rome","delay":null}]}
    """#
  private static let strip = #"""
    {"count":3,"more":0,"text":"Now 8 ct","unit":"ct","items":[
      {"start":"2026-11-21T05:00:00Z","end":"2026-11-21T06:00:00Z","value":8},
      {"start":"2026-11-21T06:00:00Z","end":"2026-11-21T08:00:00Z","value":4},
      {"start":"2026-11-22T04:00:00Z","end":"2026-11-22T05:00:00Z","value":0.5}]}
    """#
  private static let contents: [(DefinedKind.Template, String)] = [
    (.list, list), (.value, value), (.ring, ring), (.table, table), (.strip, strip),
  ]

  // MARK: In a terminal

  @Test("A view begins with the content's text, followed by the items")
  func terminalList() throws {
    #expect(
      try lines(Self.list) == [
        "tomorrow: Rubbish, Food", "• Rubbish  Sun 22 Nov", "• Food     brown bin", "and 1 more",
      ])
  }

  @Test("A value has its unit and its text on the same line")
  func terminalValue() throws {
    #expect(try lines(Self.value) == ["−9.25 ct  cheapest at 23:00"])
  }

  @Test("A ring's bar gets shorter so that its text is never cut")
  func terminalRing() throws {
    #expect(try lines(Self.ring) == ["████████████░░░░░░░░  62%  5 of 8"])
    let long = #"{"count":0,"more":0,"progress":0.625,"text":"5 of 8 glasses of water"}"#
    #expect(try lines(long, width: 36) == ["███░░░  62%  5 of 8 glasses of water"])
  }

  @Test("A table has columns of texts before columns of numbers, which are right-aligned")
  func terminalTable() throws {
    #expect(try lines(Self.table) == ["To    Delay", "Bern      5", "Rome      —"])
  }

  @Test("A strip has a character for each hour, that of now in brackets, and names the least and the greatest value")
  func terminalStrip() throws {
    #expect(
      try lines(Self.strip) == [
        "Now 8 ct", "00:00 [█]▄▄" + String(repeating: " ", count: 20) + "▁ 24:00",
        "from 0.5 ct at 23:00 to 8 ct at 00:00",
      ])
  }

  @Test("Fields that are in no template appear below the view")
  func otherFields() throws {
    #expect(
      try lines(#"{"count":1,"more":0,"value":1,"next":["a",null,"b"],"cheap":null}"#)
        == ["1", "cheap: —", "next: a, b"])
  }

  @Test("In a terminal a view begins with the text, even with a title, which is above it in pictures")
  func titles() throws {
    let content = #"{"count":1,"more":0,"title":"Home","text":"2 open","items":[{"title":"a"}]}"#
    #expect(try lines(content) == ["2 open", "a", "title: Home"])
    #expect(try node(content, .systemMedium).words == "Home · 2 open · a")
    #expect(try lines(#"{"count":1,"more":0,"title":"Home","items":[{"title":"a"}]}"#) == ["Home", "a"])
  }

  // MARK: In every family

  @Test("Each family has its own non-empty view", arguments: ViewFamily.allCases)
  func families(family: ViewFamily) throws {
    for (template, content) in Self.contents {
      let view = try node(content, family, as: template)
      let lines = TerminalView(style: .plain).lines(of: view)
      #expect(!lines.isEmpty && lines.allSatisfy { !$0.isEmpty }, "\(template)")
      if family != .terminal {
        #expect(try view != node(content, .terminal, as: template), "\(template)")
      }
      if family == .accessoryInline, case .text = view.form { continue }
      #expect(family != .accessoryInline, "\(template)")
    }
  }

  @Test("An empty content shows only its text, in each family", arguments: ViewFamily.allCases)
  func empty(family: ViewFamily) throws {
    let nothing = [
      #"{"count":0,"more":0,"text":"No price yet","value":null,"unit":"ct"}"#,
      #"{"count":0,"more":0,"text":"No price yet","progress":null}"#,
      #"{"count":0,"more":0,"text":"No price yet","items":[]}"#,
    ]
    for content in nothing { #expect(try node(content, family).words == "No price yet") }
    #expect(try node("{}", family).words == (family == .terminal ? "" : "Nothing to show"))
  }

  @Test("Shares and values of all items are shown")
  func parts() throws {
    #expect(try node(Self.ring, .systemSmall).rings.map(\.progress) == [0.625])
    #expect(try node(Self.value, .systemSmall).texts.first { $0.size == .display }?.words == "−9.25")
    let bars = try node(Self.strip, .systemMedium).bars
    #expect(bars.count == 24 && bars.allSatisfy(\.isUpright))
    #expect(bars.map(\.progress).prefix(4) == [1, 0.5, 0.5, nil])
    // The entry's date is the day's first hour.
    #expect(bars.map(\.tint).prefix(2) == [.orange, .blue])
  }

  @Test("A strip has the ends of its scale, the value of now, and a track for the bar of now alone")
  func stripScale() throws {
    let view = try node(Self.strip, .systemMedium)
    #expect(view.words == "Now 8 ct · 8 · 0 · 00:00 · 12:00 · 24:00")
    #expect(view.bars.map(\.hasTrack) == [true] + Array(repeating: false, count: 23))
    let cold = Self.strip.replacing("0.5", with: "-2").replacing(#""text":"Now 8 ct","#, with: "")
    #expect(try node(cold, .systemMedium).words == "8 ct · 8 · −2 · 00:00 · 12:00 · 24:00")
    #expect(try node(cold, .systemSmall).words == "8 ct · 8 · −2 · 00:00 · 24:00")
    #expect(try lines(cold).first == "8 ct")
    let named = Self.strip.replacing(#""text":"Now 8 ct""#, with: #""text":"since noon","value":7"#)
    #expect(try node(named, .systemLarge).words.hasPrefix("since noon · 7 ct · from 0.5 ct"))
    let twelve = try ViewInput(Self.strip, .systemMedium, locale: #require(CacheLocale("en-US")))
    #expect(DefinedView.inferred(twelve).words.hasSuffix("12:00 AM · 12:00 PM · 12:00 AM"))
  }

  @Test("In a large card few rows and short values have larger type, and rows their details below")
  func largeType() throws {
    func sizes(_ content: String) throws -> [ViewNode.Size] { try node(content, .systemLarge).texts.map(\.size) }
    #expect(try sizes(Self.list).prefix(3) == [.number, .number, .body])
    let six = Self.list.replacing(
      #""items":["#, with: #""items":[{"title":"a"},{"title":"b"},{"title":"c"},{"title":"d"},"#)
    #expect(try sizes(six).prefix(2) == [.number, .headline])
    let seven = six.replacing(#"{"title":"a"}"#, with: #"{"title":"a"},{"title":"e"}"#)
    #expect(try sizes(seven).prefix(2) == [.headline, .body])
    #expect(
      try sizes(Self.value).first == .huge && sizes(Self.value.replacing("-9.25", with: "-1009.25")).first == .display)
    #expect(try sizes(Self.table).allSatisfy { $0 == .body })
  }

  @Test("Quarter hours have one bar each if there is space, in the tints of their tones")
  func quarterHours() throws {
    // From 05:00 UTC on, the day's first hour: ten quarter hours with the values 1 to 10.
    let items = (0..<10).map { place in
      let start = 5 * 60 + place * 15
      func time(_ minutes: Int) -> String {
        "2026-11-21T0\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00Z"
      }
      let tone = place < 2 ? #""tone":"good","# : place > 7 ? #""tone":"bad","# : ""
      return #"{"start":"\#(time(start))","end":"\#(time(start + 15))",\#(tone)"value":\#(place + 1)}"#
    }
    let content = #"{"count":17,"more":7,"text":"t","tone":"warn","items":[\#(items.joined(separator: ","))]}"#
    let fine = try node(content, .systemMedium, as: .strip)
    #expect(fine.bars.count == 96)
    #expect(fine.bars.map(\.progress).prefix(11) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, nil])
    // The entry's date is in the first quarter hour, whose tone has priority.
    #expect(fine.bars.map(\.tint).prefix(10) == [.green, .green] + Array(repeating: .blue, count: 6) + [.red, .red])
    #expect(fine.texts.first?.words == "! t" && fine.texts.first?.tint == .orange)
    #expect(fine.words.hasSuffix("and 7 more"))
    let hours = try node(content, .systemSmall, as: .strip)
    #expect(hours.bars.count == 24 && Array(hours.bars.map(\.progress).prefix(4)) == [0.4, 0.8, 1, nil])
  }

  @Test("Tones that ask for attention have a mark and a tint")
  func tones() throws {
    let content = #"""
      {"count":3,"more":0,"text":"t","items":[{"title":"a","tone":"good"},{"title":"b","tone":"bad"},
        {"title":"c","tone":"warn"},{"title":"d","tone":"unheard of"},{"title":"e"}]}
      """#
    #expect(try lines(content) == ["t", "a", "!! b", "! c", "d", "e"])
    let titles = try node(content, .systemMedium).texts.dropFirst()
    #expect(titles.map(\.tint) == [.green, .red, .orange, .ink, .ink])
    #expect(titles.map(\.size) == [.body, .headline, .headline, .body, .body])
    #expect(try lines(#"{"count":0,"more":0,"value":7,"tone":"bad"}"#) == ["!! 7"])
    #expect(try node(#"{"progress":0.5,"tone":"bad"}"#, .systemSmall).rings.map(\.tint) == [.red])
  }

  @Test("The tone of a content has its mark in each family of each template", arguments: contents, ViewFamily.allCases)
  func marks(content: (template: DefinedKind.Template, json: String), family: ViewFamily) throws {
    // A table has no room for more than its items there.
    if content.template == .table, family == .accessoryRectangular { return }
    let text = content.json.contains(#""text":"#) ? "" : #""text":"t","#
    let toned = content.json.replacing(#""count":"#, with: #""tone":"bad",\#(text)"count":"#)
    #expect(try node(toned, family, as: content.template).texts.contains { $0.words.hasPrefix("!! ") })
  }

  @Test("A small card has details below only if the text keeps its second line")
  func smallDetails() throws {
    func words(_ count: Int) throws -> [String] {
      let item = #"{"title":"a","detail":"b"}"#
      let items = Array(repeating: item, count: count).joined(separator: ",")
      return try node(#"{"count":2,"more":0,"text":"t","items":[\#(items)]}"#, .systemSmall).texts.map(\.words)
    }
    #expect(try words(2) == ["t", "a", "b", "a", "b"])
    #expect(try words(3) == ["t", "a", "a", "a"])
  }

  @Test("Items without titles are shown as a table")
  func untitled() throws {
    let items = #"[{"start":null,"end":null,"who":"Ann","done":3},{"start":null,"end":null,"who":"Bo","done":10}]"#
    let content = #"{"count":2,"more":0,"progress":0.5,"items":\#(items)}"#
    #expect(try lines(content) == ["██████████░░░░░░░░░░  50%", "Who  Done", "Ann     3", "Bo     10"])
    #expect(try node(content, .systemMedium).words == "50% · Ann · 3 · Bo · 10")
    let bare = #"{"count":1,"more":0,"progress":0.5,"items":[{"start":null,"end":null}]}"#
    #expect(try lines(bare) == ["██████████░░░░░░░░░░  50%"] && node(bare, .systemMedium).words == "50%")
  }

  @Test("In a small card, a unit is below its value if it does not fit beside it")
  func units() throws {
    func isBelow(_ value: String, _ unit: String) throws -> Bool {
      try node(#"{"value":\#(value),"unit":"\#(unit)"}"#, .systemSmall).all.contains { node in
        guard case .stack(.vertical, let nodes) = node.form else { return false }
        return nodes.contains { if case .text(let text) = $0.form { text.words == unit } else { false } }
      }
    }
    #expect(try !isBelow("12.5", "%") && isBelow("9.5", "ct/kWh"))
  }

  @Test("A number is a label however long it is, which pictures abbreviate; a long text keeps its unit")
  func longValue() throws {
    func amounts(_ value: String, _ family: ViewFamily) throws -> [String] {
      try node(#"{"value":\#(value),"unit":"kWh"}"#, family).texts.map { "\($0.role) \($0.words)" }
    }
    for family in [ViewFamily.accessoryRectangular, .systemSmall, .systemMedium, .systemLarge] {
      #expect(try amounts("34583.912045", family) == ["label 34583.912045", "label kWh"])
      #expect(try amounts("-20000011.5", family) == ["label −20000011.5", "label kWh"])
      #expect(try amounts(#""20000011 of 34583.912""#, family) == ["text 20000011 of 34583.912 kWh"])
    }
  }

  @Test("Items open their links")
  func links() throws {
    for family in [ViewFamily.terminal, .systemSmall, .systemMedium, .systemLarge] {
      #expect(try node(Self.list, family).actions == [.link("https://example.org/f")], "\(family)")
    }
  }

  @Test("Items of several days are rows, and not the hours of a strip")
  func severalDays() throws {
    let content = #"""
      {"count":2,"more":0,"items":[{"start":"2026-11-21T05:00:00Z","end":"2026-11-22T05:00:00Z","value":-2},
        {"start":"2026-11-22T05:00:00Z","end":"2026-11-23T05:00:00Z","value":2}]}
      """#
    let view = try node(content, .systemMedium)
    #expect(view.bars.map(\.progress) == [0, 1])
    #expect(view.words == "−2 · 2 · −2 · 00:00 · Sun 22 Nov 00:00")
  }

  // MARK: Without the definition

  @Test("The view is the same without the definition", arguments: contents)
  func agreement(template: DefinedKind.Template, content: String) throws {
    for family in ViewFamily.allCases {
      #expect(try node(content, family) == node(content, family, as: template), "\(family)")
    }
  }

  @Test(
    "Without the definition, names of another template's members give another view",
    arguments: [
      (
        DefinedKind.Template.table, #"{"count":1,"more":0,"items":[{"value":1,"unit":"kg"}]}"#,
        DefinedKind.Template.strip
      ),
      (.table, #"{"count":1,"more":0,"items":[{"title":"a","price":1}]}"#, .list),
      (.list, #"{"count":1,"more":0,"value":3,"items":[{"title":"a"}]}"#, .value),
      (.value, #"{"count":1,"more":0,"value":3,"progress":0.5}"#, .ring),
      (.strip, #"{"count":1,"more":0,"items":[{"value":"high"}]}"#, .table),
    ])
  func disagreement(template: DefinedKind.Template, content: String, inferred: DefinedKind.Template) throws {
    let value = try #require(JSONValue(Array(content.utf8)))
    #expect(DefinedView.template(of: value) == inferred && inferred != template)
    #expect(try node(content, .systemMedium) != node(content, .systemMedium, as: template))
  }

  @Test(
    "A content without the names of a template is shown as fields",
    arguments: [
      #"{"steps":12}"#, #"{"items":[1,2]}"#, #"{"text":"a"}"#, #"{"progress":"half"}"#, #"{"items":{"a":1}}"#,
    ])
  func fields(content: String) throws {
    for family in ViewFamily.allCases {
      #expect(try node(content, family) == ViewNode.fields(ViewInput(content, family)), "\(family)")
    }
  }

  // MARK: Awkward data

  @Test("Invalid items are left out, and the content's count gives how many are left out")
  func invalidItems() throws {
    let content = #"{"count":9,"more":7,"items":[1,{"title":"a"},null,[],{"title":"b"},"c"]}"#
    #expect(try lines(content, as: .list) == ["a", "b", "and 7 more"])
    #expect(try node(content, .systemLarge, as: .list).all.first { $0.room.more != nil }?.room.more == 7)
  }

  @Test("A large card has titles of two lines")
  func largeTitles() throws {
    let titles = try node(Self.list, .systemLarge).texts.filter { ["Rubbish", "Food"].contains($0.words) }
    #expect(titles.map(\.lineLimit) == [2, 2])
  }

  @Test(
    "Any types, sizes and scripts are accepted",
    arguments: [
      "null", #""\u0007""#, "[1,null,[true]]", #"{"name":"n"}"#, "1e308", "-1e308", "0", "true", #""مرحبا\u202e👩‍👩‍👧""#,
      "\"\"",
      "9223372036854775807", "\"" + String(repeating: "long ", count: 60) + "\"",
    ])
  func anything(value: String) throws {
    let names = [
      "text", "title", "value", "unit", "progress", "symbol", "color", "more", "count", "start", "end", "detail",
    ]
    let members = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
    let other =
      ##"{"title":"a","value":-1e308,"start":"9999-12-31T23:59:59Z","end":"0001-01-01T00:00:00Z","color":"#12"}"##
    // Without items, the families hardly differ, so one is enough.
    let forms = [("[{\(members)},\(other)]", ViewFamily.allCases), ("[]", [.systemMedium]), (value, [.systemMedium])]
    for (items, families) in forms {
      for template in [nil] + Template.allCases.map(Optional.some) {
        for family in families {
          let view = try node(#"{"items":\#(items),\#(members)}"#, family, as: template)
          let lines = TerminalView(style: .plain, width: 40).lines(of: view)
          #expect(!lines.isEmpty && lines.allSatisfy { $0.cellCount <= 40 }, "\(family)")
          for bar in view.bars { #expect(bar.progress.map { (0...1).contains($0) } ?? true) }
        }
      }
    }
  }

  @Test("A day of 25 or 23 hours has one bar for each")
  func longDay() throws {
    // New York: 2026-11-01 falls back, 2026-03-08 springs forward.
    for (start, hours) in [("2026-11-01T04:00:00Z", 25), ("2026-03-08T05:00:00Z", 23)] {
      let content = #"{"items":[{"start":"\#(start)","end":"\#(start)","value":1}]}"#
      #expect(try node(content, .systemMedium).bars.count == hours)
    }
  }

  @Test(
    "A colour is shown as the nearest accent",
    arguments: [
      ("red", ViewNode.Tint.red), ("#f00", .red), ("#FF9500", .orange), ("#2e7d32", .green), ("#0040DD", .blue),
      ("#7F3FA0", .purple), ("#B81658", .pink), ("#808080", .soft), ("#000", .soft), ("#fff", .soft),
    ])
  func colours(text: String, tint: ViewNode.Tint) {
    #expect(ViewNode.Tint(colour: text) == tint)
  }

  @Test(
    "An invalid colour is ignored",
    arguments: ["", "#", "#12", "#12345g", "#1234567", "reddish", "#－－－", "f00"])
  func noColour(text: String) { #expect(ViewNode.Tint(colour: text) == nil) }

  @Test("An icon is a symbol by its name, an emoji unchanged, or a dot for a colour alone")
  func icons() throws {
    let items =
      #"[{"title":"a","symbol":"drop"},{"title":"b","symbol":"🧹x"},{"title":"c","color":"red"},{"title":"d"}]"#
    let view = try node(#"{"count":4,"more":0,"items":\#(items)}"#, .systemLarge)
    #expect(view.symbols == ["drop", "", ""])
    #expect(view.texts.prefix(3).map(\.words) == ["a", "🧹", "b"])
  }
}
