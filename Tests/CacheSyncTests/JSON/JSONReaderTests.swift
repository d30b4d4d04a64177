import Testing

import CacheSync

@Suite struct JSONReaderTests {
  @Test("A decoder gets the fields that it asks for, in any order, and the rest is skipped")
  func fields() {
    let result = read(bytes(sample), Record.read)
    var expected = Record(id: "séance \"x\" 😀 é😀", count: 6, ratio: 0.5, color: .green, done: true)
    expected.tags = ["a", "", "bb"]
    expected.longest = -12
    expected.children = [Record(id: "inner")]
    #expect(result.defects == [])
    #expect(result.value == expected)
    #expect(read("{\"count\":1,\"id\":\"x\"}", Record.read).value == Record(id: "x", count: 1))
    #expect(read("{ \"id\"\n:\t\"x\" }", Record.read).value == Record(id: "x"))
  }

  /// A document and its defects: offset, message, pointer.
  static let defects: [(String, [(Int, String, String)])] = [
    // Wrong types.
    ("[]", [(0, "expected an object, found an array", "")]),
    (" null", [(1, "expected an object, found null", "")]),
    ("{\"id\":7}", [(6, "expected a string, found a number", "/id")]),
    ("{\"id\":null}", [(6, "expected a string, found null", "/id")]),
    ("{\"id\":\"\",\"done\":0}", [(16, "expected true or false, found a number", "/done")]),
    ("{\"id\":\"\",\"tags\":{}}", [(16, "expected an array, found an object", "/tags")]),
    (
      "{\"id\":\"\",\"tags\":[\"a\",false,\"b\",[1,[2]]]}",
      [
        (21, "expected a string, found false", "/tags/1"), (31, "expected a string, found an array", "/tags/3"),
      ]
    ),
    ("{\"id\":\"\",\"note\":true}", [(16, "expected a string, found true", "/note")]),
    ("{\"id\":\"\",\"child\":[]}", [(17, "expected an object, found an array", "/child")]),
    // Ranges.
    ("{\"id\":\"\",\"count\":7}", [(17, "expected a whole number from 0 to 6, found 7", "/count")]),
    ("{\"id\":\"\",\"ratio\":1.5}", [(17, "expected a number from 0 to 1, found 1.5", "/ratio")]),
    ("{\"id\":\"\",\"ratio\":1e999}", [(17, "number too large", "/ratio")]),
    (
      "{\"id\":\"\",\"color\":\"blue\"}",
      [
        (17, "expected one of red, green, a colour of many letters, found \"blue\"", "/color")
      ]
    ),
    // Missing fields.
    ("{}", [(0, "missing field 'id'", "/id")]),
    ("  {\"count\":1}", [(2, "missing field 'id'", "/id")]),
    ("{\"unknown\":{\"id\":1}}", [(0, "missing field 'id'", "/id")]),
    // Duplicate keys.
    ("{\"id\":\"a\",\"id\":\"b\"}", [(15, "duplicate key 'id'", "/id")]),
    ("{\"id\":\"a\",\"\\u0069d\":\"b\"}", [(20, "duplicate key 'id'", "/id")]),
    ("{\"\\u0069\\u0064\":\"a\",\"id\":7}", [(25, "duplicate key 'id'", "/id")]),
    (
      "{\"id\":\"a\",\"id\":\"b\",\"id\":\"c\"}",
      [(15, "duplicate key 'id'", "/id"), (24, "duplicate key 'id'", "/id")]
    ),
    ("{\"id\":7,\"id\":\"b\"}", [(6, "expected a string, found a number", "/id"), (13, "duplicate key 'id'", "/id")]),
    ("{\"id\":\"a\",\"child\":{},\"child\":{}}", [(29, "duplicate key 'child'", "/child")]),
    // The same defects for a key that the reader expects, after `id`, and for one that it does not.
    ("{\"count\":1,\"id\":\"a\",\"count\":2}", [(28, "duplicate key 'count'", "/count")]),
    ("{\"count\":1,\"id\":\"a\",\"\\u0063ount\":2}", [(33, "duplicate key 'count'", "/count")]),
    ("{\"id\" \"a\"}", [(6, "unexpected '\"', expected a colon", "")]),
    ("{\"\\u0069d\" \"a\"}", [(11, "unexpected '\"', expected a colon", "")]),
    ("{\"id\":\"a\",\"count", [(16, "unexpected end of document", "")]),
    // Several defects, in the order of the document. One that is found last may come first.
    (
      "{\"count\":9,\"ratio\":-1,\"child\":{\"count\":\"\"},\"done\":[]}",
      [
        (0, "missing field 'id'", "/id"), (9, "expected a whole number from 0 to 6, found 9", "/count"),
        (19, "expected a number from 0 to 1, found -1", "/ratio"),
        (39, "expected a whole number from 0 to 6, found a string", "/child/count"),
        (50, "expected true or false, found an array", "/done"),
      ]
    ),
    (
      "{\"id\":7,\"x\":\"\\udc00\",\"y\":1,}",
      [
        (6, "expected a string, found a number", "/id"), (13, "lone surrogate escape", ""),
        (27, "unexpected '}', expected a key", ""),
      ]
    ),
    // Only complete values are checked.
    (
      "{\"count\":9,\"ratio\":1",
      [(9, "expected a whole number from 0 to 6, found 9", "/count"), (20, "unexpected end of document", "")]
    ),
    ("{\"id\":\"\",\"count\":12", [(19, "unexpected end of document", "")]),
    ("{\"id\":nulx}", [(9, "unexpected 'x', expected null", "")]),
    // Except for their type, which the first byte determines.
    (
      "{\"id\":\"\",\"done\":12",
      [(16, "expected true or false, found a number", "/done"), (18, "unexpected end of document", "")]
    ),
    (
      "{\"id\":[1,}",
      [(6, "expected a string, found an array", "/id"), (9, "unexpected '}', expected a value", "")]
    ),
    (
      "{\"tags\":\"abc",
      [(8, "expected an array, found a string", "/tags"), (12, "unexpected end of document", "")]
    ),
  ]

