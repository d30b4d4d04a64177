import CacheSync
import Foundation
import Testing

@testable import CacheSyncPictures

/// Properties of every picture, whatever its content.
@Suite("Every picture")
struct LawTests {
  private static let states: [Snapshot.State] = [.current, .stale, .placeholder, .empty]
  /// 39 pictures of each seed: 11,154 contents.
  private static let seeds: Range<UInt64> = 0..<286

  /// The pictures of the contents of one seed.
  ///
  /// - Parameter size: the card's size on a screen; nil: the family's own.
  private static func pictures(
    _ seed: UInt64, _ layout: Layout, size: ((Frame) -> (width: Double, height: Double))? = nil
  ) throws -> [(content: JSONValue, picture: Picture, frame: Frame, name: String)] {
    var awkward = AwkwardContent(seed: seed)
    let state = states[Int(seed / 3) % states.count]
    return try SampleSnapshots.pictures.map { kind, family in
      let snapshot = try SampleSnapshots.snapshot(kind)
      var entry = snapshot.entries[0]
      entry.content = awkward.content(like: entry.content)
      entry.state = state
      let usual = try #require(Frame(family))
      let size = size?(usual)
      let picture = try #require(layout.picture(of: entry, in: snapshot, family: family, size: size))
      let frame = size.map { usual.sized($0.width, $0.height) } ?? usual
      return (entry.content, picture, frame, "\(kind) \(family) \(state), seed \(seed)")
    }
  }

  @Test(
    "A picture is inside its margins, and no text overlaps another",
    arguments: Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: 22)))
  func places(first: UInt64) throws {
    let layout = Layout(Typesetter())
    for seed in first..<min(first + 22, Self.seeds.upperBound) {
      for (_, picture, frame, name) in try Self.pictures(seed, layout) { Self.checkPlaces(picture, frame, name) }
    }
  }

  /// The least size, those of cards on large displays, and that of four on 800×480.
  static let sizes: [@Sendable (Frame) -> (width: Double, height: Double)] = [
    \.family.leastSize, { (1.25 * $0.width, 1.25 * $0.height) },
    { frame in
      switch frame.family {
      case .systemMedium: (295, 175)
      case .systemLarge: (298, 356)
      default: frame.family.leastSize
      }
    },
    { (2 * $0.width, $0.height) }, { ($0.width, 3 * $0.height) }, { (3 * $0.width, 3 * $0.height) },
    { ($0.width + 60, max($0.family.leastSize.height, $0.height - 10)) },
  ]

  @Test(
    "In every size that a card may have on a screen, a picture is inside its margins, and no text overlaps another",
    arguments: 0..<7)
  func sizes(index: Int) throws {
    let layout = Layout(Typesetter())
    for seed in Self.seeds where seed % 14 == UInt64(2 * index) {
      for (_, picture, frame, name) in try Self.pictures(seed, layout, size: Self.sizes[index]) {
        Self.checkPlaces(picture, frame, "\(name), \(frame.width)x\(frame.height)")
      }
    }
  }

  private static func checkPlaces(_ picture: Picture, _ frame: Frame, _ name: String) {
    #expect(picture.width == frame.width && picture.height == frame.height)
    for mark in picture.marks.dropFirst() {
      let isNumber = [mark.box.x, mark.box.y, mark.box.width, mark.box.height].allSatisfy(\.isFinite)
      #expect(isNumber, "\(name)")
      #expect(frame.content.contains(mark.box) || frame.isInCircle(mark.box), "\(name): \(mark)")
      #expect(mark.box.width >= 0 && mark.box.height >= 0, "\(name): \(mark)")
    }
    let texts = picture.marks.filter(\.isText)
    for (index, text) in texts.enumerated() {
      for other in texts[(index + 1)...] where text.box.overlaps(other.box) {
        Issue.record("\(name): \(text) lies on \(other)")
      }
    }
  }

  @Test("A mindful content has no digits, except in names of foods")
  func mindful() throws {
    let layout = Layout(Typesetter())
    for seed in Self.seeds {
      var awkward = AwkwardContent(seed: seed, replacesTexts: false)
      for (kind, family) in SampleSnapshots.pictures {
        let snapshot = try SampleSnapshots.snapshot(kind)
        var entry = snapshot.entries[0]
        guard entry.content["showsNumbers"] != nil else { continue }
        entry.content = awkward.content(like: entry.content).mindful
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
        let names = (entry.content["foods"]?.array ?? []).compactMap { $0["name"]?.string?.clean }
        let words = names.reduce("\(picture.label), \(picture.targets.map(\.label))") { $0.replacing($1, with: "") }
        #expect(words.allSatisfy { !$0.isNumber }, "\(kind) \(family), seed \(seed): \(words)")
      }
    }
  }

  @Test(
    "A picture is the same twice, as SVG and as marks, and is well-formed XML",
    arguments: Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: 22)))
  func bytes(first: UInt64) throws {
    // Both cache the widths of texts, and the second meets the contents in another order.
    let (layout, other) = (Layout(Typesetter()), Layout(Typesetter()))
    let seeds = first..<min(first + 22, Self.seeds.upperBound)
    let later = try Dictionary(uniqueKeysWithValues: seeds.reversed().map { ($0, try Self.pictures($0, other)) })
    for seed in seeds {
      for (a, b) in zip(try Self.pictures(seed, layout), later[seed] ?? []) {
        #expect(a.picture == b.picture, "\(a.name)")
        let svg = a.picture.svg(.palette(Palette(.light)))
        #expect(svg == b.picture.svg(.palette(Palette(.light))), "\(a.name)")
        #expect(XMLChecker().accepts(svg), "\(a.name): \(svg)")
      }
    }
  }

  @Test("A redacted picture has no digits")
  func placeholder() throws {
    let layout = Layout(Typesetter())
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      var entry = snapshot.entries[0]
      entry.state = .placeholder
      let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
      #expect(picture.label.allSatisfy { !$0.isNumber }, "\(kind) \(family): \(picture.label)")
    }
  }

}

extension JSONValue {
  /// The content as the agent publishes it in the mode without numbers.
  fileprivate var mindful: JSONValue {
    guard case .object(var members) = self else { return self }
    members["showsNumbers"] = .bool(false)
    for key in ["text", "inline", "rectangular"] where members[key] != nil { members[key] = .string("Mindful mode") }
    return .object(members)
  }
}

extension Frame {
  /// Whether a box's corners are inside a round card.
  fileprivate func isInCircle(_ box: Rect) -> Bool {
    guard family == .accessoryCircular else { return false }
    return [box.x, box.maxX].allSatisfy { x in
      [box.y, box.maxY].allSatisfy { y in
        let (dx, dy) = (x - card.midX, y - card.midY)
        return (dx * dx + dy * dy).squareRoot() <= width / 2 + 0.5
      }
    }
  }
}

extension Mark {
  fileprivate var isText: Bool {
    if case .text = shape { true } else { false }
  }
}
