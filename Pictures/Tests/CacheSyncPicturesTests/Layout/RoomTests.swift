import CacheSync
import Testing

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
