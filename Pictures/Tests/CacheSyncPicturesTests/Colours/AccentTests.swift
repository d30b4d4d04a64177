import CacheSync
import Testing

@testable import CacheSyncPictures

@Suite("Accented pictures")
struct AccentTests {
  /// A light, a dark and a medium tint, and the default.
  static let tints = [Colour(0xFFE066), Colour(0x001A4D), Colour(0x30B0C7), Palette.light[.blue]]
  static let palettes = tints.flatMap { tint in
    [Palette.accented(tint, isOnDark: false), .accented(tint, isOnDark: true)]
  }

  private func pictures(_ palette: Palette, _ check: (Picture, String) throws -> Void) throws {
    let layout = Layout(Typesetter())
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      for state in [Snapshot.State.current, .stale, .placeholder] {
        var entry = snapshot.entries[0]
        entry.state = state
        let picture = try #require(layout.picture(of: entry, in: snapshot, family: family))
        try check(picture.accented(for: palette), "\(kind) \(family) \(state)")
      }
    }
  }

  @Test("Every text has a contrast of 4.5, or of 3 from 28 points on", arguments: palettes)
  func contrast(palette: Palette) throws {
    var count = 0
    try pictures(palette) { picture, name in
      for (index, mark) in picture.marks.enumerated() {
        guard case .text(let line) = mark.shape else { continue }
        let ground = try #require(picture.marks[..<index].compactMap { $0.fill(under: mark.box) }.last)
        let contrast = palette[line.tint].contrast(with: palette[ground])
        #expect(contrast >= (line.type.size >= 28 ? 3 : 4.5), "\(name): \(line.text) has \(contrast)")
        count += 1
      }
    }
    #expect(count > 200)
  }

  /// Greys have every contrast with a card that a tint can have: below 3, from 3 to 4.5, and above, on both cards.
  static let sweep =
    stride(from: 0, through: 0xFF, by: 8).map { Colour($0 << 16 | $0 << 8 | $0) }
    + [0xFF3B30, 0x34C759, 0xFF9500, 0xAF52DE, 0x30B0C7].map { Colour($0) }

  /// pictures.md section 3, for every tint.
  @Test(
    "Whatever the tint, boxes but its discs keep their colours, and a text has the tint exactly where that can be read",
    arguments: [false, true])
  func everyTint(isOnDark: Bool) throws {
    let layout = Layout(Typesetter())
    let palettes = Self.sweep.map { Palette.accented($0, isOnDark: isOnDark) }
    let contrasts = palettes.map { $0[.blue].contrast(with: $0[.card]) }
    #expect(contrasts.contains { $0 < 3 } && contrasts.contains { (3..<4.5).contains($0) })
    #expect(contrasts.contains { $0 > 4.5 })
    for (kind, family) in SampleSnapshots.pictures {
      let snapshot = try SampleSnapshots.snapshot(kind)
      for state in [Snapshot.State.current, .stale, .placeholder, .empty] {
        var entry = snapshot.entries[0]
        entry.state = state
        let plain = try #require(layout.picture(of: entry, in: snapshot, family: family))
        for palette in palettes {
          let faults = Self.faults(of: plain.accented(for: palette), from: plain, in: palette)
          #expect(faults.isEmpty, "\(kind) \(family) \(state), \(palette[.blue].hex): \(faults)")
        }
      }
    }
  }

  private static func faults(of picture: Picture, from plain: Picture, in palette: Palette) -> [String] {
    var faults: [String] = []
    for (index, (mark, before)) in zip(picture.marks, plain.marks).enumerated() {
      switch (mark.shape, before.shape) {
      case (.box(_, let fill, _), .box(_, .token(let token), _)) where [.card, .tile, .track].contains(token):
        if fill != .token(token) { faults.append("the \(token) became \(fill.map { "\($0)" } ?? "nothing")") }
      case (.text(let line), .text(let before)):
        guard let ground = picture.marks[..<index].compactMap({ $0.fill(under: mark.box) }).last else { continue }
        let least = line.type.size >= 28 ? 3 : 4.5
        if palette[line.tint].contrast(with: palette[ground]) < least { faults.append("\(line.text) in \(line.tint)") }
        let isMain = before.tint == .ink && line.type.size >= 22 && line.text.contains(where: \.isNumber)
        let wantsTint = isMain || ![.ink, .soft, .card].contains(before.tint)
        let hasTint = ![.ink, .soft, .card].contains(line.tint)
        let canBeRead = palette[.blue].contrast(with: palette[ground]) >= least
        if hasTint != (wantsTint && canBeRead) { faults.append("\(line.text) is \(line.tint)") }
      default: break
      }
    }
    return faults
  }

  @Test("Every colour is the tint, or black or white mixed with the card", arguments: palettes)
  func colours(palette: Palette) throws {
    guard case .accented(let tint, _) = palette else { return }
    let own = [Token.card, .tile, .track, .ink, .soft].map { palette[$0] } + [tint, palette[.tint(.blue)]]
    try pictures(palette) { picture, name in
      let svg = picture.svg(.palette(palette))
      let found = Set(svg.matches(of: /(?:fill|stroke)="(#[0-9A-F]{6})"/).map { String($0.1) })
      #expect(found.isSubset(of: own.map(\.hex)), "\(name): \(found)")
    }
  }

  @Test("Rings, bars, icons and the main number are in the tint")
  func meaning() throws {
    let palette = Palette.accented(Colour(0x001A4D), isOnDark: false)
    let layout = Layout(Typesetter())
    let snapshot = try SampleSnapshots.snapshot("calories")
    let picture = try #require(layout.picture(of: snapshot.entries[0], in: snapshot, family: .accessoryCircular))
    let marks = picture.accented(for: palette).marks
    for mark in marks {
      switch mark.shape {
      case .ring(let ring): #expect(palette[ring.tint].hex == "#001A4D")
      case .icon(_, let tint): #expect(palette[tint].hex == "#001A4D")
      default: break
      }
    }
    let tasks = try SampleSnapshots.snapshot("task-count")
    let count = try #require(layout.picture(of: tasks.entries[0], in: tasks, family: .accessoryCircular))
    let number = count.accented(for: palette).marks.compactMap { mark -> Mark.Line? in
      if case .text(let line) = mark.shape, line.text.contains(where: \.isNumber) { line } else { nil }
    }.max { $0.type.size < $1.type.size }
    if let number, number.type.size >= 22 { #expect(palette[number.tint].hex == "#001A4D") }
  }

  @Test("A light tint on a light card is used for shapes, not for texts")
  func lightTint() throws {
    let palette = Palette.accented(Colour(0xFFE066), isOnDark: false)
    try pictures(palette) { picture, name in
      for mark in picture.marks {
        guard case .text(let line) = mark.shape else { continue }
        #expect(line.tint == .ink || line.tint == .soft || line.tint == .card, "\(name): \(line.text)")
      }
    }
  }

  @Test("Emoji are silhouettes in SVG and PNG", arguments: [false, true])
  func silhouettes(isOnDark: Bool) throws {
    let palette = Palette.accented(Colour(0x30B0C7), isOnDark: isOnDark)
    let frame = try #require(Frame(.systemSmall))
    let view = ViewNode.stackOfOne("🍎🥦")
    let picture = Layout(Typesetter()).picture(of: view, in: frame, title: "x").accented(for: palette)
    let filter = isOnDark ? "brightness(0) invert(1)" : "brightness(0)"
    #expect(picture.svg(.palette(palette)).contains("filter=\"\(filter)\""))
    #expect(!picture.svg(.palette(.light)).contains("filter="))
    let plain = try PNGPainter(scale: 2, palette: palette, depth: .colour).png(picture)
    let coloured = try PNGPainter(scale: 2, palette: isOnDark ? .dark : .light, depth: .colour).png(picture)
    #expect(plain != coloured)
    #expect(try Self.colours(of: plain) == 0)
    #expect(try Self.colours(of: coloured) > 500)
  }

  /// How many pixels are not grey.
  private static func colours(of png: [UInt8]) throws -> Int {
    let samples = try PNGFile.samples(png, mode: "RGBA")
    return stride(from: 0, to: samples.count, by: 4).count { at in
      let parts = samples[at..<at + 3].map(Int.init)
      // The dark card is slightly blue.
      return samples[at + 3] == 255 && (parts.max() ?? 0) - (parts.min() ?? 0) > 4
    }
  }

  @Test(
    "Emoji are silhouettes in SVG too, including those that some fonts draw in colours",
    arguments: [("🍎 1", true), ("☑ 1", true), ("❤\u{FE0F}", true), ("Soup #1", false)])
  func filters(text: String, isSilhouette: Bool) throws {
    let frame = try #require(Frame(.systemSmall))
    let palette = Palette(.accented)
    let picture = Layout(Typesetter()).picture(of: .stackOfOne(text), in: frame, title: "One").accented(for: palette)
    #expect(picture.svg(.palette(palette)).contains("filter=") == isSilhouette)
  }

  @Test("Without a card the first mark is removed, in every appearance")
  func withoutCard() throws {
    let snapshot = try SampleSnapshots.snapshot("budget")
    let picture = try #require(
      Layout(Typesetter()).picture(of: snapshot.entries[0], in: snapshot, family: .systemSmall))
    #expect(picture.withoutCard.marks == Array(picture.marks.dropFirst()))
    for palette in [Palette.light, .dark, .paper(bits: 4)] {
      let png = try PNGPainter(scale: 1, palette: palette, depth: .colour).png(picture.withoutCard)
      // The middle of the upper edge, which the card would cover.
      #expect(try PNGFile.samples(png, mode: "RGBA")[4 * 85 + 3] == 0)
    }
  }
}

extension ViewNode {
  /// One text in a stack.
  fileprivate static func stackOfOne(_ text: String) -> ViewNode {
    ViewNode(.stack(.vertical, [ViewNode(.text(ViewNode.Text(text, .text)))]))
  }
}
