import CacheSyncSystem

extension ItemPath {
  /// What a path may contain at its place in a definition.
  struct Allowance {
    /// Whether it may begin with something other than `$`.
    var hasItem: Bool
    /// Whether it may have `*`.
    var hasEvery: Bool

    /// For `timeZone` and `updated`, which belong to the file.
    static let file = Allowance(hasItem: false, hasEvery: false)
    static let each = Allowance(hasItem: false, hasEvery: true)
    static let item = Allowance(hasItem: true, hasEvery: false)
    static let except = Allowance(hasItem: true, hasEvery: true)

    var isOfEach: Bool { !hasItem && hasEvery }
  }

  /// A longer path would find nothing, because a session file is not nested deeper.
  private static let mostSelectors = JSONReader.deepest

  /// Whether a text is meant as a path.
  static func begins(_ text: String) -> Bool { text.utf8.first.map { "$@^#".utf8.contains($0) } ?? false }

  /// Reads a path: RFC 9535, with the selectors and roots that definitions support.
  static func parse(_ text: String, allowing allowance: Allowance) throws(TextDefect) -> ItemPath {
    var cursor = ByteCursor(text)
    var path = ItemPath(try root(&cursor, allowance))
    while true {
      let beforeSpace = cursor.offset
      cursor.passSpace()
      if cursor.byte == nil {
        if cursor.offset > beforeSpace { throw TextDefect(beforeSpace, "a path does not end in a blank") }
        return path
      }
      switch path.root {
      case .key, .index, .count, .aroundKey:
        throw TextDefect(cursor.offset, "nothing follows #key, #index, #count or ^key")
      case .document, .item, .around: break
      }
      if path.selectors.count == mostSelectors {
        throw TextDefect(cursor.offset, "a path has at most \(mostSelectors) selectors")
      }
      path.selectors.append(try selector(&cursor, allowance))
    }
  }

  private static func root(_ cursor: inout ByteCursor, _ allowance: Allowance) throws(TextDefect) -> Root {
    if cursor.pass("$") { return .document }
    guard allowance.hasItem else { throw TextDefect(0, "expected a path that begins with '$', found \(cursor.found)") }
    if cursor.pass("@") { return .item }
    let levels = cursor.passAll { $0 == UInt8(ascii: "^") }.count
    if levels > 0 {
      // A session file is not nested deeper.
      guard levels <= mostSelectors else { throw TextDefect(0, "a path begins with at most \(mostSelectors) '^'") }
      guard let byte = cursor.byte, isNameByte(byte) else { return .around(levels) }
      let place = cursor.offset
      let word = String(decoding: cursor.passAll { isNameByte($0) }, as: UTF8.self)
      guard word == "key" else {
        throw TextDefect(place, "expected '.' or 'key' after '^', found \(quotedName(word)); write '^.\(word)'")
      }
      return .aroundKey(levels)
    }
    if cursor.pass("#") {
      let word = String(decoding: cursor.passAll { isNameByte($0) }, as: UTF8.self)
      let roots: [(name: String, root: Root)] = [("key", .key), ("index", .index), ("count", .count)]
      if let known = roots.first(where: { $0.name == word }) { return known.root }
      let advice = NearestName.of(word, among: roots.map(\.name)).map { "; '#\($0)'?" } ?? ""
      throw TextDefect(0, "expected #key, #index or #count, found \(quotedName("#" + word))\(advice)")
    }
    throw TextDefect(0, "expected a path that begins with '$', '@', '^' or '#', found \(cursor.found)")
  }

  // MARK: Selectors

  private static func selector(_ cursor: inout ByteCursor, _ allowance: Allowance) throws(TextDefect) -> Selector {
    if cursor.pass(".") { return try dotted(&cursor, allowance) }
    guard cursor.pass("[") else { throw TextDefect(cursor.offset, "expected '.' or '[', found \(cursor.found)") }
    cursor.passSpace()
    let selector: Selector
    switch cursor.byte {
    case UInt8(ascii: "*"): selector = try every(&cursor, allowance)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): selector = .name(ExactText(try cursor.quotedText()))
    case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") <= 9:
      selector = .index(try index(&cursor))
    case UInt8(ascii: "?"): throw TextDefect(cursor.offset, "a path has no filters; use 'where'")
    default: throw TextDefect(cursor.offset, "expected a name in quotes, a number or '*', found \(cursor.found)")
    }
    cursor.passSpace()
    guard cursor.pass("]") else {
      switch cursor.byte {
      case UInt8(ascii: ":"): throw TextDefect(cursor.offset, "a path has no slices; use '*' and 'where'")
      case UInt8(ascii: ","): throw TextDefect(cursor.offset, "one selector in brackets; use a list of paths")
      default: throw TextDefect(cursor.offset, "expected ']', found \(cursor.found)")
      }
    }
    return selector
  }

