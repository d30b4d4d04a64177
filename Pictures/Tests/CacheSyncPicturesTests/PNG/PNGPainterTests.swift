import Foundation
import Testing

@testable import CacheSyncPictures

@Suite("PNG")
struct PNGPainterTests {
  static let depths: [PNGDepth] = [.colour, .grey(bits: 8), .grey(bits: 4), .grey(bits: 2), .grey(bits: 1)]

  private static func palette(_ depth: PNGDepth) -> Palette {
    if case .grey(let bits) = depth { Palette(.eink, bits: bits) } else { .light }
  }

  private static func painter(_ depth: PNGDepth, scale: Double = 2) -> PNGPainter {
    PNGPainter(scale: scale, palette: palette(depth), depth: depth)
  }

  @Test("The header has the depth and the size, and there are no times or texts", arguments: depths)
  func header(depth: PNGDepth) throws {
    for scale in [0.5, 1.3, 2, 4] {
      // By hand: 364 × 170 × 1.3 are 473.2 × 221, rounded up.
      let size = [0.5: (182, 85), 1.3: (474, 221), 2: (728, 340), 4: (1456, 680)][scale]
      let file = PNGFile(try Self.painter(depth, scale: scale).png(SamplePictures.progress()))
      #expect(file.width == size?.0 && file.height == size?.1)
      #expect(file.depth == depth.bits)
      #expect(file.colourType == (depth == .colour ? 6 : 0) && !file.isInterlaced)
      #expect(Set(file.chunks.map(\.type)) == ["IHDR", "IDAT", "IEND"])
    }
  }

  @Test("A picture has the same bytes twice, even from a painter that painted before", arguments: depths)
  func repeatable(depth: PNGDepth) throws {
    let used = Self.painter(depth)
    for (name, picture) in SamplePictures.all {
      let first = try used.png(picture)
      #expect(try used.png(picture) == first, "\(name)")
      #expect(try Self.painter(depth).png(picture) == first, "\(name)")
    }
  }

  @Test("A picture in colours is transparent only outside the card's corners")
  func corners() throws {
    let width = 728
    let samples = try PNGFile.samples(Self.painter(.colour).png(SamplePictures.scripts()), mode: "RGBA")
    func alpha(_ x: Int, _ y: Int) -> UInt8 { samples[4 * (y * width + x) + 3] }
    #expect(alpha(0, 0) == 0 && alpha(727, 0) == 0 && alpha(0, 763) == 0 && alpha(727, 763) == 0)
    #expect(alpha(44, 0) == 255 && alpha(0, 44) == 255 && alpha(364, 382) == 255)
    // Four squares of 44 pixels, minus their quarter circles: 4 × 44² × (1 - π / 4) = 1662.
    let missing = stride(from: 3, to: samples.count, by: 4).reduce(0.0) { $0 + 1 - Double(samples[$1]) / 255 }
    #expect(abs(missing - 1662) < 20)
    // Not multiplied by alpha: the card is white where it is half transparent.
    let isWhite = stride(from: 0, to: samples.count, by: 4).allSatisfy { at in
      samples[at + 3] == 255 || samples[at + 3] == 0 || samples[at..<at + 3].allSatisfy { $0 >= 253 }
    }
    #expect(isWhite)
  }

  @Test("A picture in greys is white outside, and has only the greys of its depth", arguments: [1, 2, 4])
  func greys(bits: Int) throws {
    let levels = 1 << bits
    for (name, picture) in SamplePictures.all {
      let samples = try PNGFile.samples(Self.painter(.grey(bits: bits)).png(picture), mode: "L")
      #expect(samples[0] == 255)
      let found = Set(samples)
      #expect(found.isSubset(of: Set((0..<levels).map { UInt8($0 * 255 / (levels - 1)) })), "\(name)")
      #expect(found.contains(0) && (bits == 1 ? found.count == 2 : found.count > 2), "\(name)")
    }
  }

  @Test("A picture of 8 bits has the pixels of 4 bits")
  func eightBits() throws {
    for (name, picture) in SamplePictures.all {
      let (eight, four) = (try Self.painter(.grey(bits: 8)).png(picture), try Self.painter(.grey(bits: 4)).png(picture))
      #expect(try PNGFile.samples(eight, mode: "L") == PNGFile.samples(four, mode: "L"), "\(name)")
    }
  }

  // MARK: One bit

  /// The samples of a picture of 60 by 30 points with one text, 120 by 60 pixels.
  private func samples(of text: String, x: Double, scale: Double = 2) throws -> [UInt8] {
    let face = TypeFace(size: 15, weight: .regular)
    let width = Typesetter().width(of: text, in: face)
    let line = Mark.Line(text: text, type: face, tint: .ink, baseline: 20)
    let mark = Mark(Rect(x: x, y: 6, width: width, height: 18), .text(line))
    let picture = Picture(width: 60, height: 30, marks: [mark], title: "One")
    return try PNGFile.samples(Self.painter(.grey(bits: 1), scale: scale).png(picture), mode: "L")
  }

