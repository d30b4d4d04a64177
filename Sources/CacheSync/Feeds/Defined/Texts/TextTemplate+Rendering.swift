extension TextTemplate {
  /// The most bytes of a text that a definition makes (definitions.md section 10).
  package static let longestText = 4_096

  /// Fills the placeholders. A text that is one `{name}` without format gives that value unchanged, and one that is a
  /// `{name:dayCount}` a number. Any other gives a text, in which null is empty and a format that does not fit its value is ignored. A text is cut at ``longestText``
  /// bytes.
  ///
  /// - Parameters:
  ///   - words: replacements for the English words of formats, by the English words.
  ///   - calendar: for date formats, which are ignored without it.
  ///   - today: the day from which `relative` counts; without it, `relative` is as `d MMM`.
  ///   - value: the value of a name; null for a name without a value.
  package func rendered(
    words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?, _ value: (String) -> ItemValue
  ) -> ItemValue {
    if let singleName {
      let value = value(singleName)
      if case .text(let text) = value { return .text(TextRendering.cut(text)) }
      return value
    }
    if parts.count == 1, case .value(let name, .dayCount) = parts[0], let calendar, let today {
      guard case .instant(let instant) = value(name.wrappedValue) else { return .null }
      return .number(Double(today.distance(to: calendar.day(of: instant))))
    }
    return .text(renderedText(words: words, calendar: calendar, today: today, value))
  }

  /// The same, but always as a text.
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
  /// The value as a text without format writes it: `true`, the shortest decimal, an instant in UTC, a list with commas.
  /// Empty for null and for objects.
  package var plainText: String {
    TextTemplate([.value(name: "", nil)]).renderedText(words: [:], calendar: nil, today: nil) { _ in self }
  }
}

/// A text being filled.
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

  /// Whether the text is longer than its limit already. The rest need not be made then: a list can be long.
  var isFull: Bool { text.utf8.count > TextTemplate.longestText }

  /// The text up to ``TextTemplate/longestText`` bytes. It is cut between Unicode scalars, because a grapheme cluster
  /// has no greatest length.
  static func cut(_ text: String) -> String {
    guard text.utf8.count > TextTemplate.longestText else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: TextTemplate.longestText)
    // A byte 10xxxxxx continues a scalar.
    while text.utf8[end] & 0xC0 == 0x80, end > text.startIndex { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  mutating func append(_ literal: String) { text += literal }

  /// A format applies to each element of a list.
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
    case .shortWeekday: text += word(dates.shortWeekdays[day.weekday.rawValue])
    case .weekday: text += word(dates.weekdays[day.weekday.rawValue])
    case .dayAndMonth: text += dayAndMonth(day)
    case .day: text += day.description
    case .dayCount: text += today.map { "\($0.distance(to: day))" } ?? value.description
    case .days:
      switch today.map({ $0.distance(to: day) }) {
      case 0?: text += word("today")
      case 1?: text += word("tomorrow")
      case .some(-1): text += word("yesterday")
      case let distance?:
        let phrase = word(distance > 0 ? "in N days" : "N days ago")
        text += Self.phrase(phrase, with: "\(abs(distance))")
      case nil: text += dayAndMonth(day)
      }
    case .relative:
      switch today.map({ $0.distance(to: day) }) {
      case 0?: text += word("today")
      case 1?: text += word("tomorrow")
      case 2?, 3?, 4?, 5?, 6?: text += word(dates.weekdays[day.weekday.rawValue])
      default: text += dayAndMonth(day)
      }
    case .decimals, .plural: text += value.description
    }
  }

  /// "24 Nov", with the year if it is not this one.
  private func dayAndMonth(_ day: LocalDay) -> String {
    dates.day(day, today: today, name: word)
  }

  /// Puts a number in place of the word N.
  private static func phrase(_ phrase: String, with number: String) -> String {
    let words = phrase.split(separator: " ", omittingEmptySubsequences: false)
    guard let place = words.firstIndex(of: "N") else {
      // Languages without blanks between words.
      guard let letter = phrase.firstIndex(of: "N") else { return phrase }
      return phrase[..<letter] + number + phrase[phrase.index(after: letter)...]
    }
    return (words[..<place] + [Substring(number)] + words[(place + 1)...]).joined(separator: " ")
  }

  private var dates: DateFormats { Language.english.dates }

  private func word(_ english: String) -> String { words[english]?.wrappedValue ?? english }
}
