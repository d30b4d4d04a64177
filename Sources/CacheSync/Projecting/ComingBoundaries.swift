/// The boundaries to come, of all kinds that a cache has, with their reasons: what `next` prints.
package struct ComingBoundaries: Sendable {
  package struct Boundary: Sendable, Equatable {
    package var date: Instant
    package var kinds: [KindName]
    package var reason: String
  }

  /// Ascending.
  package var list: [Boundary]
  /// The kinds of which not all is listed, because it takes too much work to look further, and from when on; nil: nothing is
  /// missing.
  package var leftOut: (kinds: [KindName], from: Instant)?
}

extension CacheProjector {
  /// The boundaries strictly after a moment, ascending, at most `count`, also beyond a timeline's reach.
  package func comingBoundaries(after moment: Moment, count: Int) -> ComingBoundaries {
    var found: [KindName: Timeline] = [:]
    var days = 2
    while true {
      // To look at more days would take a kind that ended no further.
      for kind in kinds where found[kind.name]?.firstLeftOut == nil {
        // Two more: the moment's own second, and the last, of which the timeline may have only a part.
        let search = TimelineProjector.Search(
          days: days, seconds: count + 2, timelines: 1 + count / (kind.maximumEntries ?? .max))
        found[kind.name] = timelines(at: moment).timeline(of: kind, search: search)
      }
      let list = Self.merged(found, after: moment.instant)
      let reach = found.values.compactMap(\.reloadAfter).max() ?? moment.instant
      // Every day gives one at least, so doubling ends; the reach of years 1 to 9999 ends it in any case.
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
    // Compared in whole seconds, as dates are written: a boundary in the second of the moment would come again for a caller
    // that goes on from the last date it got.
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
