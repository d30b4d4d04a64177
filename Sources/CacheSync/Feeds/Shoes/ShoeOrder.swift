/// Values in ascending order, in pieces, so that one more or less among many moves only a few.
struct ShoeOrder<Value: Comparable> {
  /// Never empty pieces, ascending throughout.
  private var pieces: [[Value]] = []

  /// A judgement: small enough to shift, large enough to have few pieces.
  private static var longestPiece: Int { 512 }

  var greatest: Value? { pieces.last?.last }

  var all: some Sequence<Value> { pieces.joined() }

  mutating func insert(_ value: Value) {
    guard !pieces.isEmpty else {
      pieces.append([value])
      return
    }
    // A value greater than all goes to the last piece.
    let piece = min(pieces.leadingCount { $0[$0.count - 1] < value }, pieces.count - 1)
    pieces[piece].insert(value, at: pieces[piece].leadingCount { $0 < value })
    if pieces[piece].count > Self.longestPiece {
      let half = pieces[piece].count / 2
      let upper = Array(pieces[piece][half...])
      pieces[piece].removeSubrange(half...)
      pieces.insert(upper, at: piece + 1)
    }
  }

  mutating func remove(_ value: Value) {
    let piece = pieces.leadingCount { $0[$0.count - 1] < value }
    guard piece < pieces.count else { return }
    let place = pieces[piece].leadingCount { $0 < value }
    guard pieces[piece][place] == value else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }
}

extension Array {
  /// How many elements, all of them at the beginning, fulfil a condition.
  func leadingCount(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
