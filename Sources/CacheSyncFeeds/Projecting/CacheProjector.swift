import CacheSyncSystem

/// Computes the snapshots of one cache's kinds and its day index.
///
/// It uses the files that were read until now, and is valid until the next file is read.
package struct CacheProjector {
  let feeds: FeedSet
  /// The kinds that have snapshots, by name.
  package let kinds: [Kind]
  /// Former kinds, by name: each had snapshots and gets an empty one.
  package let retired: [Kind]
  /// The problems of session files, by the feed that claims them.
  let problems: [FeedName: [Problem]]
  let staleAfter: StaleAges

  package init(
    feeds: FeedSet, kinds: [Kind], retired: [Kind] = [], problems: [FeedName: [Problem]],
    staleAfter: StaleAges = StaleAges()
  ) {
    self.feeds = feeds
    self.kinds = kinds
    self.retired = retired
    self.problems = problems
    self.staleAfter = staleAfter
  }

  package func snapshot(of kind: Kind, at moment: Moment) -> SnapshotDocument {
    SnapshotDocument(
      kind: kind, timeline: timelines(at: moment).timeline(of: kind), problems: problems(of: kind, at: moment),
      timeZone: moment.calendar.rules.name, locale: moment.locale)
  }

  package func dayIndex(at moment: Moment) -> OutputDocument {
    DayIndexProjector(feeds: feeds, moment: moment).document()
  }

  /// The problems in a kind's snapshot: of the files of its feeds, by path.
  package func problems(of kind: Kind, at moment: Moment) -> [Problem] {
    var found: [Problem] = []
    for name in kind.feeds {
      found += (problems[name] ?? []).filter { problem in
        guard !problem.belongsToNoKind else { return false }
        guard let widget = kind.widget, kind.narrowedFeeds.contains(name), let path = problem.path else { return true }
        return widget.covers(path)
      }
      guard let feed = feeds[name] else { continue }
      // Of a file with an error the records are those of its last good version.
      let bad = Set((problems[name] ?? []).filter { $0.severity == .error }.map(\.path))
      found += feed.currentProblems(at: moment, feeds: feeds).filter { $0.severity == .error || !bad.contains($0.path) }
    }
    return found.filter { $0.scope.map(kind.feeds.contains) ?? true }.sorted { ($0.path ?? .root) < ($1.path ?? .root) }
  }

  /// When the problems of a kind may change through time alone.
  package func nextProblemChange(of kind: Kind, after instant: Instant) -> Instant? {
    kind.feeds.compactMap { feeds[$0]?.nextProblemChange(after: instant) }.min()
  }

  func timelines(at moment: Moment) -> TimelineProjector {
    TimelineProjector(feeds: feeds, moment: moment, staleAfter: staleAfter)
  }
}
