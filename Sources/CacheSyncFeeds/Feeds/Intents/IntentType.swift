import CacheSyncSystem

/// A type of intent: an action of a person on a feed (feeds.md: types). The feed lists it.
package struct IntentType: Sendable {
  /// The word in the file, and on the command line.
  package let name: String
  /// The feed on which intents of this type act.
  package let feed: FeedName
  /// What it does, for a button.
  package let title: Wording
  /// Its fields, besides `id`, `type` and `at`.
  package let fields: [IntentField]
  /// Its fields as typed on the command line, for the help.
  package let example: String
  /// Turns the fields into the feed's own action.
  let action: @Sendable (IntentValues) -> any Sendable

  /// The names of the fields that every intent has, then of its own.
  let names: JSONNames
  /// The fields that every intent has and its own required ones, as bits of ``names``.
  let required: UInt64

  init(
    _ name: String, on feed: FeedName, _ title: Phrase? = nil, _ fields: [IntentField] = [], example: String = "",
    action: @escaping @Sendable (IntentValues) -> any Sendable
  ) {
    self.name = name
    self.feed = feed
    self.title = title.map { .phrase($0) } ?? .text(name.asHeading)
    self.fields = fields
    self.example = example
    self.action = action
    let keys = Self.common + fields.map(\.name)
    names = JSONNames(keys)
    required = keys.indices.reduce(0) { bits, index in
      index < Self.common.count || fields[index - Self.common.count].isRequired ? bits | 1 << UInt64(index) : bits
    }
  }

  /// The fields that every intent has.
  static let common = ["id", "type", "at"]

  static let commonNames = JSONNames(common)
}

/// The types of intents that a cache knows.
package final class IntentTypes: Sendable {
  package let all: [IntentType]
  fileprivate let names: JSONNames

  init(_ types: [IntentType]) {
    all = types
    names = JSONNames(types.map(\.name))
  }

  /// The type with a name; names compare by their bytes.
  package subscript(name: String) -> IntentType? { all.first { isSameText($0.name, name) } }
}

package struct IntentField: Sendable {
  package enum Value: Sendable {
    case text, day
    /// A number that is not negative.
    case number
    /// A relative path in the cache.
    case path
    /// The id of the one record that the intent names, with the noun for such a record: "food".
    case record(String)
  }

  package let name: String
  package let value: Value
  package let isRequired: Bool
  /// The value of a missing field.
  let defaultValue: Intent.Value?

  static func required(_ name: String, _ value: Value) -> IntentField {
    IntentField(name: name, value: value, isRequired: true, defaultValue: nil)
  }

  static func optional(_ name: String, _ value: Value, defaultValue: Intent.Value? = nil) -> IntentField {
    IntentField(name: name, value: value, isRequired: false, defaultValue: defaultValue)
  }

  /// The file that has the record, for an id that several things have.
  static let file = IntentField.optional("file", .path)
}

/// The fields of one intent's file.
struct IntentValues {
  fileprivate(set) var fields: [String: Intent.Value] = [:]
  /// The record that the intent names.
  fileprivate(set) var target: StoredIntent.Target?

  /// The id of the record that the intent names; empty if its type names none.
  var record: RecordID { target?.id ?? RecordID("") }

  /// The file of the record.
  var file: CachePath? { path("file") }

  func path(_ name: String) -> CachePath? {
    let text = text(name)
    return text.isEmpty ? nil : CachePath(text)
  }

  func text(_ name: String) -> String { if case .text(let text) = fields[name] { text } else { "" } }

  func number(_ name: String) -> Double { if case .number(let number) = fields[name] { number } else { 0 } }

  func day(_ name: String) -> DayReference? { if case .day(let day) = fields[name] { day } else { nil } }

  fileprivate mutating func read(_ field: IntentField, _ json: inout JSONReader) {
    let value =
      field.isRequired ? read(field.value, &json) : json.optionalMember(field.name) { read(field.value, &$0) }
    fields[field.name] = value ?? field.defaultValue
  }

