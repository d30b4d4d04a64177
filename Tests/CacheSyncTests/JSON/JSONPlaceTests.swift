import Testing

import CacheSync
import TestSupport

@Suite struct JSONPlaceTests {
  /// A document, the offset of a value in it, and its line, column and pointer.
  static let cases: [(String, Int, Int, Int, String)] = [
    ("1", 0, 1, 1, ""), ("\n\n 1", 3, 3, 2, ""), ("\r\n1", 2, 2, 1, ""), ("[1,2]", 3, 1, 4, "/1"),
    ("[[],[[1]]]", 6, 1, 7, "/1/0/0"),
    ("{\"a\":1}", 5, 1, 6, "/a"), ("{\"a\":{\"b\":[0,{\"c\":1}]}}", 18, 1, 19, "/a/b/1/c"), ("{\"\":1}", 4, 1, 5, "/"),
    ("{\"a/b\":1}", 7, 1, 8, "/a~1b"), ("{\"m~n\":1}", 7, 1, 8, "/m~0n"), ("{\"~1/\":1}", 7, 1, 8, "/~01~1"),
    ("{\"~\":{\"/\":1}}", 10, 1, 11, "/~0/~1"),
    ("{\"\\u0061\\/\":1}", 12, 1, 13, "/a~1"), ("{\"a\\\"b\":1}", 8, 1, 9, "/a\"b"), ("{\"a\\\\\":1}", 7, 1, 8, "/a\\"),
    ("{\"é\":\"ü\",\"x\":1}", 15, 1, 16, "/x"), ("{\"[{,\":1,\"x\":[\",]}\",2]}", 20, 1, 21, "/x/1"),
    ("{\"😀\":1}", 7, 1, 8, "/😀"),
    ("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", 22, 4, 5, "/a/1"), ("{\"a\":[1],\"b\":2}", 13, 1, 14, "/b"),
    ("[{},1]", 4, 1, 5, "/1"), ("{\"a\":1}", 0, 1, 1, ""),
    ("{\"a\":[1]}", 5, 1, 6, "/a"), ("{\"\\n\":1}", 6, 1, 7, "/\n"), ("{\"é\\t\":1}", 8, 1, 9, "/é\t"),
  ]

  @Test("A value has a line, a column in bytes and a pointer", arguments: cases)
  func value(_ document: String, _ offset: Int, _ line: Int, _ column: Int, _ pointer: String) {
    let defect = JSONDefect(offset: offset, message: "", place: .value)
    #expect(places([defect], in: bytes(document)) == [JSONPlace(line: line, column: column, pointer: pointer)])
  }

  @Test("A missing field has a pointer, and a defect of the whole document has none")
  func kinds() {
    let document = bytes("{\"a\":[{}]}")
    let defects = [
      JSONDefect(offset: 6, message: "", place: .document), JSONDefect(offset: 6, message: "", place: .missing("x/y~")),
      JSONDefect(offset: 10, message: "", place: .document),
    ]
    #expect(
      places(defects, in: document) == [
        JSONPlace(line: 1, column: 7, pointer: ""), JSONPlace(line: 1, column: 7, pointer: "/a/0/x~1y~0"),
        JSONPlace(line: 1, column: 11, pointer: ""),
      ])
    #expect(document.withUnsafeBytes { JSONPlace.of(defects[1], in: $0) }.pointer == "/a/0/x~1y~0")
  }

  @Test("The place of an empty document is its start")
  func empty() {
    #expect(places(skipping([]), in: []) == [JSONPlace(line: 1, column: 1, pointer: "")])
  }

  @Test("A key of invalid characters still has a pointer")
  func brokenKeys() {
    let document: [UInt8] = bytes("{\"a") + [0xff] + bytes("\":{\"\\ud800\":7}}")
    #expect(
      places([JSONDefect(offset: 17, message: "", place: .value)], in: document).map(\.pointer) == [
        "/a\u{fffd}/\\ud800"
      ])
  }

  @Test("A long pointer is cut between its tokens")
  func longPointers() {
    let key = String(repeating: "k", count: 3000)
    let document = "{\"\(key)\":{\"\(key)\":{\"a\":1}}}"
    #expect(
      places([JSONDefect(offset: document.utf8.count - 4, message: "", place: .value)], in: bytes(document)).map(
        \.pointer) == ["/" + key])
  }

  @Test("Any bytes and any offset have a place")
  func anything() {
    var generator = SeededGenerator(state: 3)
    let alphabet = bytes("[]{},:\"\\\n1ua ") + [0xff, 0xe2, 0x00]
    for _ in 0..<5000 {
      let document = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let offset = Int.random(in: 0...60, using: &generator)
      #expect(places([JSONDefect(offset: offset, message: "", place: .value)], in: document).count == 1)
    }
  }

  @Test("A defect after a megabyte of backslashes, brackets, braces, commas or quotes has a place")
  func farBehind() {
    let count = 1 << 20
    for byte in bytes("\\[{,\"") {
      let document = [0x5b, 0x22] + [UInt8](repeating: byte, count: count)
      #expect(places([JSONDefect(offset: count, message: "", place: .value)], in: document).count == 1)
    }
  }
}
