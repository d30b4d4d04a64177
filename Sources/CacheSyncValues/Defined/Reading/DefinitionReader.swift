import CacheSyncSystem

/// Reads the tree of one definition, and records every defect with its place.
///
/// Reading continues after a defect. What was read counts only if there are no defects at the end.
package final class DefinitionReader {
  package let document: UnsafeRawBufferPointer
  let name: String
  let reserved: ReservedNames
  let isTimeZone: (String) -> Bool
  private(set) var defects: [JSONDefect]
  private(set) var warnings: [JSONDefect] = []
  /// Where members of a name belong, such as "in 'kinds.NAME'"; nil: nowhere.
  var place: (String) -> String? = { _ in nil }
  /// How many values all kinds have so far, and how many texts the current kind has.
  var valueCount = 0
  var textCount = 0

  /// How many fields, values, texts and elements of most lists a definition may have (definitions.md section 5).
  static let most = 64
  /// How many members a map may have, and how many values `in` may have.
  static let mostInMap = 1_000
  /// How many bytes a text, a path or a pattern may have, and how many a name.
  static let longestText = 4_096
  static let longestName = 64
  /// People do not read more advice than this, and finding the nearest of many names takes time.
  private static let mostAdvice = 20

  package init(
    _ document: UnsafeRawBufferPointer, _ defects: [JSONDefect], name: String,
    reserved: ReservedNames = ReservedNames(), isTimeZone: @escaping (String) -> Bool = { _ in true }
  ) {
    self.document = document
    self.defects = defects
    self.name = name
    self.reserved = reserved
    self.isTimeZone = isTimeZone
  }

  /// What a tree has, or nil if it has any defect, and all defects in the order of their places.
  package func read<Value>(_ tree: JSONTree?, _ shape: Shape<Value>) -> (value: Value?, defects: [JSONDefect]) {
    let value = tree.flatMap { shape.read(self, LocatedValue(tree: $0, node: JSONTree.root)) }
    let sorted = defects.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    return (defects.isEmpty ? value : nil, sorted.map(\.element))
  }

  // MARK: Defects

  package func fail(_ message: String, at value: LocatedValue) {
    defects.append(JSONDefect(offset: value.offset, message: message, place: .value))
  }

  func warn(_ message: String, at value: LocatedValue) {
    warnings.append(JSONDefect(offset: value.offset, message: message, place: .value))
  }

  /// Records a defect of a member that should not be there, or not under this name. The defect is at its key.
  package func fail(_ message: String, atKeyOf member: LocatedMember) {
    defects.append(JSONDefect(offset: member.keyOffset, message: message, place: .key(member.key)))
  }

  func fail(missing field: String, in object: LocatedValue, _ advice: String = "") {
    let message = "missing field '\(field)'\(advice)"
    defects.append(JSONDefect(offset: object.offset, message: message, place: .missing(field)))
  }

  /// Records a defect inside a string.
  func fail(_ defect: TextDefect, in string: LocatedValue) {
    let offset = document.offset(ofByte: defect.offset, inStringAt: string.offset)
    defects.append(JSONDefect(offset: offset, message: defect.message, place: .value))
  }

  package func fail(expecting expected: String, at value: LocatedValue) {
    if !value.isBroken { fail("expected \(expected), found \(value.description)", at: value) }
  }

  /// "; 'title'?", or an empty text if no name is similar.
  func advice(for word: String, among names: [String]) -> String { advice { NearestName.of(word, among: names) } }

  func advice(_ near: () -> String?) -> String {
    defects.count < Self.mostAdvice ? near().map { "; \(quotedName($0))?" } ?? "" : ""
  }

  /// The same for a key, which may be in the wrong place: "; it belongs in 'kinds.NAME'".
  func advice(forKey key: String, among names: [String]) -> String {
    let place = defects.count < Self.mostAdvice ? place(key) : nil
    return place.map { "; it belongs \($0)" } ?? advice(for: key, among: names)
  }

  // MARK: Values

  /// The members of an object, in the document's order.
  package func members(_ value: LocatedValue, most: Int = .max, _ what: String = "members") -> [LocatedMember]? {
    guard let members = value.members else {
      fail(expecting: "an object", at: value)
      return nil
    }
    if members.count > most { fail("more than \(most) \(what)", atKeyOf: members[most]) }
    return members
  }

  func text(_ value: LocatedValue, _ expected: String) -> String? {
    guard let text = value.text else {
      fail(expecting: expected, at: value)
      return nil
    }
    guard text.utf8.count <= Self.longestText else {
      fail("longer than \(Self.longestText) bytes", at: value)
      return nil
    }
    return text
  }

  func oneOf(_ names: [String], _ value: LocatedValue) -> String? {
    let expected = "one of " + names.joined(separator: ", ")
    guard let text = text(value, expected) else { return nil }
    if names.contains(where: { isSameText($0, text) }) { return text }
    fail("expected \(expected), found \(quotedName(text))\(advice(for: text, among: names))", at: value)
    return nil
  }

  /// The result of parsing a text of a definition's small languages, or nil and the defect inside the text.
  ///
  /// - Parameter message: in place of that of the defect.
  func parsed<Value>(
    _ string: LocatedValue, _ message: String? = nil, _ parse: () throws(TextDefect) -> Value
  ) -> Value? {
    do {
      return try parse()
    } catch {
      fail(TextDefect(error.offset, message ?? error.message), in: string)
      return nil
    }
  }

  // MARK: Names

  /// Whether a name that the definition chooses for a field or a value is valid. Texts write it in braces, so it must not
  /// be empty or have `{`, `}` or `:`.
  func isGoodName(_ member: LocatedMember, _ what: String) -> Bool {
    let name = member.key
    if name.isEmpty || name.utf8.count > Self.longestName {
      fail("the name of a \(what) has 1 to \(Self.longestName) bytes", atKeyOf: member)
    } else if name.utf8.contains(where: { "{}:".utf8.contains($0) || $0 < 0x20 })
      || name.utf8.first == UInt8(ascii: "-")
    {
      fail("the name of a \(what) has no '{', '}', ':' or control character, and no '-' at its start", atKeyOf: member)
    } else if KnownNames.reserved.contains(name) {
      fail("invalid \(what) name \(quotedName(name)): it has a meaning already", atKeyOf: member)
    } else {
      return true
    }
    return false
  }
}
