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
      if let (length, advice) = foreign(cursor) {
        parsed.defects.append(TextDefect(cursor.offset, advice))
        cursor.advance(by: length)
        continue
      }
      cursor.advance()
      guard byte == UInt8(ascii: "{"), !cursor.pass("{") else {
        literal.append(byte)
        continue
      }
      let brace = cursor.offset - 1
      parsed.template.append(literal: &literal)
      let hole = cursor.passAll { $0 != UInt8(ascii: "}") }
      guard cursor.pass("}") else {
        parsed.defects.append(TextDefect(brace, "'{' without '}'; a brace is written '{{'"))
        break
      }
      parsed.add(hole)
    }
    parsed.template.append(literal: &literal)
    return parsed
  }

  private mutating func append(literal: inout [UInt8]) {
    if !literal.isEmpty { parts.append(.literal(ExactText(String(decoding: literal, as: UTF8.self)))) }
    literal = []
  }

  /// Whether it depends on an item.
  var hasHoles: Bool { parts.contains { if case .value = $0 { true } else { false } } }

  /// A placeholder of another system at a position: `{{name}}` or `${name}`. Its length, and how a definition writes it.
  private static func foreign(_ cursor: ByteCursor) -> (length: Int, advice: String)? {
    let rest = cursor.bytes[cursor.offset...]
    let isDollar = rest.starts(with: "${".utf8)
    guard isDollar || rest.starts(with: "{{".utf8) else { return nil }
    let inner = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") }
    let after = rest.dropFirst(2 + inner.count)
    guard after.starts(with: (isDollar ? "}" : "}}").utf8) else { return nil }
    let words = String(decoding: inner, as: UTF8.self).split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let name = words.first, name.first?.isNumber == false,
      let first = inner.first(where: { $0 != 0x20 }), first | 0x20 &- 0x61 < 26 || first == 0x5f || first >= 0x80
    else { return nil }
    let length = inner.count + (isDollar ? 3 : 4)
    let found = quotedName(String(decoding: rest.prefix(length), as: UTF8.self))
    let dollar = isDollar ? "; for a dollar sign write '$ {\(name)}'" : ""
    return (length, "\(found) belongs to another system: write '{\(name)}'\(dollar)")
  }

  /// Why a text is probably a path where a text of names is meant; nil if it does not look like one.
  static func pathDefect(_ text: String) -> String? {
    guard let path = try? ItemPath.parse(text, allowing: .except) else { return nil }
    let name: String
    switch path.root {
    case .key, .index, .count: name = "\(text.dropFirst())"
    case .document, .item, .around, .aroundKey:
      // A lone sign, such as "$", is a text.
      guard !path.selectors.isEmpty || text.utf8.count > 1 else { return nil }
      name =
        path.selectors.lazy.compactMap { if case .name(let name) = $0 { name.wrappedValue } else { nil } }.last
        ?? "name"
    }
    return "a text has names in braces, not paths: give \(quotedName(text)) a name in 'fields', and write '{\(name)}'"
  }
}

extension TextTemplate.Parsed {
  /// - Parameter hole: the bytes between the braces; their indices are offsets in the text.
  fileprivate mutating func add(_ hole: ArraySlice<UInt8>) {
    let end = hole.firstIndex(of: UInt8(ascii: ":")) ?? hole.endIndex
    let name = String(decoding: hole[..<end], as: UTF8.self)
    guard !name.isEmpty else {
      defects.append(TextDefect(hole.startIndex, "expected a name after '{'; a brace is written '{{'"))
      return
    }
    let text = String(decoding: hole[end...].dropFirst(), as: UTF8.self)
    let format = TextFormat(text)
    let isYears = text == "years" && isSameText(name, "start")
    if text == "years", !isYears {
      defects.append(TextDefect(end + 1, "'years' is a format of 'start': write '{start:years}'"))
    } else if format == nil, !isYears, end < hole.endIndex {
      let near = NearestName.of(text, among: TextFormat.names) ?? "HH:mm"
      let advice = "write it as in \(quotedName("{\(name):\(near)}")); the formats are \(TextFormat.choice)"
      defects.append(TextDefect(end + 1, "unknown format \(quotedName(text)): \(advice)"))
    }
    let used = isYears ? TextTemplate.yearsName : name
    names.append((used, hole.startIndex))
    template.parts.append(.value(name: ExactText(used), format))
  }
}

extension TextFormat {
  private static let fixed: [(String, TextFormat)] = [
    ("0", .decimals(0)), ("0.0", .decimals(1)), ("0.00", .decimals(2)), ("HH:mm", .clock), ("EEE", .shortWeekday),
    ("EEEE", .weekday), ("d MMM", .dayAndMonth), ("yyyy-MM-dd", .day), ("relative", .relative),
    ("days", .days), ("dayCount", .dayCount),
  ]

  static let names = fixed.map(\.0) + ["years"]
  static let choice = (names + ["one|other", "one|few|many|other"]).joined(separator: ", ")

  /// Reads a format as a text writes it; nil for anything else.
  init?(_ text: String) {
    if let format = Self.fixed.first(where: { $0.0 == text })?.1 {
      self = format
      return
    }
    let words = text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard words.count == 2 || words.count == 4, text.utf8.count >= words.count else { return nil }
    self = .plural(words.map { ExactText(String(decoding: $0, as: UTF8.self)) })
  }
}
