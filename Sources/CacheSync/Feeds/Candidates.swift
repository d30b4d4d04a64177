/// The values of several files for one thing. The value of the greatest file counts. The others are kept in order,
/// because the next one counts once that file is removed.
///
/// Usually there is one file, which costs no allocation.
struct Candidates<File: Comparable, Value> {
  private(set) var best: (file: File, value: Value)
  /// Ascending.
  private var others: [(file: File, value: Value)] = []

  init(_ value: Value, of file: File) { best = (file, value) }

  /// Adds a file's value; it replaces the file's earlier one.
  mutating func insert(_ value: Value, of file: File) {
    if best.file == file {
      best.value = value
    } else if best.file < file {
      others.append(best)
      best = (file, value)
    } else {
      let (index, isThere) = place(of: file)
      if isThere { others[index].value = value } else { others.insert((file, value), at: index) }
    }
  }

  /// Removes a file's value; a file without a value is not an error.
  ///
  /// - Returns: false if no other file has a value: then nothing is removed, and the caller drops the candidates.
  mutating func remove(_ file: File) -> Bool {
    if best.file == file {
      guard let next = others.popLast() else { return false }
      best = next
    } else {
      let (index, isThere) = place(of: file)
      if isThere { others.remove(at: index) }
    }
    return true
  }

  /// The index of a file among the others, or the index at which to insert it.
  private func place(of file: File) -> (index: Int, isThere: Bool) {
    let index = others.partitioningIndex { $0.file >= file }
    return (index, index < others.count && others[index].file == file)
  }
}
