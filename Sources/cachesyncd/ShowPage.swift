import CacheSync
import CacheSyncSystem

/// Today's view for people: a section for each feed, which lists its kinds.
struct ShowPage {
  let style: TerminalStyle
  let moment: Moment
  /// The maximum width of a line in cells; nil for no limit.
  var width: Int?

  private static let indent = "    "

  var heading: String {
    let day = moment.day
    let formats = moment.language.formats
    let date = formats.joined(
      style.bold(formats.text(formats.full, day)), moment.clock(moment.instant), as: formats.dateTime.heading)
    let zone = style.paint(EscapedText.forPeople(moment.calendar.rules.name), .soft)
    return cut("\(date)  \(zone)")
  }

  /// Returns the kinds of one feed, then the problems of its files, each once.
  func section(_ feed: FeedDescriptor, _ snapshots: [Snapshot]) -> String {
    var lines = ["", style.bold(feed.heading.text(in: moment.language))]
    var problems: [String] = []
    for snapshot in snapshots {
      let text = KindText(
        snapshot, at: moment.instant, in: moment.calendar, style: style,
        width: width.map { max(1, $0 - Self.indent.count) })
      lines.append("  " + text.heading)
      lines += text.lines.map { Self.indent + $0 }
      for problem in text.problems where !problems.contains(problem) { problems.append(problem) }
    }
    lines += problems.map { "  " + $0 }
    return lines.map(cut).joined(separator: "\n")
  }

  private func cut(_ line: String) -> String { width.map { line.fitted($0) } ?? line }
}
