import CacheSync
import CacheSyncSystem
import Testing

@Suite("Screen files")
struct ScreenReadingTests {
  /// Reads a screen's file as the agent does.
  private func read(_ text: String, name: String = "kitchen.json") throws -> (
    screen: ScreenConfiguration?, problems: [String]
  ) {
    let feed = try #require(FeedRegistry.builtIn.feed(named: ScreensFeed.name))
    let path = CachePath("screens/\(name)")
    return Array(text.utf8).withUnsafeBytes { bytes in
      let decoded = feed.decode(bytes, at: path)
      return (decoded.session as? ScreenConfiguration, decoded.problems(at: path, in: bytes).map { $0.line() })
    }
  }

  @Test(
    "Missing members have their defaults, and null counts as missing",
    arguments: [
      #"{"widgets":["bins"]}"#,
      #"{"widgets":["bins"],"size":null,"rotate":null,"bits":null,"appearance":null,"clock":null,"title":null,"#
        + #""redacted":null,"columns":null,"rotateEvery":null}"#,
      #"{"widgets":["bins"],"size":"fill","rotate":0,"bits":32,"appearance":"auto","clock":false,"redacted":false}"#,
    ])
  func defaults(text: String) throws {
    let screen = try #require(try read(text).screen)
    #expect(screen.name == "kitchen" && screen.widgets.map(\.description) == ["bins"] && screen.size == nil)
    #expect(screen.rotate == 0 && screen.bits == 32 && screen.appearance == .auto && !screen.hasClock)
    #expect(screen.title == nil && !screen.isRedacted && screen.columns == nil && screen.rotateEvery == nil)
  }

