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
    Wrapped.read(&json, rule, named: name)
  }
}

extension String: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> String? { json.string() }
}

extension Bool: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> Bool? { json.bool() }
}

extension Instant: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> Instant? { json.date() }
}

extension DayReference: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> DayReference? { json.dayReference() }
}

extension RecordID: FieldValue {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> RecordID? { json.recordID() }
}

extension Int: FieldValue {
  package static var anything: ClosedRange<Int> { .min ... .max }

  package static func read(_ json: inout JSONReader, _ range: ClosedRange<Int>, named _: String) -> Int? {
    json.integer(in: range)
  }
}

extension Double: FieldValue {
  package static var anything: ClosedRange<Double> { -.greatestFiniteMagnitude ... .greatestFiniteMagnitude }

  package static func read(_ json: inout JSONReader, _ range: ClosedRange<Double>, named _: String) -> Double? {
    json.number(in: range)
  }
}

extension ClosedRange<Double> {
  static var notNegative: Self { 0 ... .greatestFiniteMagnitude }
}

/// An element of a list in a session file.
package protocol FieldElement: Sendable {
  static func list(_ json: inout JSONReader) -> [Self]
}

extension Array: FieldValue where Element: FieldElement {
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> [Element]? { Element.list(&json) }
}

extension SessionRecord {
  /// Reads the records, without those that are left out.
  package static func list(_ json: inout JSONReader) -> [Self] { json.records(noun) { decode(&$0) } }
}

extension String: FieldElement {
  package static func list(_ json: inout JSONReader) -> [String] { json.list { $0.string() } }
}

/// One of some words: `extension Mode: SessionWord {}`.
package protocol SessionWord: JSONKey, FieldValue where Rule == UnknownWord<Self> {}

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
}
