import CacheSync
import Testing

@testable import CacheSyncValues
@testable import CacheSyncPictures

/// Cards that are larger than usual.
@Suite("A card with room")
struct RoomTests {
  private let layout = Layout(Typesetter())

  /// The sizes of a family's cards on a display: alone, and beside others.
  private static func sizes(_ family: ViewFamily, width: Int, height: Int) throws -> Set<Frame> {
    let frame = try #require(Frame(family))
    let beside = try [ViewFamily.systemLarge, .systemMedium, .systemSmall].map { try #require(Frame($0)) }
    let screens = [[frame], [frame] + beside, beside + [frame, frame], Array(repeating: frame, count: 4)]
    return Set(
      screens.flatMap { frames in
        zip(frames, Screen(frames, width: width, height: height).places).filter { $0.0 == frame }
          .map { frame.sized($1.width, $1.height) }
      })
  }

  private static func content(_ content: JSONValue, _ name: String) -> JSONValue {
    switch name {
    case "both": content.withManyParts.withLongTexts
    default: content
    }
  }

  @Test(
    "Nothing is cut or left out where a further line has room",
    arguments: [(800, 480), (600, 800), (1_072, 1_448), (1_200, 825), (1_600, 1_200), (1_920, 1_080)],
    ["sample", "both"])
  func fills(display: (width: Int, height: Int), name: String) throws {
    var sizes: [ViewFamily: Set<Frame>] = [:]
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      var entry = snapshot.entries[0]
      entry.content = Self.content(entry.content, name)
      if sizes[family] == nil { sizes[family] = try Self.sizes(family, width: display.width, height: display.height) }
      for frame in sizes[family] ?? [] where frame.isResized {
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family, size: frame.size))
        if name == "sample" { #expect(picture.broken.isEmpty, "\(kind) \(family), \(frame.size): \(picture.broken)") }
        for mark in picture.lackingMarks(more: entry.content["more"]?.int ?? 0) {
          let free = picture.freeHeight(around: mark.box, in: frame.content)
          #expect(free < mark.neededHeight, "\(kind) \(family) \(name), \(frame.size): \(mark)")
        }
      }
    }
  }

  @Test("A card of the height that an entry needs shows all of it, and a usual one is enough for little")
  func need() throws {
    for (kind, family) in SampleSnapshots.pictures where !family.rawValue.hasPrefix("accessory") {
      let snapshot = try SampleSnapshots.snapshot(kind)
      var entry = snapshot.entries[0]
      entry.content = Self.content(entry.content, "both")
      let height = layout.height(of: entry, in: snapshot, family: family, width: 400).rounded(.up)
      let picture = try #require(layout.picture(of: entry, in: snapshot, family: family, size: (400, height)))
      let lacking = picture.lackingMarks(more: entry.content["more"]?.int ?? 0)
      #expect(lacking.isEmpty, "\(kind) \(family)")
    }
    let progress = try SampleSnapshots.snapshot("daily-progress")
    #expect(layout.height(of: progress.entries[0], in: progress, family: .systemSmall, width: 170) == 170)
  }

  @Test("Rings and bars grow with the card, and not in its usual size")
  func growth() throws {
    let snapshot = try SampleSnapshots.snapshot("daily-progress")
    func rings(_ width: Double, _ height: Double) throws -> (ring: Double, bar: Double) {
      let picture = try #require(
        layout.picture(of: snapshot.entries[0], in: snapshot, family: .systemMedium, size: (width, height)))
      let rings = picture.marks.filter { if case .ring = $0.shape { true } else { false } }
      let bars = picture.marks.dropFirst().filter { if case .box = $0.shape { true } else { false } }
      return (rings[0].box.width, bars[0].box.height)
    }
    #expect(try rings(364, 170) == (84, 6))
    #expect(try rings(350, 170) == (84, 6))
    // Four times the area.
    #expect(try rings(728, 340) == (168, 12))
  }

  @Test("A ring grows also around a number that is shortened with and without that")
  func growthAroundNumbers() {
    let center = ViewNode.centred(.label("364368", .ink, .number), .word("over", .soft, .caption), gap: 0)
    func ring(_ frame: Frame) -> (diameter: Double, size: Double?, words: String?) {
      let marks = layout.picture(of: .centred(.ring(0.5, center, diameter: 70)), in: frame, title: "t").marks
      guard case .text(let line)? = marks.dropFirst(2).first?.shape else { return (marks[1].box.width, nil, nil) }
      return (marks[1].box.width, line.type.size, line.text)
    }
    guard let frame = Frame(.systemMedium) else { return }
    let (usual, grown) = (ring(frame), ring(frame.sized(728, 340)))
    #expect(usual.words == "364.3k" && grown.words == "364.3k")
    #expect(usual.diameter == 70 && grown.diameter == 140)
    #expect(grown.size ?? 0 >= usual.size ?? 0)
  }

  @Test("Texts that have no room side by side stand one below another, and no word is broken")
  func flow() throws {
    let view = ViewNode.vertical(
      .horizontal(.label("Wed 25 Nov 11:00", .soft, .caption).twoLines(), .text("Kitchen", .soft, .caption).growing()))
    func boxes(_ width: Double) throws -> [Rect] {
      let frame = try #require(Frame(.systemMedium)).sized(width, 200)
      return layout.picture(of: view, in: frame, title: "t").marks.dropFirst().map(\.box)
    }
    let (beside, below) = (try boxes(300), try boxes(160))
    #expect(beside.count == 2 && beside[0].y == beside[1].y)
    #expect(below.count == 2 && below[0].x == below[1].x && below[1].y == below[0].maxY)
    // Of columns, that with longer words gets more, so that its tiles are equally wide and no word is broken.
    let tiles = ViewNode.horizontal(
      .vertical(.text("A lot of short words")).growing(),
      .horizontal(["Everyday", "Trail"].map { .vertical(.text($0)).on(.tile).growing() }).growing())
    let frame = try #require(Frame(.systemMedium)).sized(320, 200)
    let grounds = layout.picture(of: tiles, in: frame, title: "t").marks.dropFirst()
      .filter { if case .box = $0.shape { true } else { false } }
    #expect(grounds.count == 2 && grounds[0].box.width == grounds[1].box.width && grounds[0].box.width < 150)
    #expect(layout.picture(of: tiles, in: frame, title: "t").broken.isEmpty)
  }

  @Test("A sentence has its short form if a word of it would be broken, and a last meal its whole row")
  func words() throws {
    let frame = try #require(Frame(.systemSmall)).sized(160, 200)
    let view = ViewNode.centred(.word("Keine Gesundheitsdaten", .ink, .headline).twoLines())
    let german = try #require(CacheLocale(publishedIn: .object(["locale": .string("de")]))).language
    let lines = layout.picture(of: view, in: frame, title: "t", language: german).marks.compactMap(\.says)
    #expect(lines == ["Keine Gesundheitsdaten"])
    let marks = layout.picture(of: view, in: frame, title: "t", language: german).marks
    #expect(marks.contains { if case .text(let line) = $0.shape { line.text == "Keine Daten" } else { false } })
    // Five meals in two columns.
    let meals = try SampleSnapshots.snapshot("meal-plan")
    let picture = try #require(
      layout.picture(of: meals.entries[0], in: meals, family: .systemMedium, size: (397, 175)))
    #expect(picture.lackingMarks(more: 0).isEmpty)
    // Long labels do not push the second column out of line.
    var entry = meals.entries[0]
    guard case .object(var content) = entry.content, let shown = content["meals"]?.array else { return }
    content["meals"] = .array(
      shown.enumerated().map { index, meal in
        guard case .object(var members) = meal, index == 1 else { return meal }
        members["label"] = .string("Breakfast for those who come late")
        members["mealTrack"] = nil
        return .object(members)
      })
    entry.content = .object(content)
    let long = try #require(layout.picture(of: entry, in: meals, family: .systemMedium, size: (397, 175)))
    let columns = long.marks.compactMap { if case .icon = $0.shape { $0.box.x } else { nil } }
    #expect(Set(columns).count == 2, "\(columns)")
  }

  @Test("In a wide accessory texts begin as far inside as in other cards, and a line of text has round corners")
  func accessories() throws {
    let line = try #require(Frame(.accessoryInline))
    let box = try #require(Frame(.accessoryRectangular))
    // By hand: usual margins of 4 and 6; half of what is wider than 257 and 172 is added, up to 16.
    #expect(line.content.x == 4 && line.sized(267, 26).content.x == 9 && line.sized(600, 26).content.x == 16)
    #expect(box.content.x == 6 && box.sized(172, 90).content.x == 6 && box.sized(600, 76).content.x == 16)
    #expect(box.sized(600, 76).content.y == 6)
    #expect(line.corner == 0 && line.sized(257, 26).corner == 12)
  }

  @Test("The rows of a list share what is left over, and usual cards leave it below them")
  func leftOver() throws {
    let rows = (1...3).map { ViewNode(.text(ViewNode.Text("row \($0)", .text))) }
    var list = ViewNode(.stack(.vertical, rows))
    list.room.more = 0
    let view = ViewNode(.stack(.vertical, [ViewNode(.text(ViewNode.Text("heading", .word))), list]))
    let frame = try #require(Frame(.systemMedium))
    func tops(_ frame: Frame) -> [Double] {
      layout.picture(of: view, in: frame, title: "t").marks.dropFirst().map(\.box.y)
    }
    // Lines of 18, gaps of 8, a margin of 16.
    #expect(tops(frame) == [16, 42, 68, 94])
    // By hand: 368 high inside; below the heading and its gap 342, three rows of (342 − 16) / 3 = 108.7 with gaps of 8.
    let expected = [16, 42 + 45.33, 42 + 116.67 + 45.33, 42 + 2 * 116.67 + 45.33]
    #expect(zip(tops(frame.sized(364, 400)), expected).allSatisfy { abs($0 - $1) < 0.1 })
  }
}

