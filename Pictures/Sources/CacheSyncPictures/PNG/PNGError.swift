/// Why there is no PNG file.
package struct PNGError: Error, Equatable, CustomStringConvertible {
  package var width: Int
  package var height: Int
  /// What Cairo or libpng says.
  package var reason: String

  package var description: String {
    "cannot paint \(width)x\(height) pixels: \(reason); choose a smaller scale or size"
  }
}
