/// Which file's sample counts for each id: the one of the greatest path (feeds.md: health).
struct SampleClaims {
  /// For each id the indices of the samples in their files.
  private var candidates: [RecordID: Candidates<HealthFile, Int>] = [:]

  /// Adds a file's sample.
  ///
  /// - Returns: the file and the sample that no longer count for the id; nil if nothing else counted.
  mutating func insert(_ file: HealthFile, _ index: Int, id: RecordID) -> (file: HealthFile, index: Int)? {
    guard let place = candidates.index(forKey: id) else {
      candidates[id] = Candidates(index, of: file)
      return nil
    }
    let known = candidates.values[place].best
    candidates.values[place].insert(index, of: file)
    return known.file < file ? (known.file, known.value) : (file, index)
  }

  /// Removes a file's sample.
  ///
  /// - Returns: the file and the sample that now count for the id; nil if that did not change.
  mutating func remove(_ file: HealthFile, id: RecordID) -> (file: HealthFile, index: Int)? {
    guard let place = candidates.index(forKey: id) else { return nil }
    let known = candidates.values[place].best
    guard candidates.values[place].remove(file) else {
      candidates.remove(at: place)
      return nil
    }
    let next = candidates.values[place].best
    return next.file == known.file ? nil : (next.file, next.value)
  }
}
