import CacheSync

/// Today's view for eyes: a section for each kind.
struct ShowPage {
  enum Style { case plain, colour }

  let style: Style
  let calendar: CivilCalendar

  static let dash = "—"

  func heading(_ moment: Moment) -> String {
    let day = moment.day
    return bold("\(day.weekday.name) \(day.day) \(day.monthName) \(day.year)") + faint("  \(calendar.rules.name)")
  }

  func section(_ snapshot: Snapshot, at moment: Instant) -> String {
    let entry = snapshot.entry(at: moment)
    var lines = ["", bold(snapshot.kind) + state(entry.state)]
    lines += KindText(page: self).lines(snapshot.kind, entry.content).map { "  " + $0 }
    lines += snapshot.problems.map { problem in
      red("  ! \(clean(problem.path ?? "-")):\(problem.line):\(problem.column): \(clean(problem.message))")
    }
    return lines.joined(separator: "\n")
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
    style == .colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Text of a width, for columns.
  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// How each kind's content reads.
struct KindText {
  let page: ShowPage

  func lines(_ kind: String, _ content: JSONValue) -> [String] {
    switch kind {
    case "meal-plan": mealPlan(content)
    default: generic(content)
    }
  }

  /// For a kind that has no picture of its own: its fields.
  private func generic(_ content: JSONValue) -> [String] {
    (content.object ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
  }

  func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ShowPage.dash
    case .string(let text): page.clean(text)
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .bool(let value): value ? "yes" : "no"
    case .array(let values): values.isEmpty ? ShowPage.dash : values.map { text($0) }.joined(separator: ", ")
    case .object(let members):
      members["name"].map { text($0) } ?? members["title"].map { text($0) }
        ?? members.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: " ")
    }
  }

  private func mealPlan(_ content: JSONValue) -> [String] {
    guard content["isEmpty"]?.bool != true else {
      return ["\(text(content["title"])). \(text(content["message"]))."]
    }
    let meals = content["meals"]?.array ?? []
    return meals.map { meal in
      let label = page.padded(text(meal["label"]), 10)
      let track = meal["mealTrack"]?.string == "adult" ? page.faint(" (adults)") : ""
      return "\(Self.sign(meal["symbol"]?.string)) \(label) \(text(meal["mealName"]))\(track)"
    }
  }

  private static func sign(_ symbol: String?) -> String {
    switch symbol {
    case "sunrise": "🌅"
    case "sun.max": "🌞"
    case "moon.stars": "🌙"
    default: "• "
    }
  }
}