  private mutating func read(_ value: IntentField.Value, _ json: inout JSONReader) -> Intent.Value? {
    switch value {
    case .text: return json.string().map { .text($0) }
    case .path: return json.relativePath().map { .text($0) }
    case .number: return json.number(in: .notNegative).map { .number($0) }
    case .day: return json.dayReference(for: .ofTask).map { .day($0) }
    case .record(let noun):
      let place = json.place(ofValueAt: json.valueOffset)
      target = json.recordID().map { StoredIntent.Target(noun: noun, id: $0, place: place) }
      return target.map { .text($0.id.text) }
    }
  }
}

extension IntentField.Value {
  /// What ``IntentValues`` reads.
  fileprivate var schema: JSONSchema {
    switch self {
    case .text: .text
    case .number: .number(in: .notNegative)
    case .day: .day
    case .path: .path
    case .record: .id
    }
  }
}

extension IntentType {
  /// The file of an intent of this type, for editors.
  package var schema: JSONSchema {
    .object(
      Self.members(type: JSONSchema("string", with: ["const": .string(name)]))
        + fields.map { ($0.name, $0.isRequired ? $0.value.schema : $0.value.schema.orNull) },
      required: Self.common + fields.filter(\.isRequired).map(\.name))
  }

  fileprivate static func members(type: JSONSchema) -> [(name: String, schema: JSONSchema)] {
    [("id", .text), ("type", type), ("at", .date)]
  }
}

extension IntentTypes {
  /// The file of any intent, for editors.
  var schema: JSONSchema {
    let names = all.map(\.name)
    let type = JSONSchema.knownWord(names, leavesOut: true)
    var schema = JSONSchema.object(IntentType.members(type: type), required: IntentType.common)
    schema.keywords["allOf"] = .array(all.map { JSONSchema.rule(where: "type", is: $0.name, then: $0.schema) })
    return schema
  }
}

/// The file of an intent of a known type.
package struct IntentFile {
  private let type: IntentType
  private let id: String
  private let at: Instant
  private let values: IntentValues

  /// What the feed keeps.
  var stored: StoredIntent {
    StoredIntent(id: id, at: at, feed: type.feed, action: type.action(values), target: values.target)
  }

  /// The intent for apps.
  package var intent: Intent { Intent(id: id, at: at, action: Intent.Action(type, values.fields)) }

  /// Reads an intent. It searches the type first, wherever it is, because the fields of other types are unknown fields
  /// here and are ignored.
  ///
  /// If the type of a file is known, only the kinds of that type's feed show a defect. Invalid JSON has no reliable
  /// type, so all kinds that read intents show its defect. They also show the warning about an unknown type: apps learn
  /// new types before the agent does, and such a file has no effect.
  package static func read(_ json: inout JSONReader, knowing types: IntentTypes) -> IntentFile? {
    let ((type, isWhole), unknown) = json.lookingAhead { json in
      json.findingUnknownWord { json in
        var type: IntentType?
        let isObject = json.object(IntentType.commonNames, required: 0, optional: 0b010) { json, _ in
          type = json.word(types.names, named: "type").map { types.all[$0] }
        }
        return (type, isObject && json.isCompleteAndValid)
      }
    }
    if let unknown {
      json.skipValue()
      json.warn("\(unknown.message): this intent has no effect", at: unknown.offset)
      return nil
    }
    if let type, isWhole { json.scope = type.feed }

    var id = ""
    var at = Instant.referenceDate
    var values = IntentValues()
    for field in type?.fields ?? [] { values.fields[field.name] = field.defaultValue }
    let names = type?.names ?? IntentType.commonNames
    let isComplete = json.object(names, required: type?.required ?? 0b111, optional: .max) { json, index in
      switch index {
      case 0: id = json.string() ?? ""
      case 1: _ = json.word(types.names)
      case 2: at = json.date(for: .stamp, named: "at") ?? .referenceDate
      default: if let type { values.read(type.fields[index - IntentType.common.count], &json) }
      }
    }
    guard isComplete, let type else { return nil }
    return IntentFile(type: type, id: id, at: at, values: values)
  }
}
