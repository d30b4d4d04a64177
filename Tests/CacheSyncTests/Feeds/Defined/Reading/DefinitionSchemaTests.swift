import Testing

@testable import CacheSync

@Suite struct DefinitionSchemaTests {
  private func schema() throws -> JSONValue {
    try #require(JSONValue(Array(FeedDefinition.schema.utf8)))
  }

  private func keys(_ value: JSONValue?) -> [String] { value?["properties"]?.object?.keys.sorted() ?? [] }

  private func sorted<Key: RawRepresentable<String> & CaseIterable>(_ keys: Key.Type) -> [String] {
    keys.allCases.map(\.rawValue).sorted()
  }

  @Test("The schema has the keys that the reader has")
  func keys() throws {
    let schema = try schema()
    let defs = schema["$defs"]
    #expect(keys(schema) == sorted(DefinitionReader.FeedKey.self))
    #expect(keys(defs?["items"]) == sorted(DefinitionReader.ItemsKey.self))
    #expect(keys(defs?["field"]?["anyOf"]?[1]) == sorted(DefinitionReader.FieldKey.self))
    #expect(keys(defs?["oneTime"]?["anyOf"]?[1]) == ["allDay", "as", "at", "timeZone"])
    #expect(
      keys(defs?["oneTime"]?["anyOf"]?[2]) == sorted(DefinitionReader.TimeKey.self).filter { $0 != "at" })
    #expect(keys(defs?["condition"]) == sorted(DefinitionReader.ConditionKey.self))
    #expect(keys(defs?["kind"]) == sorted(DefinitionReader.KindKey.self))
    #expect(keys(defs?["rule"]) == sorted(DefinitionReader.ValueKey.self))
  }

  private func words(_ value: JSONValue?) -> [String] { value?["enum"]?.array?.compactMap(\.string) ?? [] }

  @Test("The schema has the words that the reader has")
  func words() throws {
    let schema = try schema()
    let kind = schema["$defs"]?["kind"]?["properties"]
    #expect(words(schema["properties"]?["use"]) == FeedDefinition.Use.allCases.map(\.rawValue))
    #expect(words(schema["properties"]?["words"]?["propertyNames"]) == DefinitionReader.englishWords)
    #expect(words(schema["$defs"]?["reserved"]) == KnownNames.reserved)
    #expect(words(schema["$defs"]?["show"]) == DefinedKind.Show.allCases.map(\.rawValue))
    #expect(words(kind?["reach"]) == DefinedKind.Reach.allCases.map(\.rawValue))
    #expect(words(kind?["template"]) == DefinedKind.Template.allCases.map(\.rawValue))
    let field = schema["$defs"]?["field"]?["anyOf"]?[1]?["properties"]
    #expect(words(field?["as"]) == FieldRule.Conversion.allCases.map(\.rawValue))
  }

  @Test("Every reference of the schema exists in it, and every definition of it is used")
  func references() throws {
    let schema = try schema()
    var used: Set<String> = []
    func walk(_ value: JSONValue) {
      if let name = value["$ref"]?.string { used.insert(String(name.dropFirst("#/$defs/".count))) }
      for inner in value.array ?? [] { walk(inner) }
      for inner in value.object?.values ?? [:].values { walk(inner) }
    }
    walk(schema)
    #expect(used == Set(schema["$defs"]?.object?.keys ?? []))
  }
}
