import Testing

@testable import CacheSyncValues

@Suite struct ItemPathParsingTests {
  private static let good: [(String, ItemPath)] = [
    ("$", ItemPath(.document)),
    ("@", ItemPath(.item)),
    ("^", ItemPath(.around(1))),
    ("^^", ItemPath(.around(2))),
    ("#key", ItemPath(.key)),
    ("#index", ItemPath(.index)),
    ("#count", ItemPath(.count)),
    ("$.a", ItemPath(.document, [.name("a")])),
    ("@._a9.ä", ItemPath(.item, [.name("_a9"), .name("ä")])),
    ("^^[0].x", ItemPath(.around(2), [.index(0), .name("x")])),
    ("$[-1]", ItemPath(.document, [.index(-1)])),
    ("$[9007199254740991]", ItemPath(.document, [.index(9_007_199_254_740_991)])),
    ("$.*[*]", ItemPath(.document, [.every, .every])),
    ("$['a b'][\"c'd\"]", ItemPath(.document, [.name("a b"), .name("c'd")])),
    ("$['']", ItemPath(.document, [.name("")])),
    ("$[ 'a' ] .b\t[ 0 ]", ItemPath(.document, [.name("a"), .name("b"), .index(0)])),
    (#"$['\'\\\/\b\f\n\r\t\u00e4\ud83d\ude00']"#, ItemPath(.document, [.name("'\\/\u{8}\u{c}\n\r\tä😀")])),
    (#"$["\"'"]"#, ItemPath(.document, [.name("\"'")])),
  ]

  @Test("Paths of RFC 9535 and of the contract are parsed", arguments: good)
  func paths(text: String, path: ItemPath) throws {
    #expect(try ItemPath.parse(text, allowing: .except) == path)
  }

  private static let bad: [(String, Int, String)] = [
    ("", 0, "expected a path that begins with '$', '@', '^' or '#', found the end"),
    ("a", 0, "expected a path that begins with '$', '@', '^' or '#', found 'a'"),
    ("^name", 1, "expected '.' or 'key' after '^', found 'name'; write '^.name'"),
    ("^key.a", 4, "nothing follows #key, #index, #count or ^key"),
    ("#kye", 0, "expected #key, #index or #count, found '#kye'; '#key'?"),
    ("#", 0, "expected #key, #index or #count, found '#'"),
    ("#key.a", 4, "nothing follows #key, #index, #count or ^key"),
    ("$a", 1, "expected '.' or '[', found 'a'"),
    ("$.", 2, "expected a name or '*' after '.'"),
    ("$.a.", 4, "expected a name or '*' after '.'"),
    ("$..a", 2, "a path has no '..'; name each step"),
    ("$.1a", 2, "expected a name or '*' after '.'; write ['1a'], or [0] for a place"),
    ("$.a-b", 3, "a name with '-' is written ['…']"),
    ("$.a$", 3, "a name with '$' is written ['…']"),
    ("$.a ", 3, "a path does not end in a blank"),
    (" $", 0, "expected a path that begins with '$', '@', '^' or '#', found a blank"),
    ("$[", 2, "expected a name in quotes, a number or '*', found the end"),
    ("$[a]", 2, "expected a name in quotes, a number or '*', found 'a'"),
    ("$[?@.a]", 2, "a path has no filters; use 'where'"),
    ("$[0:1]", 3, "a path has no slices; use '*' and 'where'"),
    ("$[0,1]", 3, "one selector in brackets; use a list of paths"),
    ("$[0", 3, "expected ']', found the end"),
    ("$[01]", 2, "expected a place such as 0 or -1"),
    ("$[-0]", 2, "expected a place such as 0 or -1"),
    ("$[-]", 2, "expected a place such as 0 or -1"),
    ("$[9007199254740992]", 2, "expected a place such as 0 or -1"),
    ("$[99999999999999999999]", 2, "expected a place such as 0 or -1"),
    ("$['a]", 2, "the quote is not closed"),
    ("$['a\u{1}']", 4, "a control character in a name is written \\u00…"),
    (#"$['\x']"#, 3, "expected an escape such as \\' or \\u00e4"),
    (#"$['\"']"#, 3, "expected an escape such as \\' or \\u00e4"),
    (#"$['\u12']"#, 3, "expected an escape such as \\' or \\u00e4"),
    (#"$['\u+123']"#, 3, "expected an escape such as \\' or \\u00e4"),
    (#"$['\ud83d']"#, 3, "expected an escape such as \\' or \\u00e4"),
    (#"$['\ude00']"#, 3, "expected an escape such as \\' or \\u00e4"),
    ("$.ä ö", 5, "expected '.' or '[', found 'ö'"),
    ("$" + String(repeating: "[0]", count: 513), 1_537, "a path has at most 512 selectors"),
  ]

  @Test("An invalid path is reported at its byte", arguments: bad)
  func defects(text: String, offset: Int, message: String) {
    #expect(throws: TextDefect(offset, message)) { try ItemPath.parse(text, allowing: .except) }
  }

  @Test("'*' is allowed in each and except, and items may begin with other characters than '$'")
  func allowances() throws {
    for text in ["@.*", "@[*]", "@[ *]", "@['*'].a[0] .*"] {
      let star = try #require(Array(text.utf8).lastIndex(of: UInt8(ascii: "*")))
      #expect(throws: TextDefect(star, "'*' is only for 'each' and 'except'"), "\(text)") {
        try ItemPath.parse(text, allowing: .item)
      }
    }
    #expect(throws: TextDefect(0, "expected a path that begins with '$', found '@'")) {
      try ItemPath.parse("@", allowing: .each)
    }
  }
}
