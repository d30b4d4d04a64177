extension RandomAccessCollection {
  /// The first index whose element belongs to the second part of a partitioned collection; `endIndex` if none does.
  ///
  /// No element of the first part may come after one of the second. It tests a logarithmic number of elements. (Name
  /// and meaning are those of swift-algorithms, which the project does not need otherwise.)
  @inlinable @inline(__always)
  package func partitioningIndex(where belongsInSecondPart: (Element) throws -> Bool) rethrows -> Index {
    var start = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(start, offsetBy: half)
      if try belongsInSecondPart(self[middle]) {
        count = half
      } else {
        start = index(after: middle)
        count -= half + 1
      }
    }
    return start
  }
}