  private static func every(_ cursor: inout ByteCursor, _ allowance: Allowance) throws(TextDefect) -> Selector {
    guard allowance.hasEvery else { throw TextDefect(cursor.offset, "'*' is only for 'each' and 'except'") }
    cursor.advance()
    return .every
  }

  private static func dotted(_ cursor: inout ByteCursor, _ allowance: Allowance) throws(TextDefect) -> Selector {
    if cursor.byte == UInt8(ascii: "*") { return try every(&cursor, allowance) }
    if cursor.byte == UInt8(ascii: ".") { throw TextDefect(cursor.offset, "a path has no '..'; name each step") }
    let start = cursor.offset
    let name = cursor.passAll { isNameByte($0) }
    guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      let advice =
        name.isEmpty ? "" : "; write ['\(String(decoding: name.prefix(40), as: UTF8.self))'], or [0] for a place"
      throw TextDefect(start, "expected a name or '*' after '.'\(advice)")
    }
    if let byte = cursor.byte, byte != UInt8(ascii: "."), byte != UInt8(ascii: "["), !ByteCursor.isSpace(byte) {
      throw TextDefect(cursor.offset, "a name with \(cursor.found) is written ['…']")
    }
    return .name(ExactText(String(decoding: name, as: UTF8.self)))
  }

  /// Reads a whole number without leading zeros. Its limit is the greatest that every JSON program counts exactly (RFC
  /// 9535, section 2.1).
  private static func index(_ cursor: inout ByteCursor) throws(TextDefect) -> Int {
    let start = cursor.offset
    let isNegative = cursor.pass("-")
    let digits = cursor.passAll { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let isPlain = digits.first != UInt8(ascii: "0") || digits.count == 1 && !isNegative
    guard isPlain, digits.count <= 16, let value = Int(String(decoding: digits, as: UTF8.self)),
      value <= 9_007_199_254_740_991
    else { throw TextDefect(start, "expected a place such as 0 or -1") }
    return isNegative ? -value : value
  }

  /// Whether a name after a point may have a byte: letters, digits, "_" and everything beyond ASCII.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: false
    }
  }
}

extension ByteCursor {
  fileprivate static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }

  fileprivate mutating func passSpace() { _ = passAll(while: Self.isSpace) }

  /// A name in single or double quotes, with the escapes of RFC 9535, section 2.3.1: those of JSON, and the quote.
  fileprivate mutating func quotedText() throws(TextDefect) -> String {
    let start = offset
    let quote = byte
    advance()
    var text: [UInt8] = []
    while let byte {
      advance()
      switch byte {
      case quote: return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escaped(quote)
      case ..<0x20: throw TextDefect(offset - 1, "a control character in a name is written \\u00…")
      default: text.append(byte)
      }
    }
    throw TextDefect(start, "the quote is not closed")
  }

  private mutating func escaped(_ quote: UInt8?) throws(TextDefect) -> [UInt8] {
    let start = offset - 1
    if let byte, byte == quote {
      advance()
      return [byte]
    }
    let length = bytes.withUnsafeBytes { $0.escape(at: start).length }
    let escape = [UInt8(ascii: "\"")] + bytes[start...].prefix(length) + [UInt8(ascii: "\"")]
    guard byte != UInt8(ascii: "\""), let text = JSONValue(escape)?.string else {
      throw TextDefect(start, "expected an escape such as \\' or \\u00e4")
    }
    advance(by: length - 1)
    return Array(text.utf8)
  }
}
