import Glibc

/// Whether one text comes before another by bytes, as in all orders of texts here. Swift's own `<` compares by
/// canonical equivalence.
package func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts have the same bytes. Swift's own `==` compares by canonical equivalence.
package func isSameText(_ a: String, _ b: String) -> Bool {
  b.withUTF8Bytes { isSameText(a, $0) }
}

/// Whether a text has these bytes.
func isSameText(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  text.withUTF8Bytes { text in
    guard text.count == bytes.count, let x = text.baseAddress, let y = bytes.baseAddress else {
      return text.count == bytes.count
    }
    return memcmp(x, y, text.count) == 0
  }
}
