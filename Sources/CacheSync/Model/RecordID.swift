/// The id of a record in a producer's file: an integer of any size, or a text.
///
/// Ids are the same when their texts are, so 3 and "3" are one. In order, integers come numerically and before texts, which
/// go by their bytes (FEEDS: common to all).
package struct RecordID: Hashable, Comparable, Sendable {
  package let text: String
  /// Whether it was written as a number; ``text`` is that number in decimal digits then.
  package let isInteger: Bool

  package init(_ integer: Int) {
    text = String(integer)
    isInteger = true
  }

  /// - Parameter digits: of an integer, without needless zeros, a minus sign in front where it is negative.
  init(digits: String) {
    text = digits
    isInteger = true
  }

  package init(_ text: String) {
    self.text = text
    isInteger = false
  }

  package static func == (a: RecordID, b: RecordID) -> Bool { isSameText(a.text, b.text) }

  package func hash(into hasher: inout Hasher) {
    // Not the String's own hash, which takes canonically equivalent texts for the same.
    text.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  package static func < (a: RecordID, b: RecordID) -> Bool {
    switch (a.isInteger, b.isInteger) {
    case (true, true): isLess(a.text.utf8, b.text.utf8)
    case (true, false): true
    case (false, true): false
    case (false, false): isOrdered(a.text, before: b.text)
    }
  }

  /// Compares integers of any size by their digits: of two with the same sign the longer one is further from zero.
  private static func isLess(_ a: String.UTF8View, _ b: String.UTF8View) -> Bool {
    let minus = UInt8(ascii: "-")
    switch (a.first == minus, b.first == minus) {
    case (true, false): return true
    case (false, true): return false
    case (let areNegative, _):
      let (near, far) = areNegative ? (b, a) : (a, b)
      return near.count == far.count ? near.lexicographicallyPrecedes(far) : near.count < far.count
    }
  }
}
