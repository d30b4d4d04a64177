import CacheSyncSystem
import TestSupport
import Testing

import CacheSync
@testable import CacheSyncFeeds

/// "On input `x?` and `x|null` may be absent or null, which means the same" (contract.md: notation). Tests that for
/// every documented field.
@Suite("Null counts as missing in optional fields only")
struct OptionalFieldsTests {
  @Test("The tables have every field of every feed's documents once", arguments: DocumentedFields.all)
  func tables(_ format: DocumentedFields) throws {
    let tree = try #require(bytes(format.whole).withUnsafeBytes { JSONValue.parse($0) })
    #expect(format.pointers.sorted() == Self.pointers(in: tree).sorted())
    #expect(try Self.reading(format, format.whole).defects == [])
  }

  @Test("The documents have every member of the schemas, which the decoders' descriptions give")
  func everyMember() throws {
    let registry = FeedRegistry.builtIn
    var schemas = Dictionary(grouping: registry.intents.all.map(\.schema)) { _ in "intents" }
    for feed in registry.feeds { schemas[feed.name.description, default: []] += feed.schema.map { [$0] } ?? [] }
    schemas["settings"] = [CacheSettings.schema]
    #expect(Set(DocumentedFields.all.compactMap(\.feed)) == Set(registry.feeds.map(\.name.description)))
    for (subject, schemas) in schemas {
      let documents = DocumentedFields.all.filter { ($0.feed ?? "settings") == subject }
      let documented = Set(documents.flatMap(\.pointers).map { $0.replacing(/\/[0-9]+/, with: "/*") })
      let members = Set(schemas.flatMap { Self.members(of: $0.value) })
      #expect(members.subtracting(documented) == [], "\(subject)")
      #expect(documented.subtracting(members) == [], "\(subject)")
    }
  }

  @Test(
    "Null in an optional field is the same as a missing field, for the agent and its log",
    arguments: DocumentedFields.all)
  func optional(_ format: DocumentedFields) throws {
    for pointer in format.optional {
      let absent = try NutritionFixtures.edited(format.whole, pointer, to: nil)
      let null = try NutritionFixtures.edited(format.whole, pointer, to: .null)
      let expected = try Self.reading(format, absent)
      let found = try Self.reading(format, null)
      #expect(expected.defects == [], "\(pointer)")
      #expect(found.defects == [], "\(pointer)")
      #expect(found.session == expected.session, "\(pointer)")
      let logged = try Self.reading(format, found.pruned)
      #expect(logged.defects == [] && logged.session == expected.session, "\(pointer) in the log")
    }
  }

  @Test(
    "What cannot be read is left out alone: a member that may be missing, or else its record, or else the file",
    arguments: DocumentedFields.all.filter { $0.feed != nil })
  func leftOutAlone(_ format: DocumentedFields) throws {
    let whole = try Self.withOtherRecords(format.whole)
    #expect(try Self.reading(format, whole).warnings == [])
    for pointer in format.pointers {
      let damaged = try NutritionFixtures.edited(whole, pointer, to: Self.wrong(at: pointer, in: whole))
      let found = try Self.reading(format, damaged)
      guard let part = Self.part(around: pointer, format) else {
        #expect(found.defects == [pointer], "\(pointer)")
        continue
      }
      // A session whose end cannot be read has no length; without an end it would be open.
      let rest: JSONValue? = part == "/sessions/0/end" ? .integer(0) : nil
      let without = try Self.reading(format, try NutritionFixtures.edited(whole, part, to: rest))
      #expect(found.defects == [] && found.session == without.session, "\(pointer)")
      #expect(found.warnings == [pointer], "\(pointer)")
      let logged = try Self.reading(format, found.pruned)
      #expect(logged.defects == [] && logged.session == without.session, "\(pointer) in the log")
    }
  }

  @Test("If a file has records and none can be read, it is unusable", arguments: DocumentedFields.all)
  func noRecord(_ format: DocumentedFields) throws {
    for pointer in format.required where pointer.contains(/^(\/[a-z_]+)?\/0(\/[a-zA-Z_]+)?$/) {
      let list = pointer.prefix { !$0.isNumber }.dropLast()
      let isOnlyList = !format.required.contains {
        $0.contains(/^(\/[a-z_]+)?\/0$/) && !$0.hasPrefix(list + "/")
      }
      let damaged = try NutritionFixtures.edited(format.whole, pointer, to: Self.wrong(at: pointer, in: format.whole))
      let expected = isOnlyList ? [pointer] : []
      #expect(try Self.reading(format, damaged).defects == expected, "\(pointer)")
    }
  }

  @Test(
    "A second occurrence of a key makes the file unusable",
    arguments: DocumentedFields.all.filter { $0.feed != nil })
  func secondKey(_ format: DocumentedFields) throws {
    for pointer in format.pointers where pointer.last?.isNumber == false {
      let doubled = try Self.doubled(format.whole, pointer)
      let found = try Self.reading(format, doubled)
      #expect(!found.defects.isEmpty && found.warnings == [], "\(pointer)")
    }
  }

