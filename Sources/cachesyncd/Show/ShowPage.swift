import CacheSync

/// Today's view for eyes: a section for each feed, with its kinds one under another.
struct ShowPage {
  enum Style { case plain, colour }

  let style: Style
  let moment: Moment
  /// How many cells a line may take; nil: as many as it needs.
  var width: Int?

  var calendar: CivilCalendar { moment.calendar }

  static let dash = "—"

  var heading: String {
    let day = moment.day
    let date = "\(day.weekday.name) \(day.day) \(day.monthName) \(day.year)"
    return cut(bold(date) + ", \(clock(moment.instant))  " + faint(clean(calendar.rules.name)))
  }

  /// The kinds of one feed, then what is wrong with its files, each problem once.
  func section(_ feed: FeedName, _ snapshots: [Snapshot]) -> String {
    var lines = ["", bold(Self.title(feed))]
    var problems: [Snapshot.FileProblem] = []
    for snapshot in snapshots {
      let entry = snapshot.entry(at: moment.instant)
      lines.append("  " + faint(snapshot.kind) + state(entry.state))
      lines += KindText(page: self, isEmpty: entry.state == .empty).lines(snapshot.kind, entry.content).map {
        "    " + $0
      }
      for problem in snapshot.problems where !problems.contains(problem) { problems.append(problem) }
    }
    lines += problems.map { problem in
      let place = "\(clean(problem.path ?? Self.dash)):\(problem.line):\(problem.column)"
      let pointer = problem.pointer.isEmpty ? "" : " [\(clean(problem.pointer))]"
      return red("  ! \(place): \(clean(problem.message))\(pointer)")
    }
    return lines.map(cut).joined(separator: "\n")
  }

  private func cut(_ line: String) -> String { width.map { line.fitted($0) } ?? line }

  /// `meal-plan` as a heading: "Meal plan".
  private static func title(_ feed: FeedName) -> String {
    let words = feed.description.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func state(_ state: Snapshot.State) -> String { state == .current ? "" : yellow("  (\(state.rawValue))") }

  // MARK: Text

  /// Text from a session file cannot move the cursor or turn the line around.
  func clean(_ text: String) -> String { EscapedText.forPeople(text) }

  func bold(_ text: String) -> String { styled(text, "1") }

  func faint(_ text: String) -> String { styled(text, "2") }

  func red(_ text: String) -> String { styled(text, "31") }

  func yellow(_ text: String) -> String { styled(text, "33") }

  func green(_ text: String) -> String { styled(text, "32") }

  private func styled(_ text: String, _ code: String) -> String {
    style == .colour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  // MARK: Time

  /// What the clock on the wall shows: "09:30".
  func clock(_ instant: Instant) -> String { calendar.clock(at: instant) }

  /// "today", or "Mon 23 Nov", with the year when it is another.
  func date(_ day: LocalDay) -> String {
    if day == moment.day { return "today" }
    let date = "\(day.weekday.name.prefix(3)) \(day.day) \(day.monthName.prefix(3))"
    return day.year == moment.day.year ? date : "\(date) \(day.year)"
  }

  /// The local date and time; of today the time alone.
  func time(_ instant: Instant) -> String {
    let day = calendar.wallTime(of: instant).day
    return day == moment.day ? clock(instant) : "\(date(day)) \(clock(instant))"
  }
}
