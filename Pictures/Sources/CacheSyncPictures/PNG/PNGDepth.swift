/// What a pixel of a PNG file holds.
package enum PNGDepth: Sendable, Hashable {
  /// Red, green, blue and alpha, 8 bits each, on transparent ground.
  case colour
  /// Grey with this many bits, 1, 2 or 4, on white ground.
  case grey(bits: Int)

  /// The bits of a sample, as in the file's header.
  var bits: Int {
    switch self {
    case .colour: 8
    case .grey(let bits): bits
    }
  }
}
