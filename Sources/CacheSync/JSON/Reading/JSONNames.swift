/// The keys that a decoder reads from one kind of object: the raw values of an enum.
///
///     enum Key: String, JSONKey {
///       case id, plan
///       case isFinalized = "is_finalized"
///     }
package protocol JSONKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension JSONKey {
  /// The case's bit in a set of keys: see ``JSONNames``.
  var bit: UInt64 { 1 << UInt64(Array(Self.allCases).firstIndex(of: self) ?? 0) }
}

/// The words that a string may be: the raw values of an enum.
package protocol JSONWord: JSONKey {
  /// Always `static let words = JSONWords<Self>()`: a computed property would allocate a table for each word read.
  static var words: JSONWords<Self> { get }
}

/// The words of an enum, by their bytes. Their memory is never released. An array that all threads share would have its
/// reference count changed by each word, which made a start with many files a third slower.
package struct JSONWords<Word: JSONWord>: @unchecked Sendable {
  // @unchecked: written in the initializer, and then only read.
  private let words: UnsafeBufferPointer<(ends: TextEnds, word: Word)>

  package init() {
    let all = Word.allCases.map { word in (ends: word.rawValue.withUTF8Bytes { TextEnds($0) }, word: word) }
    let words = UnsafeMutableBufferPointer<(ends: TextEnds, word: Word)>.allocate(capacity: all.count)
    _ = words.initialize(from: all)
    self.words = UnsafeBufferPointer(words)
  }

  /// The word with exactly these bytes.
  func word(of text: UnsafeBufferPointer<UInt8>) -> Word? {
    let ends = TextEnds(text)
    return words.first { $0.ends.isText(ends, text, $0.word.rawValue) }?.word
  }
}

/// Names in a document. A set of keys has one bit for each name, by its index, so an object has at most 64 keys.
struct JSONNames: Sendable {
  let names: [String]
  private let ends: [TextEnds]
  /// Whether some name has a byte that a document must escape.
  private let needEscapes: Bool

  init(_ names: [String]) {
    self.names = names
    ends = names.map { $0.withUTF8Bytes { TextEnds($0) } }
    needEscapes = names.contains { $0.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c } }
  }

  init<Key: JSONKey>(of keys: Key.Type) {
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
