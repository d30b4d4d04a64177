import Testing

import CacheSync

/// What paths find from an item.
@Suite struct ItemPathFindingTests {
  @Test(
    "each finds arrays and objects, and a single value",
    arguments: [
      ("$.a[*]", #"{"a":[1,2]}"#, ["1", "2"]),
      ("$.a.*", #"{"a":{"x":1,"y":2}}"#, ["1", "2"]),
      ("$[*]", "[1,2]", ["1", "2"]),
      ("$[*][*]", "[[1,2],[],[3]]", ["1", "2", "3"]),
      ("$[*].t[*]", #"[{"t":[1]},{},{"t":[2,3]},{"t":4},5]"#, ["1", "2", "3"]),
      ("$[-1][*]", "[[1,2],[3]]", ["3"]),
      ("$['a b'][0]", #"{"a b":[7,8]}"#, ["7"]),
      ("$", "7", ["7"]),
      ("$.a", #"{"a":7}"#, ["7"]),
      ("$.a[*]", #"{"a":[]}"#, []),
      ("$.a.*", #"{"a":{}}"#, []),
      ("$[*].t[*]", "[]", []),
      ("$.a[*].b", #"{"a":[{"b":1},{},{"b":2}]}"#, ["1", "2"]),
      // Keys compare after unescaping.
      ("$.äb[*]", #"{"\u00e4b":[1]}"#, ["1"]),
      ("$.a[*]", #"{"\u0061\u0061":[1],"\u0061":[2]}"#, ["2"]),
    ])
  func each(path: String, json: String, expected: [String]) throws {
    let sample = try SampleSession(#"{"each":"\#(path)","fields":{"value":"@"}}"#, json)
    #expect(sample.places == [])
    #expect(sample.values().map(\.plainText) == expected)
  }

  @Test(
    "The items of all paths are read, in the order of the paths",
    arguments: [
      (#"{"b":[2],"a":[1]}"#, ["1", "2"]), (#"{"b":[2]}"#, ["2"]), (#"{"a":[],"b":[2]}"#, ["2"]),
      (#"{"a":[]}"#, []),
      (#"{"a":null,"b":[2]}"#, ["2"]),
      (#"{"a":3,"b":[2]}"#, ["2"]),
    ])
  func severalPaths(json: String, expected: [String]) throws {
    let sample = try SampleSession(#"{"each":["$.a[*]","$.b[*]"],"fields":{"value":"@"}}"#, json)
    #expect(sample.places == [])
    #expect(sample.values().map(\.plainText) == expected)
  }

  @Test(
    "A file without the array or object is rejected at that place",
    arguments: [
      (#"{"b":[2]}"#, #"1:1: missing field "a", expected an array or object of items [/a]"#),
      (#"{"a":null}"#, "1:6: expected an array or object of items, found null [/a]"),
      (#"{"a": "x"}"#, #"1:7: expected an array or object of items, found "x" [/a]"#),
      ("[1]", #"1:1: expected an object with "a", found an array []"#),
    ])
  func noItems(json: String, expected: String) throws {
    #expect(try SampleSession(#"{"each":"$.a[*]"}"#, json).places == [expected])
  }

  @Test func missingFurtherIn() throws {
    let sample = try SampleSession(#"{"each":"$[*].t[*]"}"#, #"[{"u":[1]},{"v":2}]"#)
    #expect(sample.places == [#"1:2: missing field "t", expected an array or object of items [/0/t]"#])
  }

  @Test("^ is the object that contains the item, and ^^ the next one around it")
  func around() throws {
    let sample = try SampleSession(
      #"{"each":"$.b.c[*][*].d[*]","fields":{"a":"^.n","b":"^^.n","c":"$.n","deep":"^.d[1]"}}"#,
      #"{"n":"root","b":{"n":"b","c":[[{"n":"x","d":[{"n":"item"},2]}],[{"d":[3]}]]}}"#)
    #expect(sample.places == [])
    #expect(sample.values(0) == [.text("x"), .text("x"), .null])
    #expect(sample.values(1) == [.text("b"), .text("b"), .text("b")])
    #expect(sample.values(2) == [.text("root"), .text("root"), .text("root")])
    #expect(sample.values(3) == [.number(2), .number(2), .null])
  }

  @Test("Paths beyond the document find nothing")
  func aroundTheDocument() throws {
    let sample = try SampleSession(#"{"each":"$[*]","fields":{"a":"^.n","b":"^^"}}"#, #"[{"n":1}]"#)
    #expect(sample.values(0) == [.null])
    #expect(sample.values(1) == [.null])
  }

  @Test func keyIndexAndCount() throws {
    let object = try SampleSession(
      ##"{"each":"$.days.*","fields":{"k":"#key"}}"##, #"{"days":{"mon":{"x":1},"tu\"e":{"x":2}}}"#)
    #expect(object.values() == [.text("mon"), .text("tu\"e")])
    #expect(object.items.map(\.key) == ["mon", "tu\"e"])
    #expect(object.items.map(\.index) == [0, 1])
    #expect(object.items.map(\.siblingCount) == [2, 2])
    let array = try SampleSession(
      ##"{"each":"$[*][*]","fields":{"k":"#key","i":"#index","c":"#count"}}"##, "[[1],[2,3]]")
    #expect(array.values(0) == [.null, .null, .null])
    #expect(array.values(1) == [.number(0), .number(0), .number(1)])
    #expect(array.values(2) == [.number(1), .number(2), .number(2)])
  }

  @Test func columns() throws {
    let sample = try SampleSession(
      ##"""
      {"each":"$.sets[*]","columns":true,
       "fields":{"a":"@.a","b":"@.b[0]","unit":"^.unit","site":"^^.site","i":"#index","n":"#count","no":"@.unit"}}
      """##,
      #"{"site":"S","sets":[{"unit":"C","a":[1,2],"b":[[10],[20]]},{"unit":"F","a":[3],"b":[[30]]},{"unit":"K"}]}"#)
    #expect(sample.places == [])
    #expect(sample.values(0) == [.number(1), .number(2), .number(3)])
    #expect(sample.values(1) == [.number(10), .number(20), .number(30)])
    #expect(sample.values(2) == [.text("C"), .text("C"), .text("F")])
    #expect(sample.values(3) == [.text("S"), .text("S"), .text("S")])
    #expect(sample.values(4) == [.number(0), .number(1), .number(0)])
    #expect(sample.values(5) == [.number(2), .number(2), .number(1)])
    #expect(sample.values(6) == [.null, .null, .null])
  }

  @Test(
    "The column at fault is the one whose length differs from most",
    arguments: [
      (#"{"a":[1],"b":[1,2],"c":[1,2]}"#, ["1:6: expected a column of 2 elements as the others, found 1 [/a]"]),
      (#"{"a":[1,2],"b":[],"c":"text"}"#, ["1:16: expected a column of 2 elements as the others, found 0 [/b]"]),
      (#"[1]"#, ["1:1: expected an object of columns, found an array []"]),
    ])
  func oddColumns(json: String, expected: [String]) throws {
    let sample = try SampleSession(#"{"each":"$","columns":true,"fields":{"a":"@.a"}}"#, json)
    #expect(sample.places == expected)
  }

  @Test("A duplicate key is a defect only where a path reads it")
  func duplicates() throws {
    let items = #"{"each":"$.a[*]","fields":{"x":"@.x","site":"$.site"}}"#
    let sample = try SampleSession(
      items, #"{"site":1,"site":2,"a":[{"x":1,"y":1,"y":2},{"x":1,"x":2},{"x":{"z":1,"z":2}}]}"#)
    #expect(
      sample.places == [
        #"1:18: duplicate key "site" [/site]"#, #"1:56: duplicate key "x" [/a/1/x]"#,
        #"1:75: duplicate key "z" [/a/2/x/z]"#,
      ])
    #expect(try SampleSession(items, #"{"a":[],"a":[]}"#).places == [#"1:13: duplicate key "a" [/a]"#])
  }

  @Test("Long objects and arrays are read like short ones", arguments: [3, 32, 33, 100, 5_000])
  func wide(count: Int) throws {
    let members = (0..<count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let numbers = (0..<count).map(String.init).joined(separator: ",")
    let json = #"{"o":{\#(members),"\u006bey":"last"},"a":[\#(numbers)]}"#
    let fields =
      #"{"f":"$.o.k0","l":"$.o.k\#(count - 1)","n":"$.o.k\#(count)","e":"$.o.key","#
      + #""a":"$.a[\#(count - 1)]","b":"$.a[\#(count)]","c":"$.a[-1]","d":"$.a[-\#(count + 1)]","g":"$.a[-\#(count)]"}"#
    let sample = try SampleSession(#"{"each":"$","fields":\#(fields)}"#, json)
    #expect(sample.places == [])
    let last = ItemValue.number(Double(count - 1))
    #expect(
      sample.items.first?.values == [.number(0), last, .null, .text("last"), last, .null, last, .null, .number(0)])
    let again = try SampleSession(
      #"{"each":"$","fields":\#(fields)}"#, json.replacing(#""k0":0"#, with: #""k0":0,"key":1"#))
    #expect(again.defects.map(\.message) == [#"duplicate key "key""#])
  }
}
