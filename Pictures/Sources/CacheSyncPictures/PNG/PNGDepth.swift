/// The content of a pixel in a PNG file.
package enum PNGDepth: Sendable, Hashable {
  /// Red, green, blue and alpha, 8 bits each, on a transparent background.
  case colour
  /// Grey with 1, 2, 4 or 8 bits, on a white background. With 8, it has the 16 greys that paper shows, in a file for readers
  /// that take no other depth.
  case grey(bits: Int)

  /// The bits of a sample, for the file's header.
  var bits: Int {
    switch self {
    case .colour: 8
    case .grey(let bits): bits
    }
  }

  /// The samples of a pixel.
  var channels: Int { self == .colour ? 4 : 1 }
}