  @Test("With one bit, dots are fixed to the emoji's corner")
  func emoji() throws {
    let (first, second) = (try samples(of: "😀", x: 4), try samples(of: "😀", x: 17.5))
    let rows = { (samples: [UInt8], shift: Int) in
      (0..<60).map { row in Array(samples[row * 120 + shift..<row * 120 + shift + 60]) }
    }
    #expect(rows(first, 0) == rows(second, 27), "13.5 points are 27 pixels")
    let black = first.count { $0 == 0 }
    #expect(black > 100 && black < 900, "a face of about 36 by 36 pixels is neither full nor empty")
  }

  @Test("With one bit, there are no single dots beside text", arguments: ["Soup 12 g", "日本", "שלום"])
  func sharp(text: String) throws {
    let samples = try samples(of: text, x: 2)
    let isBlack = { (at: Int) in samples.indices.contains(at) && samples[at] == 0 }
    let lone = samples.indices.filter { at in
      let around = [-121, -120, -119, -1, 1, 119, 120, 121]
      return isBlack(at) && !around.contains { isBlack(at + $0) }
    }
    #expect(lone == [])
    #expect(samples.contains(0))
  }

  @Test("With one bit, the quarters of a ring are the same", arguments: [1.3, 1.35, 2])
  func ring(scale: Double) throws {
    let ring = Mark(Rect(x: 5, y: 5, width: 50, height: 50), .ring(.init(width: 5, progress: nil, tint: .ink)))
    let picture = Picture(width: 60, height: 60, marks: [ring], title: "Ring")
    let bytes = try Self.painter(.grey(bits: 1), scale: scale).png(picture)
    let side = PNGFile(bytes).width
    let samples = try PNGFile.samples(bytes, mode: "L")
    let rows = (0..<side).map { Array(samples[$0 * side..<($0 + 1) * side]) }.filter { $0.contains(0) }
    #expect(rows.count == Int((50 * scale).rounded()), "as high as its box")
    #expect(rows == rows.reversed(), "the lower half mirrors the upper one")
    let left = Int((5 * scale).rounded())
    for row in rows {
      let (first, last) = (row.firstIndex(of: 0) ?? 0, row.lastIndex(of: 0) ?? 0)
      #expect(abs((first - left) - (left + rows.count - 1 - last)) <= 1, "a row's sides are alike, but for a pixel")
    }
  }

  // MARK: Several

  @Test("Several pictures in one file are the same as single ones", arguments: depths)
  func several(depth: PNGDepth) throws {
    let painter = Self.painter(depth, scale: 1.3)
    let (circle, tiles) = (SamplePictures.circle(), SamplePictures.tiles())
    let mode = depth == .colour ? "RGBA" : "L"
    let pixel = depth == .colour ? 4 : 1
    let screen = try PNGFile.samples(
      painter.png([.init(circle, x: 10, y: 20), .init(tiles, x: 100.1, y: 30.3)], width: 800, height: 480), mode: mode)
    // By hand: 100.1 × 1.3 = 130.13 and 30.3 × 1.3 = 39.39 pixels; 76 × 1.3 = 98.8, 364 × 1.3 = 473.2, 170 × 1.3 = 221.
    for (picture, x, y, width, height) in [(circle, 13, 26, 99, 99), (tiles, 130, 39, 474, 221)] {
      let alone = try PNGFile.samples(painter.png(picture), mode: mode)
      for row in 0..<height {
        let start = ((y + row) * 800 + x) * pixel
        #expect(screen[start..<start + width * pixel] == alone[row * width * pixel..<(row + 1) * width * pixel])
      }
    }
    #expect(screen[0] == (depth == .colour ? 0 : 255))
    #expect(PNGFile(try painter.png([], width: 800, height: 480)).width == 800)
  }

  @Test("A changed mark changes no pixel outside its box")
  func locality() throws {
    let picture = SamplePictures.progress()
    var changed = picture
    let index = try #require(changed.marks.firstIndex { if case .text = $0.shape { $0.box.x >= 120 } else { false } })
    let box = changed.marks[index].box
    changed.marks.remove(at: index)
    for depth in Self.depths {
      let painter = Self.painter(depth)
      let before = try PNGFile.samples(painter.png(picture), mode: "RGB")
      let after = try PNGFile.samples(painter.png(changed), mode: "RGB")
      let pixels = Set(before.indices.filter { before[$0] != after[$0] }.map { $0 / 3 })
      #expect(!pixels.isEmpty)
      #expect(
        pixels.allSatisfy { pixel in
          box.contains(Rect(x: Double(pixel % 728) / 2, y: Double(pixel / 728) / 2, width: 0.5, height: 0.5))
        })
    }
  }

  @Test("A picture that is too large is refused with one line")
  func tooLarge() {
    let error = #expect(throws: PNGError.self) { try Self.painter(.colour).png([], width: 100_000, height: 10) }
    #expect(
      error?.description == "cannot paint 100000x10 pixels: invalid value (typically too big) for the size of the input"
        + " (surface, pattern, etc.); choose a smaller scale or size")
    #expect(throws: PNGError.self) { try Self.painter(.colour).png([], width: 0, height: 10) }
  }
}
