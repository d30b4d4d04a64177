/// The boundaries to come, of all kinds that a cache has, with their reasons: what `next` prints.
package struct ComingBoundary: Sendable, Equatable {
  package var date: Instant
  package var kinds: [KindName]
  package var reason: String
}

extension CacheProjector {
  /// The boundaries strictly after a moment, ascending, at most `count`, also beyond a timeline's reach.
  package func comingBoundaries(after moment: Moment, count: Int) -> [ComingBoundary] {
    var days = 2
    while true {
      let (found, end) = boundaries(after: moment, days: days, count: count)
      // Every day gives one at least, so doubling ends; the reach of years 1 to 9999 ends it in any case.
      if found.count >= count || found.isEmpty || days > count + 2 || end >= Instant.validRange.upperBound {
        return Array(found.prefix(count))
      }
      days *= 2
    }
  }

  /// The boundaries of some days; when there are many, at least the first `count`.
  private func boundaries(after moment: Moment, days: Int, count: Int) -> ([ComingBoundary], end: Instant) {
    // Compared in whole seconds, as dates are written: a boundary in the second of the moment would come again for a caller
    // that goes on from the last date it got.
    var coming: [Int64: [(kind: KindName, reasons: [Boundary.Reason])]] = [:]
    var end = moment.instant
    for kind in kinds {
      // Two more: the moment's own second, and the last, of which the timeline may have only a part.
      let timeline = timelines(at: moment).timeline(of: kind, reachingDays: days, maximumSeconds: count + 2)
      for change in timeline.changes where change.date.seconds > moment.instant.seconds {
        coming[change.date.seconds, default: []].append((kind.name, change.reasons))
      }
      if let reach = timeline.reloadAfter { end = max(end, reach) }
    }
    let found = coming.sorted { $0.key < $1.key }.map { second, kinds in
      ComingBoundary(
        date: Instant(seconds: second), kinds: Set(kinds.map(\.kind)).sorted(),
        reason: Self.text(kinds.flatMap(\.reasons)))
    }
    return (found, end)
  }

  /// How many reasons of one moment are told; a judgement.
  private static let maximumReasons = 5

  private static func text(_ reasons: [Boundary.Reason]) -> String {
    let clear = reasons.filter { !$0.isVague }
    var texts: [String] = []
    var known: Set<String> = []
    for text in (clear.isEmpty ? reasons : clear).flatMap(\.texts) where known.insert(text).inserted {
      texts.append(text)
    }
    let more = texts.count - maximumReasons
    return texts.prefix(maximumReasons).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }
}
