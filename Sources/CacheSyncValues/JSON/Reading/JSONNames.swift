/// The keys that a decoder reads from one kind of object: the raw values of an enum.
///
///     enum Key: String, JSONKey {
///       case id, plan
///       case isFinalized = "is_finalized"
///     }
package protocol JSONKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension JSONKey {
  /// The case's bit in a set of keys: see ``JSONNames``.
  package var bit: UInt64 { 1 << UInt64(Array(Self.allCases).firstIndex(of: self) ?? 0) }
}

/// The texts of an enum's words, in its order.
package struct JSONTexts: @unchecked Sendable {
  // @unchecked: written in the initializer, and then only read.
  private let texts: UnsafeBufferPointer<(ends: TextEnds, text: String)>

  package init(_ texts: [String]) {
    self.texts = .kept(texts.map { (ends: $0.withUTF8Bytes { TextEnds($0) }, text: $0) })
  }

  /// The possible words, for messages.
  var choice: String { JSONNames(texts.map(\.text)).choice }

  /// The index of the text with exactly these bytes.
  func index(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    let ends = TextEnds(text)
    return texts.firstIndex { $0.ends.isText(ends, text, $0.text) }
  }
}

extension UnsafeBufferPointer {
  /// A copy that stays for ever.
  package static func kept(_ elements: [Element]) -> Self {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = copy.initialize(from: elements)
    return Self(copy)
  }
}

/// Names in a document. A set of keys has one bit for each name, by its index, so an object has at most 64 keys.
package struct JSONNames: Sendable {
  let names: [String]
  private let ends: [TextEnds]
  /// Whether some name has a byte that a document must escape.
  private let needEscapes: Bool

  package init(_ names: [String]) {
    self.names = names
    ends = names.map { $0.withUTF8Bytes { TextEnds($0) } }
    needEscapes = names.contains { $0.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c } }
  }

  package init<Key: JSONKey>(of keys: Key.Type) {
    self.init(Key.allCases.map(\.rawValue))
    precondition(names.count <= 64, "an object has at most 64 keys")
  }

  /// The index of the name with exactly these bytes, unescaped.
  @inline(__always)
  func index(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    let ends = TextEnds(text)
    return names.indices.first { self.ends[$0].isText(ends, text, names[$0]) }
  }

  /// The closing quote of the name with that index, if exactly that name is here in quotes, without escapes. Nil also
  /// where this does not tell: for a name of more than 16 bytes, or if a name needs escapes.
  @inline(__always)
  func quote(ofName index: Int, at place: JSONBytes, before end: JSONBytes) -> JSONBytes? {
    guard index < ends.count, ends[index].isWhole, !needEscapes else { return nil }
    let (name, text) = (ends[index], place + 1)
    guard end - text > name.count, place.pointee == 0x22, text[name.count] == 0x22,
      TextEnds(UnsafeBufferPointer(start: text, count: name.count)) == name
    else { return nil }
    return text + name.count
  }

  /// The possible words, for messages.
  var choice: String {
    names.count == 1 ? "\"\(names[0])\"" : "one of \(names.joined(separator: ", "))"
  }
}
