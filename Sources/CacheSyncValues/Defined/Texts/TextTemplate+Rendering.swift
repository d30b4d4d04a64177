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
  ///   - locale: for texts that people read. Others, such as ids, never depend on the language.
  ///   - value: the value of a name; null for a name without a value.
  package func rendered(
    words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?, locale: CacheLocale = .english,
    _ value: (String) -> ItemValue
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
    return .text(renderedText(words: words, calendar: calendar, today: today, locale: locale, value))
  }

  /// The same, but always as a text.
  package func renderedText(
    words: TextMap<ExactText>, calendar: CivilCalendar?, today: LocalDay?, locale: CacheLocale = .english,
    _ value: (String) -> ItemValue
  ) -> String {
    var rendering = TextRendering(words: words, calendar: calendar, today: today, locale: locale)
    for (place, part) in parts.enumerated() where !rendering.isFull {
      switch part {
      case .literal(let text): rendering.append(text.wrappedValue)
      case .value(let name, let format):
        rendering.append(value(name.wrappedValue), format, decimals: decimals(forWordAt: place, name))
      }
    }
    return TextRendering.cut(rendering.text)
  }

  /// The decimals with which the text writes the number of a word by number, because "1.0" and "1" may have different
  /// words. The number before the word counts, else the first after it. Nil: the text writes it without format, or not
  /// at all.
  private func decimals(forWordAt place: Int, _ name: ExactText) -> Int? {
    guard case .value(_, .plural) = parts[place] else { return nil }
    for case .value(name, let format) in parts[..<place].reversed() + parts[(place + 1)...] {
      switch format {
      case .decimals(let count): return count
      case .plural: continue
      default: return nil
      }
    }
    return nil
  }
}

extension ItemValue {
  /// The value as a text without format writes it: `true`, the shortest decimal, an instant in UTC, a list with commas.
  /// Empty for null and for objects.
  package var plainText: String {
    TextTemplate([.value(name: "", nil)]).renderedText(words: [:], calendar: nil, today: nil) { _ in self }
  }
}

private struct TextRendering {
  let words: TextMap<ExactText>
  let calendar: CivilCalendar?
  let today: LocalDay?
  let locale: CacheLocale
  private(set) var text = ""

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
  ///
  /// - Parameter decimals: those of the number to which a word belongs.
  mutating func append(_ value: ItemValue, _ format: TextFormat?, decimals: Int? = nil) {
    switch value {
    case .null, .object: break
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): append(value, format, decimals: decimals)
    case .text(let value): text += value
    case .instant(let value): append(value, format)
    case .list(let elements):
      var separator = ""
      for element in elements where !isFull && element != .null {
        if case .object = element { continue }
        text += separator
        separator = ", "
        append(element, format, decimals: decimals)
      }
    }
  }

  private mutating func append(_ value: Double, _ format: TextFormat?, decimals: Int?) {
    let decimal = DecimalNumber(value)
    switch format {
    case .decimals(let count): text += number(decimal.text(decimals: count))
    case .plural(let forms):
      let digits = decimals.map { decimal.text(decimals: $0) } ?? decimal.text
      text += locale.language.category(ofDigits: digits)?.form(of: forms)?.wrappedValue ?? ""
    default: text += number(decimal.text)
    }
  }

  /// Digits as the language writes them. English keeps the hyphen of JSON as its minus.
  private func number(_ digits: String) -> String {
    guard locale.language.tag != .english else { return digits }
    let written = formats.number(digits)
    return written.hasPrefix("-") ? "−" + written.dropFirst() : written
  }

  private mutating func append(_ value: Instant, _ format: TextFormat?) {
    guard let format, let calendar else {
      text += value.description
      return
    }
    let day = calendar.day(of: value)
    switch format {
    case .clock: text += locale.clock(value, in: calendar)
    case .shortWeekday: text += name(of: day.weekday, \.shortWeekdays)
    case .weekday: text += name(of: day.weekday, \.weekdays)
    case .dayAndMonth: text += dayAndMonth(day)
    case .day: text += day.description
    case .dayCount: text += today.map { "\($0.distance(to: day))" } ?? value.description
    case .days, .relative:
      switch (format, today.map { $0.distance(to: day) }) {
      case (_, 0?): text += word("today", .today)
      case (_, 1?): text += word("tomorrow", .tomorrow)
      case (.days, .some(-1)): text += word("yesterday", .yesterday)
      case (.days, let distance?):
        let own = words[distance > 0 ? "in N days" : "N days ago"]?.wrappedValue
        let count = "\(abs(distance))"
        text +=
          own.map { Self.phrase($0, with: count) }
          ?? locale.language(distance > 0 ? .inDays : .daysAgo, [.count: count])
      case (_, let distance?) where (2...6).contains(distance): text += name(of: day.weekday, \.weekdays)
      default: text += dayAndMonth(day)
      }
    case .decimals, .plural: text += value.description
    }
  }

  /// "24 Nov", with the year if it is not this one.
  private func dayAndMonth(_ day: LocalDay) -> String {
    formats.day(day, today: today, name: locale.replacing { words[$0]?.wrappedValue })
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

  private var formats: LocaleFormats { locale.language.formats }

  /// A word of the definition, in place of one of the language.
  private func word(_ english: String, _ phrase: Phrase) -> String {
    words[english]?.wrappedValue ?? locale.language(phrase)
  }

  private func name(of weekday: Weekday, _ names: KeyPath<LocaleFormats, [String]>) -> String {
    let english = LocaleFormats.english[keyPath: names][weekday.rawValue]
    return words[english]?.wrappedValue ?? formats[keyPath: names][weekday.rawValue]
  }
}
