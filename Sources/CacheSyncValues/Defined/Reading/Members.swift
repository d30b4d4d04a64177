/// The members of an object, while they are read or described.
package struct Members {
  package enum Use {
    /// It may be missing, or null.
    case optional
    case required
    /// It excludes others, or needs them, so the object says whether it may be missing.
    case alternative
  }

  /// Nil while the members are described; so is ``object``.
  private(set) var reader: DefinitionReader?
  private(set) var object: LocatedValue?
  var parts = SchemaParts()
  /// Those that are not missing.
  var found: [LocatedMember] = []
  var names: [String] = []
  var refused: [String] = []
  var properties: [(name: String, schema: JSONSchema)] = []
  var required: [String] = []

  /// Names a member, and reads it.
  ///
  /// - Parameters:
  ///   - shape: made only for a member that is there.
  ///   - about: what editors say of it.
  @discardableResult
  package mutating func callAsFunction<Value>(
    _ key: String, _ shape: @autoclosure () -> Shape<Value>, _ about: String? = nil, is use: Use = .optional
  ) -> Value? {
    names.append(key)
    guard let reader else {
      var schema = shape().schema(parts)
      if use == .optional { schema = schema.orNull }
      if let about { schema.keywords["description"] = .string(about) }
      properties.append((key, schema))
      if use == .required { required.append(key) }
      return nil
    }
    guard let value = self[key] else {
      if use == .required { fail(missing: key) }
      return nil
    }
    return refused.contains(key) ? nil : shape().read(reader, value)
  }

  /// Names a member, and reads it into a property, which keeps its value if there is none.
  package mutating func callAsFunction<Value>(
    _ key: String, _ property: inout Value, _ shape: @autoclosure () -> Shape<Value>, _ about: String? = nil,
    is use: Use = .optional
  ) {
    property = self(key, shape(), about, is: use) ?? property
  }

  package mutating func callAsFunction<Value>(
    _ key: String, _ property: inout Value?, _ shape: @autoclosure () -> Shape<Value>, _ about: String? = nil
  ) {
    property = self(key, shape(), about) ?? property
  }

  /// A member's value; nil if it is missing.
  subscript(key: String) -> LocatedValue? { found.first { isSameText($0.key, key) }?.value }

  /// Of members that exclude each other, the first in the document. The others are refused.
  mutating func first(of keys: [String], _ message: (String) -> String) -> String? {
    let first = found.first { keys.contains($0.key) && !refused.contains($0.key) }?.key
    refuse(keys.filter { $0 != first }, message)
    return first
  }

  /// Refuses members that do not go with another one. They are not read.
  mutating func refuse(_ keys: [String], _ message: (String) -> String) {
    for member in found where keys.contains(member.key) && !refused.contains(member.key) {
      reader?.fail(message(member.key), at: member.value)
      refused.append(member.key)
    }
  }

  func fail(missing key: String, _ advice: String = "") {
    if let object { reader?.fail(missing: key, in: object, advice) }
  }

  /// Records a defect of a member's value, or of the object if there is none.
  package func fail(_ message: String, at key: String? = nil) {
    guard let place = key.flatMap({ self[$0] }) ?? object else { return }
    reader?.fail(message, at: place)
  }

  /// Records a defect for each member that was not named.
  func refuseOthers(of found: [LocatedMember]) {
    for member in found where !names.contains(where: { isSameText($0, member.key) }) {
      let advice = reader?.advice(forKey: member.key, among: names) ?? ""
      reader?.fail("unknown key \(quotedName(member.key))\(advice)", atKeyOf: member)
    }
  }
}

/// The schemas of a document to which others refer by name.
package final class SchemaParts {
  private(set) var definitions: TextMap<JSONValue> = [:]

  package init() {}

  func reference(_ name: String, _ schema: (SchemaParts) -> JSONSchema) -> JSONSchema {
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
  mutating func add(_ json: String) {
    for (key, value) in JSONValue(Array(json.utf8))?.object ?? [:] { keywords[key] = value }
  }
}
