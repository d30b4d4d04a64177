/// BMP files with one bit a pixel, as displays of small means read them: the headers of Windows 3, a palette of black and
/// white, and rows from the bottom to the top, each filled up to 32 bits.
enum BMP {
  private static let fileHeader = 14
  private static let infoHeader = 40
  private static let palette: [UInt8] = [0, 0, 0, 0, 255, 255, 255, 0]

  /// - Parameter samples: 0 for black or 1 for white, row by row from the top.
  static func file(_ samples: [UInt8], width: Int, height: Int) -> [UInt8] {
    let rowBytes = (width + 31) / 32 * 4
    let offset = fileHeader + infoHeader + palette.count
    var bytes = Array("BM".utf8)
    bytes.reserveCapacity(offset + rowBytes * height)
    bytes += number(offset + rowBytes * height) + number(0) + number(offset)
    bytes += number(infoHeader) + number(width) + number(height)
    // One plane of one bit, uncompressed.
    bytes += [1, 0, 1, 0] + number(0) + number(rowBytes * height)
    // No size in metres; two colours, both important.
    bytes += number(0) + number(0) + number(2) + number(2)
    bytes += palette
    for row in (0..<height).reversed() {
      var packed = [UInt8](repeating: 0, count: rowBytes)
      for column in 0..<width where samples[row * width + column] == 1 {
        packed[column / 8] |= 0x80 >> UInt8(column % 8)
      }
      bytes += packed
    }
    return bytes
  }

  /// 32 bits, the lowest byte first.
  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
