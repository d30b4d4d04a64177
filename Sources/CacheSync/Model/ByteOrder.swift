import Glibc

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
  return text.withUTF8Bytes { text in
    guard let a = text.baseAddress, let b = bytes.baseAddress else { return true }
    return hasSameBytes(a, b, bytes.count)
  }
}

/// Most texts here are short, and a large cache has millions to compare. So this compares the first and the last bytes
/// of a text as numbers, which overlap if it is shorter than both together.
@inline(__always)
private func hasSameBytes(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
  func haveSameEnds<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number.Type) -> Bool {
    let last = count - MemoryLayout<Number>.size
    return a.loadUnaligned(as: number) == b.loadUnaligned(as: number)
      && a.loadUnaligned(fromByteOffset: last, as: number) == b.loadUnaligned(fromByteOffset: last, as: number)
  }
  switch count {
  case 17...: return memcmp(a, b, count) == 0
  case 8...: return haveSameEnds(UInt64.self)
  case 4...: return haveSameEnds(UInt32.self)
  case 2...: return haveSameEnds(UInt16.self)
  case 1: return haveSameEnds(UInt8.self)
  default: return true
  }
}
