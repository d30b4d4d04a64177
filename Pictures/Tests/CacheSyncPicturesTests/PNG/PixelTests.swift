import Foundation
import Testing

@testable import CacheSyncPictures

/// The sample pictures below one another, painted by Cairo and, from their SVG, by Chromium.
@Suite("Pixels")
struct PixelTests {
  private static let chromium = "/usr/bin/chromium"
  static let canRun =
    FileManager.default.isExecutableFile(atPath: chromium) && (try? Tool.python("-c", "import PIL")) != nil

  private static let scale = 2

  @Test(
    "are those that Chromium paints from the SVG, but for edges",
    .enabled(if: canRun, "needs Debian's chromium and python3-pil"),
    arguments: [Palette.light, .dark, .paper(bits: 4), .paper(bits: 1)])
  func pixels(palette: Palette) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pixels-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var placed: [PNGPainter.Placed] = []
    var page = "<!doctype html><meta charset=utf-8><style>body{margin:0;background:#fff}img{display:block}</style>"
    var height = 0
    for (name, picture) in SamplePictures.all {
      placed.append(PNGPainter.Placed(picture, x: 0, y: Double(height)))
      height += Int(picture.height)
      try Data(picture.svg(.palette(palette)).utf8).write(to: folder.appendingPathComponent("\(name).svg"))
      page += "<img src=\(name).svg>"
    }
    let width = 364
    // In colour also for paper, since Chromium's edges have greys.
    let painter = PNGPainter(scale: Double(Self.scale), palette: palette, depth: .colour)
    let png = try painter.png(placed, width: width * Self.scale, height: height * Self.scale)
    let (ours, theirs) = (folder.appendingPathComponent("ours.png"), folder.appendingPathComponent("theirs.png"))
    try Data(png).write(to: ours)
    try Data(page.utf8).write(to: folder.appendingPathComponent("page.html"))
    _ = try Tool.run(
      Self.chromium,
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none",
      "--hide-scrollbars", "--force-device-scale-factor=\(Self.scale)", "--window-size=\(width),\(height)",
      "--user-data-dir=\(folder.path)/profile", "--screenshot=\(theirs.path)", "file://\(folder.path)/page.html")

    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("compare_pixels.py")
    let numbers = try Tool.python(script.path, ours.path, theirs.path).split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count == 2)
    #expect(numbers[0] <= 0.03, "the mean difference")
    #expect(numbers[1] <= 0.25, "the worst block")
  }
}
