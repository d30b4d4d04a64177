import CacheSyncSystem

/// Writes canonical JSON, without white space. The caller writes keys in the order of their bytes, which a debug build
/// checks unless the writer allows any order.
///
/// Projections write their content directly with it, so a snapshot is encoded once and compared as bytes.
@usableFromInline
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let isInAnyOrder: Bool
  /// In debug builds the last key of every open object, to trap on keys out of order.
  private var lastKeys: [String] = []

  package init(reserving capacity: Int = 0, inAnyOrder isInAnyOrder: Bool = false) {
    self.isInAnyOrder = isInAnyOrder
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
    lastKeys.removeAll(keepingCapacity: true)
  }

  // MARK: Containers

  @inlinable @inline(__always)
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    assert(opened())
    members(&self)
    assert(closed())
    end(UInt8(ascii: "}"))
  }

  @inlinable @inline(__always)
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "["))
    elements(&self)
    end(UInt8(ascii: "]"))
  }

  @usableFromInline
  package mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  @usableFromInline
  package mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  @usableFromInline
  package mutating func key(_ key: StaticString) {
    separate()
    assert(follows(key.description), "keys must be in the order of their bytes: \(key)")
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key that is known only at run time, such as a feed's name.
  package mutating func key(named key: String) {
    separate()
    assert(follows(key), "keys must be in the order of their bytes: \(key)")
    appendQuoted(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  package mutating func string(_ text: String) {
    separate()
    appendQuoted(text)
    needsComma = true
  }

  package mutating func integer(_ value: Int) {
    separate()
    appendDecimal(value)
    needsComma = true
  }

  /// Writes whole numbers without a fraction, and others in the shortest form that reads back the same.
  package mutating func number(_ value: Double) {
    separate()
    if value == value.rounded(.towardZero), abs(value) < 9_007_199_254_740_992 {
      appendDecimal(Int(value))
    } else if value.isFinite {
      bytes.append(contentsOf: value.description.utf8)
    } else {
      // JSON cannot represent any other. Every formula that could divide by zero defines its result.
      assertionFailure("a number in JSON is finite")
      bytes.append(UInt8(ascii: "0"))
    }
    needsComma = true
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func null() { raw("null") }

  package mutating func instant(_ value: Instant) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func day(_ value: LocalDay) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a whole JSON value that is already encoded.
  package mutating func encoded(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
    needsComma = true
  }

  /// Writes any value, with the keys of its objects sorted by their bytes.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .digits(let digits): encoded(digits.utf8)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let values): array { json in for value in values { json.value(value) } }
    case .object(let members):
      object { json in
        for (key, value) in members.sorted(by: { isOrdered($0.key, before: $1.key) }) {
          json.key(named: key)
          json.value(value)
        }
      }
    }
  }

  // MARK: Members

  package mutating func member(_ key: StaticString, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ key: StaticString, _ value: Int) {
    self.key(key)
    integer(value)
  }

  package mutating func member(_ key: StaticString, _ value: Double?) {
    self.key(key)
    if let value { number(value) } else { null() }
  }

  package mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  package mutating func member(_ key: StaticString, _ value: Instant?) {
    self.key(key)
    if let value { instant(value) } else { null() }
  }

  package mutating func member(_ key: StaticString, _ value: LocalDay) {
    self.key(key)
    day(value)
  }

  @inlinable
  package mutating func object(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
    self.key(key)
    object(members)
  }

  @inlinable
  package mutating func array(_ key: StaticString, _ elements: (inout JSONWriter) -> Void) {
    self.key(key)
    array(elements)
  }

  /// Writes an array with an object for each element.
  @inlinable
  package mutating func objects<Element>(
    _ key: StaticString, _ elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) -> Void
  ) {
    array(key) { json in for element in elements { json.object { members(&$0, element) } } }
  }

  package mutating func member(_ key: StaticString, _ values: [String]) {
    self.key(key)
    array { json in for value in values { json.string(value) } }
  }

  /// Writes the members that another writer has written, without braces.
  package mutating func members(_ other: JSONWriter) {
    if !other.bytes.isEmpty { encoded(other.bytes) }
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func raw(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  private mutating func appendDecimal(_ value: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    if rest < 10 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest))
      return
    }
    let start = bytes.count
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var clean = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: utf8[clean..<index])
        clean = index + 1
        appendEscape(byte)
      }
      bytes.append(contentsOf: utf8[clean...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }

  // MARK: Order of keys, in debug builds only

  @usableFromInline
  package mutating func opened() -> Bool {
    lastKeys.append("")
    return true
  }

  @usableFromInline
  package mutating func closed() -> Bool {
    lastKeys.removeLast()
    return true
  }

  private mutating func follows(_ key: String) -> Bool {
    guard !isInAnyOrder, let last = lastKeys.last else { return true }
    lastKeys[lastKeys.count - 1] = key
    return last.isEmpty || isOrdered(last, before: key)
  }
}

extension JSONWriter {
  /// Writes an id as its producer wrote it: a number or a text.
  package mutating func member(_ key: StaticString, _ id: RecordID) {
    self.key(key)
    value(id)
  }

  /// Writes an id as its producer wrote it: a number or a text.
  package mutating func value(_ id: RecordID) {
    if id.isInteger { encoded(id.text.utf8) } else { string(id.text) }
  }

  /// Writes the six keys of a problem (contract.md section 3).
  package mutating func problem(_ problem: Problem) {
    object { json in
      json.problemMembers(problem)
    }
  }

  package mutating func problemMembers(_ problem: Problem) {
    member("column", problem.column)
    member("line", problem.line)
    member("message", problem.message)
    member("path", problem.path?.description)
    member("pointer", problem.pointer)
    member("severity", problem.severity.rawValue)
  }
}