  /// The document with a member twice.
  private static func doubled(_ document: String, _ pointer: String) throws -> String {
    func text(_ value: JSONValue, _ place: String) -> String {
      if let list = value.array {
        return "[" + list.enumerated().map { text($1, "\(place)/\($0)") }.joined(separator: ",") + "]"
      }
      guard let members = value.object else {
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
      }
      return "{"
        + members.flatMap { key, value in
          let member = "\"\(key)\":\(text(value, "\(place)/\(key)"))"
          return "\(place)/\(key)" == pointer ? [member, member] : [member]
        }.joined(separator: ",") + "}"
    }
    return text(try #require(bytes(document).withUnsafeBytes { JSONValue.parse($0) }), "")
  }

  /// The smallest part around a pointer that a file can do without; nil: the file.
  private static func part(around pointer: String, _ format: DocumentedFields) -> String? {
    if format.optional.contains(pointer) || pointer.last?.isNumber == true { return pointer }
    guard let end = pointer.lastIndex(of: "/"), end > pointer.startIndex else { return nil }
    return part(around: String(pointer[..<end]), format)
  }

  /// A value of a type that no member at the pointer has.
  private static func wrong(at pointer: String, in document: String) throws -> JSONValue {
    let tree = try #require(bytes(document).withUnsafeBytes { JSONValue.parse($0) })
    let value = pointer.split(separator: "/").reduce(Optional(tree)) { value, key in
      Int(key).flatMap { value?[$0] } ?? value?[String(key)]
    }
    return value?.array == nil && value?.object == nil ? .array([]) : .integer(5)
  }

  /// The document with one more record in each list of records, which has another id.
  private static func withOtherRecords(_ document: String) throws -> String {
    func other(_ value: JSONValue) -> JSONValue {
      guard var record = value.object else { return value }
      if record["id"] != nil { record["id"] = .string("other") }
      return .object(record)
    }
    func doubled(_ value: JSONValue) -> JSONValue {
      if let list = value.array { return .array(list + list.map(other)) }
      return value.object.map { .object($0.mapValues { $0.array == nil ? $0 : doubled($0) }) } ?? value
    }
    let tree = try #require(bytes(document).withUnsafeBytes { JSONValue.parse($0) })
    var json = JSONWriter()
    json.value(doubled(tree))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private struct Reading {
    /// Everything that the decoder read from the document, as text.
    var session: String
    /// The pointers of the defects. The pointer of a mistyped value, not of a missing one.
    var defects: [String]
    /// Likewise.
    var warnings: [String]
    var pruned: String
  }

  private static func reading(_ format: DocumentedFields, _ text: String) throws -> Reading {
    guard let name = format.feed else {
      return reading(text) { bytes in
        let document = CacheSettings.read(bytes, isTimeZone: { _ in true })
        return DecodedSession(session: document.value, defects: document.defects, pruned: document.pruned)
      }
    }
    let feed = try #require(FeedRegistry.builtIn.feed(named: FeedName(name)))
    return reading(text) { feed.decode($0, at: CachePath("a.json"), pruning: true) }
  }

  private static func reading(_ text: String, _ read: (UnsafeRawBufferPointer) -> DecodedSession) -> Reading {
    bytes(text).withUnsafeBytes { bytes in
      let document = read(bytes)
      let session = described(document.session as Any)
      func pointers(_ defects: [JSONDefect]) -> [String] {
        defects.map { $0.place == .value ? JSONPlace.of($0, in: bytes).pointer : $0.message }
      }
      return Reading(
        session: session, defects: pointers(document.defects), warnings: pointers(document.warnings),
        pruned: document.pruned.map { String(decoding: $0, as: UTF8.self) } ?? text)
    }
  }

  /// A value with everything in it. Equal dictionaries are equal texts, whatever the order of their elements.
  private static func described(_ value: Any) -> String {
    // The place of a record is none of its values.
    if value is RecordOrigin || value is JSONPlace { return "" }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    let children = mirror.children.map { "\($0.label ?? ""): \(described($0.value))" }
    let isOrdered = mirror.displayStyle != .dictionary && mirror.displayStyle != .set
    return "(\((isOrdered ? children : children.sorted()).joined(separator: ", ")))"
  }

  /// The pointers of everything that a schema describes, with `*` for the index of an element.
  private static func members(of schema: JSONValue) -> [String] {
    guard let keywords = schema.object else { return schema.array?.flatMap(members(of:)) ?? [] }
    return keywords.flatMap { keyword, value -> [String] in
      switch "\(keyword)" {
      case "properties":
        (value.object ?? [:]).flatMap { name, inner in
          ["/\(name)"] + members(of: inner).map { "/\(name)" + $0 }
        }
      case "items": ["/*"] + members(of: value).map { "/*" + $0 }
      case "anyOf", "oneOf", "allOf", "then", "else": members(of: value)
      default: []
      }
    }
  }

  /// The pointers of everything in a document.
  private static func pointers(in tree: JSONValue) -> [String] {
    let members: [(String, JSONValue)] =
      tree.object?.map { ($0.key, $0.value) } ?? tree.array?.enumerated().map { ("\($0.offset)", $0.element) } ?? []
    return members.flatMap { key, value in ["/\(key)"] + pointers(in: value).map { "/\(key)" + $0 } }
  }
}
