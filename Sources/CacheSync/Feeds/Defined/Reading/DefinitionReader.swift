import CacheSyncSystem

/// Reads the tree of one definition, and records every defect with its place.
///
/// Each function returns what it could read, so that reading continues after a defect. The results count only if there
/// are no defects at the end.
struct DefinitionReader {
  let document: UnsafeRawBufferPointer
  let name: String
  let reserved: ReservedNames
  let isTimeZone: (String) -> Bool
  private(set) var defects: [JSONDefect]
  private(set) var warnings: [JSONDefect] = []

  /// How many fields, values, texts and elements of most lists a definition may have (definitions.md section 5).
  static let most = 64
  /// How many members a map may have, and how many values `in` may have.
  static let mostInMap = 1_000
  /// How many bytes a text, a path or a pattern may have, and how many a name.
  static let longestText = 4_096
  static let longestName = 64
  /// People do not read more advice than this, and finding the nearest of many names takes time.
  private static let mostAdvice = 20

  init(
    _ document: UnsafeRawBufferPointer, _ defects: [JSONDefect], name: String, reserved: ReservedNames,
    isTimeZone: @escaping (String) -> Bool
  ) {
    self.document = document
    self.defects = defects
    self.name = name
    self.reserved = reserved
    self.isTimeZone = isTimeZone
  }

  // MARK: Defects

  mutating func fail(_ message: String, at value: LocatedValue) {
    fail(message, at: value.offset)
  }

  mutating func fail(_ message: String, at offset: Int) {
    defects.append(JSONDefect(offset: offset, message: message, place: .value))
  }

  mutating func warn(_ message: String, at value: LocatedValue) {
    warnings.append(JSONDefect(offset: value.offset, message: message, place: .value))
  }

  /// Records a defect of a member that should not be there, or not under this name. The defect is at its key.
  mutating func fail(_ message: String, atKeyOf member: LocatedMember) {
    defects.append(JSONDefect(offset: member.keyOffset, message: message, place: .key(member.key)))
  }

  mutating func fail(missing field: String, in object: LocatedValue, _ advice: String = "") {
    let message = "missing field '\(field)'\(advice)"
    defects.append(JSONDefect(offset: object.offset, message: message, place: .missing(field)))
  }

  /// Records a defect inside a string.
  mutating func fail(_ defect: TextDefect, in string: LocatedValue) {
    fail(defect.message, at: document.offset(ofByte: defect.offset, inStringAt: string.offset))
  }

  mutating func fail(expecting expected: String, at value: LocatedValue) {
    if !value.isBroken { fail("expected \(expected), found \(value.description)", at: value) }
  }

  /// "; 'title'?", or an empty text if no name is similar.
  func advice(for word: String, among names: [String]) -> String {
    guard defects.count < Self.mostAdvice else { return "" }
    return NearestName.of(word, among: names).map { "; \(quotedName($0))?" } ?? ""
  }

  // MARK: Containers

  /// The members of an object by their keys. Null counts as missing, except for `nullable` keys. Unknown keys are
  /// defects.
  mutating func object<Key: RawRepresentable<String> & CaseIterable & Hashable>(
    _ value: LocatedValue, _ keys: Key.Type, nullable: Set<Key> = []
  ) -> [Key: LocatedValue]? {
    guard let members = members(value) else { return nil }
    var result: [Key: LocatedValue] = [:]
    for member in members {
      guard let key = Key(rawValue: member.key) else {
        let advice = advice(for: member.key, among: Key.allCases.map(\.rawValue))
        fail("unknown key \(quotedName(member.key))\(advice)", atKeyOf: member)
        continue
      }
      if !member.value.isNull || nullable.contains(key) { result[key] = member.value }
    }
    return result
  }

  /// The members of an object whose keys are names that the definition chooses.
  mutating func members(_ value: LocatedValue, most: Int = .max, _ what: String = "members") -> [LocatedMember]? {
    guard let members = value.members else {
      fail(expecting: "an object", at: value)
      return nil
    }
    if members.count > most { fail("more than \(most) \(what)", atKeyOf: members[most]) }
    return members
  }

  mutating func array(_ value: LocatedValue, most: Int = most, _ expected: String = "an array") -> [LocatedValue]? {
    guard let elements = value.elements else {
      fail(expecting: expected, at: value)
      return nil
    }
    if elements.count > most { fail("more than \(most) elements", at: elements[most]) }
    return elements
  }

  /// The elements of an array, or the value itself.
  mutating func oneOrMore(_ value: LocatedValue) -> [LocatedValue] {
    guard value.kind == .array else { return [value] }
    let elements = array(value) ?? []
    if elements.isEmpty { fail("expected at least one element", at: value) }
    return elements
  }
}
