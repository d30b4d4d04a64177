import CacheSyncSystem

/// The output formats of `cachesyncd watch` and `show`: one line a snapshot, for programs that read lines.
package enum SnapshotFormat: String, CaseIterable, Sendable {
  /// The whole snapshot, as it was published.
  case json
  /// The entry in force, as JSON.
  case entry
  /// The first line that `show` prints below the kind's name.
  case line
  /// What Waybar's custom modules read with `return-type: json`.
  case waybar

  /// Whether the line shows the entry in force, so that it changes when the next entry comes into force.
  package var followsTime: Bool { self != .json }

  /// The line, without a newline.
  ///
  /// - Parameter calendar: decides what is "today"; nil: that of the snapshot's zone.
  package func line(of snapshot: Snapshot, at moment: Instant, in calendar: CivilCalendar? = nil) -> [UInt8] {
    func text() -> KindText { KindText(snapshot, at: moment, in: calendar) }
    var json = JSONWriter()
    switch self {
    case .json:
      return Array(snapshot.bytes.last == UInt8(ascii: "\n") ? snapshot.bytes.dropLast() : snapshot.bytes[...])
    case .line: return Array(text().firstLine.utf8)
    case .entry: json.entry(of: snapshot, at: moment)
    case .waybar: json.module(of: snapshot, at: moment, text())
    }
    return json.bytes
  }
}

extension KindText {
  /// The first line of the view, without the spaces that align it with the rows below.
  fileprivate var firstLine: String { String((lines.first ?? "").drop { $0 == " " }) }

  /// The whole text, as `show` prints it below a feed's name.
  fileprivate var page: String { ([heading] + lines.map { "  " + $0 } + problems).joined(separator: "\n") }
}

extension Snapshot {
  /// How much of the kind's goal is reached, in whole percent from 0 to 100, cut as all published percentages are; nil:
  /// the kind has no such goal.
  fileprivate func percentage(at moment: Instant) -> Int? {
    let known = FeedRegistry.builtIn.kind(named: KindName(kind))
    guard let key = known == nil ? DefinedView.progressKey : known?.progressKey,
      let progress = entry(at: moment).content[key]?.double, progress.isFinite
    else { return nil }
    return Int(Percentage.whole(of: min(max(progress, 0), 1)))
  }

  /// The class of Waybar's module that marks a problem: none, `warning` or `problem`.
  fileprivate var problemClass: [String] {
    if problems.isEmpty { return [] }
    return [problems.allSatisfy(\.isWarning) ? "warning" : "problem"]
  }

  /// The entry in force at a moment as one line of JSON, as `cachesyncd show KIND --format entry` prints it:
  /// `{ content, date, deepLink, kind, problems, state }`.
  ///
  ///     let line = snapshot.encodedEntry(at: .now)
  ///
  /// The line is UTF-8, without a newline.
  public func encodedEntry(at moment: Instant) -> [UInt8] { SnapshotFormat.entry.line(of: self, at: moment) }
}

extension JSONWriter {
  fileprivate mutating func entry(of snapshot: Snapshot, at moment: Instant) {
    let entry = snapshot.entry(at: moment)
    object { json in
      json.key("content")
      json.value(entry.content)
      json.member("date", entry.date)
      json.member("deepLink", snapshot.deepLink)
      json.member("kind", snapshot.kind)
      json.array("problems") { json in for problem in snapshot.problems { json.problem(problem) } }
      json.member("state", entry.state.rawValue)
    }
  }

  private mutating func problem(_ problem: Snapshot.FileProblem) {
    object { json in
      json.member("column", problem.column)
      json.member("line", problem.line)
      json.member("message", problem.message)
      json.member("path", problem.path)
      json.member("pointer", problem.pointer)
      json.member("severity", (problem.isWarning ? Problem.Severity.warning : .error).rawValue)
    }
  }

  /// Waybar reads text and tooltip as markup (waybar-custom(5)), so both are escaped.
  fileprivate mutating func module(of snapshot: Snapshot, at moment: Instant, _ text: KindText) {
    object { json in
      json.member("alt", snapshot.kind)
      json.member("class", [snapshot.entry(at: moment).state.rawValue] + snapshot.problemClass)
      if let percentage = snapshot.percentage(at: moment) { json.member("percentage", percentage) }
      json.member("text", EscapedText.forMarkup(text.firstLine))
      json.member("tooltip", EscapedText.forMarkup(text.page))
    }
  }
}
