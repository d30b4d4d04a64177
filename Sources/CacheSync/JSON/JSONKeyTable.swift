/// Names in a document: an enum of at most 64 cases without payload whose raw values they are.
package protocol JSONName: RawRepresentable<String>, CaseIterable, Sendable {}

extension JSONName {
  /// The case's own byte, below 64, which ``JSONNames`` has checked: its place among all cases.
  @inline(__always)
  var index: Int {
    // An enum of one case takes no space, so it has no byte to look at.
    MemoryLayout<Self>.size == 0 ? 0 : Int(unsafeBitCast(self, to: UInt8.self))
  }

  /// The case as a set.
  @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(index) }
}

/// The keys that a decoder reads from one kind of object, or the words that a string may be.
///
///     enum Key: String, JSONKey {
///       case id, plan
///       case isFinalized = "is_finalized"
///       static let table = JSONKeyTable<Self>()
///     }
package protocol JSONKey: JSONName {
  /// Built once for each enum: `static let table = JSONKeyTable<Self>()`.
  static var table: JSONKeyTable<Self> { get }
}

/// A set of keys, written as an array literal: `[.id, .plan]`. It costs one word and no allocation.
package struct JSONKeySet<Key: JSONKey>: Sendable, ExpressibleByArrayLiteral {
  let bits: UInt64

  @inline(__always)
  package init(arrayLiteral keys: Key...) {
    var bits: UInt64 = 0
    for key in keys { bits |= key.bit }
    self.bits = bits
  }

  init(bits: UInt64) {
    self.bits = bits
  }

  /// Every key.
  package static var all: Self { Self(bits: .max) }

  @inline(__always)
  package func union(_ other: Self) -> Self {
    Self(bits: bits | other.bits)
  }
}

/// The names of an enum's cases, laid out so that the bytes of a document are compared a word at a time.
///
/// A table lives as long as the program: each enum makes one, in a `static let`.
// @unchecked: the memory behind the pointers is written in the initialiser only, and never freed.
package struct JSONKeyTable<Key: JSONKey>: @unchecked Sendable {
  let names: JSONNames
  private let keys: UnsafePointer<Key>

  package init() {
    names = JSONNames(of: Key.self)
    let cases = Array(Key.allCases)
    let keys = UnsafeMutablePointer<Key>.allocate(capacity: cases.count)
    keys.initialize(from: cases, count: cases.count)
    self.keys = UnsafePointer(keys)
  }

  @inline(__always)
  func key(_ index: Int) -> Key { keys[index] }
}

/// What ``JSONKeyTable`` knows, without its type, so that one compiled copy of the search serves all enums. It lives as long
/// as the program.
// @unchecked: as for JSONKeyTable.
struct JSONNames: @unchecked Sendable {
  struct Name {
    /// The first 8 bytes, as a little-endian word. A shorter name has its closing quote in here, then zeros.
    let first: UInt64
    /// The bits of `first` that count.
    let mask: UInt64
    /// The last 8 bytes of a name that has as many.
    let last: UInt64
    let length: Int
    let bytes: UnsafePointer<UInt8>
    /// The key's bit in a set.
    let bit: UInt64
  }

  let names: UnsafePointer<Name>
  let count: Int

  init<Name: JSONName>(of names: Name.Type) {
    let cases = Array(Name.allCases)
    precondition(
      MemoryLayout<Name>.size <= 1 && cases.count <= 64 && !cases.isEmpty,
      "names are an enum of 1 to 64 cases without payload")
    self.init(cases.map { ($0.rawValue, $0.bit) })
  }

  init(_ list: [(name: String, bit: UInt64)]) {
    let names = UnsafeMutablePointer<Name>.allocate(capacity: list.count)
    for (index, entry) in list.enumerated() {
      let utf8 = Array(entry.name.utf8)
      // Names are compared with the raw bytes of the document, closing quote included.
      precondition(
        !utf8.isEmpty && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c },
        "a JSON key in an enum is not empty and needs no escapes")
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: utf8.count)
      bytes.initialize(from: utf8, count: utf8.count)
      func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
      let short = utf8.count < 8
      (names + index).initialize(
        to: Name(
          first: word(short ? utf8 + [0x22] : Array(utf8.prefix(8))),
          mask: utf8.count < 7 ? (1 << UInt64(8 * (utf8.count + 1))) - 1 : .max,
          last: short ? 0 : word(utf8.suffix(8)),
          length: utf8.count, bytes: UnsafePointer(bytes), bit: entry.bit))
    }
    self.names = UnsafePointer(names)
    count = list.count
  }

  /// Frees the names. Those of an enum live as long as the process.
  func deallocate() {
    for index in 0..<count { names[index].bytes.deallocate() }
    names.deallocate()
  }

  /// The index of the name that stands, closed by a quote, at `start`; nil when there is none, or when the document
  /// spells it with escapes.
  ///
  /// - Parameter hint: where to look first. Documents repeat the order of their keys.
  @inline(__always)
  func index(at start: JSONBytes, end: JSONBytes, hint: Int) -> Int? {
    let word = start.word(before: end)
    if hint < count, matches(hint, word, start, end) { return hint }
    var index = 0
    while index < count {
      if matches(index, word, start, end) { return index }
      index &+= 1
    }
    return nil
  }

  @inline(__always)
  private func matches(_ index: Int, _ word: UInt64, _ start: JSONBytes, _ end: JSONBytes) -> Bool {
    let name = names + index
    if (word ^ name.pointee.first) & name.pointee.mask != 0 { return false }
    let length = name.pointee.length
    if length < 8 { return true }
    guard end - start > length, start[length] == 0x22 else { return false }
    if (start + (length &- 8)).word != name.pointee.last { return false }
    return length <= 16 || equal(start + 8, name.pointee.bytes + 8, length &- 16)
  }

  /// The index of the name with exactly these bytes, unescaped.
  func index(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = text.baseAddress else { return nil }
    return (0..<count).first { names[$0].length == text.count && equal(start, names[$0].bytes, text.count) }
  }

  func text(_ index: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: names[index].bytes, count: names[index].length), as: UTF8.self)
  }

  /// What a word should be, for messages.
  var choice: String {
    let all = (0..<count).map(text)
    return all.count == 1 ? "\"\(all[0])\"" : "one of \(all.joined(separator: ", "))"
  }

  private func equal(_ left: JSONBytes, _ right: JSONBytes, _ count: Int) -> Bool {
    var index = 0
    while index < count {
      if left[index] != right[index] { return false }
      index &+= 1
    }
    return true
  }
}
