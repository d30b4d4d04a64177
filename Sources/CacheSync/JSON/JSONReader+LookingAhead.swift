// For documents in which a later field decides how an earlier one is read, and for values whose place is needed later.

extension JSONReader {
  /// Reads ahead and returns to the start: nothing is consumed, and defects on the way are not recorded.
  package mutating func lookingAhead<Result>(_ read: (inout JSONReader) -> Result) -> Result {
    let (cursor, latest, text) = (cursor, latest, text)
    let (depth, isStopped, list, isPruning) = (depth, isStopped, list, isPruning)
    let (warnings, exclusion, noDates) = (warnings, exclusion, noDates)
    self.isPruning = false
    let result = read(&self)
    (self.cursor, self.latest, self.text) = (cursor, latest, text)
    (self.depth, self.isStopped, self.list, self.isPruning) = (depth, isStopped, list, isPruning)
    (self.warnings, self.exclusion, self.noDates) = (warnings, exclusion, noDates)
    return result
  }

  /// Whether the document ends here, after the value just read, and was valid JSON up to here.
  package var isCompleteAndValid: Bool {
    !isStopped && cursor.afterSpace(before: end) == end && !list.defects.contains { $0.place == .document }
  }

  /// The place of a value, for people: its offset is ``valueOffset`` before it is read.
  package func place(ofValueAt offset: Int) -> JSONPlace {
    JSONPlace.of(
      JSONDefect(offset: offset, message: "", place: .value),
      in: UnsafeRawBufferPointer(start: start, count: end - start))
  }
}
