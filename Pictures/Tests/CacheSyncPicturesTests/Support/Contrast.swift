import Glibc

@testable import CacheSyncPictures

extension Colour {
  /// The contrast ratio of two colours, 1…21 (WCAG 2.2, "contrast ratio").
  func contrast(with other: Colour) -> Double {
    let (darker, lighter) = (min(luminance, other.luminance), max(luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)
  }

  /// How bright the colour is, 0…1 (WCAG 2.2, "relative luminance").
  private var luminance: Double {
    0.2126 * Self.linear[Int(red)] + 0.7152 * Self.linear[Int(green)] + 0.0722 * Self.linear[Int(blue)]
  }

  /// Light for each value of sRGB (IEC 61966-2-1).
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}
