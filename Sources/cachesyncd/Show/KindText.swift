import CacheSync

/// How each kind's content reads: its lines, without the indent.
struct KindText {
  let page: ShowPage
  /// Whether there are no data, so that a number would say more than is known.
  let isEmpty: Bool

  func lines(_ kind: String, _ content: JSONValue) -> [String] {
    switch kind {
    case "meal-plan": mealPlan(content)
    case "daily-progress": dailyProgress(content)
    case "macro-breakdown": macroBreakdown(content)
    case "quick-log": quickLog(content)
    case "calories": calories(content)
    case "budget": budget(content)
    case "macros": macros(content)
    case "overview": overview(content)
    case "todays-tasks": todaysTasks(content)
    case "task-count", "completed-today": [text(content["text"])]
    case "task-progress": taskProgress(content)
    case "quick-add": quickAdd(content)
    case "calendar": calendar(content)
    case "next-event": nextEvent(content)
    case "quick-selection": quickSelection(content)
    case "daily-stats": dailyStats(content)
    case "smart-suggestions": smartSuggestions(content)
    case "current-shoe": currentShoe(content)
    default: fields(content)
    }
  }

  /// For a kind that has no picture of its own yet: its fields.
  private func fields(_ content: JSONValue) -> [String] {
    (content.object ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
  }

  // MARK: Values

  /// A value in words; a dash for what is missing.
  func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ShowPage.dash
    case .string(let text): text.isEmpty ? ShowPage.dash : page.clean(text)
    case .integer(let value): String(value)
    case .number: decimal(value)
    case .bool(let value): value ? "yes" : "no"
    case .array(let values): values.isEmpty ? ShowPage.dash : values.map { text($0) }.joined(separator: ", ")
    case .object(let members):
      members["name"].map { text($0) } ?? members["title"].map { text($0) }
        ?? members.sorted { $0.key < $1.key }.map { "\(page.clean($0.key)) \(text($0.value))" }.joined(separator: " ")
    }
  }

  /// A whole number, cut toward zero as the published texts are.
  func whole(_ value: JSONValue?) -> String {
    guard let number = value?.double else { return ShowPage.dash }
    return Self.minus(Int(exactly: number.rounded(.towardZero)).map { "\($0)" } ?? "\(number)")
  }

  /// A whole number with its sign, also a plus.
  func signed(_ value: JSONValue?) -> String {
    let text = whole(value)
    return (value?.double ?? 0) >= 1 ? "+" + text : text
  }

  /// At most so many decimal places, one or two, rounded to the nearest.
  func decimal(_ value: JSONValue?, places: Int = 1) -> String {
    guard let number = value?.double else { return ShowPage.dash }
    let scale = places == 1 ? 10 : 100
    guard let scaled = Int(exactly: (number * Double(scale)).rounded()) else { return "\(number)" }
    let (units, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    var digits = "\(rest)"
    while digits.count < places { digits = "0" + digits }
    while digits.last == "0" { digits.removeLast() }
    return (scaled < 0 ? "−" : "") + "\(units)" + (digits.isEmpty ? "" : ".\(digits)")
  }

  /// A share of one in whole percent, cut.
  func percent(_ value: JSONValue?) -> String { whole(value?.double.map { .number($0 * 100) }) + "%" }

  private static func minus(_ digits: String) -> String {
    digits.hasPrefix("-") ? "−" + digits.dropFirst() : digits
  }

  /// A moment in local time.
  func time(_ value: JSONValue?) -> String { value?.instant.map { page.time($0) } ?? ShowPage.dash }

  /// A row that says how many are not shown; none when all are.
  func more(_ value: JSONValue?) -> [String] {
    guard let count = value?.int, count > 0 else { return [] }
    return [page.faint("and \(count) more")]
  }
}