extension Picture {
  /// The lines that end within a word or a number.
  fileprivate var broken: [String] {
    var words = ""
    return marks.compactMap { mark in
      guard case .text(let line) = mark.shape else { return nil }
      words = mark.says ?? words
      let parts = Set(words.split(separator: " "))
      // In the smallest type are only numbers that gave way.
      if line.text.hasSuffix("…") { return line.type.size == 11 ? line.text : nil }
      // Of numbers only their shape changes.
      let isWhole = line.text.split(separator: " ").allSatisfy { $0.contains(where: \.isNumber) || parts.contains($0) }
      return isWhole ? nil : line.text
    }
  }

  /// The texts that are cut, and the row that counts others.
  fileprivate func lackingMarks(more: Int) -> [Mark] {
    marks.filter { mark in
      // What is in the smallest type is a number that gave way, not a name.
      guard case .text(let line) = mark.shape, line.type.size > 11 else { return false }
      return line.text.hasSuffix("…") || line.text.hasSuffix(" more") && line.text != "+\(more) more"
    }
  }

  /// The height that no mark of the tile or card around a text takes, less the least gaps. Side by side, the highest counts.
  fileprivate func freeHeight(around text: Rect, in content: Rect) -> Double {
    let tiles = marks.dropFirst().filter { mark in
      if case .box = mark.shape { mark.box.contains(text) } else { false }
    }
    let room = tiles.map { $0.box.inset(by: 8) }.min { $0.height < $1.height } ?? content
    let inside = marks.dropFirst().map(\.box).filter { room.contains($0) && $0.width > 1 }
    var (free, end) = (0.0, room.y)
    for box in inside.sorted(by: { $0.y < $1.y }) {
      free += max(0, box.y - end - Self.leastGap)
      end = max(end, box.maxY)
    }
    return free + max(0, room.maxY - end - Self.leastGap)
  }

