import Testing

import CacheSync

@Suite struct JSONValueTests {
  private func parse(_ text: String) -> JSONValue? {
    bytes(text).withUnsafeBytes { JSONValue.parse($0) }
  }

  @Test("A document that cannot be read has a defect with its place")
  func defect() {
    #expect(JSONValue.defect(in: bytes("{\"a\": [1, 2]}")) == nil)
    for (text, place) in [
      ("{\n \"a\": 1,\n}", "line 3, column 1: "), ("{\"a\": 1, \"a\": 2}", "line 1, column 15: "),
      ("", "line 1, column 1: "), ("[1e999]", "line 1, column 2: "),
    ] {
      #expect(JSONValue(bytes(text)) == nil)
      #expect(JSONValue.defect(in: bytes(text))?.hasPrefix(place) == true, "\(text)")
    }
  }

  @Test("Each kind of value is read as it is written")
  func kinds() {
    #expect(parse("null") == .null)
    #expect(parse("true") == .bool(true))
    #expect(parse("false") == .bool(false))
    #expect(parse("7") == .integer(7))
    #expect(parse("-9223372036854775808") == .integer(.min))
    #expect(parse("9223372036854775808") == .digits("9223372036854775808"))
    #expect(parse("-9223372036854775809") == .digits("-9223372036854775809"))
    #expect(parse("9223372036854775808")?.double == 9_223_372_036_854_775_808)
    #expect(parse("9223372036854775808.0") == .number(9_223_372_036_854_775_808))
    #expect(parse("2.0") == .number(2))
    #expect(parse("1e2") == .number(100))
    #expect(parse("\"é\\n\"") == .string("é\n"))
    #expect(parse("[]") == .array([]))
    #expect(parse("{}") == .object([:]))
    #expect(
      parse("{\"a\":[1,{\"b\":null}],\"\":\"x\"}")
        == .object(["a": .array([.integer(1), .object(["b": .null])]), "": .string("x")]))
  }

  @Test(
    "A document with any defect gives no value",
    arguments: ["", "nul", "[1,]", "1e999", "{\"a\":1,\"\\u0061\":2}", "\"\\ud800\"", "{\"\\ud800\":1}", "[1] 2"])
  func defects(_ document: String) {
    #expect(parse(document) == nil)
  }

  @Test("A value is written as one line with its keys in order, and reads back the same")
  func written() {
    let text = "{\"a\":[1,2.5,\"\\u0001s\",true,{}],\"b\":null}"
    #expect(parse(text)?.bytes == Array(text.utf8))
  }

  @Test("Values can be accessed by key, index and type")
  func access() {
    let value = parse("{\"a\":[1,2.0,2.5,\"s\",true,{}],\"n\":null}")
    #expect(value?["a"]?[0]?.int == 1)
    #expect(value?["a"]?[0]?.double == 1)
    #expect(value?["a"]?[1]?.int == 2)
    #expect(value?["a"]?[2]?.int == nil)
    #expect(value?["a"]?[2]?.double == 2.5)
    #expect(value?["a"]?[3]?.string == "s")
    #expect(value?["a"]?[4]?.bool == true)
    #expect(value?["a"]?[5]?.object == [:])
    #expect(value?["a"]?[6] == nil)
    #expect(value?["a"]?[-1] == nil)
    #expect(value?["a"]?.array?.count == 6)
    #expect(value?["n"] == .null)
    #expect(value?["x"] == nil)
    #expect(value?[0] == nil)
    let others: [Any?] = [value?.string, value?.int, value?.double, value?.bool, value?.array]
    #expect(others.allSatisfy { $0 == nil })
    #expect(value?["n"]?.object == nil)
  }
}
