// Strings, words, numbers and names of a definition.

extension DefinitionReader {
  mutating func text(_ value: LocatedValue, _ expected: String = "a string") -> String? {
    guard let text = value.text else {
      fail(expecting: expected, at: value)
      return nil
    }
    guard text.utf8.count <= Self.longestText else {
      fail("longer than \(Self.longestText) bytes", at: value)
      return nil
    }
    return text
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ value: LocatedValue, _ words: Word.Type) -> Word?
  {
    let names = Word.allCases.map(\.rawValue)
    let expected = "one of " + names.joined(separator: ", ")
    guard let text = text(value, expected) else { return nil }
    if let word = Word(rawValue: text) { return word }
    fail("expected \(expected), found \(quotedName(text))\(advice(for: text, among: names))", at: value)
    return nil
  }

  mutating func bool(_ value: LocatedValue) -> Bool? {
    if let value = value.bool { return value }
    fail(expecting: "true or false", at: value)
    return nil
  }

  mutating func number(_ value: LocatedValue) -> Double? {
    if let value = value.number { return value }
    fail(expecting: "a number", at: value)
    return nil
  }

  mutating func whole(_ value: LocatedValue, in range: ClosedRange<Int>) -> Int? {
    let expected = JSONMessage.wholeNumber(range)
    guard let number = value.number else {
      fail(expecting: expected, at: value)
      return nil
    }
    if let whole = Int(exactly: number), range.contains(whole) { return whole }
    fail("expected \(expected), found \(JSONValue.number(number).text)", at: value)
    return nil
  }

  /// Reads a value that a field may have: a scalar, or a list of scalars.
  mutating func itemValue(_ value: LocatedValue) -> ItemValue? {
    guard value.kind == .array else {
      return scalar(value, "a string, a number, true, false, null or a list of them")
    }
    return array(value, most: Self.mostInMap).map { $0.compactMap { scalar($0) } }.map(ItemValue.list)
  }

  mutating func scalar(_ value: LocatedValue, _ expected: String = "a string, a number, true, false or null")
    -> ItemValue?
  {
    if value.isNull { return .null }
    if let bool = value.bool { return .bool(bool) }
    if let number = value.number { return .number(number) }
    if let text = value.text { return .text(text) }
    fail(expecting: expected, at: value)
    return nil
  }

  // MARK: Names

  /// Whether a name that the definition chooses is valid. Texts write it in braces, so it must not be empty or have
  /// `{`, `}` or `:`.
  mutating func isGoodName(_ member: LocatedMember, _ what: String, taken: [String]) -> Bool {
    let name = member.key
    if name.isEmpty || name.utf8.count > Self.longestName {
      fail("the name of a \(what) has 1 to \(Self.longestName) bytes", atKeyOf: member)
    } else if name.utf8.contains(where: { "{}:".utf8.contains($0) || $0 < 0x20 })
      || name.utf8.first == UInt8(ascii: "-")
    {
      fail("the name of a \(what) has no '{', '}', ':' or control character, and no '-' at its start", atKeyOf: member)
    } else if taken.contains(name) {
      fail("invalid \(what) name \(quotedName(name)): it has a meaning already", atKeyOf: member)
    } else {
      return true
    }
    return false
  }
}

extension JSONValue {
  /// The value as JSON, for messages.
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
