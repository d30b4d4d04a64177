/// The id of a record in a producer's file: an integer or a text.
///
/// Ids are the same when their texts are, so 3 and "3" are one. In order, integers come numerically and before texts, which
/// go by their bytes (FEEDS: common to all).
package struct RecordID: Hashable, Comparable, Sendable {
  package let text: String
  /// The value, when it was written as a number.
  package let integer: Int?

  package init(_ integer: Int) {
    self.integer = integer
    text = String(integer)
  }

  package init(_ text: String) {
    integer = nil
    self.text = text
  }

  package static func == (a: RecordID, b: RecordID) -> Bool { isSameText(a.text, b.text) }

  package func hash(into hasher: inout Hasher) {
    // Not the String's own hash, which takes canonically equivalent texts for the same.
    text.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  package static func < (a: RecordID, b: RecordID) -> Bool {
    switch (a.integer, b.integer) {
    case (let x?, let y?): x < y
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): isOrdered(a.text, before: b.text)
    }
  }
}
