import Testing

import CacheSync
import TestSupport

/// The productions of RFC 8259, valid and invalid. The verdicts, except for depth, were compared with python3's json
/// module (with `parse_constant` raising) when the table was written. The offsets are worked out by hand.
@Suite struct JSONGrammarTests {
  static let good = [
    // Values.
    "null", "true", "false", "0", "\"\"", "[]", "{}", " null", "null ", "\t\n\r null\t\n\r ", "[ ]", "{ }", "[\n]",
    "\"a\"", "\"null\"", "-1", "123", "[null]", "[true,false]", "[1,2,3]", "[ 1 , 2 ]", "[[]]", "[[],[]]", "[{}]",
    "{\"a\":1}", "{ \"a\" : 1 }", "{\"a\":1,\"b\":2}", "{\"\":0}", "{\"a\":{}}", "{\"a\":[]}",
    "{\"a\":{\"a\":{\"a\":1}}}",
    "{\"a\":1,\"a\":2}", "[[[[[[[[[[1]]]]]]]]]]", "[\"a\",[\"b\"],{\"c\":[]}]", "{\"a\":\n1\n,\n\"b\"\n:\n2\n}",
    "        [        1        ,        2        ]        ", "[\n          1,\n          2\n]",
    // Numbers.
    "-0", "0.0", "-0.0", "0e0", "0E0", "0e+0", "0e-0", "1e5", "1E5", "1e+5", "1e-5", "1.5", "-1.5", "10", "100",
    "1.0e2",
    "1.25E-3", "123456789012345678901234567890", "0.000000000000000000000000000001", "1e999", "-1e999", "1e-999",
    "0e999",
    "9007199254740993", "18446744073709551616", "1e00001", "1.0000000000000000000000000000000000000000001",
    // Strings.
    "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0041\"", "\"\\u00e9\"", "\"\\u20AC\"",
    "\"\\u0000\"",
    "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"", "\"\\uFFFF\"", "\"\\uFFFE\"", "\"\\uDBFF\\uDFFF\"",
    "\"\\uD800\\uDC00\"",
    "\"é\"", "\"€\"", "\"😀\"", "\"\u{7f}\"", "\"\u{80}\"", "\"\u{7ff}\"", "\"\u{800}\"", "\"\u{ffff}\"",
    "\"\u{10000}\"", "\"\u{10ffff}\"", "\"\u{feff}\"", "\"\u{2028}\"", "\"//\"", "\"/* */\"", "\"'\"", "\"a\\\\\"",
    "\"\\\\\\\"\"", "\"1234567\"", "\"12345678\"", "\"123456789\"", "\"1234567\\n\"", "\"12345678\\n\"",
    "\"1234567é12345678\"", "{\"\\u0061\":1}", "{\"é\":1}", "{\"a\\\"b\":1}",
  ]

