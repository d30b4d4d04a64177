import CacheSync
import CacheSyncSystem

/// The drawing and the description of a share: full only at 1, empty only at 0, and marked above 1.
struct Share: Equatable {
  /// 0…1, with a visible start and a visible gap before the end; nil: there is nothing to measure.
  var drawn: Double?
  var isOver: Bool
  /// In whole percent, rounded down; nil: there is nothing to measure.
  private var percent: Int?

  /// - Parameters:
  ///   - length: the length of the whole line, in points.
  ///   - cap: the length of the round ends, in points.
  init(_ progress: Double?, length: Double, cap: Double) {
    guard let progress, !progress.isNaN else {
      (drawn, isOver, percent) = (nil, false, nil)
      return
    }
    isOver = progress > 1
    percent = Int(Percentage.whole(of: min(1, max(0, progress))))
    let gap = min(0.5, (cap + Self.visible) / max(length, 1))
    drawn = progress <= 0 ? 0 : progress >= 1 ? 1 : min(max(progress, min(0.5, cap / max(length, 1))), 1 - gap)
  }

  /// "62 percent"; "over"; nil: there is nothing to measure.
  func words(in language: Language) -> String? {
    percent.map { isOver ? language(.overSaid) : language(.percentSaid, [.count: "\($0)"]) }
  }

  /// How much of a track must stay visible, in points.
  private static let visible = 2.0
}
