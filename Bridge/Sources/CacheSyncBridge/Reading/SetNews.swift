/// Decides whether a set that was read replaces the one that is shown (wire.md section 4).
package struct SetNews: Sendable {
  private struct Place: Sendable, Equatable {
    var sequence: UInt64
    var generation: Int
  }

  package enum Judgement: Sendable, Equatable {
    case show
    /// It is the set that is shown.
    case same
    /// The set is neither newer nor the same. It is shown if it is still there after this time.
    case later(Duration)
  }

  /// After an engine was rolled back, or a cache was recreated, the older set stays for longer than this.
  package static let patience = Duration.seconds(30)

  private var shown: Place?
  private var doubtful: (place: Place, since: Int64)?

  package init() {}

  /// - Parameter generation: of the set that an earlier run showed; its sequence is unknown. A set of this generation
  ///   is shown at once, because the earlier run may have shown only a part of it. A set of a smaller generation is
  ///   shown only if it stays.
  package init(shown generation: Int) { shown = Place(sequence: .max, generation: generation - 1) }

  /// - Parameter now: nanoseconds on a monotonic clock.
  package mutating func judge(sequence: UInt64, generation: Int, now: Int64) -> Judgement {
    let place = Place(sequence: sequence, generation: generation)
    if place == shown {
      doubtful = nil
      return .same
    }
    guard let shown, sequence <= shown.sequence, generation <= shown.generation else { return show(place) }
    if doubtful?.place != place { doubtful = (place, now) }
    let rest = Self.patience - .nanoseconds(now - (doubtful?.since ?? now))
    return rest <= .zero ? show(place) : .later(rest)
  }

  private mutating func show(_ place: Place) -> Judgement {
    (shown, doubtful) = (place, nil)
    return .show
  }

  /// How long a reader waits before it asks again without a bell, because a bell may have been lost. The first pause
  /// begins with the connection, each later one with the question before.
  package static func pause(before number: Int, of cache: CacheName) -> Duration {
    switch number {
    case 0: .seconds(2)
    case 1: .seconds(28)
    case 2: .seconds(600 + Int64(cache.token.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) } % 600))
    default: .seconds(900)
    }
  }
}
