// Each part of a definition is described once, as a shape:
//
//     extension Shape where Value == FieldRule {
//       static func field(_ name: String) -> Shape {
//         object { member in
//           var field = FieldRule(name, from: [])
//           member("from", &field.from, .paths(.item), is: .required)
//           member("scale", &field.scale, .number, "A factor.")
//           return field
//         }
//       }
//     }
//
// The reader, the schema and the test of the manual's tables come from it. To add a member, add the property and its line.

/// What a value of a definition may be: how it is read, and what editors know of it.
package struct Shape<Value> {
  package typealias Reading = (DefinitionReader, LocatedValue) -> Value?

  package let schema: (SchemaParts) -> JSONSchema
  /// Reads a value; nil after a defect, which the reader records.
  package let read: Reading

  init(in schema: @escaping (SchemaParts) -> JSONSchema, read: @escaping Reading) {
    self.schema = schema
    self.read = read
  }

  package init(_ schema: @escaping @autoclosure () -> JSONSchema, read: @escaping Reading) {
    self.init(in: { _ in schema() }, read: read)
  }

  /// A value of which nil is a defect.
  ///
  /// - Parameter expected: what is expected in its place, for messages.
  init(
    _ schema: @escaping @autoclosure () -> JSONSchema, expecting expected: String,
    _ value: @escaping (LocatedValue) -> Value?
  ) {
    self.init(schema()) { reader, place in
      let read = value(place)
      if read == nil { reader.fail(expecting: expected, at: place) }
      return read
    }
  }

  /// A text that means something.
  ///
  /// - Parameters:
  ///   - expected: what is expected in place of anything else, for messages.
  ///   - meaning: nil for a text without one.
  static func text(_ expected: String, meaning: @escaping (String) -> Value?) -> Shape {
    Shape<String>.text(expected).then { reader, value, text in
      let read = meaning(text)
      if read == nil { reader.fail("expected \(expected), found \(quotedName(text))", at: value) }
      return read
    }
  }

  /// An object, whose members the function names one by one. It runs with nothing to read when they are described: every
  /// member is nil then, and it must not return before the last one.
  ///
  /// - Parameters:
  ///   - rules: the keywords of what is valid beyond the members, for editors.
  ///   - nullable: the members of which null is a value. Others that are null count as missing.
  package static func object(
    _ rules: @escaping @autoclosure () -> String = "{}", nullable: [String] = [],
    _ name: @escaping (inout Members) -> Value?
  ) -> Shape {
    Shape(in: { parts in
      var members = Members(parts: parts)
      _ = name(&members)
      var schema = JSONSchema.object(members.properties, required: members.required, isClosed: true)
      schema.add(rules())
      return schema
    }) { reader, value in
      guard let found = reader.members(value) else { return nil }
      var members = Members(reader: reader, object: value)
      members.found = found.filter { !$0.value.isNull || nullable.contains($0.key) }
      let read = name(&members)
      members.refuseOthers(of: found)
      return read
    }
  }

  /// A list of values.
  ///
  /// - Parameters:
  ///   - expected: what is expected where a value is not a list, for messages.
  ///   - empty: the defect of a list without elements; nil: it is valid.
  package static func list<Element>(
    of element: Shape<Element>, most: Int = DefinitionReader.most, _ expected: String = "an array", empty: String? = nil
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
    names: @escaping @autoclosure () -> String? = nil,
    accepts: @escaping (DefinitionReader, LocatedMember) -> Bool = { _, _ in true }
  ) -> Shape where Value == [(key: String, value: Element)] {
    Shape(in: { parts in
      let value = element("").schema(parts)
      var map = JSONSchema.map(of: nulls ? value.orNull : value)
      if most < .max { map.keywords["maxProperties"] = .integer(most) }
      if let names = names() { map.add(#"{ "propertyNames": \#(names) }"#) }
      return map
    }) { reader, value in
      guard let members = reader.members(value, most: most, what) else { return nil }
      return members.compactMap { member in
        guard accepts(reader, member), !nulls || !member.value.isNull else { return nil }
        return element(member.key).read(reader, member.value).map { (member.key, $0) }
      }
    }
  }

  /// This value, or the other one where a value says so.
  func or(_ other: Shape, if isOther: @escaping (LocatedValue) -> Bool) -> Shape {
    Shape(in: { .any(of: [schema($0), other.schema($0)]) }) { (isOther($1) ? other : self).read($0, $1) }
  }

  /// What a value means, or nil and a defect.
  func then<New>(_ next: @escaping (DefinitionReader, LocatedValue, Value) -> New?) -> Shape<New> {
    Shape<New>(in: schema) { reader, value in read(reader, value).flatMap { next(reader, value, $0) } }
  }

  func map<New>(_ transform: @escaping (Value) -> New?) -> Shape<New> { then { _, _, value in transform(value) } }

  /// The same value, of which editors know more.
  package func with(_ keywords: @escaping @autoclosure () -> String) -> Shape {
    let add = { (parts: SchemaParts) in
      var known = schema(parts)
      known.add(keywords())
      return known
    }
    return Shape(in: add, read: read)
  }

  /// The same value, whose schema stands once in the document, under a name.
  func named(_ name: String) -> Shape { Shape(in: { $0.reference(name, schema) }, read: read) }
}
