import CacheSync

/// The drawing and the description of a share: full only at 1, empty only at 0, and marked above 1.
struct Share: Equatable {
  /// 0…1, with a visible start and a visible gap before the end; nil: there is nothing to measure.
  var drawn: Double?
  var isOver: Bool
  /// "62 percent", rounded down; "over"; nil: there is nothing to measure.
  var words: String?

  /// - Parameters:
  ///   - length: the length of the whole line, in points.
  ///   - cap: the length of the round ends, in points.
  init(_ progress: Double?, length: Double, cap: Double) {
    guard let progress, !progress.isNaN else {
      (drawn, isOver, words) = (nil, false, nil)
      return
    }
    isOver = progress > 1
    words = isOver ? "over" : "\(Int(Percentage.whole(of: max(0, progress)))) percent"
    let gap = min(0.5, (cap + Self.visible) / max(length, 1))
    drawn = progress <= 0 ? 0 : progress >= 1 ? 1 : min(max(progress, min(0.5, cap / max(length, 1))), 1 - gap)
  }

  /// How much of a track must stay visible, in points.
  private static let visible = 2.0
}
