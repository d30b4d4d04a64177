import CacheSync
import Foundation
import Testing

@testable import CacheSyncPictures

/// Pictures one below another, painted by Cairo and, from their SVG, by Chromium.
@Suite("Pixels")
struct PixelTests {
  private static let chromium = "/usr/bin/chromium"
  static let canRun =
    FileManager.default.isExecutableFile(atPath: chromium) && (try? Tool.python("-c", "import PIL")) != nil

  private static let scale = 2

  @Test(
    "The pixels are those that Chromium paints from the SVG, except at edges",
    .enabled(if: canRun, "needs Debian's chromium and python3-pil"),
    arguments: [Palette.light, .dark, .paper(bits: 4), .paper(bits: 1)])
  func pixels(palette: Palette) throws {
    try compare(SamplePictures.all, palette)
  }

  @Test(
    "For every picture of the sample cache, the pixels are those that Chromium paints from the SVG",
    .enabled(if: canRun, "needs Debian's chromium and python3-pil"),
    arguments: ViewFamily.allCases.filter { $0 != .terminal })
  func samples(family: ViewFamily) throws {
    let layout = Layout(Typesetter())
    let pictures = try SampleSnapshots.pictures.filter { $0.family == family }.map { kind, family in
      let snapshot = try SampleSnapshots.snapshot(kind)
      return (kind, try #require(layout.picture(of: snapshot.entries[0], in: snapshot, family: family)))
    }
    try compare(pictures, .light)
  }

  private func compare(_ pictures: [(name: String, picture: Picture)], _ palette: Palette) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pixels-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var placed: [PNGPainter.Placed] = []
    var page = "<!doctype html><meta charset=utf-8><style>body{margin:0;background:#fff}img{display:block}</style>"
    var height = 0
    for (name, picture) in pictures {
      placed.append(PNGPainter.Placed(picture, x: 0, y: Double(height)))
      height += Int(picture.height)
      try Data(picture.svg(.palette(palette)).utf8).write(to: folder.appendingPathComponent("\(name).svg"))
      page += "<img src=\(name).svg>"
    }
    let width = 364
    // In colour for paper too, because Chromium's edges have greys.
    let painter = PNGPainter(scale: Double(Self.scale), palette: palette, depth: .colour)
    let png = try painter.png(placed, width: width * Self.scale, height: height * Self.scale)
    let (ours, theirs) = (folder.appendingPathComponent("ours.png"), folder.appendingPathComponent("theirs.png"))
    try Data(png).write(to: ours)
    try Data(page.utf8).write(to: folder.appendingPathComponent("page.html"))
    // A window has a frame, and what is beneath it is not painted.
    let windowHeight = height + 200
    _ = try Tool.run(
      Self.chromium,
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none",
      "--hide-scrollbars", "--force-device-scale-factor=\(Self.scale)", "--window-size=\(width),\(windowHeight)",
      "--user-data-dir=\(folder.path)/profile", "--screenshot=\(theirs.path)", "file://\(folder.path)/page.html")

    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("compare_pixels.py")
    let numbers = try Tool.python(script.path, ours.path, theirs.path).split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count == 2)
    #expect(numbers[0] <= 0.03, "the mean difference")
    #expect(numbers[1] <= 0.25, "the worst block")
  }
}
