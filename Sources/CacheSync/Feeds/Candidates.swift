/// What files say of one thing: what the greatest of them says counts, and the rest waits in order for that file to go.
///
/// Nearly always there is one file, which costs no allocation.
struct Candidates<File: Comparable, Value> {
  private(set) var best: (file: File, value: Value)
  /// Ascending.
  private var others: [(file: File, value: Value)] = []

  init(_ value: Value, of file: File) { best = (file, value) }

  /// Takes in what a file says, in place of what it said before.
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

  /// Takes out what a file said; a file that is not there is not an error.
  ///
  /// - Returns: false when no other has anything to say: then nothing changes, and the whole is to be dropped.
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

  /// Where a file is among the others, or would be.
  private func place(of file: File) -> (index: Int, isThere: Bool) {
    let index = others.partitioningIndex { $0.file >= file }
    return (index, index < others.count && others[index].file == file)
  }
}
