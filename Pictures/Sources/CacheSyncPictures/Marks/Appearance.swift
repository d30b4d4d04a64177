/// The medium and the colour scheme that a picture is painted for.
package enum Appearance: String, Sendable, CaseIterable {
  case light, dark
  /// Paper: square corners, no shadows, black and a few greys.
  case eink
  /// One colour, and black or white.
  case accented
}

/// What lies beneath a picture.
package enum Background: String, Sendable, CaseIterable {
  case light, dark
  /// No card: the display's own background.
  case none
}
