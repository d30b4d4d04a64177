// The values that a definition has at many places.

extension Shape where Value == String {
  static var text: Shape { text() }

  /// - Parameter expected: what is expected where a value is not a text, for messages.
  static func text(_ expected: String = "a string") -> Shape {
    Shape(JSONSchema("string", with: ["maxLength": .integer(DefinitionReader.longestText)])) { $0.text($1, expected) }
  }

  static var filledText: Shape {
    text().then { reader, value, text in
      if text.isEmpty { reader.fail("expected a string that is not empty", at: value) }
      return text
    }
    .with(#"{ "minLength": 1 }"#)
  }
}

extension Shape where Value: RawRepresentable<String> & CaseIterable {
  /// One of the type's words.
  package static var word: Shape {
    let words = Value.allCases.map(\.rawValue)
    return Shape(.word(words)) { $0.oneOf(words, $1).flatMap { Value(rawValue: $0) } }
  }
}

extension Shape where Value == Bool {
  package static var flag: Shape {
    flag(expecting: "true or false")
  }

  static func flag(expecting expected: String) -> Shape { Shape(.flag, expecting: expected, \.bool) }
}

extension Shape where Value == Double {
  static var number: Shape { Shape(JSONSchema("number"), expecting: "a number", \.number) }
}

extension Shape where Value == Int {
  package static func whole(in range: ClosedRange<Int>) -> Shape {
    let expected = JSONMessage.wholeNumber(range)
    return Shape<Double>(.integer(in: range), expecting: expected, \.number).then { reader, value, number in
      if let whole = Int(exactly: number), range.contains(whole) { return whole }
      let found = String(decoding: JSONValue.number(number).bytes, as: UTF8.self)
      reader.fail("expected \(expected), found \(found)", at: value)
      return nil
    }
  }
}

extension Shape where Value == Void {
  /// Anything, which the reader passes over.
  static var anything: Shape { Shape(JSONSchema()) { _, _ in } }
}

extension Shape where Value == ItemValue {
  /// A value that is not a list.
  static var scalar: Shape {
    scalar(JSONSchema("string", "number", "boolean", "null"), "a string, a number, true, false or null")
  }

  /// - Parameter schema: its types are those that are valid.
  static func scalar(_ schema: JSONSchema, _ expected: String) -> Shape {
    Shape(schema, expecting: expected) { value in
      switch value.kind {
      case .null where schema.types.contains("null"): .null
      case .bool where schema.types.contains("boolean"): value.bool.map { .bool($0) }
      case .number: value.number.map { .number($0) }
      case .string: value.text.map { .text($0) }
      default: nil
      }
    }
  }

  static var scalars: Shape {
    Shape<[ItemValue]>.list(of: .scalar, most: DefinitionReader.mostInMap).map { .list($0) }
  }

  /// What a field may have: a scalar, or a list of scalars.
  static var fieldValue: Shape {
    let schema = JSONSchema("string", "number", "boolean", "null")
    return scalar(schema, "a string, a number, true, false, null or a list of them")
      .or(.scalars) { $0.kind == .array }.named("value")
  }
}

extension Shape where Value == ItemPath {
  static func path(_ allowance: ItemPath.Allowance) -> Shape {
    let path = Shape<String>.text("a path").then { reader, value, text in
      reader.parsed(value) { () throws(TextDefect) in try ItemPath.parse(text, allowing: allowance) }
    }
    if allowance.isOfEach { return path.with(#"{ "pattern": "^\\$" }"#) }
    return path.with(
      #"""
      { "pattern": "^[$@^#]",
        "description": "$ is the document, @ the item, ^ the object around it, #key its key, ^key the key around it." }
      """#
    )
    .named("path")
  }
}

extension Shape where Value == [ItemPath] {
  /// A path, or a list of them.
  static func paths(_ allowance: ItemPath.Allowance) -> Shape {
    let paths = Shape<ItemPath>.path(allowance).orList(empty: "expected at least one element")
    return allowance.isOfEach ? paths : paths.named("paths")
  }
}
