import Testing

import CacheSync

/// Texts with different bytes are different, even if Swift considers them equal: "é" as one scalar and as two.
@Suite("Texts by their bytes") struct ExactTextTests {
  static let composed = "\u{E9}"
  static let decomposed = "e\u{301}"

  @Test("Swift considers both texts equal, which is the reason for these tests") func premise() {
    #expect(Self.composed == Self.decomposed)
    #expect(ExactText(Self.composed) != ExactText(Self.decomposed))
    #expect(Set([ExactText(Self.composed), ExactText(Self.decomposed)]).count == 2)
    // By bytes 0x65 comes before 0xC3.
    #expect(ExactText(Self.decomposed) < ExactText(Self.composed))
  }

  @Test("An object may have both keys, and a value differs if its key or text does") func objects() throws {
    let json = #"{"\#(Self.composed)":1,"\#(Self.decomposed)":2}"#
    let value = try #require(JSONValue(Array(json.utf8)))
    #expect(value[Self.composed] == .integer(1) && value[Self.decomposed] == .integer(2))
    #expect(JSONValue(value.bytes) == value)
    #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"\#(Self.decomposed)":2,"\#(Self.composed)":1}"#)
    #expect(JSONValue.string(Self.composed) != .string(Self.decomposed))
    #expect(JSONValue(Array(#"{"\#(Self.composed)":1,"\u00e9":2}"#.utf8)) == nil, "the same bytes, written otherwise")
  }

  @Test("An object in a field may have both keys") func objectsOfFields() throws {
    let json = #"[{"\#(Self.composed)":1,"\#(Self.decomposed)":2}]"#
    let sample = try SampleSession(#"{"each":"$[*]","fields":{"x":"@"}}"#, json)
    #expect(sample.places == [])
    #expect(
      sample.values() == [.object(.object([Self.composed: .integer(1), Self.decomposed: .integer(2)]))])
  }

  @Test("Names of fields, paths, keys of a map, and conditions distinguish both") func definitions() throws {
    let (a, b) = (Self.composed, Self.decomposed)
    let items = #"""
      {"each":"$[*]","fields":{"\#(a)":"@.\#(a)","\#(b)":{"from":"@['\#(b)']","map":{"\#(a)":1,"\#(b)":2}}},
      "where":{"field":"\#(b)","is":2},"id":"{\#(a)}"}
      """#
    let sample = try SampleSession(
      items, #"[{"\#(a)":"x","\#(b)":"\#(a)"},{"\#(a)":"\#(b)","\#(b)":"\#(b)"},{"\#(a)":"\#(a)","\#(b)":"\#(b)"}]"#)
    #expect(sample.places == [])
    #expect(sample.items.map(\.values) == [[.text(b), .number(2)], [.text(a), .number(2)]])
    #expect(sample.items.compactMap(\.id).map { ExactText($0) } == [ExactText(b), ExactText(a)])
    for (operand, expected) in [(a, [a]), (b, [b])] {
      let kept = try SampleSession(
        #"{"each":"$[*]","fields":{"x":"@"},"where":{"field":"x","in":["\#(operand)"]}}"#, #"["\#(a)","\#(b)"]"#)
      #expect(kept.values() == expected.map(ItemValue.text))
    }
  }

  @Test("Both ids are separate items, values are ordered by bytes, and a content may have both names") func kinds()
    throws
  {
    let (a, b) = (Self.composed, Self.decomposed)
    let definition = try SampleSession.definition(
      #"""
      {"version":1,"items":{"each":"$[*]","fields":{"x":"@"},"id":"{x}"},"kinds":{"sample":{"show":"all","order":["x"],
      "values":{"\#(a)":{"first":"x"},"\#(b)":{"last":"x"}},"content":{"text":"","\#(a)":"{\#(a)}","\#(b)":"{\#(b)}"},
      "items":{"title":"{x}"}}}}
      """#)
    let feed = try DefinedFeedHarness(definition)
    try feed.put(try #require(definition.read(#"["\#(a)","\#(b)","\#(a)"]"#).session))
    let content = try feed.content(at: "2026-11-22T12:00:00Z")
    #expect(content["items"]?.array?.map { $0["title"] } == [.string(b), .string(a)])
    #expect(content[a] == .string(b) && content[b] == .string(a))
  }

  @Test("A definition that differs only in such a text is different, so its change takes effect") func changes() throws
  {
    func read(_ text: String) throws -> FeedDefinition {
      try SampleSession.definition(
        #"""
        {"version":1,"files":"\#(text)/**","items":{"each":"$.x[*]","fields":{"x":"@"}},
        "kinds":{"sample":{"show":"all","content":{"text":"x"}}}}
        """#)
    }
    #expect(try read(Self.composed) != read(Self.decomposed))
    func kind(_ text: String) throws -> FeedDefinition {
      try SampleSession.definition(
        #"{"version":1,"items":{"each":"$[*]"},"kinds":{"sample":{"show":"all","content":{"text":"\#(text)"}}}}"#)
    }
    #expect(try kind(Self.composed) != kind(Self.decomposed))
    #expect(try kind(Self.composed) == kind(Self.composed))
  }
}
