import CPNG
import CPango

/// Pixels for Cairo to paint on, and their encoding as a file.
final class Canvas {
  let width: Int
  let height: Int
  let depth: PNGDepth
  /// Of the file, not of what is painted.
  let turn: Turn
  /// Cairo's context, whose units are pixels.
  let context: OpaquePointer
  private let surface: OpaquePointer
  /// The boxes of emoji. With one bit per pixel, only these are dithered.
  var emoji: [PixelBox] = []

  /// A box of whole pixels. It may reach beyond the canvas.
  struct PixelBox {
    var columns: Range<Int>
    var rows: Range<Int>
  }

  init(width: Int, height: Int, depth: PNGDepth, turn: Turn = .none) throws(PNGError) {
    self.width = width
    self.height = height
    self.depth = depth
    self.turn = turn
    surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height))
    context = cairo_create(surface)
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS, width > 0, height > 0 else {
      let reason = status == CAIRO_STATUS_SUCCESS ? "there are none" : String(cString: cairo_status_to_string(status))
      throw PNGError(width: width, height: height, reason: reason)
    }
    if depth != .colour {
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
    }
    if depth == .grey(bits: 1) { cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE) }
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  // MARK: The file

  /// The canvas, which must have one bit a pixel, as a BMP file.
  func bmp() -> [UInt8] {
    precondition(depth == .grey(bits: 1), "a BMP file here has one bit a pixel")
    let size = PixelSize(width: width, height: height).turned(by: turn)
    return BMP.file(turnedSamples(), width: size.width, height: size.height)
  }

  func png() throws(PNGError) -> [UInt8] {
    let pixels = turnedSamples()
    let size = PixelSize(width: width, height: height).turned(by: turn)
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var problem = [CChar](repeating: 0, count: 128)
    let isDone = cpng_encode(
      pixels, UInt32(size.width), UInt32(size.height), Int32(depth.channels), Int32(depth.bits), &bytes, &count,
      &problem)
    guard isDone == 1, let bytes else {
      let reason = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw PNGError(width: width, height: height, reason: String(decoding: reason, as: UTF8.self))
    }
    defer { free(bytes) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }

  private func turnedSamples() -> [UInt8] {
    Samples.turned(samples(), width: width, height: height, channels: depth.channels, by: turn)
  }

  /// The samples for libpng: four bytes per pixel, or one for a grey.
  private func samples() -> [UInt8] {
    cairo_surface_flush(surface)
    let count = width * height
    // A row of 32-bit pixels needs no padding.
    return cairo_image_surface_get_data(surface).withMemoryRebound(to: UInt32.self, capacity: count) { start in
      let pixels = UnsafeBufferPointer(start: start, count: count)
      switch depth {
      case .colour: return Samples.colours(of: pixels)
      case .grey(let bits):
        var samples = Samples.greys(of: pixels, bits: bits)
        if bits == 1 {
          for box in emoji { Samples.dither(&samples, from: pixels, width: width, height: height, in: box) }
        }
        return samples
      }
    }
  }
}
