import CacheSyncSystem

/// Reads the tree of one definition, and records every defect with its place.
///
/// Each function gives what it could read, so that the reading goes on after a defect; what it gives counts only when there
/// is none at the end.
struct DefinitionReader {
  let document: UnsafeRawBufferPointer
  let name: String
  let reserved: ReservedNames
  let isTimeZone: (String) -> Bool
  private(set) var defects: [JSONDefect]
  private(set) var warnings: [JSONDefect] = []

  /// How many of a definition's fields, values, texts and members of most lists there may be (definitions.md section 5).
  static let most = 64
  /// How many members of a map there may be, and values of `in`.
  static let mostInMap = 1_000
  /// Bytes of a text, path, pattern or name of something.
  static let longestText = 4_096
  static let longestName = 64
  /// More advice is not read, and searching the nearest of many names takes its time.
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

  /// A defect of a member that should not be there, or not under this name: the place is its key.
  mutating func fail(_ message: String, atKeyOf member: LocatedMember) {
    defects.append(JSONDefect(offset: member.keyOffset, message: message, place: .key(member.key)))
  }

  mutating func fail(missing field: String, in object: LocatedValue, _ advice: String = "") {
    let message = "missing field '\(field)'\(advice)"
    defects.append(JSONDefect(offset: object.offset, message: message, place: .missing(field)))
  }

  /// A defect inside a string.
  mutating func fail(_ defect: TextDefect, in string: LocatedValue) {
    fail(defect.message, at: document.offset(ofByte: defect.offset, inStringAt: string.offset))
  }

  mutating func fail(expecting expected: String, at value: LocatedValue) {
    if !value.isBroken { fail("expected \(expected), found \(value.description)", at: value) }
  }

  /// "; 'title'?", or nothing when no name is near.
  func advice(for word: String, among names: [String]) -> String {
    guard defects.count < Self.mostAdvice else { return "" }
    return NearestName.of(word, among: names).map { "; \(quotedName($0))?" } ?? ""
  }

  // MARK: Containers

  /// The members of an object by their keys; null counts as absent but for `nullable` keys. Unknown keys are defects.
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

  /// The members of an object whose keys are names of the definition's own.
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
