import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("A screen's plan")
struct ScreenPlanTests {
  private let layout = Layout(Typesetter())

  private func plan(_ members: String) throws -> ScreenPlan {
    try #require(ScreenPlan.all(Array(#"{"screens": [{"name": "kitchen", \#(members)}]}"#.utf8))?["kitchen"])
  }

  private func drawn(_ plan: ScreenPlan, _ size: PixelSize, from first: Int = 0) throws -> ScreenPicture {
    let kinds = Set(plan.cards.map(\.kind))
    let snapshots = try KnownKind.all.map(\.name).filter(kinds.contains).map {
      try Snapshot.sample(of: $0, options: [:])
    }
    return layout.screen(
      plan, on: size, of: snapshots, at: Snapshot.sampleMoment, locale: .english, clock: "14:05", from: first)
  }

  private func words(_ picture: ScreenPicture) -> [String] {
    picture.all.flatMap { $0.picture.marks.compactMap(\.says) }
  }

  @Test("It reads what cachesyncd screens prints, also of a file that was never good")
  func reading() throws {
    let found = try plan(
      #"""
      "widgets": ["calendar:systemLarge", "bins"], "size": "480x800", "rotate": 90, "bits": 4, "appearance": "eink",
      "clock": true, "title": "Kitchen", "redacted": true, "columns": 2, "rotateEvery": "PT30S", "problems": [],
      "displayNames": {"bins": "Bins"}
      """#)
    #expect(
      found.form
        == ScreenForm(
          size: PixelSize(width: 480, height: 800), bits: 4, turn: .quarter, appearance: .eink, isRedacted: true))
    #expect(found.cards == [.init(kind: "calendar", family: .systemLarge), .init(kind: "bins", family: nil)])
    #expect(found.hasClock && found.title == "Kitchen" && found.columns == 2 && found.pause == .seconds(30))
    let broken = try plan(
      #""widgets": [], "size": null, "problems": [{"path": "screens/kitchen.json", "line": 1, "column": 12, "message": "expected a list"}]"#
    )
    #expect(broken.cards.isEmpty && broken.problems == ["screens/kitchen.json:1:12: expected a list"])
    #expect(ScreenPlan.all(Array("{}".utf8)) == nil)
  }

  @Test("What is said last wins, and what a format cannot hold is left out")
  func options() throws {
    let file = try plan(#""widgets": ["calendar"], "size": "800x480", "bits": 2, "rotate": 90, "appearance": "auto""#)
    // The device stays, so this is a contradiction, which the program refuses.
    #expect(file.with(ScreenForm(appearance: .dark)).form.bits == 2)
    #expect(
      file.with(ScreenForm(bits: 32, appearance: .dark)).form
        == ScreenForm(size: file.form.size, turn: .quarter, appearance: .dark))
    #expect(file.with(ScreenForm(bits: 32)).form.bits == nil)
    #expect(file.with(ScreenForm(turn: Turn.none)).form.turn == Turn.none)
    let vector = file.with(ScreenForm(), isVector: true).form
    #expect(vector.bits == nil && vector.turn == nil && vector.appearance == .eink)
    let dark = try plan(#""widgets": ["calendar"], "bits": 32, "appearance": "dark""#)
    let bitmap = dark.with(ScreenForm(), isBitmap: true).form
    #expect(bitmap.bits == 1 && bitmap.appearance == nil)
  }

  @Test("A heading, a clock, and a card that names what is missing")
  func words() throws {
    let found = try drawn(
      plan(
        #""widgets": ["calendar:systemLarge", "bins", "later"], "title": "Kitchen", "clock": true, "displayNames": {"later": "Later on"}"#
      ),
      PixelSize(width: 1280, height: 800))
    #expect(found.leftOut == 0 && found.cards.count == 3)
    for text in ["Kitchen", "14:05", "bins", "There is no such widget", "Later on", "Nothing to show"] {
      #expect(words(found).contains(text), "\(text)")
    }
  }

  @Test("A heading that would cost a card is a low one in the margin", arguments: [false, true])
  func lowHeading(hasHeading: Bool) throws {
    let heading = hasHeading ? #""title": "Kitchen", "clock": true, "# : ""
    let found = try drawn(
      plan(#"\#(heading)"widgets": ["calendar:systemLarge", "todays-tasks:systemLarge"], "bits": 1"#),
      PixelSize(width: 800, height: 480))
    // By hand: at 1.25 pixels a point, 384 points are 356 for the cards, 8 below, and 20 for the line.
    #expect(found.cards.count == 2 && found.leftOut == 0)
    #expect(words(found).contains("Kitchen") == hasHeading)
  }

  @Test("What does not fit is left out from the end, and a line says how much")
  func leftOut() throws {
    let widgets =
      #""widgets": ["calendar:systemLarge", "todays-tasks:systemLarge", "meal-plan:systemLarge", "budget:systemMedium"], "bits": 1"#
    let size = PixelSize(width: 800, height: 480)
    let found = try drawn(plan(widgets), size)
    #expect(found.cards.count == 2 && found.leftOut == 2)
    #expect(words(found).contains("2 more do not fit"))
    // A long title gives way to it.
    let title = String(repeating: "Kitchen and hall, ", count: 4)
    let titled = try drawn(plan(widgets + #", "title": "\#(title)", "clock": true"#), size)
    let lines = titled.lines.flatMap(\.picture.marks).compactMap { mark in
      if case .text(let line) = mark.shape { line.text } else { nil }
    }
    #expect(lines.count == 2 && lines[0].hasSuffix("…") && lines[1].hasSuffix("more do not fit"), "\(lines)")
    let turning = try plan(widgets + #", "rotateEvery": "PT10S""#)
    let (first, second) = try (drawn(turning, size), drawn(turning, size, from: 2))
    #expect(!words(first).contains("2 more do not fit") && second.cards.count == 2)
  }

  @Test("As many cards as a screen may have are arranged on any display", arguments: [(1280, 800), (3840, 2160)])
  func many(width: Int, height: Int) throws {
    let kinds = KnownKind.all.map(\.name)
    let widgets = (0..<64).map { "\"\(kinds[$0 % kinds.count])\"" }.joined(separator: ",")
    let found = try drawn(plan(#""widgets": [\#(widgets)], "columns": 5"#), PixelSize(width: width, height: height))
    #expect(found.cards.count + found.leftOut == 64 && !found.cards.isEmpty)
  }

  @Test("A redacted screen has no words", arguments: ["calendar:systemLarge", "bins"])
  func redacted(widget: String) throws {
    let found = try drawn(
      plan(#""widgets": ["\#(widget)"], "title": "Kitchen", "clock": true, "redacted": true"#),
      PixelSize(width: 800, height: 480))
    #expect(words(found) == [] && found.cards.allSatisfy { $0.picture.targets.isEmpty })
    #expect(found.cards.map(\.picture.title) == [widget == "bins" ? "CacheSync" : "Calendar"])
  }

  @Test(
    "Every card lies on the display, and none on another",
    arguments: [(320, 240), (480, 800), (1280, 800), (3840, 2160)])
  func places(width: Int, height: Int) throws {
    let found = try drawn(
      plan(#""widgets": ["calendar", "meal-plan", "todays-tasks", "macros", "bins"], "title": "Kitchen""#),
      PixelSize(width: width, height: height))
    let display = Rect(width: Double(width) / found.scale, height: Double(height) / found.scale)
    let boxes = (found.cards + found.lines).map {
      Rect(x: $0.x, y: $0.y, width: $0.picture.width, height: $0.picture.height)
    }
    #expect(!found.cards.isEmpty)
    for (index, box) in boxes.enumerated() {
      #expect(display.contains(box))
      #expect(!boxes[..<index].contains { $0.overlaps(box) })
    }
  }
}
