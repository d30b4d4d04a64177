/// The coming boundaries of all kinds of a cache, with their reasons: what `next` prints.
package struct ComingBoundaries: Sendable {
  package struct Boundary: Sendable, Equatable {
    package var date: Instant
    package var kinds: [KindName]
    package var reason: String
  }

  /// Ascending.
  package var list: [Boundary]
  /// The kinds whose list is incomplete, because looking further takes too much work, and from when on; nil: nothing is
  /// missing.
  package var leftOut: (kinds: [KindName], from: Instant)?
}

extension CacheProjector {
  /// The boundaries strictly after a moment, ascending, at most `count`, also beyond a timeline's reach.
  package func comingBoundaries(after moment: Moment, count: Int) -> ComingBoundaries {
    var found: [KindName: Timeline] = [:]
    var days = 2
    while true {
      // A kind that reached its limit would get no further with more days.
      for kind in kinds where found[kind.name]?.firstLeftOut == nil {
        // Two more: one for the moment's own second, and one for the last second, which the timeline may contain only in
        // part.
        let search = TimelineProjector.Search(
          days: days, seconds: count + 2, timelines: 1 + count / (kind.maximumEntries ?? .max))
        found[kind.name] = timelines(at: moment).timeline(of: kind, search: search)
      }
      let list = Self.merged(found, after: moment.instant)
      let reach = found.values.compactMap(\.reloadAfter).max() ?? moment.instant
      // Every day adds at least one boundary, so doubling ends. The range of years 1 to 9999 ends it in any case.
      if list.count >= count || list.isEmpty || days > count + 2 || reach >= Instant.validRange.upperBound {
        let listed = Array(list.prefix(count))
        let end = list.count >= count ? listed.last?.date ?? moment.instant : .validRange.upperBound
        let ended = found.compactMapValues(\.firstLeftOut).filter { $0.value.seconds <= end.seconds }
        return ComingBoundaries(list: listed, leftOut: ended.values.min().map { (ended.keys.sorted(), $0) })
      }
      days *= 2
    }
  }

  /// The changes of all kinds after a moment.
  private static func merged(_ timelines: [KindName: Timeline], after moment: Instant) -> [ComingBoundaries.Boundary] {
    // Compared in whole seconds, because dates are written so. Otherwise a caller that continues from the last date it
    // got would get a boundary of that second again.
    var coming: [Int64: [(kind: KindName, reasons: [Boundary.Reason])]] = [:]
    for (kind, timeline) in timelines.sorted(by: { $0.key < $1.key }) {
      for change in timeline.changes where change.date.seconds > moment.seconds {
        coming[change.date.seconds, default: []].append((kind, change.reasons))
      }
    }
    return coming.sorted { $0.key < $1.key }.map { second, kinds in
      ComingBoundaries.Boundary(
        date: Instant(seconds: second), kinds: Set(kinds.map(\.kind)).sorted(), reason: text(kinds.flatMap(\.reasons)))
    }
  }

  /// How many reasons one moment lists: enough to recognise the moment, few enough for one line of `next`.
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