  @Test("Each defect is reported at its byte, in the order of the document", arguments: defects)
  func finds(_ document: String, _ expected: [(offset: Int, message: String, pointer: String)]) {
    let result = read(document, Record.read)
    #expect(result.value == nil)
    #expect(result.defects.map(\.offset) == expected.map(\.offset))
    #expect(result.defects.map(\.message) == expected.map(\.message))
    let places = places(result.defects, in: bytes(document))
    #expect(places.map(\.pointer) == expected.map(\.pointer))
    #expect(places.map(\.column) == expected.map { $0.offset + 1 })
  }

  @Test("Skipped parts are not checked for duplicate keys and large numbers")
  func skippedParts() {
    #expect(read("{\"id\":\"\",\"x\":{\"id\":1,\"id\":1e999},\"x\":1e999}", Record.read).defects == [])
  }

  @Test("Several missing fields of one object are reported in the order of the enum")
  func missing() {
    let result = read("{\"done\":true}") { Record.read(&$0, required: [.done, .child, .id, .longest]) }
    #expect(
      result.defects.map(\.place) == [
        .missing("id"), .missing("child"), .missing("a_key_that_is_longer_than_sixteen_bytes"),
      ])
    #expect(result.defects.map(\.offset) == [0, 0, 0])
  }

  @Test(
    "Keys are compared completely",
    arguments: [
      "a_key_that_is_longer_than_sixteen_byteZ", "a_key_that_is_lonGer_than_sixteen_bytes",
      "a_key_that_is_longer_than_sixteen_bytes2",
      "a_key_that_is_longer_than_sixteen_byte", "a_key_th", "longest", "i", "idx", "count\\u0000", "", "ID", "tagss",
    ])
  func keys(_ key: String) {
    #expect(read("{\"id\":\"x\",\"\(key)\":[{}]}", Record.read).value == Record(id: "x"))
    #expect(read("{\"\(key)\":[{}],\"id\":\"x\"}", Record.read).value == Record(id: "x"))
    #expect(read("{\"id\":\"x\",\"\(key)\"", Record.read).defects.count == 1)
  }

  @Test("A key is the expected one only if every byte is, in quotes", arguments: 0...20)
  func expectedKeys(length: Int) {
    let name = String((0..<length).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
    let names = JSONNames([name, name + "z"])
    func index(_ key: String) -> Int? {
      read("{\"\(key)\":1}") { json in
        var found: Int?
        _ = json.object(names, required: 0, optional: .max) { _, index in found = index }
        return found
      }.value
    }
    #expect(index(name) == 0 && index(name + "z") == 1 && index(name + "zz") == nil)
    for place in 0..<length {
      var other = Array(name.utf8)
      other[place] = UInt8(ascii: "A")
      #expect(index(String(decoding: other, as: UTF8.self)) == nil)
      // The same name with an escape.
      let escaped = String(name.prefix(place)) + "\\u00" + String(name.utf8.dropFirst(place).first ?? 0, radix: 16)
      #expect(index(escaped + name.dropFirst(place + 1)) == 0)
    }
    // A document that ends within the key, or right behind it. The rest of the key follows it in memory.
    let whole = bytes("{\"\(name)\":1}")
    for end in 1...length + 3 {
      let defects = whole.withUnsafeBytes { whole in
        JSONReader.read(UnsafeRawBufferPointer(rebasing: whole[..<end])) {
          $0.object(names, required: 0, optional: .max) { _, _ in }
        }.defects
      }
      #expect(defects.map(\.offset) == [end])
    }
  }

  @Test("A name with other letters than ASCII is expected too, and broken UTF-8 is a defect")
  func namesInUTF8() {
    let names = JSONNames(["é", "x"])
    func read(_ key: [UInt8]) -> (indices: [Int], defects: [String]) {
      var indices: [Int] = []
      let result = CacheSyncTests.read(bytes("{\"") + key + bytes("\":1}")) { json in
        json.object(names, required: 0, optional: .max) { _, index in indices.append(index) }
      }
      return (indices, result.defects.map(\.message))
    }
    #expect(read([0xc3, 0xa9]) == ([0], []))
    #expect(read(bytes("\\u00e9")) == ([0], []))
    #expect(read(bytes("e\u{301}")) == ([], []), "canonically equivalent, and another key")
    #expect(read([0xc3]) == ([], ["broken UTF-8"]))
  }

  @Test("A name with a quote is found only where the document escapes it")
  func namesWithQuotes() {
    let names = JSONNames(["a\"b", "c\\", "\n", "x"])
    func read(_ document: String) -> (indices: [Int], defects: Int) {
      var indices: [Int] = []
      let result = CacheSyncTests.read(bytes(document)) { json in
        json.object(names, required: 0, optional: .max) { _, index in indices.append(index) }
      }
      return (indices, result.defects.count)
    }
    #expect(read("{\"a\\\"b\":1,\"c\\\\\":2,\"\\n\":3}") == ([0, 1, 2], 0))
    #expect(read("{\"x\":1}") == ([3], 0), "a name without a quote beside them")
    #expect(read("{\"a\"b\":1}") == ([], 1))
    #expect(read("{\"\n\":1}") == ([], 1))
  }

  @Test("A member that the decoder does not want is never a duplicate")
  func unwanted() {
    let result = read("{\"id\":1,\"id\":null,\"id\":null,\"count\":3,\"done\":true,\"done\":7}") { json in
      var counts: [Int] = []
      let keys = JSONNames(of: Record.Key.self)
      let isWhole = json.object(keys, required: Record.Key.count.bit, optional: Record.Key.note.bit) { json, index in
        #expect(Record.Key.allCases[index] == .count)
        json.integer().map { counts.append($0) }
      }
      return isWhole ? counts : nil
    }
    #expect(result.defects == [])
    #expect(result.value == [3])
  }

  @Test("A member that the decoder does not read is skipped")
  func untouched() {
    #expect(read("[1,[2],{\"a\":3}]") { $0.array { _ in } }.value == true)
    #expect(
      read("{\"id\":[1,2],\"id\":{},\"count\":1}") { $0.object(Record.Key.self, required: [.id]) { _, _ in } }.value
        == true)
    #expect(read("  [1, 2]") { _ in 5 }.value == 5)
    #expect(read("[1, 2") { _ in 5 }.defects.map(\.offset) == [5])
    #expect(read("") { $0.string() }.defects.map(\.offset) == [0])
  }

  @Test("A decoder can look ahead at a value, and refuse it by its own rule")
  func branching() {
    let result = read("[1, \"x\", {}, [], true, null, -2]") { json in
      var kinds: [JSONReader.Kind] = []
      var offsets: [Int] = []
      let isWhole = json.array { json in
        kinds.append(json.next)
        offsets.append(json.valueOffset)
        if json.next == .number { _ = json.number() }
      }
      #expect(isWhole)
      #expect(kinds == [.number, .string, .object, .array, .bool, .null, .number])
      #expect(offsets == [1, 4, 9, 13, 17, 23, 29])
      json.fail("list too long")
      json.fail("x is not a number", at: 4)
      return 1
    }
    #expect(
      result.defects == [
        JSONDefect(offset: 0, message: "list too long", place: .value),
        JSONDefect(offset: 4, message: "x is not a number", place: .value),
      ])
    let last = read("[[1],{\"id\":\"a\"},\"s\",false,2.50]") { json in
      json.array { json in
        switch json.next {
        case .array: _ = json.array { _ in }
        case .object: _ = Record.read(&json)
        case .string: _ = json.string()
        case .bool: _ = json.bool()
        default: _ = json.number()
        }
        json.fail("here")
      }
    }
    #expect(last.defects.map(\.offset) == [1, 5, 16, 20, 26])
  }

  @Test("After a syntax error nothing more is read or recorded")
  func stopped() {
    let result = read("[1 2]") { json in
      _ = json.array { json in _ = json.integer() }
      json.fail("no")
      let values: [Any?] = [
        json.string(), json.integer(), json.bool(), json.number(), json.word(Record.Color.self), Record.read(&json),
      ]
      #expect(values.allSatisfy { $0 == nil })
      #expect(json.next == .invalid)
      #expect(!json.array { _ in Issue.record("there is no element") })
      json.skipValue()
      return 1
    }
    #expect(result.defects.map(\.offset) == [3])
    #expect(result.value == nil)
  }

  @Test("The decoder does not see null in an optional field, whatever its type, but sees it in a required one")
  func null() {
    let document = "{\"id\":null,\"count\":null,\"child\":null,\"tags\":null,\"note\": null }"
    let result = read(bytes(document), pruning: true) { json in
      var keys: [Record.Key] = []
      let isWhole = json.object(Record.Key.self, required: [.count]) { json, key in
        keys.append(key)
        #expect(json.next == .null)
      }
      return isWhole ? keys : nil
    }
    #expect(result.defects == [])
    #expect(result.value == [.count])
    #expect(read("{\"id\":\"x\",\"note\":nule}", Record.read).defects.map(\.offset) == [20])
    #expect(read("{\"id\":\"x\",\"note\":nul", Record.read).defects.map(\.offset) == [20])
    #expect(read("{\"id\":\"x\",\"tags\":[null]}", Record.read).defects.map(\.offset) == [18])
  }

  @Test("A null counts as the first occurrence of its key", arguments: ["null", "\"a\""], ["null", "\"a\"", "7"])
  func secondAfterNull(_ first: String, _ second: String) {
    let defects = read("{\"id\":\"x\",\"note\":\(first),\"note\":\(second)}", Record.read).defects
    #expect(defects.map(\.message) == ["duplicate key 'note'"])
    #expect(defects.map(\.offset) == [25 + first.utf8.count])
  }

  @Test("The caller's choice of members reaches the decoder")
  func wanted() {
    for wanted in [JSONReader.Wanted.needed, .exported] {
      let result = bytes("1").withUnsafeBytes { JSONReader.read($0, wanting: wanted) { $0.wanted } }
      #expect(result.value == wanted)
    }
  }

  @Test("At most 10,000 defects are kept, the first ones")
  func manyDefects() {
    let elements = Array(repeating: "{\"count\":9}", count: 20_000).joined(separator: ",")
    let defects = read("[\(elements)]") { json in json.array { json in _ = Record.read(&json) } }.defects
    #expect(defects.count == 10_000)
    let expected: [Int] = (0..<5000).flatMap { (index: Int) -> [Int] in [1 + 12 * index, 10 + 12 * index] }
    #expect(defects.map(\.offset) == expected)
    #expect(places(defects, in: bytes("[\(elements)]")).last?.pointer == "/4999/count")
  }

  @Test("An enum with one case has its key")
  func oneKey() {
    #expect(
      read("{\"only\":1,\"other\":2}") { json in
        var sum = 0
        _ = json.object(Only.self, required: [.only]) { json, _ in sum += json.integer() ?? 0 }
        return sum
      }.value == 1)
    #expect(
      read("{\"other\":2}") { json in json.object(Only.self, required: [.only]) { _, _ in } }.defects
        .count == 1)
  }

  enum Only: String, JSONKey { case only }
}
