/// Shares of a whole in percent.
public enum Percentage {
  /// A share, where 1 is the whole, in whole percent, cut toward zero: 0.29 gives 29, though 0.29 × 100 is less as a
  /// double.
  public static func whole(of share: Double) -> Double {
    // The nearest percentage, unless it is more than the share in the file.
    let nearest = (share * 100).rounded()
    return nearest.magnitude / 100 <= share.magnitude ? nearest : nearest - (share < 0 ? -1 : 1)
  }
}
