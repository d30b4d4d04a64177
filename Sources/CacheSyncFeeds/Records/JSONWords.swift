/// The words that a string may be: the raw values of an enum.
package protocol JSONWord: JSONKey {
  /// Always `static let words = JSONWords<Self>()`: a computed property would allocate a table for each word read.
  static var words: JSONWords<Self> { get }
}

/// The words of an enum, by their bytes. Their memory is never released. An array that all threads share would have its
/// reference count changed by each word, which made a start with many files a third slower.
package struct JSONWords<Word: JSONWord>: @unchecked Sendable {
  // @unchecked: written in the initializer, and then only read.
  package let words: UnsafeBufferPointer<Word>
  package let texts: JSONTexts

  package init() {
    words = .kept(Array(Word.allCases))
    texts = JSONTexts(words.map(\.rawValue))
  }
}

extension JSONReader {
  /// Reads a string that is one of the listed words. In a record any other string leaves out the record, with a
  /// warning; elsewhere it is a defect.
  ///
  /// - Parameter name: the name of the word in the message, which is its key.
  package mutating func word<Word: JSONWord>(_: Word.Type, named name: String = "word") -> Word? {
    let words = Word.words
    return word(words.texts, named: name).map { words.words[$0] }
  }

  /// Reads a string that is one of the listed words. Any other string counts as one of them, or as missing, with a
  /// warning.
  package mutating func word<Word: JSONWord>(
    _ words: Word.Type, named name: String, unknown other: Word?
  ) -> Word? {
    let (value, unknown) = findingUnknownWord { $0.word(words, named: name) }
    guard var unknown, !isStopped else { return value }
    unknown.message += ": it counts as \(other?.rawValue ?? "absent")"
    warnings.append(unknown)
    return other
  }

  /// - Returns: the result of `read`, and the first unknown word in it.
  @inline(__always)
  mutating func findingUnknownWord<Result>(
    _ read: (inout JSONReader) -> Result
  ) -> (result: Result, unknown: JSONDefect?) {
    let outer = beginRecord()
    let result = read(&self)
    return (result, endRecord(outer) ? exclusions.removeLast() : nil)
  }

  /// - Returns: what ``endRecord(_:)`` wants.
  @inline(__always)
  mutating func beginRecord() -> Int {
    let outer = exclusionMark
    exclusionMark = exclusions.count
    return outer
  }

  /// - Returns: whether something leaves out the record that was read: the last of ``exclusions``.
  @inline(__always)
  mutating func endRecord(_ outer: Int) -> Bool {
    let isExcluded = exclusions.count != exclusionMark
    exclusionMark = outer
    return isExcluded
  }
}
