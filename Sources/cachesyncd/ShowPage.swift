import CacheSync
import CacheSyncAgent

/// Today's view for eyes: a section for each feed, with its kinds one under another.
struct ShowPage {
  let style: TerminalStyle
  let moment: Moment
  /// How many cells a line may take; nil: as many as it needs.
  var width: Int?

  private static let indent = "    "

  var heading: String {
    let day = moment.day
    let date = "\(day.weekday.name) \(day.day) \(day.monthName) \(day.year)"
    let zone = style.paint(clean(moment.calendar.rules.name), .soft)
    return cut("\(style.bold(date)), \(moment.calendar.clock(at: moment.instant))  \(zone)")
  }

  /// The kinds of one feed, then what is wrong with its files, each problem once.
  func section(_ feed: FeedName, _ kinds: [(kind: Kind, snapshot: Snapshot)]) -> String {
    var lines = ["", style.bold(Self.title(feed))]
    var problems: [Snapshot.FileProblem] = []
    let terminal = TerminalView(style: style, width: width.map { max(1, $0 - Self.indent.count) })
    for (kind, snapshot) in kinds {
      let entry = snapshot.entry(at: moment.instant)
      lines.append("  " + style.paint(snapshot.kind, .soft) + state(entry.state))
      let input = ViewInput(
        entry.content, entry.state, family: .terminal, at: moment.instant, in: moment.calendar)
      lines += terminal.lines(of: kind.view(input)).map { Self.indent + $0 }
      for problem in snapshot.problems where !problems.contains(problem) { problems.append(problem) }
    }
    lines += problems.map { problem in
      let place = "\(clean(problem.path ?? .missing)):\(problem.line):\(problem.column)"
      let pointer = problem.pointer.isEmpty ? "" : " [\(clean(problem.pointer))]"
      return style.paint("  ! \(place): \(clean(problem.message))\(pointer)", .red)
    }
    return lines.map(cut).joined(separator: "\n")
  }

  private func cut(_ line: String) -> String { width.map { line.fitted($0) } ?? line }

  /// `one-word` as a heading: "One word".
  private static func title(_ feed: FeedName) -> String {
    let words = feed.description.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func state(_ state: Snapshot.State) -> String {
    state == .current ? "" : style.paint("  (\(state.rawValue))", .orange)
  }

  /// Text from a session file cannot move the cursor or turn the line around.
  private func clean(_ text: String) -> String { EscapedText.forPeople(text) }
}
