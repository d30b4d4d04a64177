/// Whether a set that was read is to be taken in place of the one that is shown (wire.md section 4).
package struct SetNews: Sendable {
  private struct Place: Sendable, Equatable {
    var sequence: UInt64
    var generation: Int
  }

  package enum Judgement: Sendable, Equatable {
    case take
    /// It is the one that is shown.
    case same
    /// Neither newer nor the same: taken if it is still there so much later.
    case later(Duration)
  }

  /// An engine that was rolled back, or a cache that was made anew, shows its older set for longer than this.
  package static let patience = Duration.seconds(30)

  private var shown: Place?
  private var doubtful: (place: Place, since: Int64)?

  package init() {}

  /// - Parameter generation: of the set that is shown from an earlier run, of which the sequence is not known. A set of this
  ///   generation is taken at once, since it may be shown in part; one of a smaller generation only if it stays.
  package init(shown generation: Int) { shown = Place(sequence: .max, generation: generation - 1) }

  /// - Parameter now: nanoseconds on a clock that only goes forward.
  package mutating func judge(sequence: UInt64, generation: Int, now: Int64) -> Judgement {
    let place = Place(sequence: sequence, generation: generation)
    if place == shown {
      doubtful = nil
      return .same
    }
    guard let shown, sequence <= shown.sequence, generation <= shown.generation else { return taken(place) }
    if doubtful?.place != place { doubtful = (place, now) }
    let rest = Self.patience - .nanoseconds(now - (doubtful?.since ?? now))
    return rest <= .zero ? taken(place) : .later(rest)
  }

  private mutating func taken(_ place: Place) -> Judgement {
    (shown, doubtful) = (place, nil)
    return .take
  }

  /// When a reader asks again without a bell, since one may have been lost: counted from the connection, and then from the
  /// time before.
  package static func pause(before number: Int, of cache: CacheName) -> Duration {
    switch number {
    case 0: .seconds(2)
    case 1: .seconds(28)
    case 2: .seconds(600 + Int64(cache.token.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) } % 600))
    default: .seconds(900)
    }
  }
}
