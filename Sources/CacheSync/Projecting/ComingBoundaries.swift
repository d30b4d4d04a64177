/// The boundaries to come, of all kinds that a cache has, with their reasons: what `next` prints.
package struct ComingBoundary: Sendable, Equatable {
  package var date: Instant
  package var kinds: [KindName]
  package var reason: String
}

extension CacheContents {
  /// The boundaries strictly after a moment, ascending, at most `count`, also beyond a timeline's reach.
  package func comingBoundaries(after moment: Moment, count: Int) -> [ComingBoundary] {
    var days = 2
    while true {
      let (found, end) = boundaries(after: moment, days: days)
      // Every day gives one at least, so doubling ends; the reach of years 1 to 9999 ends it in any case.
      if found.count >= count || found.isEmpty || days > count + 2 || end >= Instant.validRange.upperBound {
        return Array(found.prefix(count))
      }
      days *= 2
    }
  }

  private func boundaries(after moment: Moment, days: Int) -> ([ComingBoundary], end: Instant) {
    var reasons: [Instant: [(KindName, String)]] = [:]
    var end = moment.instant
    for kind in presentKinds {
      let projector = TimelineProjector(feeds: feeds, moment: moment, staleAfter: settings.staleAfter)
      let timeline = projector.timeline(of: kind, reachingDays: days, maximumEntries: .max)
      for entry in timeline.entries where entry.date > moment.instant {
        reasons[entry.date, default: []].append((kind.name, entry.reason))
      }
      if !kind.staleHasEntry, let stale = timeline.nextChange, stale > moment.instant,
        !timeline.entries.contains(where: { $0.date == stale }), stale != timeline.reloadAfter
      {
        reasons[stale, default: []].append((kind.name, DayReason.stale))
      }
      if let reach = timeline.reloadAfter { end = max(end, reach) }
    }
    let found = reasons.keys.sorted().map { date in
      var texts: [String] = []
      for (_, reason) in reasons[date] ?? [] where !texts.contains(reason) { texts.append(reason) }
      return ComingBoundary(
        date: date, kinds: (reasons[date] ?? []).map(\.0).sorted(), reason: texts.joined(separator: "; "))
    }
    return (found, end)
  }
}
