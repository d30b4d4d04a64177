import Foundation
import Testing

@testable import CacheSyncPictures

@Suite("Turned files")
struct TurnTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "turn.py")

  /// A width and a height that are no multiples of 8, so that rows of less than a byte a pixel are filled up.
  private func file(_ depth: PNGDepth, _ turn: Turn, isBMP: Bool) throws -> [UInt8] {
    let palette: Palette = if case .grey(let bits) = depth { Palette(.eink, bits: bits) } else { .light }
    let painter = PNGPainter(scale: 1.3, palette: palette, depth: depth, turn: turn)
    let pictures = [PNGPainter.Placed(SamplePictures.circle(), x: 3, y: 5)]
    return try isBMP
      ? painter.bmp(pictures, width: 301, height: 123) : painter.png(pictures, width: 301, height: 123)
  }

  @Test(
    "A turned file is the upright one as another program turns it, pixel for pixel", arguments: PNGPainterTests.depths,
    Turn.allCases)
  func turned(depth: PNGDepth, turn: Turn) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("turn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for isBMP in depth == .grey(bits: 1) ? [false, true] : [false] {
      let (upright, turned) = (folder.appendingPathComponent("upright"), folder.appendingPathComponent("turned"))
      try Data(file(depth, .none, isBMP: isBMP)).write(to: upright)
      try Data(file(depth, turn, isBMP: isBMP)).write(to: turned)
      #expect(
        try Tool.python(Self.script.path, "\(turn.rawValue)", upright.path, turned.path) == "True", "BMP: \(isBMP)")
    }
  }

  @Test("A size is two numbers up to 8192, and its sides change places when it is turned by a quarter or three")
  func sizes() {
    let size = PixelSize(width: 800, height: 480)
    #expect(PixelSize("800x480") == size && PixelSize("800×480") == size && "\(size)" == "800x480")
    for turn in Turn.allCases {
      #expect("\(size.turned(by: turn))" == ([.none, .half].contains(turn) ? "800x480" : "480x800"))
      #expect(size.turned(by: turn).turned(by: turn) == size)
    }
    for wrong in ["800", "800x", "x480", "0x480", "8193x480", "800x480x1", "800 x 480", "-800x480"] {
      #expect(PixelSize(wrong) == nil, "\(wrong)")
    }
  }

  @Test("What a form says becomes options of render, and nothing else does")
  func words() {
    #expect(ScreenForm().words == [])
    let form = ScreenForm(
      size: PixelSize(width: 480, height: 800), bits: 8, turn: .threeQuarters, appearance: .eink,
      background: Background.none,
      isRedacted: true)
    #expect(
      form.words == [
        "--screen=480x800", "--bits=8", "--rotate=270", "--appearance=eink", "--background=none", "--redacted",
      ])
  }
}
