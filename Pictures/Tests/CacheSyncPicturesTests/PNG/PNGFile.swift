import Foundation

/// A PNG file as Pillow reads it, and its chunks as parsed from the bytes (PNG, third edition, 5.3).
struct PNGFile {
  struct Chunk: Equatable {
    var type: String
    var data: [UInt8]
  }

  var chunks: [Chunk] = []

  init(_ bytes: [UInt8]) {
    var place = 8
    while place + 12 <= bytes.count {
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      chunks.append(Chunk(type: type, data: Array(bytes[place + 8..<place + 8 + length])))
      place += 12 + length
    }
  }

  private var header: [UInt8] { chunks.first?.data ?? [] }
  var width: Int { header[0..<4].reduce(0) { $0 << 8 | Int($1) } }
  var height: Int { header[4..<8].reduce(0) { $0 << 8 | Int($1) } }
  var depth: Int { Int(header[8]) }
  /// 0: grey; 6: red, green, blue and alpha.
  var colourType: Int { Int(header[9]) }
  var isInterlaced: Bool { header[12] != 0 }

  /// The samples of the pixels, row by row: for grey, one from 0 to 255 for each pixel; for colours, four.
  static func samples(_ bytes: [UInt8], mode: String) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      import sys; from PIL import Image
      samples = Image.open(sys.argv[1]).convert('\(mode)').tobytes(); open(sys.argv[1], 'wb').write(samples)
      """
    _ = try Tool.python("-c", script, file.path)
    return [UInt8](try Data(contentsOf: file))
  }
}
