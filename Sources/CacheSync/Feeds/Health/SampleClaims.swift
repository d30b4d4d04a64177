/// Which file's sample counts for each id: that of the greatest path (FEEDS: health).
struct SampleClaims {
  private struct Claim {
    var file: HealthFile
    /// The sample's place in the file.
    var index: Int
  }

  private struct Claims {
    /// The claim of the greatest path.
    var counting: Claim
    /// The others, by path, ascending. Most ids have none.
    var others: [Claim] = []
  }

  private var claims: [RecordID: Claims] = [:]

  /// Enters a file's sample.
  ///
  /// - Returns: the file and the sample that no longer count for the id; nil when nothing else counted.
  mutating func insert(_ file: HealthFile, _ index: Int, id: RecordID) -> (file: HealthFile, index: Int)? {
    let claim = Claim(file: file, index: index)
    guard let known = claims[id]?.counting else {
      claims[id] = Claims(counting: claim)
      return nil
    }
    if known.file.path < file.path {
      claims[id]?.others.append(known)
      claims[id]?.counting = claim
      return (known.file, known.index)
    }
    let place = claims[id]?.others.partitioningIndex { $0.file.path >= file.path } ?? 0
    claims[id]?.others.insert(claim, at: place)
    return (file, index)
  }

  /// Takes out a file's sample.
  ///
  /// - Returns: the file and the sample that count for the id from now on; nil when that did not change.
  mutating func remove(_ file: HealthFile, id: RecordID) -> (file: HealthFile, index: Int)? {
    guard let known = claims[id] else { return nil }
    if known.counting.file !== file {
      let place = known.others.partitioningIndex { $0.file.path >= file.path }
      if place < known.others.count, known.others[place].file === file { claims[id]?.others.remove(at: place) }
      return nil
    }
    guard let next = known.others.last else {
      claims[id] = nil
      return nil
    }
    claims[id]?.others.removeLast()
    claims[id]?.counting = next
    return (next.file, next.index)
  }
}
