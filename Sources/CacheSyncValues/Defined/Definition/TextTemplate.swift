/// A text with placeholders: `{name}` or `{name:format}`; `{{` is a brace (definitions.md: text).
package struct TextTemplate: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case literal(ExactText)
    case value(name: ExactText, TextFormat?)
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// The name by which `{start:years}` asks for its number. No field can have it.
  static let yearsName = "start:years"

  /// The name, if the whole text is one `{name}` without format. Such a text keeps the type of the value.
  package var singleName: String? {
    if parts.count == 1, case .value(let name, nil) = parts[0] { name.wrappedValue } else { nil }
  }
}

/// How a text writes a value.
package enum TextFormat: Sendable, Equatable {
  /// `0`, `0.0`, `0.00`
  case decimals(Int)
  /// `HH:mm`
  case clock
  /// `EEE`: "Mon"
  case shortWeekday
  /// `EEEE`: "Monday"
  case weekday
  /// `d MMM`: "24 Nov"
  case dayAndMonth
  /// `yyyy-MM-dd`
  case day
  /// `days`: today, tomorrow, yesterday, "in 3 days", "3 days ago"
  case days
  /// `dayCount`: how many days until then, negative for the past
  case dayCount
  /// `relative`: today, tomorrow, a weekday up to six days ahead, otherwise as ``dayAndMonth``
  case relative
  /// `one|other`, or `one|few|many|other`
  case plural([ExactText])
}
