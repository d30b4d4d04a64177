import Glibc

/// Whether one text comes before another, as every order of texts does: by bytes. Swift's own `<` goes by canonical
/// equivalence.
package func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts are the same bytes. Swift's own `==` goes by canonical equivalence.
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
