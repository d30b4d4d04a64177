import CacheSyncSystem

/// A snapshot as text: what `cachesyncd show` prints for a kind, without indentation.
package struct KindText: Sendable {
  /// The kind's name for people, and the state of the entry in force when it is not current.
  package let heading: String
  /// The view of the entry in force. Text from the content cannot move a cursor or begin another line.
  package let lines: [String]
  /// The errors in files of the kind's feeds, one line each. `status` and `check` print the warnings.
  package let problems: [String]

  /// - Parameters:
  ///   - moment: decides which entry is in force and what is "today".
  ///   - calendar: nil: that of the snapshot's zone.
  ///   - width: how many cells a line of the view may take; nil: as many as it needs.
  package init(
    _ snapshot: Snapshot, at moment: Instant, in calendar: CivilCalendar? = nil, style: TerminalStyle = .plain,
    width: Int? = nil
  ) {
    let entry = snapshot.entry(at: moment)
    let input = ViewInput(
      entry.content, entry.state, family: .terminal, at: moment,
      in: calendar ?? SnapshotCalendar(timeZone: snapshot.timeZone).civil, options: snapshot.optionValues,
      words: snapshot.words, locale: snapshot.locale)
    let state = entry.state.phrase.map { style.paint("  (\(input.phrase($0)))", .orange) } ?? ""
    heading = style.paint(EscapedText.forPeople(snapshot.displayName), .soft) + state
    lines = TerminalView(style: style, width: width).lines(of: snapshot.view(input))
    problems = snapshot.problems.filter { !$0.isWarning }.map { style.paint(Self.line($0), .red) }
  }

  private static func line(_ problem: Snapshot.FileProblem) -> String {
    let place = "\(EscapedText.forPeople(problem.path ?? .missing)):\(problem.line):\(problem.column)"
    let pointer = problem.pointer.isEmpty ? "" : " [\(EscapedText.forPeople(problem.pointer))]"
    return "! \(place): \(EscapedText.forPeople(problem.message))\(pointer)"
  }
}

extension SnapshotState {
  /// What people read of it; nil for data that are current.
  fileprivate var phrase: Phrase? {
    switch self {
    case .empty: .emptyState
    case .placeholder: .placeholderState
    case .stale: .stale
    case .current: nil
    }
  }
}
