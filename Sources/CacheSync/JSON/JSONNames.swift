import Glibc

/// The keys that a decoder reads from one kind of object, or the words that a string may be: the raw values of an enum.
///
///     enum Key: String, JSONKey {
///       case id, plan
///       case isFinalized = "is_finalized"
///     }
package protocol JSONKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension JSONKey {
  /// The case of a text. It is compared by bytes: for Swift's own comparison some texts of other bytes are the same.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: text, as: UTF8.self)
    self.init(rawValue: text)
    guard isSameText(rawValue, text) else { return nil }
  }

  /// The case's bit in a set of keys: see ``JSONNames``.
  var bit: UInt64 { 1 << UInt64(Array(Self.allCases).firstIndex(of: self) ?? 0) }
}

/// Names in a document. A set of keys has a bit for each, by its index, so an object has at most 64.
struct JSONNames: Sendable {
  let names: [[UInt8]]

  init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

  init<Key: JSONKey>(of keys: Key.Type) {
    self.init(Key.allCases.map(\.rawValue))
    precondition(names.count <= 64, "an object has at most 64 keys")
  }

  /// The index of the name with exactly these bytes, unescaped.
  ///
  /// - Parameter hint: where to look first. Documents repeat the order of their keys.
  func index(of text: UnsafeBufferPointer<UInt8>, hint: Int = 0) -> Int? {
    if hint < names.count, isName(hint, text) { return hint }
    return names.indices.first { isName($0, text) }
  }

  private func isName(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard names[index].count == text.count, let start = text.baseAddress else { return false }
    return memcmp(names[index], start, text.count) == 0
  }

  func text(_ index: Int) -> String { String(decoding: names[index], as: UTF8.self) }

  /// What a word should be, for messages.
  var choice: String {
    let all = names.indices.map(text)
    return all.count == 1 ? "\"\(all[0])\"" : "one of \(all.joined(separator: ", "))"
  }
}