  @Test("Every member is read; families also by their last words, and the size with either sign")
  func everything() throws {
    let text = """
      {"widgets":["calendar:large","todays-tasks:systemMedium","a:circular","b:rectangular","c:inline","d:small"],
      "size":"1072×1448","rotate":270,"bits":8,"appearance":"eink","clock":true,"title":"Kitchen 🥗","redacted":true,
      "columns":16,"rotateEvery":"P1D"}
      """
    let screen = try #require(try read(text).screen)
    #expect(
      screen.widgets.map(\.description) == [
        "calendar:systemLarge", "todays-tasks:systemMedium", "a:accessoryCircular", "b:accessoryRectangular",
        "c:accessoryInline", "d:systemSmall",
      ])
    #expect(screen.size?.description == "1072x1448" && screen.rotate == 270 && screen.bits == 8)
    #expect(screen.appearance == .eink && screen.hasClock && screen.title == "Kitchen 🥗" && screen.isRedacted)
    #expect(screen.columns == 16 && screen.rotateEvery == "P1D")
  }

  @Test(
    "Every defect is reported with its place",
    arguments: [
      ("{}", "1:1: error: missing field 'widgets' [/widgets]"),
      ("[]", "1:1: error: expected an object, found an array"),
      (#"{"widgets":["a"],"colums":1}"#, "1:18: error: unknown key 'colums'; 'columns'? [/colums]"),
      (#"{"widgets":[]}"#, "1:12: error: expected at least one widget [/widgets]"),
      (#"{"widgets":"a"}"#, "1:12: error: expected a list of widgets, found a string [/widgets]"),
      (
        #"{"widgets":["a",7]}"#,
        "1:17: error: expected KIND or KIND:FAMILY, such as calendar:large, found a number [/widgets/1]"
      ),
      (
        #"{"widgets":[":large"]}"#,
        "1:13: error: expected KIND or KIND:FAMILY, such as calendar:large, found no kind [/widgets/0]"
      ),
      (#"{"widgets":["a:larg"]}"#, "1:13: error: unknown family 'larg': did you mean large? [/widgets/0]"),
      (
        #"{"widgets":["a:terminal"]}"#,
        "1:13: error: unknown family 'terminal': use one of small, medium, large, circular, rectangular, inline [/widgets/0]"
      ),
      (#"{"widgets":["a"],"rotate":45}"#, "1:27: error: expected one of 0, 90, 180, 270, found 45 [/rotate]"),
      (#"{"widgets":["a"],"bits":16}"#, "1:25: error: expected one of 1, 2, 4, 8, 32, found 16 [/bits]"),
      (
        #"{"widgets":["a"],"bits":4,"appearance":"dark"}"#,
        "1:40: error: dark needs 32 bits, not 4: use eink or auto, or remove bits [/appearance]"
      ),
      (
        #"{"widgets":["a"],"appearance":"darc"}"#,
        "1:31: error: expected one of auto, light, dark, eink, found 'darc'; 'dark'? [/appearance]"
      ),
      (
        #"{"widgets":["a"],"columns":17}"#, "1:28: error: expected a whole number from 1 to 16, found 17 [/columns]"
      ),
      (
        #"{"widgets":["a"],"title":" "}"#,
        "1:26: error: expected a text, found blanks: write a title, or remove it [/title]"
      ),
      (#"{"widgets":["a"],"clock":1}"#, "1:26: error: expected true or false, found a number [/clock]"),
    ])
  func defects(text: String, expected: String) throws {
    let read = try read(text)
    #expect(read.screen == nil)
    #expect(read.problems == ["screens/kitchen.json:" + expected])
  }

  @Test("A screen has 1 to 64 widgets")
  func number() throws {
    func text(_ count: Int) -> String {
      #"{"widgets":["# + Array(repeating: #""a""#, count: count).joined(separator: ",") + "]}"
    }
    #expect(try read(text(64)).screen?.widgets.count == 64)
    #expect(try read(text(65)).problems.map { $0.contains("more than 64 elements [/widgets/64]") } == [true])
  }

  @Test(
    "A size has two sides of 1 to 8192 pixels",
    arguments: [
      ("1x1", true), ("8192x8192", true), ("800X480", false), ("8193x1", false), ("0x480", false), ("800", false),
      ("800x", false), ("800x480x1", false), ("+800x480", false), ("0800x480", false), (" 800x480", false), ("", false),
    ])
  func sizes(size: String, isValid: Bool) throws {
    #expect(try (read(#"{"widgets":["a"],"size":"\#(size)"}"#).screen != nil) == isValid)
  }

  @Test(
    "Pages take turns after 5 s to a day",
    arguments: [
      ("PT5S", true), ("PT30S", true), ("P1D", true), ("PT24H", true), ("PT4S", false), ("PT24H1S", false),
      ("30", false), ("PT4.9S", false),
    ])
  func pauses(pause: String, isValid: Bool) throws {
    #expect(try (read(#"{"widgets":["a"],"rotateEvery":"\#(pause)"}"#).screen != nil) == isValid)
  }

  @Test(
    "Fewer bits go with e-ink colours only", arguments: [1, 2, 4, 8, 32], ["auto", "light", "dark", "eink"])
  func bits(bits: Int, appearance: String) throws {
    let read = try read(#"{"widgets":["a"],"appearance":"\#(appearance)","bits":\#(bits)}"#)
    #expect((read.screen != nil) == (bits == 32 || ["auto", "eink"].contains(appearance)))
  }

  @Test(
    "A screen may have a kind's name, and no other name than a widget may",
    arguments: [
      ("calendar", true), ("day-index", true), ("a1-2b", true), ("Kitchen", false), ("a--b", false), ("a_b", false),
      (String(repeating: "a", count: 41), false),
    ])
  func names(name: String, isValid: Bool) throws {
    #expect(try (read(#"{"widgets":["a"]}"#, name: name + ".json").screen != nil) == isValid)
  }

  @Test("A file has 65,536 bytes at most, and lies directly in screens/")
  func places() throws {
    let text = #"{"widgets":["a"]}"#
    #expect(try read(text + String(repeating: " ", count: 65_536 - text.utf8.count)).screen != nil)
    #expect(try read(text + String(repeating: " ", count: 65_537 - text.utf8.count)).screen == nil)
    #expect(
      try read(text, name: "a/b.json").problems
        == ["screens/a/b.json:1:1: error: a screen file lies directly in screens/: move it there"])
  }
}
