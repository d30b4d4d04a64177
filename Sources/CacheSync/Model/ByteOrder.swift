import Glibc

/// Whether one text comes before another, as every order of texts does: by bytes. Swift's own `<` goes by canonical
/// equivalence.
package func isOrdered(_ a: String, before b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

/// Whether two texts are the same bytes. Swift's own `==` goes by canonical equivalence.
package func isSameText(_ a: String, _ b: String) -> Bool {
  a.withUTF8Bytes { a in
    b.withUTF8Bytes { b in
      guard a.count == b.count, let x = a.baseAddress, let y = b.baseAddress else { return a.count == b.count }
      return memcmp(x, y, a.count) == 0
    }
  }
}
