/// Whether one text comes before another by bytes, as in all orders of texts here. Swift's own `<` compares by
/// canonical equivalence.
package func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts have the same bytes. Swift's own `==` compares by canonical equivalence.
package func isSameText(_ a: String, _ b: String) -> Bool {
  b.withUTF8Bytes { isSameText(a, $0) }
}

/// Whether a text has these bytes.
@inline(__always)
func isSameText(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard text.utf8.count == bytes.count else { return false }
  return text.withUTF8Bytes { hasSameBytes($0, bytes) }
}

/// Compares texts of the same length. Most texts here are short, and a large cache has millions to compare, so this
/// compares their first and last bytes as numbers. They overlap if there are fewer than 16.
@inline(__always)
private func hasSameBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  func haveSameEnds<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Bool {
    let (a, b) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    let last = a.count - MemoryLayout<Number>.size
    return a.loadUnaligned(as: Number.self) == b.loadUnaligned(as: Number.self)
      && a.loadUnaligned(fromByteOffset: last, as: Number.self)
        == b.loadUnaligned(fromByteOffset: last, as: Number.self)
  }
  switch a.count {
  case 17...: return UnsafeRawBufferPointer(a).elementsEqual(UnsafeRawBufferPointer(b))
  case 8...: return haveSameEnds(UInt64.self)
  case 4...: return haveSameEnds(UInt32.self)
  case 2...: return haveSameEnds(UInt16.self)
  case 1: return haveSameEnds(UInt8.self)
  default: return true
  }
}
