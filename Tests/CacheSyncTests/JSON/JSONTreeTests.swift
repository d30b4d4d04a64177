import Testing

@testable import CacheSyncValues

@Suite struct JSONTreeTests {
  private func defects(_ bytes: [UInt8]) -> [JSONDefect] { bytes.withUnsafeBytes { JSONTree.read($0).defects } }

  private func readerDefects(_ bytes: [UInt8]) -> [JSONDefect] {
    bytes.withUnsafeBytes { bytes in
      JSONReader.read(bytes) { json in
        json.skipValue()
        return true
      }.defects
    }
  }

  private static let document = #"""
     { "a" : [ 1, -2.5e3, [], {}, [[ ]], {"b":{}} ], "\u00e4\n": "x\"y", "c":[true,false,null,"",{"d":0}], "é":"€" }
    """#

  @Test(
    "The tree refuses what the reader refuses, at the same place",
    arguments: [
      "", " ", "[", "{", "]", "[,1]", "[1,]", "[1 2]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#,
      #"{a:1}"#, "[1}", #"{"a":1]"#,
      "nul", "tru", "01", "1.", "-", "1e", #""a"#, "\"a\tb\"", #""\x""#, #""\ud800""#, #""\udc00\ud800""#, "1 2",
      "[] []", "\u{feff}[]", "[1]]", "{}}",
      #"["a\ud83d\ude00"]"#, "[\"\u{0}\"]", "\u{0}", "[1,,2]", #"{"a":1,"a":2}"#,
    ])
  func syntax(document: String) {
    #expect(defects(Array(document.utf8)) == readerDefects(Array(document.utf8)))
  }

  @Test func cutAndChangedDocuments() {
    let bytes = Array(Self.document.utf8)
    #expect(defects(bytes) == [])
    for count in bytes.indices {
      #expect(defects(Array(bytes.prefix(count))) == readerDefects(Array(bytes.prefix(count))))
    }
    for index in bytes.indices {
      for byte in [0x00, 0x20, 0x22, 0x2c, 0x30, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        #expect(defects(changed) == readerDefects(changed))
      }
    }
  }

  @Test(arguments: [(512, true), (513, false), (100_000, false)])
  func depth(levels: Int, isGood: Bool) {
    for brackets in [("[", "]"), (#"{"a":"#, "}")] {
      let open = String(repeating: brackets.0, count: levels)
      let document = open + (brackets.0 == "[" ? "" : "1") + String(repeating: brackets.1, count: levels)
      let found = defects(Array(document.utf8))
      #expect(found.isEmpty == isGood)
      #expect(found == readerDefects(Array(document.utf8)))
    }
  }

  @Test("The whole document has the values that the reader reads")
  func values() throws {
    let bytes = Array(Self.document.utf8)
    try bytes.withUnsafeBytes { buffer in
      let tree = try #require(JSONTree.read(buffer).tree)
      var reading = JSONValueReading(tree)
      let value = reading.itemValue(of: JSONTree.root)
      #expect(reading.defects.isEmpty)
      #expect(value == .object(try #require(JSONValue.parse(buffer))))
    }
  }

  @Test("A strict tree has no duplicate keys and no number that is too large, even if the document is cut off")
  func strict() throws {
    let document = Array(#"{"b":1e999,"a":[{"x":1,"x":[1e999]}],"c":{"b":1,"b":2},"b":3,"c":4"#.utf8)
    func read(_ bytes: [UInt8], ignoring ignored: Set<String> = []) -> (keys: [String]?, defects: [JSONDefect]) {
      bytes.withUnsafeBytes { bytes in
        let (tree, defects) = JSONTree.read(bytes, strictly: true, ignoring: ignored)
        return (tree.map { tree in tree.children(of: JSONTree.root).map { tree.text(of: $0) } }, defects)
      }
    }
    let whole = read(document + [UInt8(ascii: "}")])
    #expect(whole.keys == ["b", "a", "c"])
    #expect(whole.defects.map(\.offset) == [5, 27, 52, 59, 65])
    let messages = ["number too large"] + ["x", "b", "b", "c"].map { "duplicate key \"\($0)\"" }
    #expect(whole.defects.map(\.message) == messages)
    #expect(read(document).keys == nil)
    #expect(read(document).defects.map(\.message) == messages.dropLast() + ["unexpected end of document"])
    let ignoring = read(document + [UInt8(ascii: "}")], ignoring: ["b", "x"])
    #expect(ignoring.keys == ["a", "c"])
    #expect(ignoring.defects.map(\.offset) == [27, 52, 59, 65])
  }

  @Test("A value that fits is printed on one line, except for the top and its members")
  func printed() throws {
    let long = String(repeating: "é", count: 40)
    let text = #"{"b":{"y":1,"x":[true,{}],"n":[]},"a":["\#(long)",[{"t":"\u0007"}],"\#(long)"],"e":{},"l":[1,2]}"#
    let expected = """
      {
        "b": { "y": 1, "x": [true, {}], "n": [] },
        "a": [
          "\(long)",
          [{ "t": "\\u0007" }],
          "\(long)"
        ],
        "e": {},
        "l": [1, 2]
      }
      """
    #expect(Array(text.utf8).withUnsafeBytes { JSONTree.read($0).tree?.printed } == expected)
  }

  @Test func nodesAreSmall() {
    #expect(MemoryLayout<JSONTree.Node>.stride == 8)
    #expect(MemoryLayout<ItemValue>.stride <= 24)
    #expect(MemoryLayout<DefinedItem>.size <= 120)
  }

  @Test("An escaped key is found, and finding a long name takes more steps than a short one")
  func escapedKeys() throws {
    let long = String(repeating: "b", count: 6_400)
    let text = #"{"\u0061\u0062":1,"\u0061\#(long)":2,"c":3}"#
    try Array(text.utf8).withUnsafeBytes { buffer in
      var tree = try #require(JSONTree.read(buffer).tree)
      // Each of the numbers is the second of two nodes.
      #expect(tree.member("ab", of: JSONTree.root)?.value == 2)
      #expect(tree.member("a" + long, of: JSONTree.root)?.value == 4)
      #expect(tree.member("c", of: JSONTree.root)?.value == 6)
      let before = tree.steps
      #expect(tree.member("abc", of: JSONTree.root) == nil)
      let short = tree.steps - before
      #expect(tree.member(long, of: JSONTree.root) == nil)
      #expect(tree.steps - before - short == 101 * short, "6,400 bytes are 100 steps more for each key")
    }
  }
}
