import Testing

@testable import CacheSyncValues

/// `less`, `per`, `scale`, `plus` and `round`, and texts of web pages. The numbers are worked out by hand.
@Suite struct FieldArithmeticTests {
  private func value(_ field: String, _ json: String) throws -> ItemValue? {
    let sample = try SampleSession(#"{"each":"$","fields":{"v":\#(field)}}"#, json)
    #expect(sample.places == [])
    return sample.values().first
  }

  @Test(
    "Arithmetic gives decimal results, without binary rounding errors",
    arguments: [
      (#"{"from":"@.k","plus":-273.15}"#, #"{"k":276.95}"#, 3.8),
      (#"{"from":"@.a","less":"@.b"}"#, #"{"a":0.3,"b":0.1}"#, 0.2),
      (#"{"from":"@.a","per":"@.b"}"#, #"{"a":0.3,"b":0.1}"#, 3),
      (#"{"from":"@.a","per":"@.b"}"#, #"{"a":310,"b":400}"#, 0.775),
      (#"{"from":"@.a","per":"@.b","round":2}"#, #"{"a":"2","b":"3"}"#, 0.67),
      // less, per, scale, plus, round: ((10 - 4) / 3) × 2.5 + 0.26 = 5.26.
      (#"{"from":"@.a","less":"@.b","per":"@.c","scale":2.5,"plus":0.26,"round":1}"#, #"{"a":10,"b":4,"c":3}"#, 5.3),
      (#"{"from":"@.a","less":["@.x","@.b"]}"#, #"{"a":-5,"x":null,"b":2}"#, -7),
      (#"{"from":"@.a","map":{"low":10},"plus":1}"#, #"{"a":"low"}"#, 11),
      (#"{"from":"@.a","less":"@.b"}"#, #"{"a":1e300,"b":1}"#, 1e300),
      (#"{"from":"@.a","scale":0.1}"#, #"{"a":3}"#, 0.3),
    ])
  func numbers(field: String, json: String, expected: Double) throws {
    #expect(try value(field, json) == .number(expected))
  }

  @Test(
    "A missing operand, a division by 0 and a text that is not a number give null",
    arguments: [
      (#"{"from":"@.a","less":"@.b","else":7}"#, #"{"a":1}"#), (#"{"from":"@.a","less":"@.b"}"#, #"{"a":1,"b":null}"#),
      (#"{"from":"@.a","per":"@.b"}"#, #"{"a":1,"b":0}"#), (#"{"from":"@.a","per":"@.b"}"#, #"{"a":1,"b":"x"}"#),
      (#"{"from":"@.a","plus":1}"#, #"{"a":"x"}"#), (#"{"from":"@.a","per":"@.b"}"#, #"{"a":1,"b":[1]}"#),
    ])
  func nulls(field: String, json: String) throws { #expect(try value(field, json) == .null) }

  @Test("Without arithmetic, a text of digits stays a text, and `else` replaces a missing value")
  func texts() throws {
    #expect(try value(#"{"from":"@.a","scale":2}"#, #"{"a":"3"}"#) == .text("3"))
    #expect(try value(#"{"from":"@.a","less":"@.b","else":7}"#, #"{"b":1}"#) == .number(7))
  }

  @Test(
    "Plain texts have no tags and no entities, in one line",
    arguments: [
      ("Headline 0 &amp; more", "Headline 0 & more"), ("<p>One</p><p>Two</p>", "One Two"), ("a<b>b</b>c", "abc"),
      ("M&uuml;ller &ndash; &#8364;5 &#x1F600; &apos;x&apos;", "Müller – €5 😀 'x'"), ("a &lt;b&gt; c", "a <b> c"),
      ("&amp;amp;", "&amp;"), ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
      ("AT&T; &nosuch; &#0; &#xD800;", "AT&T; &nosuch; &#0; &#xD800;"),
      (" two \\n\\t lines&nbsp; ", "two lines"), ("x<!-- a > b -->y", "xy"), ("<![CDATA[1 & 2]]>", "1 & 2"),
      ("<script>alert(1)</script>Hi<style>p{}</style>", "Hi"), ("<a href='x>y'>link</a>", "link"),
      ("line<br/>break", "line break"), ("<unclosed", "<unclosed"), ("", ""),
    ])
  func plain(text: String, expected: String) throws {
    #expect(try value(#"{"from":"@.a","as":"plain"}"#, #"{"a":"\#(text)"}"#) == .text(expected))
  }

  @Test("A long text of brackets takes linear time", .timeLimit(.minutes(10)))
  func hostile() throws {
    let text = String(repeating: "<a", count: 200_000) + String(repeating: "&a", count: 200_000)
    #expect(PlainText.of(text) == text)
  }

  @Test(
    "Markup that nothing ends is text, and its end is looked for once", .timeLimit(.minutes(10)),
    arguments: ["<!--", "<![CDATA[", "<!--<![CDATA["])
  func unclosedMarkup(start: String) {
    // Looked for at each of them, this would not end within the time limit.
    let text = String(repeating: start, count: 50_000)
    #expect(PlainText.of(text) == text)
  }
}
