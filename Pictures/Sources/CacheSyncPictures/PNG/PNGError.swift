/// Why a PNG file could not be created.
package struct PNGError: Error, Equatable, CustomStringConvertible {
  package var width: Int
  package var height: Int
  /// The message from Cairo or libpng.
  package var reason: String

  package var description: String {
    "cannot paint \(width)x\(height) pixels: \(reason); choose a smaller scale or size"
  }
}
