extension String {
  /// Replaces a missing value.
  package static let missing = "—"

  /// The text on one line: line ends, tabs and other white-space controls become one space, together with the blanks
  /// around them.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: Self.isWhiteControl) else { return self }
    var line = UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.first {
      let blanks = rest.prefix { $0 == " " || Self.isWhiteControl($0) }
      if blanks.contains(where: Self.isWhiteControl) {
        rest = rest[blanks.endIndex...]
        if !line.isEmpty, !rest.isEmpty { line.append(" ") }
      } else if blanks.isEmpty {
        line.append(scalar)
        rest.removeFirst()
      } else {
        line.append(contentsOf: blanks)
        rest = rest[blanks.endIndex...]
      }
    }
    return String(line)
  }

  private static func isWhiteControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x1C...0x1F, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// The text with a capital first letter, for headings.
  package var capitalised: String { prefix(1).uppercased() + dropFirst() }

  /// The digits of a number, with a minus sign instead of a leading hyphen.
  var withMinusSign: String { hasPrefix("-") ? "−" + dropFirst() : self }
}

/// Published values in words; a dash for a missing value.
extension JSONValue? {
  /// Any value, in English where it is neither a text nor a number.
  package var words: String { words(in: .english) }

  /// Any value.
  package func words(in language: Language) -> String {
    switch self {
    case nil, .null: .missing
    case .string(let text): text.isEmpty ? .missing : text
    case .integer(let value): String(value)
    case .digits(let digits): digits
    case .number: language.formats.number(decimal())
    case .bool(let value): language(value ? .yes : .no)
    case .array(let values):
      values.isEmpty ? .missing : values.map { Optional($0).words(in: language) }.joined(separator: ", ")
    case .object(let members):
      members["name"].map { Optional($0).words(in: language) }
        ?? members["title"].map { Optional($0).words(in: language) }
        ?? members.sorted { $0.key < $1.key }.map { "\($0.key) \(Optional($0.value).words(in: language))" }.joined(
          separator: " ")
    }
  }

  /// A record's id as intents name it; it may be an empty text.
  package var recordID: String { self?.string ?? words }

  /// The fields of an intent that name this record: its id, and its file if the content says that.
  ///
  /// - Parameters:
  ///   - field: the intent's field for the id.
  ///   - key: the record's member with its id.
  package func naming(_ field: String, by key: String = "id") -> [String: String] {
    var fields = [field: self?[key].recordID ?? ""]
    if let file = self?["file"]?.string { fields["file"] = file }
    return fields
  }

  /// A whole number, cut toward zero as in the published texts.
  package var whole: String {
    guard let number = self?.double else { return .missing }
    return (Int(exactly: number.rounded(.towardZero)).map { "\($0)" } ?? "\(number)").withMinusSign
  }

  /// A whole number with its sign, also a plus.
  package var signed: String { (self?.double ?? 0) >= 1 ? "+" + whole : whole }

  /// A number with at most that many decimal places, one or two, rounded to the nearest.
  package func decimal(places: Int = 1) -> String {
    guard let number = self?.double else { return .missing }
    let scale = places == 1 ? 10 : 100
    guard let scaled = Int(exactly: (number * Double(scale)).rounded()) else { return "\(number)".withMinusSign }
    let (units, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    var digits = "\(rest)"
    while digits.count < places { digits = "0" + digits }
    while digits.last == "0" { digits.removeLast() }
    return (scaled < 0 ? "−" : "") + "\(units)" + (digits.isEmpty ? "" : ".\(digits)")
  }
}
