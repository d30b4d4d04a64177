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

  /// Reads a value whose faults do not make the document unusable. What makes the whole of it no JSON still does.
  ///
  /// - Returns: what was read, and the first of the value's defects.
  mutating func readingApart<Result>(_ read: (inout JSONReader) -> Result) -> (result: Result, defect: JSONDefect?) {
    var found = JSONDefectList()
    swap(&found, &list)
    let result = read(&self)
    swap(&found, &list)
    for defect in found.defects where defect.place == .document {
      list.insert(at: defect.offset, .document) { defect.message }
    }
    return (result, found.defects.first { $0.place != .document })
  }

  /// Where values and defects stand, for people, in one walk over the document.
  ///
  /// - Parameter defects: in ascending order of offsets.
  func places(of defects: [JSONDefect]) -> [JSONPlace] {
    JSONPlace.of(defects, in: UnsafeRawBufferPointer(start: start, count: end - start))
  }

  /// Whether the document ends here, after the value just read, and has been good JSON all the way.
  package var isCompleteAndValid: Bool {
    !isStopped && cursor.afterSpace(before: end) == end && !list.defects.contains { $0.place == .document }
  }

  /// Where a value stands, for people: its offset is ``valueOffset`` before it is read.
  package func place(ofValueAt offset: Int) -> JSONPlace {
    places(of: [JSONDefect(offset: offset, message: "", place: .value)])[0]
  }
}
