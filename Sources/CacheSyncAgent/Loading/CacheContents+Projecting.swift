package import CacheSync

extension CacheContents {
  /// The kinds that have snapshots, by name.
  package var presentKinds: [Kind] {
    FeedRegistry.kinds.filter { presentKindNames.contains($0.name) || $0.presentWith.contains(where: present.contains) }
  }

  /// A kind's snapshot as of a moment.
  package func snapshot(of kind: Kind, at moment: Moment) -> SnapshotDocument {
    let projector = TimelineProjector(feeds: feeds, moment: moment, staleAfter: settings.staleAfter)
    return SnapshotDocument(
      kind: kind, timeline: projector.timeline(of: kind), problems: problems(of: kind, at: moment),
      timeZone: calendar.rules.name)
  }

  package func dayIndex(at moment: Moment) -> OutputDocument {
    DayIndexProjector(feeds: feeds, moment: moment).document()
  }

  /// The problems that a kind's readers are told: of the files of its feeds, by path.
  package func problems(of kind: Kind, at moment: Moment) -> [Problem] {
    var found: [Problem] = []
    for (path, note) in problems {
      guard case .session(let feed) = layout.role(of: path), kind.feeds.contains(feed) else { continue }
      if note.problem.belongsToNoKind { continue }
      if let scope = note.problem.scope, !kind.feeds.contains(scope) { continue }
      found.append(note.problem)
    }
    for name in kind.feeds {
      guard let feed = feeds[name] else { continue }
      found += feed.standingProblems(at: moment, feeds: feeds).filter { problem in
        problem.scope.map(kind.feeds.contains) ?? true
      }
    }
    return found.sorted { ($0.path ?? .root) < ($1.path ?? .root) }
  }

  /// When the problems of a kind may change by time alone.
  package func nextProblemChange(of kind: Kind, after instant: Instant) -> Instant? {
    kind.feeds.compactMap { feeds[$0]?.nextProblemChange(after: instant) }.min()
  }

  /// Every problem there is, with since when and how often, by path.
  package func allProblems(at moment: Moment) -> [ProblemNote] {
    var notes = Array(problems.values)
    for feed in feeds.all {
      notes += feed.standingProblems(at: moment, feeds: feeds).map { ProblemNote($0, since: moment.instant) }
    }
    notes += unreadableDirectories.values
    notes += linkedDirectories.values
    notes += [logProblem].compactMap(\.self)
    return notes.sorted { ($0.problem.path ?? .root) < ($1.problem.path ?? .root) }
  }
}