  /// Of gaps, and of the dots below the days of a month.
  private static let leastGap = 8.0
}

extension JSONValue {
  private static let long =
    "Scrambled eggs on sourdough bread with cherry tomatoes, mushrooms and a spoon of last year's dill"

  /// The same with long names and reasons in its lists and objects.
  fileprivate var withLongTexts: JSONValue {
    guard case .object(let members) = self else { return self }
    var changed = members
    for (key, value) in members where !["macros", "nutrients", "actions"].contains(key) {
      changed[key] = value.array.map { .array($0.map(\.named)) } ?? value.named
    }
    return .object(changed)
  }

  private var named: JSONValue {
    guard case .object(var members) = self else { return self }
    for key in ["mealName", "title", "name", "location", "reason"] where members[key]?.string != nil {
      members[key] = .string(Self.long)
    }
    return .object(members)
  }

  /// The same with twenty parts in the lists that may have any number.
  fileprivate var withManyParts: JSONValue {
    guard case .object(var members) = self else { return self }
    for key in ["tasks", "overdue", "events", "nutrients", "items"] {
      guard let values = members[key]?.array, !values.isEmpty else { continue }
      members[key] = .array((0..<20).map { values[$0 % values.count] })
    }
    return .object(members)
  }
}

extension Mark {
  /// The height of another line of a text; of a row of two lines in place of the one that counts others.
  fileprivate var neededHeight: Double {
    guard case .text(let line) = shape, line.text.hasPrefix("+") else { return box.height }
    return 2.5 * box.height
  }
}
