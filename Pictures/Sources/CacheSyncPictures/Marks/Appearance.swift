/// The medium and the colour scheme that a picture is painted for.
package enum Appearance: String, Sendable, CaseIterable {
  case light, dark
  /// Paper: square corners, no shadows, black and a few greys.
  case eink
}
