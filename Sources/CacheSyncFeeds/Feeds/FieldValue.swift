/// The value of a session's field.
package protocol FieldValue {
  /// What a value must satisfy beyond its type.
  associatedtype Rule = Void
  static var anything: Rule { get }
  /// Whether the field may be missing, or null.
  static var isOptional: Bool { get }

  /// Reads a value; nil after a defect or an unknown word, which the reader records.
  ///
  /// - Parameter name: the field's name, for messages.
  static func read(_ json: inout JSONReader, _ rule: Rule, named name: String) -> Self?

  /// What ``read(_:_:named:)`` accepts, for editors.
  static func schema(_ rule: Rule) -> JSONSchema
}

extension FieldValue {
  package static var isOptional: Bool { false }
}

extension FieldValue where Rule == Void {
  package static var anything: Void { () }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  package static var anything: Wrapped.Rule { Wrapped.anything }
  package static var isOptional: Bool { true }

  @inline(__always)
  package static func read(_ json: inout JSONReader, _ rule: Wrapped.Rule, named name: String) -> Wrapped?? {
    json.optionalMember(name) { Wrapped.read(&$0, rule, named: name) }
  }

  package static func schema(_ rule: Wrapped.Rule) -> JSONSchema { Wrapped.schema(rule).orNull }
}

extension String: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> String? { json.string() }

  package static func schema(_: Void) -> JSONSchema { .text }
}

extension Bool: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> Bool? { json.bool() }

  package static func schema(_: Void) -> JSONSchema { .flag }
}

extension Instant: FieldValue {
  package static var anything: DateUse { .anything }

  package static func read(_ json: inout JSONReader, _ use: DateUse, named name: String) -> Instant? {
    json.date(for: use, named: name)
  }

  package static func schema(_ use: DateUse) -> JSONSchema { use == .start ? .start : use == .end ? .end : .date }
}

extension DayReference: FieldValue {
  package static var anything: DateUse { .anything }

  package static func read(_ json: inout JSONReader, _ use: DateUse, named _: String) -> DayReference? {
    json.dayReference(for: use)
  }

  package static func schema(_: DateUse) -> JSONSchema { .day }
}

extension WrittenDay: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> WrittenDay? { json.writtenDay() }

  package static func schema(_: Void) -> JSONSchema { .dayOrMoment }
}

extension RecordID: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> RecordID? { json.recordID() }

  package static func schema(_: Void) -> JSONSchema { .id }
}

extension Int: FieldValue {
  package static var anything: ClosedRange<Int> { .min ... .max }

  package static func read(_ json: inout JSONReader, _ range: ClosedRange<Int>, named _: String) -> Int? {
    json.integer(in: range)
  }

  package static func schema(_ range: ClosedRange<Int>) -> JSONSchema { .integer(in: range) }
}

extension Double: FieldValue {
  package static var anything: ClosedRange<Double> { -.greatestFiniteMagnitude ... .greatestFiniteMagnitude }

  package static func read(_ json: inout JSONReader, _ range: ClosedRange<Double>, named _: String) -> Double? {
    json.number(in: range)
  }

  package static func schema(_ range: ClosedRange<Double>) -> JSONSchema { .number(in: range) }
}

extension ClosedRange<Double> {
  static var notNegative: Self { 0 ... .greatestFiniteMagnitude }
}

/// An element of a list in a session file.
package protocol FieldElement: Sendable {
  /// - Parameter name: the name of the list, for places.
  static func list(_ json: inout JSONReader, named name: String) -> [Self]
  /// What an element may be, for editors.
  static var element: JSONSchema { get }
}

extension Array: FieldValue where Element: FieldElement {
  package static func read(_ json: inout JSONReader, _: Void, named name: String) -> [Element]? {
    Element.list(&json, named: name)
  }

  package static func schema(_: Void) -> JSONSchema { .list(of: Element.element) }
}

extension SessionRecord {
  /// Reads the records, without those that are left out. Of two versions of one thing the later one counts.
  package static func list(_ json: inout JSONReader, named name: String) -> [Self] {
    let list = json.depth == 0 ? "" : "/" + name
    var records: [Self] = []
    /// The records that have ids, with their offsets.
    var known: [RecordVersion: (place: Int, offset: Int)] = [:]
    /// Those of which a later version follows.
    var replaced: [(place: Int, offset: Int)] = []
    var index: Int32 = -1
    _ = json.array { json in
      index += 1
      let offset = json.valueOffset
      let found = json.element(noun, warnsOfWords: warnsOfWords, title: { $0.caption }) { read(&$0) }
      guard var record = consume found else { return }
      if keepsOrigin {
        let (line, column) = json.position(of: offset)
        record.begin(at: RecordOrigin(line: line, column: column, list: list, index: index))
      }
      if let version = record.version, let earlier = known.updateValue((records.count, offset), forKey: version) {
        replaced.append(earlier)
      }
      records.append(record)
    }
    for (place, offset) in replaced {
      let (id, title) = (records[place].version?.id.text ?? "", records[place].caption ?? "")
      let name = title.isEmpty ? "" : "\(JSONMessage.quoted(title)): "
      json.warn(
        "\(name)a later \(noun) has the same id \(JSONMessage.quoted(id)): this \(noun) is left out", at: offset)
    }
    let gone = Set(replaced.map(\.place))
    return gone.isEmpty ? records : records.indices.filter { !gone.contains($0) }.map { records[$0] }
  }

  package static var element: JSONSchema { schema(()) }
}

extension String: FieldElement {
  package static func list(_ json: inout JSONReader, named _: String) -> [String] {
    json.list { json in
      json.element("text") { json in
        let text = json.string()
        return (text ?? "", text != nil)
      }
    }
  }

  package static var element: JSONSchema { .text }
}

/// One of some words: `extension Mode: SessionWord { package static let words = JSONWords<Self>() }`.
package protocol SessionWord: JSONWord, FieldValue where Rule == UnknownWord<Self> {}

/// The meaning of a text that is not one of the words.
package enum UnknownWord<Word: Sendable>: Sendable {
  /// None: it leaves the record out.
  case leavesOut
  /// One of the words, or nil, with a warning.
  case countsAs(Word?)
}

extension SessionWord {
  package static var anything: UnknownWord<Self> { .leavesOut }

  package static func read(_ json: inout JSONReader, _ unknown: UnknownWord<Self>, named name: String) -> Self? {
    switch unknown {
    case .leavesOut: json.word(Self.self, named: name)
    case .countsAs(let word): json.word(Self.self, named: name, unknown: word)
    }
  }

  package static func schema(_ unknown: UnknownWord<Self>) -> JSONSchema {
    let leavesOut = if case .leavesOut = unknown { true } else { false }
    return .knownWord(allCases.map(\.rawValue), leavesOut: leavesOut)
  }
}