  @Test("A valid document has no defects, whether it is skipped or read", arguments: good)
  func accepts(_ document: String) {
    #expect(skipping(bytes(document)) == [])
    // A value that is read may not contain a duplicate key, or a number that no double can hold.
    let isJudged = document.contains("1e999") || document == "{\"a\":1,\"a\":2}"
    #expect(
      readingAll(bytes(document)).allSatisfy { $0.place == .value } && readingAll(bytes(document)).isEmpty != isJudged)
  }

  /// The document, and the first byte that cannot continue it, or its length.
  static let bad: [(String, Int)] = [
    // Too little, and too much.
    ("", 0), (" ", 1), ("\n\n", 2), ("null null", 5), ("1 2", 2), ("[] []", 3), ("{} x", 3), ("[]]", 2), ("{}}", 2),
    ("\"\"\"", 2), ("1,", 1), ("[1],", 3), ("[]\u{0}", 2), ("\u{0}", 0), ("\u{feff}[]", 0), ("[]\u{feff}", 2),
    ("// c\n1", 0), ("/**/1", 0), ("1//", 1), ("[1/**/]", 2), ("#", 0), ("\u{a0}1", 0), ("\u{b}1", 0), ("\u{c}1", 0),
    ("é", 0),
    // Literals.
    ("nul", 3), ("nulx", 3), ("nullx", 4), ("nulL", 3), ("Null", 0), ("tru", 3), ("trux", 3), ("truee", 4), ("True", 0),
    ("fals", 4), ("falsx", 4), ("fa", 2), ("falsee", 5), ("n", 1), ("t", 1), ("f", 1), ("nan", 1), ("NaN", 0),
    ("nll", 1), ("[tue]", 2), ("tre", 2), ("flse", 1), ("fase", 2), ("[fl", 2),
    ("Infinity", 0), ("-Infinity", 1), ("undefined", 0), ("[nul]", 4), ("[tru,1]", 4), ("nu ll", 2),
    // Numbers.
    ("01", 1), ("00", 1), ("-01", 2), ("-", 1), ("--1", 1), ("+1", 0), ("-a", 1), (".5", 0), ("-.5", 1), ("1.", 2),
    ("[1.]", 3), ("{\"a\":1.}", 7), ("1.e5", 2), ("1e", 2), ("1e+", 3), ("1e-", 3), ("1E", 2), ("1ex", 2), ("1e+x", 3),
    ("1.5.5", 3),
    ("1e5.5", 3), ("1e5e5", 3), ("0x10", 1), ("1_000", 1), ("1a", 1), ("[-]", 2), ("[1 2]", 3), ("1.5e", 4), ("0e", 2),
    ("0.", 2), ("-0.", 3), ("1 .5", 2), ("- 1", 1), ("１", 0), ("1,5", 1), ("[0e]", 3), ("[1e+]", 4), ("[012]", 2),
    // Arrays.
    ("[", 1), ("]", 0), ("[,", 1), ("[,1]", 1), ("[1,]", 3), ("[1,,2]", 3), ("[1", 2), ("[1,", 3), ("[1}", 2),
    ("[1:2]", 2),
    ("[1;2]", 2), ("[[]", 3), ("[[1]", 4), ("[\"a\"", 4), ("[\"a\" \"b\"]", 5), ("[ ", 2), ("[x]", 1), ("[{]", 2),
    ("[}", 1),
    // Objects.
    ("{", 1), ("}", 0), ("{,}", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{\"a\":1,,}", 7),
    ("{\"a\" 1}", 5),
    ("{\"a\",1}", 4), ("{a:1}", 1), ("{'a':1}", 1), ("{1:1}", 1), ("{null:1}", 1), ("{\"a\":1", 6), ("{\"a\":1]", 6),
    ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1,", 7), ("{\"a\":1 \"b\":2}", 7), ("{\"a\"::1}", 5), ("{\"a\":1,2}", 7),
    ("{[]:1}", 1), ("{]", 1), ("{\"a\":1,\"b\"}", 10), ("{\"a", 3), ("{\"a\":x}", 5), ("{\"a\":{\"b\":[1,]}}", 13),
    // Strings.
    ("\"", 1), ("\"a", 2), ("\"12345678", 9), ("'a'", 0), ("\"\\", 2), ("\"\\\"", 3), ("\"\\q\"", 2), ("\"\\x41\"", 2),
    ("\"\\'\"", 2),
    ("\"\\0\"", 2), ("\"\\U0041\"", 2), ("\"\\u\"", 3), ("\"\\u1\"", 4), ("\"\\u12\"", 5), ("\"\\u12G4\"", 5),
    ("\"\\u123\"", 6),
    ("\"\\uG000\"", 3), ("\"\\u12", 5), ("\"\\u 123\"", 3), ("\"\\u+123\"", 3), ("\"\n\"", 1), ("\"a\tb\"", 2),
    ("\"\u{0}\"", 1), ("\"\u{1f}\"", 1), ("\"1234567\u{1}\"", 8), ("\"12345678\r\"", 9), ("\"\\\n\"", 2),
    ("\"\\é\"", 2),
    ("\"é\n\"", 3), ("[\"a]", 4), ("{\"a\n\":1}", 3), ("{\"\\q\":1}", 3), ("\"a\" x", 4), ("\"\\u00", 5),
    ("\"\\ud83d\\ude1", 12),
  ]

  @Test("An invalid document has its defect at the first byte that cannot continue it, or at its end", arguments: bad)
  func rejects(_ document: String, _ offset: Int) throws {
    for defects in [skipping(bytes(document)), readingAll(bytes(document))] {
      let defect = try #require(defects.first)
      #expect(defect.offset == offset)
      #expect(defect.place == .document)
      #expect(defects.count == 1)
    }
  }

  @Test("The tables have as many cases as documented")
  func tables() {
    #expect(Self.good.count + Self.bad.count >= 250)
  }

  @Test(
    "A syntax defect says what was found and what was expected",
    arguments: [
      ("{\"a\":1,}", "unexpected '}', expected a key"), ("[1", "unexpected end of document"),
      ("[1 2]", "unexpected '2', expected a comma or ']'"), ("\u{7}", "unexpected byte 0x07, expected a value"),
      ("\u{feff}1", "byte-order mark"), ("\"\n\"", "unescaped control character 0x0a in a string"),
      ("\"\\q\"", "unexpected 'q', expected an escape"), ("nulx", "unexpected 'x', expected null"),
      ("1 1", "unexpected '1', expected the end of the document"), ("1.}", "unexpected '}', expected a digit"),
    ])
  func messages(_ document: String, _ message: String) {
    #expect(skipping(bytes(document)).map(\.message) == [message])
  }

  @Test(
    "Nesting may be at most 512 deep", arguments: [(511, true), (512, true), (513, false), (100_000, false)])
  func depth(_ depth: Int, _ isGood: Bool) {
    let key = "{\"a\":"
    let documents: [(String, Int)] = [
      (String(repeating: "[", count: depth) + String(repeating: "]", count: depth), 512),
      (String(repeating: key, count: depth) + "1" + String(repeating: "}", count: depth), 512 * key.utf8.count),
      (String(repeating: "[", count: depth), 512),
    ]
    for (document, offset) in documents.prefix(isGood ? 2 : 3) {
      for defects in [skipping(bytes(document)), readingAll(bytes(document))] {
        let expected = JSONDefect(offset: offset, message: "nesting deeper than 512 levels", place: .document)
        #expect(defects == (isGood ? [] : [expected]))
      }
    }
  }

  @Test("Both kinds of brackets are matched at every depth")
  func mixedBrackets() {
    var generator = SeededGenerator(state: 1)
    for _ in 0..<50 {
      let opens = (0..<512).map { _ in Bool.random(using: &generator) }
      var document = bytes(opens.map { $0 ? "{\"k\":" : "[" }.joined() + "0")
      for open in opens.reversed() { document.append(open ? 0x7d : 0x5d) }
      #expect(skipping(document) == [])
      let closer = document.count - Int.random(in: 1...512, using: &generator)
      document[closer] = document[closer] == 0x7d ? 0x5d : 0x7d
      #expect(skipping(document).map(\.offset) == [closer])
    }
  }
}
