// Each part of a definition is described once, as a shape:
//
//     extension Shape where Value == FieldRule {
//       static func field(_ name: String) -> Shape {
//         object { member in
//           var field = FieldRule(name, from: [])
//           field.from = member("from", .paths(.item), is: .required) ?? []
//           field.scale = member("scale", .number, "A factor.")
//           return field
//         }
//       }
//     }
//
// The reader, the schema and the test of the manual's tables come from it. To add a member, add the property and its line.

/// What a value of a definition may be: how it is read, and what editors know of it.
struct Shape<Value> {
  typealias Reading = (DefinitionReader, LocatedValue) -> Value?

  let schema: (SchemaParts) -> JSONSchema
  /// Reads a value; nil after a defect, which the reader records.
  let read: Reading
  /// Whether null is a value. If not, a member that is null counts as missing.
  let takesNull: Bool

  init(in schema: @escaping (SchemaParts) -> JSONSchema, takesNull: Bool = false, read: @escaping Reading) {
    self.schema = schema
    self.read = read
    self.takesNull = takesNull
  }

  init(_ schema: @escaping @autoclosure () -> JSONSchema, takesNull: Bool = false, read: @escaping Reading) {
    self.init(in: { _ in schema() }, takesNull: takesNull, read: read)
  }

  /// An object, whose members the function names one by one. It runs with nothing to read when they are described: every
  /// member is nil then, and it must not return before the last one.
  ///
  /// - Parameter rules: the keywords of what is valid beyond the members, for editors.
  static func object(
    _ rules: @escaping @autoclosure () -> String = "{}", _ name: @escaping (inout Members) -> Value?
  ) -> Shape {
    Shape(in: { parts in
      var members = Members(in: parts)
      _ = name(&members)
      var schema = JSONSchema.object(members.properties, required: members.required, isClosed: true)
      schema.add(rules())
      return schema
    }) { reader, value in
      guard let found = reader.members(value) else { return nil }
      var members = Members(of: value, found, reader)
      let read = name(&members)
      members.refuseOthers()
      return read
    }
  }

  /// A list of values.
  ///
  /// - Parameters:
  ///   - expected: what is expected where a value is not a list, for messages.
  ///   - empty: the defect of a list without elements; nil: it is valid.
  static func list<Element>(
    of element: Shape<Element>, most: Int = DefinitionReader.most, _ expected: String = "an array",
    empty: String? = nil
  ) -> Shape where Value == [Element] {
    Shape(in: { parts in
      var list = JSONSchema.list(of: element.schema(parts))
      list.keywords["maxItems"] = .integer(most)
      if empty != nil { list.keywords["minItems"] = .integer(1) }
      return list
    }) { reader, value in
      guard let elements = value.elements else {
        reader.fail(expecting: expected, at: value)
        return nil
      }
      if elements.count > most { reader.fail("more than \(most) elements", at: elements[most]) }
      if elements.isEmpty, let empty { reader.fail(empty, at: value) }
      return elements.compactMap { element.read(reader, $0) }
    }
  }

  /// A value, or a list of values; those that cannot be read are missing.
  func orList(empty: String? = nil) -> Shape<[Value]> {
    let list = Shape<[Value]>.list(of: self, empty: empty)
    return Shape<[Value]>(in: { .any(of: [schema($0), list.schema($0)]) }) { reader, value in
      (value.kind == .array ? list.read(reader, value) : read(reader, value).map { [$0] }) ?? []
    }
  }

