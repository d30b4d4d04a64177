/// Converts Cairo's pixels, whose colours are multiplied by alpha, to a PNG file's samples.
enum Samples {
  /// Red, green, blue and alpha of each pixel.
  static func colours(of pixels: UnsafeBufferPointer<UInt32>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4 * pixels.count) { samples, count in
      for (index, pixel) in pixels.enumerated() {
        let alpha = pixel >> 24
        let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
        let half = alpha / 2
        let isPartial = alpha > 0 && alpha < 255
        samples[4 * index] = UInt8(truncatingIfNeeded: isPartial ? (red * 255 + half) / alpha : red)
        samples[4 * index + 1] = UInt8(truncatingIfNeeded: isPartial ? (green * 255 + half) / alpha : green)
        samples[4 * index + 2] = UInt8(truncatingIfNeeded: isPartial ? (blue * 255 + half) / alpha : blue)
        samples[4 * index + 3] = UInt8(truncatingIfNeeded: alpha)
      }
      count = 4 * pixels.count
    }
  }

  /// The nearest grey of a depth for each pixel, at most one of 16; 0 is black. Pixels are opaque.
  static func greys(of pixels: UnsafeBufferPointer<UInt32>, bits: Int) -> [UInt8] {
    let lightest = 1 << min(bits, 4) - 1
    let step = bits == 8 ? 255 / lightest : 1
    let nearest = (0...255).map { UInt8(($0 * lightest + 127) / 255 * step) }
    return [UInt8](unsafeUninitializedCapacity: pixels.count) { samples, count in
      for (index, pixel) in pixels.enumerated() { samples[index] = nearest[Int(brightness(pixel))] }
      count = pixels.count
    }
  }

  /// The samples of a picture that is turned clockwise.
  static func turned(_ samples: [UInt8], width: Int, height: Int, channels: Int, by turn: Turn) -> [UInt8] {
    // Which pixel comes first in the file, and the steps from there to its right and lower neighbours.
    let steps: (first: Int, right: Int, down: Int) =
      switch turn {
      case .none: (0, 1, width)
      case .quarter: (width * (height - 1), -width, 1)
      case .half: (width * height - 1, -1, -width)
      case .threeQuarters: (width - 1, width, -1)
      }
    if turn == .none { return samples }
    let (columns, rows) = turn.isAcross ? (height, width) : (width, height)
    return [UInt8](unsafeUninitializedCapacity: samples.count) { turned, count in
      for row in 0..<rows {
        var place = channels * (steps.first + row * steps.down)
        for _ in 0..<columns {
          for channel in 0..<channels { turned[count + channel] = samples[place + channel] }
          count += channels
          place += channels * steps.right
        }
      }
    }
  }

  /// Replaces the pixels of a box by black and white dots. The brighter a pixel, the more dots near it are white. The
  /// pattern begins in the box's corner.
  static func dither(
    _ samples: inout [UInt8], from pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, in box: Canvas.PixelBox
  ) {
    for row in box.rows.clamped(to: 0..<height) {
      for column in box.columns.clamped(to: 0..<width) {
        let order = dots[(row - box.rows.lowerBound) % 8][(column - box.columns.lowerBound) % 8]
        // 0 is below each of the 64 thresholds, and 255 above.
        let isWhite = Int(brightness(pixels[row * width + column])) * 64 >= order * 255 + 128
        samples[row * width + column] = isWhite ? 1 : 0
      }
    }
  }

  /// Luma of Rec. 601, 0…255.
  private static func brightness(_ pixel: UInt32) -> UInt32 {
    ((pixel >> 16 & 255) * 299 + (pixel >> 8 & 255) * 587 + (pixel & 255) * 114 + 500) / 1000
  }

  /// The order in which the dots of 8 by 8 pixels become white (Bayer 1973). At each brightness they are spread evenly.
  private static let dots = [
    [0, 32, 8, 40, 2, 34, 10, 42],
    [48, 16, 56, 24, 50, 18, 58, 26],
    [12, 44, 4, 36, 14, 46, 6, 38],
    [60, 28, 52, 20, 62, 30, 54, 22],
    [3, 35, 11, 43, 1, 33, 9, 41],
    [51, 19, 59, 27, 49, 17, 57, 25],
    [15, 47, 7, 39, 13, 45, 5, 37],
    [63, 31, 55, 23, 61, 29, 53, 21],
  ]
}
