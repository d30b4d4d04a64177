import CacheSyncSystem

extension TextTemplate {
  /// A text and the names in its placeholders, or the defects of its syntax.
  struct Parsed {
    var template = TextTemplate([])
    /// The names in the text's order, each with its offset in the text.
    var names: [(name: String, offset: Int)] = []
    var defects: [TextDefect] = []
  }

  /// Reads a text: `{name}`, `{name:format}`, and `{{` for a brace; the rest is literal. It reads any text to its end.
  static func parse(_ text: String) -> Parsed {
    var parsed = Parsed()
    var cursor = ByteCursor(text)
    var literal: [UInt8] = []
    while let byte = cursor.byte {
      cursor.advance()
      guard byte == UInt8(ascii: "{"), !cursor.pass("{") else {
        literal.append(byte)
        continue
      }
      let brace = cursor.offset - 1
      if !literal.isEmpty {
        parsed.template.parts.append(.literal(ExactText(String(decoding: literal, as: UTF8.self))))
      }
      literal = []
      let hole = cursor.passAll { $0 != UInt8(ascii: "}") }
      guard cursor.pass("}") else {
        parsed.defects.append(TextDefect(brace, "'{' without '}'; a brace is written '{{'"))
        break
      }
      parsed.add(hole)
    }
    if !literal.isEmpty { parsed.template.parts.append(.literal(ExactText(String(decoding: literal, as: UTF8.self)))) }
    return parsed
  }
}

extension TextTemplate.Parsed {
  /// - Parameter hole: the bytes between the braces; their indices are offsets in the text.
  fileprivate mutating func add(_ hole: ArraySlice<UInt8>) {
    let name = hole.prefix { $0 != UInt8(ascii: ":") }
    guard !name.isEmpty else {
      defects.append(TextDefect(hole.startIndex, "expected a name after '{'; a brace is written '{{'"))
      return
    }
    names.append((String(decoding: name, as: UTF8.self), hole.startIndex))
    guard name.endIndex < hole.endIndex else {
      template.parts.append(.value(name: ExactText(String(decoding: name, as: UTF8.self)), nil))
      return
    }
    let place = name.endIndex + 1
    let text = String(decoding: hole[place...], as: UTF8.self)
    guard let format = TextFormat(text) else {
      let advice = NearestName.of(text, among: TextFormat.names).map { "; '\($0)'?" } ?? "; one of \(TextFormat.choice)"
      defects.append(TextDefect(place, "no format \(quotedName(text))\(advice)"))
      return
    }
    template.parts.append(.value(name: ExactText(String(decoding: name, as: UTF8.self)), format))
  }
}

extension TextFormat {
  private static let fixed: [(String, TextFormat)] = [
    ("0", .decimals(0)), ("0.0", .decimals(1)), ("0.00", .decimals(2)), ("HH:mm", .clock), ("EEE", .shortWeekday),
    ("EEEE", .weekday), ("d MMM", .dayAndMonth), ("yyyy-MM-dd", .day), ("relative", .relative),
  ]

  static let names = fixed.map(\.0)
  static let choice = (names + ["one|many"]).joined(separator: ", ")

  /// Reads a format as a text writes it; nil for anything else.
  init?(_ text: String) {
    if let format = Self.fixed.first(where: { $0.0 == text })?.1 {
      self = format
      return
    }
    let words = text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard words.count == 2, text.utf8.count > 1 else { return nil }
    self = .plural(
      one: ExactText(String(decoding: words[0], as: UTF8.self)),
      many: ExactText(String(decoding: words[1], as: UTF8.self)))
  }
}
