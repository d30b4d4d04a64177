/// A category of numbers whose nouns have the same form, as CLDR names them.
package enum PluralCategory: Int, Sendable {
  case one, few, many, other

  /// The form for this category among forms in the order `one`, `few`, `many`, `other`. Two forms are for `one` and for
  /// all others.
  package func form<Form>(of forms: some RandomAccessCollection<Form>) -> Form? {
    switch forms.count {
    case 0...1: forms.first
    case 2: self == .one ? forms.first : forms.last
    default: forms.dropFirst(rawValue).first ?? forms.last
    }
  }
}

/// CLDR's rules for the plural forms of our languages, which several of them share.
package enum PluralRule: Sendable {
  /// One form for every number.
  case none
  /// One thing, and all others.
  case one
  /// The same, and millions.
  case oneAndMillions
  /// Numbers below two, millions, and all others.
  case belowTwo
  /// Numbers below two except 0, and all others.
  case danish
  case czech, polish, ukrainian

  /// The category of a number; its sign does not count.
  package func category(of number: Double) -> PluralCategory {
    let value = number.magnitude
    let whole = Int(exactly: value)
    let isMillions = whole.map { $0 != 0 && $0.isMultiple(of: 1_000_000) } ?? false
    switch self {
    case .none: return .other
    case .one: return value == 1 ? .one : .other
    case .oneAndMillions: return value == 1 ? .one : isMillions ? .many : .other
    case .belowTwo: return value < 2 ? .one : isMillions ? .many : .other
    case .danish: return value > 0 && value < 2 ? .one : .other
    case .czech:
      guard let whole else { return .many }
      return whole == 1 ? .one : (2...4).contains(whole) ? .few : .other
    case .polish, .ukrainian:
      guard let whole else { return .other }
      if self == .polish ? whole == 1 : whole % 10 == 1 && whole % 100 != 11 { return .one }
      return (2...4).contains(whole % 10) && !(12...14).contains(whole % 100) ? .few : .many
    }
  }
}
