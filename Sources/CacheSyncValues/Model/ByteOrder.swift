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
    guard bytes.count > 16, let a = text.baseAddress, let b = bytes.baseAddress else {
      return TextEnds(text) == TextEnds(bytes)
    }
    return isSameMemory(a, b, count: bytes.count)
  }
}

/// A text's length, and its first and last bytes as numbers, which overlap in a short text. Most texts here are short,
/// and a large cache has millions to compare.
struct TextEnds: Equatable {
  let count: Int
  private let first: UInt64
  private let last: UInt64

  /// Whether the ends contain all bytes, so that texts with equal ends are the same.
  @inline(__always)
  var isWhole: Bool { count <= 16 }

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>) {
    count = text.count
    switch text.count {
    case 8...: (first, last) = Self.ends(of: text, as: UInt64.self)
    case 4...: (first, last) = Self.ends(of: text, as: UInt32.self)
    case 2...: (first, last) = Self.ends(of: text, as: UInt16.self)
    case 1: (first, last) = (UInt64(text[0]), 0)
    default: (first, last) = (0, 0)
    }
  }

  /// Whether these are the ends of the same text.
  ///
  /// - Parameters:
  ///   - ends: those of `bytes`.
  ///   - text: the text that has the ends of this value.
  @inline(__always)
  func isText(_ ends: TextEnds, _ bytes: UnsafeBufferPointer<UInt8>, _ text: @autoclosure () -> String) -> Bool {
    self == ends && (isWhole || isSameText(text(), bytes))
  }

  @inline(__always)
  private static func ends<Number: FixedWidthInteger & BitwiseCopyable>(
    of text: UnsafeBufferPointer<UInt8>, as number: Number.Type
  ) -> (UInt64, UInt64) {
    let bytes = UnsafeRawBufferPointer(text)
    let last = text.count - MemoryLayout<Number>.size
    return (
      UInt64(truncatingIfNeeded: bytes.loadUnaligned(as: number)),
      UInt64(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: last, as: number))
    )
  }
}
