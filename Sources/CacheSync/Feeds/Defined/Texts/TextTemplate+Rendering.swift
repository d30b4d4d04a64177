extension TextTemplate {
  /// The most bytes of a text that a definition makes (definitions.md section 10).
  package static let longestText = 4_096

  /// Fills the holes. A text that is one `{name}` without format gives that value as it is; any other gives a text, in which
  /// null is nothing and a format that does not fit its value is ignored. A text is cut at ``longestText`` bytes.
  ///
  /// - Parameters:
  ///   - words: replaces English words of formats, by the English ones.
  ///   - calendar: for the formats of dates; without it they do not fit.
  ///   - today: what `relative` counts from; without it, it is as `d MMM`.
  ///   - value: what a name stands for; null for a name without value.
  package func rendered(
    words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?, _ value: (String) -> ItemValue
  ) -> ItemValue {
    if let singleName {
      let value = value(singleName)
      if case .text(let text) = value { return .text(TextRendering.cut(text)) }
      return value
    }
    return .text(renderedText(words: words, calendar: calendar, today: today, value))
  }

  /// The same as a text in any case.
  package func renderedText(
    words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?, _ value: (String) -> ItemValue
  ) -> String {
    var rendering = TextRendering(words: words, calendar: calendar, today: today)
    for part in parts where !rendering.isFull {
      switch part {
      case .literal(let text): rendering.append(text.wrappedValue)
      case .value(let name, let format): rendering.append(value(name.wrappedValue), format)
      }
    }
    return TextRendering.cut(rendering.text)
  }
}

extension ItemValue {
  /// The value as a text without format writes it: words, the shortest decimal, an instant in UTC, a list joined by ", ".
  /// Nothing for null and for objects.
  package var plainText: String {
    TextTemplate([.value(name: "", nil)]).renderedText(words: [:], calendar: nil, today: nil) { _ in self }
  }
}

/// Where the filling of a text stands.
private struct TextRendering {
  let words: TextMap<ExactText>
  let calendar: CivilCalendar?
  let today: LocalDay?
  private(set) var text = ""

  init(words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?) {
    self.words = words
    self.calendar = calendar
    self.today = today
  }

  /// Whether what follows would be cut anyway: a list can be long.
  var isFull: Bool { text.utf8.count > TextTemplate.longestText }

  /// The text up to ``TextTemplate/longestText`` bytes, without the half of a character (of a Unicode scalar: a cluster has
  /// no greatest length).
  static func cut(_ text: String) -> String {
    guard text.utf8.count > TextTemplate.longestText else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: TextTemplate.longestText)
    // 10xxxxxx continues a scalar.
    while text.utf8[end] & 0xC0 == 0x80, end > text.startIndex { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  mutating func append(_ literal: String) { text += literal }

  /// A format counts for each element of a list.
  mutating func append(_ value: ItemValue, _ format: TextFormat?) {
    switch value {
    case .null, .object: break
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): append(value, format)
    case .text(let value): text += value
    case .instant(let value): append(value, format)
    case .list(let elements):
      var isFirst = true
      for element in elements where !isFull {
        switch element {
        case .null, .object: continue
        default: break
        }
        if !isFirst { text += ", " }
        isFirst = false
        append(element, format)
      }
    }
  }

  private mutating func append(_ value: Double, _ format: TextFormat?) {
    switch format {
    case .decimals(let count): text += DecimalNumber(value).text(decimals: count)
    case .plural(let one, let many): text += (value == 1 ? one : many).wrappedValue
    default: text += DecimalNumber(value).text
    }
  }

  private mutating func append(_ value: Instant, _ format: TextFormat?) {
    guard let format, let calendar else {
      text += value.description
      return
    }
    let day = calendar.day(of: value)
    switch format {
    case .clock: text += calendar.clock(at: value)
    case .shortWeekday: text += word(String(day.weekday.name.prefix(3)))
    case .weekday: text += word(day.weekday.name)
    case .dayAndMonth: text += dayAndMonth(day)
    case .day: text += day.description
    case .relative:
      switch today.map({ $0.distance(to: day) }) {
      case 0?: text += word("today")
      case 1?: text += word("tomorrow")
      case 2?, 3?, 4?, 5?, 6?: text += word(day.weekday.name)
      default: text += dayAndMonth(day)
      }
    case .decimals, .plural: text += value.description
    }
  }

  private func dayAndMonth(_ day: LocalDay) -> String { "\(day.day) \(word(String(day.monthName.prefix(3))))" }

  private func word(_ english: String) -> String { words[english]?.wrappedValue ?? english }
}
