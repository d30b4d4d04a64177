/// Paints pictures as PNG files. Equal pictures give equal bytes.
///
/// A painter caches fonts between pictures, and must stay on one thread.
package final class PNGPainter {
  /// A picture with its place on a larger one, in points from the upper left corner.
  package struct Placed: Sendable {
    package var picture: Picture
    package var x: Double
    package var y: Double

    package init(_ picture: Picture, x: Double, y: Double) {
      self.picture = picture
      self.x = x
      self.y = y
    }
  }

  /// Pixels per point.
  private let scale: Double
  private let palette: Palette
  private let depth: PNGDepth
  private let turn: Turn
  /// Created with the first picture.
  private lazy var typesetter = Typesetter(depth == .grey(bits: 1) ? .sharp : .smooth)

  /// - Parameter turn: how the files are turned.
  package init(scale: Double, palette: Palette, depth: PNGDepth, turn: Turn = .none) {
    self.scale = scale
    self.palette = palette
    self.depth = depth
    self.turn = turn
  }

  /// A PNG file with one picture. Its sides are rounded up to whole pixels.
  package func png(_ picture: Picture) throws(PNGError) -> [UInt8] { try canvas(picture).png() }

  /// The same as a BMP file with one bit a pixel.
  package func bmp(_ picture: Picture) throws(PNGError) -> [UInt8] { try canvas(picture).bmp() }

  private func canvas(_ picture: Picture) throws(PNGError) -> Canvas {
    let width = Int((picture.width * scale).rounded(.up))
    let height = Int((picture.height * scale).rounded(.up))
    return try canvas([Placed(picture, x: 0, y: 0)], width: width, height: height)
  }

  /// A PNG file of this size in pixels before it is turned, with pictures at their places, rounded to whole pixels.
  package func png(_ pictures: [Placed], width: Int, height: Int) throws(PNGError) -> [UInt8] {
    try canvas(pictures, width: width, height: height).png()
  }

  /// The same as a BMP file with one bit a pixel. The painter's depth must be that, too.
  package func bmp(_ pictures: [Placed], width: Int, height: Int) throws(PNGError) -> [UInt8] {
    try canvas(pictures, width: width, height: height).bmp()
  }

  private func canvas(_ pictures: [Placed], width: Int, height: Int) throws(PNGError) -> Canvas {
    let canvas = try Canvas(width: width, height: height, depth: depth, turn: turn)
    for placed in pictures {
      typesetter.language = placed.picture.language
      let painter = FigurePainter(
        canvas: canvas, typesetter: typesetter, palette: palette, scale: scale, x: (placed.x * scale).rounded(),
        y: (placed.y * scale).rounded()
      )
      for mark in placed.picture.marks {
        for figure in mark.figures(in: palette) { painter.paint(figure) }
      }
    }
    return canvas
  }
}
