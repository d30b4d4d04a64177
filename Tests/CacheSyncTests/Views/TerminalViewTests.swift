import CacheSync
import Testing

@Suite("A view in a terminal")
struct TerminalViewTests {
  private static func lines(_ node: ViewNode, _ width: Int? = nil) -> [String] {
    TerminalView(style: .plain, width: width).lines(of: node)
  }

  @Test("Successive rows are aligned in columns, with values at the right and a column for icons")
  func columns() {
    let rows = ViewNode.vertical([
      .row(.icon("fork.knife", "🍴"), .label("calories"), .value("1459 kcal"), .text("left")),
      .row(nil, .label("fat"), .value("4 kcal"), .text("")), .text("in between"),
      .row(nil, .text("by itself"), .text("x")),
    ])
    #expect(
      Self.lines(rows) == ["🍴 calories  1459 kcal  left", "   fat          4 kcal", "in between", "by itself  x"])
  }

  @Test(
    "A bar is full only at 1 and empty only at 0, and a dash replaces it without a value",
    arguments: [
      (-1, "░░░░"), (0, "░░░░"), (0.001, "█░░░"), (0.5, "██░░"), (0.999, "███░"), (1, "████"), (7, "████"),
      (nil, "—"),
    ] as [(Double?, String)])
  func bars(progress: Double?, drawn: String) {
    // A bar shrinks from 20 cells to 4.
    #expect(Self.lines(.bar(progress), 4) == [drawn])
    #expect(Self.lines(.ring(progress, .label("x"))).first?.hasSuffix("  x") == true)
    #expect(Self.lines(.bar(progress)).first?.count == (progress == nil ? 1 : 20))
  }

  @Test("Texts are cut before values, and columns are dropped if that is not enough")
  func narrow() {
    let rows = ViewNode.vertical([
      .row(nil, .text("a very long title that goes on"), .label("due 10:00"), .text("#home", .soft)),
      .row(nil, .text("short"), .label("—"), .text("")),
    ])
    // 30 cells: two gaps, 9 for the time and 5 for the label leave 12 for the title.
    #expect(Self.lines(rows, 30) == ["a very long…  due 10:00  #home", "short         —"])
    let times = ViewNode.vertical([
      .row(nil, .label("Thu 26 Nov 09:00–Sat 28 Nov 18:00"), .text("Market")), .row(nil, .label("14:00"), .text("Tea")),
    ])
    #expect(Self.lines(times, 36) == ["Thu 26 Nov 09:00–Sat 28 Nov 18:00  …", "14:00  Tea"])
  }

  @Test("Control characters in texts are made harmless, and wide characters take two cells")
  func texts() {
    let rows = ViewNode.vertical([
      .row(nil, .text("\u{1B}[31m\u{202E}"), .text("x")), .row(nil, .text("茶 🇩🇪 e\u{301}"), .text("x")),
    ])
    #expect(
      Self.lines(rows) == [#"\x1b[31m\xe2\x80\xae  x"#, "茶 🇩🇪 e\u{301}" + String(repeating: " ", count: 13) + "  x"])
  }

  @Test("The view fits into any width, whatever its content", arguments: [1, 2, 7, 20, 40])
  func everyWidth(width: Int) {
    let name = "Zwölf Boxkämpfer 茶茶茶茶 👩‍👩‍👧 شراء الحليب"
    let node = ViewNode.vertical([
      .row(.icon("x", "👟"), .text(name), .value("1 g"), .bar(0.3), .label(name)),
      .row(nil, .text(name), .ring(nil, .text(name))), .horizontal(.text(name), .value(name)), .row(), .vertical([]),
    ])
    for style in [TerminalStyle.plain, .colour] {
      let lines = TerminalView(style: style, width: width).lines(of: node)
      #expect(lines.allSatisfy { $0.cellCount <= width }, "\(lines)")
    }
  }

  @Test(
    "A text is on one line: line ends and other white-space controls become a space",
    arguments: [
      ("Dr. Olsen\nMain Street 1\r\n12345 Town", "Dr. Olsen Main Street 1 12345 Town"), ("a\t\u{B}b", "a b"),
      ("a \u{2028} b", "a b"), ("\na\n", "a"), ("a  b ", "a  b "), ("a\u{85}b\u{1B}", "a b\\x1b"),
    ])
  func oneLine(text: String, line: String) {
    #expect(Self.lines(.text(text)) == [line])
  }
}
