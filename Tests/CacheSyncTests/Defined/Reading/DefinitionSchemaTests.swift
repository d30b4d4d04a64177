import Foundation
import Testing

import CacheSync

@Suite struct DefinitionSchemaTests {
  private let schema = FeedDefinition.schema.value

  /// The members of an object as the manual writes them: with a question mark where one may be missing.
  private func members(_ object: JSONValue?) -> Set<String> {
    let required = object?["required"]?.array?.compactMap(\.string) ?? []
    return Set((object?["properties"]?.object?.keys ?? []).map { required.contains($0) ? $0 : $0 + "?" })
  }

  private func definition(_ name: String) -> JSONValue? { schema["$defs"]?[name] }

  private func section(_ heading: String) throws -> Substring {
    let page = ReferenceExampleTests.project.appendingPathComponent("docs/reference/definitions.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "\n\(heading)\n")).upperBound
    return text[start...].prefix(upTo: text.range(of: "\n#", range: start..<text.endIndex)?.lowerBound ?? text.endIndex)
  }

  /// The words in the first column of a section's first table.
  private func rows(_ heading: String) throws -> Set<String> {
    let rows = try section(heading).split(separator: "\n").drop { !$0.hasPrefix("| ") }.prefix { $0.hasPrefix("| ") }
    return Set(rows.dropFirst(2).flatMap { $0.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) } })
  }

  @Test("The manual's tables have the members of a definition, and say which may be missing")
  func tables() throws {
    #expect(try rows("## 2. The definition") == members(schema))
    #expect(try rows("### items") == members(schema["properties"]?["items"]))
    #expect(try rows("### field") == members(definition("field")?["anyOf"]?[1]))
    #expect(try rows("## 3. Kinds") == members(definition("kind")))
    #expect(try rows("### show") == Set(DefinedKind.Show.allCases.map(\.rawValue)))
    #expect(try rows("### template") == Set(DefinedKind.Template.allCases.map(\.rawValue)))
  }

  @Test("The manual names every member of times, conditions, values and tones")
  func sections() throws {
    let parts = [
      ("### time", definition("oneTime")?["anyOf"]?[1]), ("### cond", definition("condition")),
      ("### values", definition("rule")), ("### tone", definition("kind")?["properties"]?["tone"]?["items"]),
    ]
    for (heading, object) in parts {
      let words = try Set(section(heading).matches(of: /[A-Za-z]+/).map { String($0.0) })
      let names = Set(object?["properties"]?.object?.keys ?? [])
      #expect(!names.isEmpty && names.subtracting(words) == [], "\(heading)")
    }
  }

  @Test("Every reference of the schema exists in it, and every definition of it is used")
  func references() throws {
    var used: Set<String> = []
    func walk(_ value: JSONValue) {
      if let name = value["$ref"]?.string { used.insert(String(name.dropFirst("#/$defs/".count))) }
      for inner in value.array ?? [] { walk(inner) }
      for inner in value.object?.values ?? [:].values { walk(inner) }
    }
    walk(schema)
    #expect(used == Set(schema["$defs"]?.object?.keys ?? []))
  }

  @Test("Every keyword that is written as JSON is in the schema")
  func keywords() {
    #expect(definition("kind")?["allOf"]?.array?.count == DefinedKind.Template.allCases.count)
    #expect(definition("rule")?["oneOf"]?.array?.count == 11)
    #expect(definition("condition")?["maxProperties"]?.int == 2)
    #expect(schema["properties"]?["marks"]?["uniqueItems"] == .bool(true))
  }
}
