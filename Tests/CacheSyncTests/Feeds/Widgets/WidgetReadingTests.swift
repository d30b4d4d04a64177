import CacheSync
import CacheSyncSystem
import Testing

@Suite("Widget files")
struct WidgetReadingTests {
  /// Reads a widget file as the agent does.
  private func read(_ text: String, name: String = "mine.json") throws -> (
    widget: WidgetConfiguration?, problems: [String]
  ) {
    let feed = try #require(FeedRegistry.builtIn.feed(named: WidgetsFeed.name))
    let path = CachePath("widgets/\(name)")
    return Array(text.utf8).withUnsafeBytes { bytes in
      let decoded = feed.decode(bytes, at: path)
      return (decoded.session as? WidgetConfiguration, decoded.problems(at: path, in: bytes).map { $0.line() })
    }
  }

  @Test("Missing options have their default values")
  func standardOptions() throws {
    let widget = try #require(try read(#"{"kind":"meal-plan"}"#).widget)
    #expect(widget.name == "mine" && widget.kind == "meal-plan" && widget.title == nil && widget.from == nil)
    #expect(widget.options == ["track": .string("all")])
  }

  @Test("A title, a path and options are read; null counts as missing")
  func everything() throws {
    let text = #"{"kind":"meal-plan","title":"Adults 🥗","from":"meal-plan/a","options":{"track":"adult"}}"#
    let widget = try #require(try read(text).widget)
    #expect(widget.title == "Adults 🥗" && widget.from == CachePath("meal-plan/a"))
    #expect(widget.options == ["track": .string("adult")])
    #expect(try read(#"{"kind":"meal-plan","title":null,"from":null,"options":{"track":null}}"#).widget?.title == nil)
  }

  @Test(
    "Every defect is reported with its place",
    arguments: [
      (#"{}"#, "1:1: error: missing field 'kind' [/kind]"),
      (#"[]"#, "1:1: error: expected an object, found an array"),
      (#"{"kind":"macro"}"#, "1:9: error: unknown kind 'macro': did you mean macros? [/kind]"),
      (#"{"kind":7}"#, "1:9: error: expected the name of a kind, found a number [/kind]"),
      (#"{"kind":"macros","colour":1}"#, "1:18: error: unknown key 'colour' [/colour]"),
      (
        #"{"kind":"meal-plan","options":{"trak":"all"}}"#,
        "1:32: error: unknown option 'trak': did you mean track? [/options/trak]"
      ),
      (
        #"{"kind":"meal-plan","options":{"track":"kids"}}"#,
        "1:40: error: expected one of family, adult, all for track, found \"kids\" [/options/track]"
      ),
      (
        #"{"kind":"next-event","options":{"x":1}}"#, "1:33: error: unknown option 'x': next-event has none [/options/x]"
      ),
    ])
  func defects(text: String, expected: String) throws {
    let read = try read(text)
    #expect(read.widget == nil)
    #expect(read.problems == ["widgets/mine.json:" + expected])
  }

  @Test(
    "A path must be relative and in plain form",
    arguments: ["", "/health", "health/", "health//a", "./health", "health/../a", "..", "."])
  func paths(from: String) throws {
    let problems = try read(#"{"kind":"macros","from":"\#(from)"}"#).problems
    #expect(problems.count == 1 && problems[0].contains("expected a relative path"), "\(problems)")
  }

  @Test("A title has 1 to 80 characters and no line break")
  func titles() throws {
    func isRead(_ title: String) throws -> Bool { try read(#"{"kind":"macros","title":"\#(title)"}"#).widget != nil }
    #expect(try isRead("x") && isRead(String(repeating: "é", count: 80)))
    #expect(try !isRead("") && !isRead(" \u{a0}") && !isRead(String(repeating: "é", count: 81)))
    #expect(try !isRead(#"a\nb"#) && !isRead(#"a\u2028b"#) && !isRead(#"a\rb"#))
  }

  @Test(
    "Only plain names are widgets",
    arguments: [
      ("a", true), ("carbs-only", true), ("a1-2b", true), (String(repeating: "a", count: 40), true),
      (String(repeating: "a", count: 41), false), ("Carbs", false), ("1a", false), ("a--b", false), ("a-", false),
      ("-a", false), ("a_b", false), ("macros", false), ("day-index", false), ("manifest", false), ("é", false),
    ])
  func names(name: String, isValid: Bool) throws {
    #expect(try (read(#"{"kind":"macros"}"#, name: name + ".json").widget != nil) == isValid)
  }

  @Test("A file has 65,536 bytes at most")
  func size() throws {
    let text = #"{"kind":"macros"}"#
    #expect(try read(text + String(repeating: " ", count: 65_536 - text.utf8.count)).widget != nil)
    #expect(try read(text + String(repeating: " ", count: 65_537 - text.utf8.count)).widget == nil)
  }

  @Test("The example of every kind can be read", arguments: FeedRegistry.builtIn.kinds.map(\.name))
  func examples(name: KindName) throws {
    let kind = try #require(FeedRegistry.builtIn.kind(named: name))
    let read = try read(kind.exampleOfWidget(in: .english))
    #expect(read.problems == [] && read.widget?.kind == name)
    #expect(read.widget?.title == kind.displayName.text(in: .english))
  }

  @Test("Every kind has words for people", arguments: FeedRegistry.builtIn.kinds.map(\.name))
  func words(name: KindName) throws {
    let kind = try #require(FeedRegistry.builtIn.kind(named: name))
    #expect(!kind.displayName.text(in: .english).isEmpty && kind.summary.text(in: .english).count > 10)
  }
}
