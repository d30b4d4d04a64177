import Testing

import CacheSync

@Suite struct ConditionTests {
  private static let noon = Instant("2026-11-22T12:00:00Z") ?? .referenceDate

  /// Which of the comparisons `is`, `above` and `below` are true.
  @Test(arguments: [
    (ItemValue.number(2), ItemValue.number(2), "="), (.number(3), .number(2), ">"), (.number(-1), .number(2), "<"),
    (.text("a"), .text("a"), "="), (.text("b"), .text("a"), ">"), (.text("B"), .text("a"), "<"),
    (.text(""), .text("a"), "<"),
    // By bytes: é as one scalar and as two are different texts.
    (.text("\u{e9}"), .text("e\u{301}"), ">"),
    // Numbers come before texts.
    (.number(9), .text("1"), "<"), (.text("1"), .number(9), ">"),
    // Values without an order are neither above nor below.
    (.null, .number(2), ""), (.null, .text(""), ""), (.null, .null, "≡"), (.bool(true), .bool(true), "≡"),
    (.bool(true), .bool(false), ""),
    (.bool(true), .number(1), ""), (.list([.number(1)]), .list([.number(1)]), "≡"), (.list([]), .number(1), ""),
    (.number(1), .null, ""),
    (.instant(noon), .instant(noon), "="), (.instant(noon), .text("2026-11-22T12:00:00Z"), "="),
    (.instant(noon), .text("2026-11-22"), ">"),
    (.number(.nan), .number(1), ">"),
  ])
  func comparisons(value: ItemValue, constant: ItemValue, sign: String) {
    func holds(_ comparison: Condition.Comparison) -> Bool {
      Condition.test(.field(0), comparison, constant).holds { $0 == .field(0) ? value : .null }
    }
    #expect(holds(.is) == (sign == "=" || sign == "≡"))
    #expect(holds(.isNot) == !holds(.is))
    #expect(holds(.above) == (sign == ">"))
    #expect(holds(.below) == (sign == "<"))
    #expect(holds(.atLeast) == (sign == ">" || sign == "="))
    #expect(holds(.atMost) == (sign == "<" || sign == "="))
  }

  @Test(arguments: [
    (ItemValue.number(2), Condition.Comparison.in, ItemValue.list([.number(1), .number(2)]), true),
    (.number(3), .in, .list([.number(1), .text("3")]), false), (.null, .in, .list([.null]), true),
    (.null, .in, .list([]), false),
    (.list([.text("a"), .text("b")]), .has, .text("b"), true), (.list([.text("ab")]), .has, .text("b"), false),
    (.list([.null]), .has, .null, true), (.null, .has, .null, false), (.number(12), .has, .number(1), false),
    (.text("RE 42"), .has, .text("RE"), true), (.text("aaab"), .has, .text("aab"), true),
    (.text("abaabaab"), .has, .text("abaab"), true),
    (.text("abab"), .has, .text("ababa"), false), (.text("x"), .has, .text(""), true),
    (.text(""), .has, .text("x"), false),
    (.text("12"), .has, .number(1), false), (.text("aabaaabaaac"), .has, .text("aabaaac"), true),
  ])
  func membership(value: ItemValue, comparison: Condition.Comparison, constant: ItemValue, expected: Bool) {
    #expect(Condition.test(.field(0), comparison, constant).holds { _ in value } == expected)
  }

  @Test func combinations() {
    let isOne = Condition.test(.field(0), .is, .number(1))
    let isTwo = Condition.test(.field(1), .is, .number(2))
    func value(_ field: Condition.Field) -> ItemValue { field == .field(0) ? .number(1) : .number(3) }
    #expect(Condition.any([isTwo, isOne]).holds(value))
    #expect(!Condition.any([isTwo]).holds(value))
    #expect(!Condition.any([]).holds(value))
    #expect(![isOne, isTwo].hold(value))
    #expect([isOne, .any([isTwo, isOne])].hold(value))
    #expect([Condition]().hold(value))
  }

  @Test("Searching a long text for a long part that nearly matches everywhere goes to its end")
  func longTexts() {
    let text = String(repeating: "a", count: 100_000)
    let part = Condition.test(.field(0), .has, .text(String(repeating: "a", count: 4_000) + "b"))
    #expect(!part.holds { _ in .text(text) })
    #expect(part.holds { _ in .text(text + "b") })
  }
}
