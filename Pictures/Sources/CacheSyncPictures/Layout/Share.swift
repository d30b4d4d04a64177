import CacheSync

/// How a share is drawn and said: full only at 1 and empty only at 0, and too much above 1.
struct Share: Equatable {
  /// 0…1, with a visible start and a visible gap between the two; nil: there is nothing to measure.
  var drawn: Double?
  var isOver: Bool
  /// "62 percent", cut; "over"; nil: there is nothing to measure.
  var words: String?

  /// - Parameters:
  ///   - length: the whole line's, in points.
  ///   - cap: how much of it round ends take, in points.
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

  /// What of a track is seen, in points.
  private static let visible = 2.0
}
