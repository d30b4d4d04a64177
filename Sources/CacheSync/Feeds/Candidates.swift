/// What several files have under the same ids. Under each id the value of the greatest file counts. The others are kept
/// in order, because the next one counts once that file is removed.
struct Candidates<File: Comparable, Value> {
  typealias Candidate = (file: File, value: Value)

  private var rows: [RecordID: Row] = [:]

  init() {}

  /// The candidate that counts for an id.
  subscript(id: RecordID) -> Candidate? { rows[id]?.best }

  /// Every candidate that counts, in no order.
  var counting: some Sequence<Candidate> { rows.values.lazy.map { $0.best } }

  /// Adds a file's value for an id; it replaces the file's earlier one.
  ///
  /// - Returns: the candidate that counted before; nil: none did.
  mutating func insert(_ value: Value, of file: File, for id: RecordID) -> Candidate? {
    guard let index = rows.index(forKey: id) else {
      rows[id] = Row(best: (file, value))
      return nil
    }
    let before = rows.values[index].best
    rows.values[index].insert((file, value))
    return before
  }

  /// Removes a file's value for an id; a missing one is not an error.
  ///
  /// - Returns: the candidate that counted before, and the one that counts now; nil if that did not change.
  mutating func remove(_ id: RecordID, of file: File) -> (before: Candidate, after: Candidate?)? {
    guard let index = rows.index(forKey: id) else { return nil }
    let before = rows.values[index].best
    guard before.file == file else {
      rows.values[index].removeOther(file)
      return nil
    }
    if let next = rows.values[index].others.popLast() {
      rows.values[index].best = next
      return (before, next)
    }
    rows.remove(at: index)
    return (before, nil)
  }

  /// The candidates for one id. Usually there is one file, which costs no allocation.
  private struct Row {
    var best: Candidate
    /// Ascending.
    var others: [Candidate] = []

    mutating func insert(_ candidate: Candidate) {
      if best.file == candidate.file {
        best = candidate
      } else if best.file < candidate.file {
        others.append(best)
        best = candidate
      } else {
        let (index, isThere) = place(of: candidate.file)
        if isThere { others[index] = candidate } else { others.insert(candidate, at: index) }
      }
    }

    mutating func removeOther(_ file: File) {
      let (index, isThere) = place(of: file)
      if isThere { others.remove(at: index) }
    }

    /// The index of a file among the others, or the index at which to insert it.
    private func place(of file: File) -> (index: Int, isThere: Bool) {
      let index = others.partitioningIndex { $0.file >= file }
      return (index, index < others.count && others[index].file == file)
    }
  }
}
