/// For what a picture is painted.
package enum Appearance: String, Sendable, CaseIterable {
  case light, dark
  /// Paper: square corners, no shadows, black and a few greys.
  case eink
}
