// For documents in which a later field decides how an earlier one is read, and for values whose place is needed later.

extension JSONReader {
  /// Reads ahead and comes back: nothing is consumed, and what is found wrong on the way is not recorded.
  package mutating func lookingAhead<Result>(_ read: (inout JSONReader) -> Result) -> Result {
    let (cursor, latest, text) = (cursor, latest, text)
    let (depth, isStopped, list, isPruning) = (depth, isStopped, list, isPruning)
    let (warnings, unknownWord) = (warnings, unknownWord)
    self.isPruning = false
    let result = read(&self)
    (self.cursor, self.latest, self.text) = (cursor, latest, text)
    (self.depth, self.isStopped, self.list, self.isPruning) = (depth, isStopped, list, isPruning)
    (self.warnings, self.unknownWord) = (warnings, unknownWord)
    return result
  }

  /// Whether the document ends here, after the value just read, and has been good JSON all the way.
  package var isCompleteAndValid: Bool {
    !isStopped && cursor.afterSpace(before: end) == end && !list.defects.contains { $0.place == .document }
  }

  /// Where a value stands, for people: its offset is ``valueOffset`` before it is read.
  package func place(ofValueAt offset: Int) -> JSONPlace {
    JSONPlace.of(
      JSONDefect(offset: offset, message: "", place: .value),
      in: UnsafeRawBufferPointer(start: start, count: end - start))
  }
}
