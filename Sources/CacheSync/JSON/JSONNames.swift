/// The keys that a decoder reads from one kind of object, or the words that a string may be: the raw values of an enum.
///
///     enum Key: String, JSONKey {
///       case id, plan
///       case isFinalized = "is_finalized"
///     }
package protocol JSONKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension JSONKey {
  /// The case whose name has exactly these bytes.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let key = Self.allCases.first(where: { isSameText($0.rawValue, text) }) else { return nil }
    self = key
  }

  /// The case's bit in a set of keys: see ``JSONNames``.
  var bit: UInt64 { 1 << UInt64(Array(Self.allCases).firstIndex(of: self) ?? 0) }
}

/// Names in a document. A set of keys has one bit for each name, by its index, so an object has at most 64 keys.
struct JSONNames: Sendable {
  let names: [String]

  init(_ names: [String]) { self.names = names }

  init<Key: JSONKey>(of keys: Key.Type) {
    self.init(Key.allCases.map(\.rawValue))
    precondition(names.count <= 64, "an object has at most 64 keys")
  }

  /// The index of the name with exactly these bytes, unescaped.
  ///
  /// - Parameter hint: the index to try first. Documents repeat the order of their keys.
  @inline(__always)
  func index(of text: UnsafeBufferPointer<UInt8>, hint: Int = 0) -> Int? {
    if hint < names.count, isSameText(names[hint], text) { return hint }
    return names.firstIndex { isSameText($0, text) }
  }

  /// The possible words, for messages.
  var choice: String {
    names.count == 1 ? "\"\(names[0])\"" : "one of \(names.joined(separator: ", "))"
  }
}
