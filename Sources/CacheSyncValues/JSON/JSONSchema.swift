/// A JSON Schema (2020-12) of a value: its type, and what is valid beyond that.
///
/// Schemas are for editors and validators. Nothing that the agent does uses one.
package struct JSONSchema: Sendable, Equatable {
  /// The JSON types that the value may have; none: any type.
  package private(set) var types: [String]
  /// The other keywords. A keyword about one type does not restrict values of another type.
  package var keywords: TextMap<JSONValue>
  /// The valid values that leave out the whole object around them, so that its other members do not matter.
  private(set) var leavingOut: JSONValue?

  package init(_ types: String..., with keywords: TextMap<JSONValue> = [:]) {
    self.types = types
    self.keywords = keywords
  }

  package var value: JSONValue {
    var members = keywords
    if types.count == 1 { members["type"] = .string(types[0]) }
    if types.count > 1 { members["type"] = .array(types.map(JSONValue.string)) }
    return .object(members)
  }

  /// The schema as a document of its own.
  package func document(_ title: String) -> [UInt8] {
    var root = self
    root.keywords["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    root.keywords["title"] = .string(title)
    return root.value.bytes
  }

  /// The value or null, which means that the member is missing.
  package var orNull: JSONSchema {
    if types.isEmpty, keywords["$ref"] ?? keywords["anyOf"] != nil { return .any(of: [self, JSONSchema("null")]) }
    var schema = or("null")
    if case .array(let words) = schema.keywords["enum"] { schema.keywords["enum"] = .array(words + [.null]) }
    return schema
  }

  /// What one of the schemas accepts.
  package static func any(of schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(with: ["anyOf": .array(schemas.map(\.value))])
  }

  /// The value, or anything of a further type.
  package func or(_ type: String) -> JSONSchema {
    var schema = self
    if !types.isEmpty, !types.contains(type) { schema.types.append(type) }
    return schema
  }
}

// MARK: Scalars

extension JSONSchema {
  package static let flag = JSONSchema("boolean")
  package static let text = JSONSchema("string")

  /// A whole number of any size, or a text.
  package static let id = JSONSchema("integer", "string")
  /// A relative path in the cache.
  package static let path = JSONSchema("string", with: ["pattern": .string(#"^(?!\.{1,2}(/|$)|.*/\.{0,2}(/|$))[^/]"#)])

  /// A date as session files have it: a text or a number (contract.md section 2).
  package static let date = dated(pattern: "^\(dayPattern)\(timePattern)$")
  /// A date that is not one of those that mean none.
  package static let start = dated(pattern: "^\(dayPattern)\(timePattern)$", mayBeNever: false)
  /// A date, or a day that is never, such as 9999-12-31.
  package static let end = dated(pattern: "^(\(dayPattern)\(timePattern)$|(?=29|[3-9])\(dayPattern))")
  /// A day, or a date.
  package static let day = dated(pattern: "^\(dayPattern)(\(timePattern))?$")
  /// A day that may be written as a date with or without an offset.
  package static let dayOrMoment = dated(pattern: "^\(dayPattern)(\(clockPattern)(\(offsetPattern))?)?$")
  /// A date as the agent writes it.
  package static let writtenDate = JSONSchema("string", with: ["pattern": .string("^\(dayPattern)\(timePattern)$")])
  /// A day as the agent writes it.
  package static let writtenDay = JSONSchema("string", with: ["pattern": .string("^\(dayPattern)$")])
  /// A duration such as PT24H.
  package static let duration = JSONSchema(
    "string",
    with: [
      "pattern": .string(
        #"^P(?=[0-9T])([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?$"#)
    ])

  private static let dayPattern =
    "(?!0000)[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))"
  private static let clockPattern = "[Tt]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.][0-9]+)?)?"
  private static let offsetPattern = "([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])"
  private static let timePattern = clockPattern + offsetPattern

  /// - Parameter mayBeNever: whether it may be Foundation's `Date.distantFuture`.
  private static func dated(pattern: String, mayBeNever: Bool = true) -> JSONSchema {
    let most = number(WrongEpoch.firstSeconds)
    let never = JSONValue.object(["const": number(WrongEpoch.distantFuture)])
    var schema = JSONSchema("string", "number")
    schema.keywords = ["pattern": .string(pattern), "minimum": number(JSONReader.firstDateSeconds)]
    schema.keywords[mayBeNever ? "anyOf" : "exclusiveMaximum"] =
      mayBeNever ? .array([.object(["exclusiveMaximum": most]), never]) : most
    return schema
  }

  package static func integer(in range: ClosedRange<Int>) -> JSONSchema {
    var schema = JSONSchema("integer")
    if range.lowerBound != .min { schema.keywords["minimum"] = .integer(range.lowerBound) }
    if range.upperBound != .max { schema.keywords["maximum"] = .integer(range.upperBound) }
    return schema
  }

  package static func number(in range: ClosedRange<Double>) -> JSONSchema {
    var schema = JSONSchema("number")
    if range.lowerBound != -.greatestFiniteMagnitude { schema.keywords["minimum"] = number(range.lowerBound) }
    if range.upperBound != .greatestFiniteMagnitude { schema.keywords["maximum"] = number(range.upperBound) }
    return schema
  }

  package static let numberAboveZero = JSONSchema("number", with: ["exclusiveMinimum": .integer(0)])

  private static func number(_ number: Double) -> JSONValue {
    Int(exactly: number).map(JSONValue.integer) ?? .number(number)
  }

  /// One of these words.
  package static func word(_ words: [String]) -> JSONSchema {
    JSONSchema("string", with: ["enum": .array(words.map(JSONValue.string))])
  }

  /// Any text, of which these are the known ones.
  ///
  /// - Parameter leavesOut: whether an unknown word leaves out the object around it.
  package static func knownWord(_ words: [String], leavesOut: Bool = false) -> JSONSchema {
    let known = JSONValue.array(words.map(JSONValue.string))
    var schema = JSONSchema("string", with: ["examples": known])
    if leavesOut { schema.leavingOut = .object(["type": .string("string"), "not": .object(["enum": known])]) }
    return schema
  }

  /// The same texts without the empty one.
  package var notEmpty: JSONSchema {
    var schema = self
    schema.keywords["minLength"] = .integer(1)
    if case .object(var word) = leavingOut {
      word["minLength"] = .integer(1)
      schema.leavingOut = .object(word)
    }
    return schema
  }
}

// MARK: Lists and objects

extension JSONSchema {
  package static func list(of element: JSONSchema) -> JSONSchema {
    JSONSchema("array", with: ["items": element.value])
  }

  /// An object with these members.
  ///
  /// - Parameter isClosed: whether it may have no others.
  package static func object(
    _ properties: [(name: String, schema: JSONSchema)], required: [String] = [], isClosed: Bool = false
  ) -> JSONSchema {
    var members: TextMap<JSONValue> = ["properties": .object(TextMap(properties.map { ($0.name, $0.schema.value) }))]
    if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
    if isClosed { members["additionalProperties"] = .bool(false) }
    let leavingOut = properties.compactMap { property in
      property.schema.leavingOut.map { [property.name: $0] as TextMap<JSONValue> }
    }
    if leavingOut.isEmpty { return JSONSchema("object", with: members) }
    let words = leavingOut.map { word -> JSONValue in
      .object(["required": .array(word.keys.map(JSONValue.string)), "properties": .object(word)])
    }
    return JSONSchema("object", with: ["if": .object(["anyOf": .array(words)]), "else": .object(members)])
  }

  /// An object whose every member is such a value, whatever its key.
  package static func map(of value: JSONSchema) -> JSONSchema {
    JSONSchema("object", with: ["additionalProperties": value.value])
  }

  /// What must hold in addition if a member is this word.
  package static func rule(where name: String, is word: String, then schema: JSONSchema) -> JSONValue {
    let word = JSONValue.object([name: .object(["const": .string(word)])])
    return .object([
      "if": .object(["required": .array([.string(name)]), "properties": word]), "then": schema.value,
    ])
  }
}
