import Testing

import CacheSync

/// The result of each operation on the chosen items (definitions.md sections 3 and 10).
@Suite struct ValueRuleTests {
  /// The field `n` of four items, in the order of their starts. The second and third start at the same moment.
  private static let items: [(title: String, n: ItemValue, start: String)] = [
    ("b", .number(2), "2026-11-22T08:00"), ("a", .number(1), "2026-11-22T09:00"), ("c", .number(1), "2026-11-22T09:00"),
    ("d", .null, "2026-11-22T10:00"),
  ]

  static let cases: [(operation: ValueRule.Operation, some: String, none: String)] = [
    (.count, "4", "0"),
    (.sum("n"), "4", "0"),
    (.min("n"), "1", "null"),
    (.max("n"), "2", "null"),
    (.mean("n"), "1.3333333333333333", "null"),
    (.first("title"), #""b""#, "null"),
    (.last("title"), #""d""#, "null"),
    (.last("n"), "null", "null"),
    // All of them, although the kind shows three.
    (.list("title"), #"["b","a","c","d"]"#, "[]"),
    // In a tie, the first in order.
    (.least("n", give: "title"), #""a""#, "null"),
    (.greatest("n", give: "title"), #""b""#, "null"),
    (.greatest("n", give: "start"), #""2026-11-22T07:00:00Z""#, "null"),
    (.share([.test(.field(1), .is, .number(1))]), "0.5", "null"),
    (.min("start"), #""2026-11-22T07:00:00Z""#, "null"),
    (.max("end"), #""2026-11-22T09:00:00Z""#, "null"),
    (.max("title"), #""d""#, "null"),
    (.min("nothing"), "null", "null"),
    (.sum("title"), "0", "0"),
  ]

  @Test func values() throws {
    for (operation, some, none) in Self.cases {
      let kind = DefinedKind(.today) {
        $0.limit = 3
        $0.values = [ValueRule("v", operation)]
        $0.content = templates(["v": "{v}"])
      }
      let feed = try DefinedFeedHarness(FeedDefinition(["title", "n"], kind))
      try feed.put(Self.items.map { try DefinedItem([.text($0.title), $0.n], start: $0.start) })
      #expect(try json(feed, "2026-11-22T12:00:00Z") == some, "\(operation)")
      #expect(try json(feed, "2026-11-23T12:00:00Z") == none, "\(operation)")
    }
  }

  private func json(_ feed: DefinedFeedHarness, _ date: String) throws -> String {
    String(decoding: try #require(try feed.content(at: date)["v"]).bytes, as: UTF8.self)
  }

  private func value(_ operation: ValueRule.Operation, _ values: [ItemValue]) throws -> String {
    let kind = DefinedKind(.all) {
      $0.values = [ValueRule("v", operation)]
      $0.content = templates(["v": "{v}"])
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["n"], kind))
    try feed.put(values.map { try DefinedItem([$0]) })
    return try json(feed, "2026-11-22T12:00:00Z")
  }

  @Test func mixedValuesCompareAsNumbers() throws {
    #expect(try value(.max("n"), [.text("n/a"), .number(3), .number(5), .bool(true)]) == "5")
    #expect(try value(.min("n"), [.text("n/a"), .number(5), .number(3)]) == "3")
    #expect(try value(.max("n"), [.text("a"), .text("b"), .null]) == #""b""#)
    #expect(try value(.max("n"), [.bool(true), .list([.number(1)])]) == "null")
  }

  @Test func greatNumbersStayNumbers() throws {
    let great = ItemValue.number(.greatestFiniteMagnitude)
    #expect(try value(.sum("n"), [great, great]) == "1.7976931348623157e+308")
    #expect(try value(.mean("n"), [great, great]) == "1.7976931348623157e+308")
    #expect(try value(.sum("n"), [.number(.infinity), .number(-.infinity), .number(.nan)]) == "0")
    #expect(try value(.first("n"), [.number(.nan)]) == "0")
  }
}
