// Each session format is written once: in the file of its type for apps, at the end.
//
//     extension WaterSession.Glass: SessionRecord {
//       package enum CodingKeys: String, SessionKey { case at, drink, millilitres = "ml" }
//
//       package static let format = RecordFormat(Self(at: .referenceDate, millilitres: 0))
//
//       package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
//         field(.at, &at)
//         field(.drink, &drink)
//         field(.millilitres, &millilitres, 0...5_000)
//       }
//     }
//
// `Codable` writes the file for apps with the same keys. A property that is not an optional is a required field. The
// agent's reader, the validation of `check` and the schema all come from the description. To add a field, add the
// property, its key and its line.

/// A session file whose type knows its feed, for writers.
public protocol FeedSession: Encodable, Sendable {
  /// The feed's name, such as `tasks`.
  static var feed: String { get }
}

/// An object of a session format.
package protocol SessionRecord: FieldValue, FieldElement where Rule == Void {
  associatedtype CodingKeys: SessionKey
  /// `RecordFormat(…)` of the record that reading starts from.
  static var format: RecordFormat<Self> { get }
  /// What a record of a list is, for warnings.
  static var noun: StaticString { get }
  /// Whether a record that an unknown word leaves out of its list is worth a warning.
  static var warnsOfWords: Bool { get }
  /// The record's title, for warnings; nil: it has none.
  var caption: String? { get }
  /// By what a list finds a second version of a record; nil: it has no id.
  var version: RecordVersion? { get }
  /// Keeps the record's place.
  mutating func begin(at origin: RecordOrigin)
  /// Whether it keeps its place.
  static var keepsOrigin: Bool { get }
  /// Names every field once.
  mutating func describe(to field: inout some FieldVisitor<CodingKeys>)
  /// Finds a broken rule between fields, and mends it if the record is of use without the value. The record that reading
  /// starts from breaks no rule, whatever other fields are read into it.
  mutating func mendRules() -> BrokenRule<CodingKeys>?
}

extension SessionRecord {
  package static var noun: StaticString { "record" }

  package static var warnsOfWords: Bool { true }

  package var caption: String? { nil }

  package var version: RecordVersion? { nil }

  package mutating func begin(at origin: RecordOrigin) {}

  package static var keepsOrigin: Bool { false }

  package mutating func mendRules() -> BrokenRule<CodingKeys>? { nil }
}

/// What two versions of one record in a list have in common: the id, and for samples also the type and the date.
package struct RecordVersion: Hashable {
  package var id: RecordID
  package var type = ""
  package var date = Instant.referenceDate
}

/// A broken rule between the fields of a record.
package struct BrokenRule<Key: SessionKey> {
  /// The key of the value to report.
  package var key: Key
  package var message: String
  /// Whether the record counts all the same.
  package var isMended: Bool
}

/// The keys of a record. Reading is fastest if documents have them in the order of the cases.
package protocol SessionKey: JSONKey, CodingKey {}

/// How a field that is present is used.
package enum FieldUse {
  case kept
  /// The agent validates it and drops it.
  case validated
}

/// Goes over the fields of a record.
package protocol FieldVisitor<Key> {
  associatedtype Key: SessionKey

  mutating func visit<Value: FieldValue>(_ key: Key, _ value: inout Value, _ rule: Value.Rule, _ use: FieldUse)
}

extension FieldVisitor {
  /// Names a field.
  ///
  /// - Parameter rule: what a value must satisfy beyond its type.
  @inline(__always)
  package mutating func callAsFunction<Value: FieldValue>(
    _ key: Key, _ value: inout Value, _ rule: Value.Rule = Value.anything, is use: FieldUse = .kept
  ) {
    visit(key, &value, rule, use)
  }
}

/// What a record's description determines for all its fields together.
package final class RecordFormat<Record: SessionRecord>: Sendable {
  let blank: Record
  let names = JSONNames(of: Record.CodingKeys.self)
  /// The keys by their indices in ``names``.
  let cases = Array(Record.CodingKeys.allCases)
  fileprivate let keys: KeySets<Record.CodingKeys>

  package init(_ blank: Record) {
    self.blank = blank
    var record = blank
    var keys = KeySets<Record.CodingKeys>()
    record.describe(to: &keys)
    self.keys = keys
  }
}

private struct KeySets<Key: SessionKey>: FieldVisitor {
  var required: UInt64 = 0
  var optional: UInt64 = 0

  mutating func visit<Value: FieldValue>(_ key: Key, _: inout Value, _: Value.Rule, _: FieldUse) {
    if Value.isOptional { optional |= key.bit } else { required |= key.bit }
  }
}

extension SessionRecord {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> Self? { decode(&json) }

  /// Reads a record. The reader records its defects.
  package static func decode(_ json: inout JSONReader) -> Self? {
    let (record, isWhole) = read(&json)
    return isWhole ? record : nil
  }

  /// Reads a record as far as it can be read.
  static func read(_ json: inout JSONReader) -> (record: Self, isWhole: Bool) {
    let format = format
    var record = format.blank
    let keys = format.keys
    let isWhole = json.object(format.names, required: keys.required, optional: keys.optional) { json, index in
      withUnsafeMutablePointer(to: &json) { json in
        var reader = MemberReader(json: json, member: format.cases[index])
        record.describe(to: &reader)
      }
    }
    if let broken = record.mendRules() {
      let offset = json.offset(of: broken.key.bit, format.names, required: keys.required)
      if broken.isMended { json.warn(broken.message, at: offset) } else { json.fail(broken.message, at: offset) }
    }
    return (record, isWhole)
  }
}

extension SessionRecord {
  /// The fields of a valid record, for editors. It has no rules between fields.
  package static func schema(_: Void) -> JSONSchema {
    var record = format.blank
    var fields = SchemaFields<CodingKeys>()
    record.describe(to: &fields)
    return .object(fields.properties, required: fields.required)
  }
}

private struct SchemaFields<Key: SessionKey>: FieldVisitor {
  var properties: [(name: String, schema: JSONSchema)] = []
  var required: [String] = []

  mutating func visit<Value: FieldValue>(_ key: Key, _: inout Value, _ rule: Value.Rule, _: FieldUse) {
    properties.append((key.rawValue, Value.schema(rule)))
    if !Value.isOptional { required.append(key.rawValue) }
  }
}

/// Reads the value of the member that the reader is at.
private struct MemberReader<Key: SessionKey>: FieldVisitor {
  let json: UnsafeMutablePointer<JSONReader>
  let member: Key

  @inline(__always)
  mutating func visit<Value: FieldValue>(_ key: Key, _ value: inout Value, _ rule: Value.Rule, _ use: FieldUse) {
    guard key == member, let read = Value.read(&json.pointee, rule, named: key.rawValue),
      use == .kept || json.pointee.wanted == .exported
    else { return }
    value = read
  }
}

extension JSONReader {
  /// The offset of a key's value in the object that was just read.
  fileprivate mutating func offset(of key: UInt64, _ names: JSONNames, required: UInt64) -> Int {
    let object = latest
    return lookingAhead { json in
      var offset: Int?
      json.cursor = object
      _ = json.object(names, required: key & required, optional: key) { json, _ in offset = offset ?? json.valueOffset }
      return offset ?? object - json.start
    }
  }
}