  /// An object whose keys the definition chooses.
  ///
  /// - Parameters:
  ///   - names: which keys are valid, for editors.
  ///   - accepts: whether a key is valid; if not, it records the defect, and the value is not read.
  static func members<Element>(
    of element: @escaping (String) -> Shape<Element>, most: Int = .max, _ what: String = "members", nulls: Bool = true,
    names: String? = nil, accepts: @escaping (DefinitionReader, LocatedMember) -> Bool = { _, _ in true }
  ) -> Shape where Value == [(key: String, value: Element)] {
    Shape(in: { parts in
      let value = element("").schema(parts)
      var map = JSONSchema.map(of: nulls ? value.orNull : value)
      if most < .max { map.keywords["maxProperties"] = .integer(most) }
      if let names { map.add(#"{ "propertyNames": \#(names) }"#) }
      return map
    }) { reader, value in
      guard let members = reader.members(value, most: most, what) else { return nil }
      return members.compactMap { member in
        if nulls, member.value.isNull { return nil }
        guard accepts(reader, member) else { return nil }
        return element(member.key).read(reader, member.value).map { (member.key, $0) }
      }
    }
  }

  /// This value, or the other one where a value says so.
  func or(_ other: Shape, if isOther: @escaping (LocatedValue) -> Bool) -> Shape {
    Shape(in: { .any(of: [schema($0), other.schema($0)]) }, takesNull: takesNull) {
      (isOther($1) ? other : self).read($0, $1)
    }
  }

  /// What a value means, or nil and a defect.
  func then<New>(_ next: @escaping (DefinitionReader, LocatedValue, Value) -> New?) -> Shape<New> {
    Shape<New>(in: schema) { reader, value in read(reader, value).flatMap { next(reader, value, $0) } }
  }

  func map<New>(_ transform: @escaping (Value) -> New?) -> Shape<New> { then { _, _, value in transform(value) } }

  /// The same value, of which editors know more.
  func with(_ keywords: String) -> Shape {
    let add = { (parts: SchemaParts) in
      var known = schema(parts)
      known.add(keywords)
      return known
    }
    return Shape(in: add, takesNull: takesNull, read: read)
  }

  /// The same value, whose schema stands once in the document, under a name.
  func named(_ name: String) -> Shape {
    Shape(in: { $0.reference(name, schema) }, takesNull: takesNull, read: read)
  }

  /// The value itself, which its owner reads later.
  var unread: Shape<LocatedValue> { Shape<LocatedValue>(in: schema) { _, value in value } }
}

/// The schemas of a document to which others refer by name.
final class SchemaParts {
  private(set) var definitions: TextMap<JSONValue> = [:]

  fileprivate func reference(_ name: String, _ schema: (SchemaParts) -> JSONSchema) -> JSONSchema {
    if definitions[name] == nil {
      // While it is made, it may refer to itself.
      definitions[name] = .null
      definitions[name] = schema(self).value
    }
    return JSONSchema(with: ["$ref": .string("#/$defs/\(name)")])
  }
}

extension JSONSchema {
  /// Adds keywords, which are the members of an object in JSON.
  fileprivate mutating func add(_ json: String) {
    for (key, value) in JSONValue(Array(json.utf8))?.object ?? [:] { keywords[key] = value }
  }
}

/// The members of an object, while they are read or described.
struct Members {
  enum Use {
    /// It may be missing, or null.
    case optional
    case required
    /// It excludes others, or needs them, so the object says whether it may be missing.
    case alternative
  }

  /// Nil while the members are described; so is ``object``.
  let reader: DefinitionReader?
  let object: LocatedValue?
  private let parts: SchemaParts
  private let found: [LocatedMember]
  private var names: [String] = []
  private var refused: [String] = []
  fileprivate private(set) var properties: [(name: String, schema: JSONSchema)] = []
  fileprivate private(set) var required: [String] = []

  fileprivate init(in parts: SchemaParts) {
    (reader, object, found) = (nil, nil, [])
    self.parts = parts
  }

  fileprivate init(of object: LocatedValue, _ found: [LocatedMember], _ reader: DefinitionReader) {
    self.reader = reader
    self.object = object
    self.found = found
    parts = SchemaParts()
  }

  /// Names a member, and reads it.
  ///
  /// - Parameter about: what editors say of it.
  @discardableResult
  mutating func callAsFunction<Value>(
    _ key: String, _ shape: Shape<Value>, _ about: String? = nil, is use: Use = .optional
  ) -> Value? {
    names.append(key)
    guard let reader else {
      var schema = shape.schema(parts)
      if use == .optional { schema = schema.orNull }
      if let about { schema.keywords["description"] = .string(about) }
      properties.append((key, schema))
      if use == .required { required.append(key) }
      return nil
    }
    guard let member = found.first(where: { isSameText($0.key, key) }), shape.takesNull || !member.value.isNull else {
      if use == .required { fail(missing: key) }
      return nil
    }
    return refused.contains(key) ? nil : shape.read(reader, member.value)
  }

  /// A member's value; nil if it is missing or null.
  subscript(key: String) -> LocatedValue? {
    found.first { isSameText($0.key, key) && !$0.value.isNull }?.value
  }

  /// Of members that exclude each other, the first in the document. The others are not read.
  ///
  /// - Parameter nullable: those of which null is a value.
  mutating func first(of keys: [String], nullable: [String] = [], _ message: (String) -> String) -> String? {
    let present = present(keys, nullable)
    for member in present.dropFirst() { refuse(member, message(member.key)) }
    return present.first?.key
  }

  /// Refuses members that do not go with another one. They are not read.
  mutating func refuse(_ keys: [String], nullable: [String] = [], _ message: (String) -> String) {
    for member in present(keys, nullable) { refuse(member, message(member.key)) }
  }

  private func present(_ keys: [String], _ nullable: [String]) -> [LocatedMember] {
    found.filter { member in
      keys.contains(member.key) && !refused.contains(member.key)
        && (!member.value.isNull || nullable.contains(member.key))
    }
  }

  private mutating func refuse(_ member: LocatedMember, _ message: String) {
    reader?.fail(message, at: member.value)
    refused.append(member.key)
  }

  func fail(missing key: String, _ advice: String = "") {
    if let object { reader?.fail(missing: key, in: object, advice) }
  }

  /// Records a defect of a member's value, or of the object if there is none.
  func fail(_ message: String, at key: String? = nil) {
    guard let place = key.flatMap({ self[$0] }) ?? object else { return }
    reader?.fail(message, at: place)
  }

  /// Records a defect for each member that was not named.
  fileprivate func refuseOthers() {
    for member in found where !names.contains(where: { isSameText($0, member.key) }) {
      let advice = reader?.advice(for: member.key, among: names) ?? ""
      reader?.fail("unknown key \(quotedName(member.key))\(advice)", atKeyOf: member)
    }
  }
}
