/// The content of a pixel in a PNG file.
package enum PNGDepth: Sendable, Hashable {
  /// Red, green, blue and alpha, 8 bits each, on a transparent background.
  case colour
  /// Grey with 1, 2 or 4 bits, on a white background.
  case grey(bits: Int)

  /// The bits of a sample, for the file's header.
  var bits: Int {
    switch self {
    case .colour: 8
    case .grey(let bits): bits
    }
  }
}
