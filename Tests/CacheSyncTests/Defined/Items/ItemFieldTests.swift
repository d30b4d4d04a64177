import Testing

import CacheSync

/// How fields convert what their paths find, and which items the conditions keep.
@Suite struct ItemFieldTests {
  private func value(_ field: String, _ json: String) throws -> ItemValue {
    let sample = try SampleSession(#"{"each":"$[*]","fields":{"x":\#(field)}}"#, "[\(json)]")
    #expect(sample.places == [])
    return try #require(sample.values().first)
  }

  @Test(
    "The conversions apply in the order as, map, scale, round, else",
    arguments: [
      (#""@""#, "null", ItemValue.null),
      (#""@.x""#, "{}", .null),
      (#""@""#, "true", .bool(true)),
      (#""@""#, "-0.5e1", .number(-5)),
      (#""@""#, #""a\n\u20ac""#, .text("a\n€")),
      (
        #""@""#, #"[1,"a",[null],{"b":2}]"#,
        .list([.number(1), .text("a"), .list([.null]), .object(.object(["b": .integer(2)]))])
      ),
      (#""@""#, #"{"b":[1.5,{}]}"#, .object(.object(["b": .array([.number(1.5), .object([:])])]))),
      (#"["@.x","@.y","@.z"]"#, #"{"x":null,"z":3}"#, .number(3)),
      (#"{"from":"@","as":"number"}"#, #""12.50""#, .number(12.5)),
      (#"{"from":"@","as":"number"}"#, #""+007""#, .number(7)),
      (#"{"from":"@","as":"number"}"#, #""-1e3""#, .number(-1000)),
      (#"{"from":"@","as":"number"}"#, #""1,5""#, .null),
      (#"{"from":"@","as":"number"}"#, #""0x10""#, .null),
      (#"{"from":"@","as":"number"}"#, #""nan""#, .null),
      (#"{"from":"@","as":"number"}"#, #""infinity""#, .null),
      (#"{"from":"@","as":"number"}"#, #""1e999""#, .null),
      (#"{"from":"@","as":"number"}"#, #""""#, .null),
      (#"{"from":"@","as":"number","else":-1}"#, #""none""#, .number(-1)),
      (#"{"from":"@","as":"number","else":-1}"#, "true", .number(-1)),
      (#"{"from":"@","as":"text"}"#, "1.50", .text("1.5")),
      (#"{"from":"@","as":"text"}"#, "12345678901234567890", .text("12345678901234567890")),
      (#"{"from":"@","as":"text"}"#, "false", .text("false")),
      (#"{"from":"@","as":"text"}"#, "[1,null,2]", .text("1, 2")),
      (#"{"from":"@","as":"text","else":"?"}"#, "{}", .text("?")),
      (#"{"from":"@","map":{"3":"three"}}"#, "3.0", .text("three")),
      (#"{"from":"@","map":{"3":"three"}}"#, "4", .number(4)),
      (#"{"from":"@","map":{"3":"three","*":"many"}}"#, "4", .text("many")),
      (#"{"from":"@","map":{"true":1}}"#, "true", .number(1)),
      (#"{"from":"@","map":{"*":1},"else":2}"#, "null", .number(2)),
      (#"{"from":"@","map":{"*":1},"else":2}"#, "[]", .number(1)),
      (#"{"from":"@","map":{"a":null},"else":2}"#, #""a""#, .null),
      (#"{"from":"@","map":{"a":2.5},"scale":10,"round":0}"#, #""a""#, .number(25)),
      (#"{"from":"@","scale":0.1,"round":1}"#, "88", .number(8.8)),
      (#"{"from":"@","scale":0.1}"#, "3", .number(0.3)),
      (#"{"from":"@","round":2}"#, "0.285", .number(0.29)),
      (#"{"from":"@","round":0}"#, "-0.5", .number(-1)),
      (#"{"from":"@","round":0}"#, "0.49999999999999994", .number(0)),
      (#"{"from":"@","round":0}"#, #""2.6""#, .text("2.6")),
      (#"{"from":"@","else":2.66,"round":1}"#, "null", .number(2.66)),
      (#"{"from":"@","else":[1]}"#, "null", .list([.number(1)])),
    ])
  func conversions(field: String, json: String, expected: ItemValue) throws {
    #expect(try value(field, json) == expected)
  }

  @Test func aNumberBeyondADouble() throws {
    let sample = try SampleSession(#"{"each":"$[*]","fields":{"x":"@.x"}}"#, #"[{"x":1e999,"y":1e999},{"x":[1e999]}]"#)
    #expect(sample.places == ["1:7: number too large [/0/x]", "1:30: number too large [/1/x/0]"])
  }

  @Test("where drops items before their times are read")
  func dropped() throws {
    let items = #"""
      {"each":"$[*]","fields":{"n":"@.n"},"where":{"field":"n","above":1},"id":"{n}","start":"@.at"}
      """#
    let sample = try SampleSession(
      items,
      #"[{"n":1,"at":"never"},{"n":2,"at":"2026-11-22"},{"n":null},{"n":3,"at":"2026-11-23"}]"#)
    #expect(sample.places == [])
    #expect(sample.items.map(\.id) == ["2", "3"])
    #expect(sample.session?.droppedIDs == [RecordID("1")])
  }

  @Test("If several items have the same id, the last one decides whether it is dropped")
  func lastItemWithID() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"id0":"@.i","ok":"@.ok"},"where":{"field":"ok","is":true},"id":"{id0}"}"#,
      #"[{"i":"a","ok":true},{"i":"a","ok":false},{"i":"b","ok":false},{"i":"b","ok":true},{"i":null,"ok":false}]"#)
    #expect(sample.items.map(\.id) == ["a", "b"])
    #expect(sample.session?.droppedIDs == [RecordID("a")])
  }

  @Test(
    "An id keeps the values that it is made of",
    arguments: [
      (#""{n}""#, "3"), (#""{t}""#, "x"), (#""{t}-{n}""#, "x-3"), (#""{none}""#, nil), (#""""#, nil),
      (#""{key}{index}{count}""#, "02"),
    ])
  func ids(template: String, expected: String?) throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"n":"@.n","t":"@.t","none":"@.none"},"id":\#(template)}"#, #"[{"n":3,"t":"x"},{}]"#)
    #expect(sample.places == [])
    #expect(sample.items.first?.id == expected)
  }

  @Test("A mark that the file sets takes the value of its field")
  func marks() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","id":"{index}","fields":{"done":"@.done"},"where":{"field":"done","is":false}}"#,
      #"[{"done":true},{"done":false},{"done":null},{}]"#, rest: #""marks":["done"],"#)
    #expect(sample.places == [])
    #expect(sample.items.map(\.id) == ["1", "2", "3"])
    #expect(sample.values() == [.bool(false), .bool(false), .bool(false)])
  }
}
