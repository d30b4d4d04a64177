/// Shares of a whole in percent.
public enum Percentage {
  /// A share, 1 being the whole, in whole percent, cut toward zero: 0.29 is 29, though as a double 0.29 × 100 is less.
  public static func whole(of share: Double) -> Double {
    // The nearest one, unless it is more than the share that a file has.
    let nearest = (share * 100).rounded()
    return nearest.magnitude / 100 <= share.magnitude ? nearest : nearest - (share < 0 ? -1 : 1)
  }
}
