/// Values kept in order while they come and go; equal ones are one.
///
/// Adding and removing cost about the square root of how many there are, also when a hundred thousand come at once in the
/// order of a directory: the values lie in runs, none empty, none longer than ``longestRun``.
package struct OrderedValues<Value: Comparable> {
  /// A judgement: long enough that runs are few, short enough that moving half of one costs less than finding it.
  package static var longestRun: Int { 512 }

  private var runs: [[Value]] = []

  package init() {}

  package mutating func insert(_ value: Value) {
    guard !runs.isEmpty else { return runs = [[value]] }
    // The last run that does not begin after the value.
    let run = max(0, Self.firstIndex(in: runs) { $0[0] > value } - 1)
    let index = Self.firstIndex(in: runs[run]) { $0 >= value }
    if index < runs[run].count, runs[run][index] == value { return }
    runs[run].insert(value, at: index)
    guard runs[run].count > Self.longestRun else { return }
    let half = runs[run].count / 2
    runs.insert(Array(runs[run][half...]), at: run + 1)
    runs[run].removeLast(runs[run].count - half)
  }

  package mutating func remove(_ value: Value) {
    let run = Self.firstIndex(in: runs) { $0[0] > value } - 1
    guard run >= 0 else { return }
    let index = Self.firstIndex(in: runs[run]) { $0 >= value }
    guard index < runs[run].count, runs[run][index] == value else { return }
    runs[run].remove(at: index)
    if runs[run].isEmpty { runs.remove(at: run) }
  }

  /// Visits in order the values from the first on that has reached a mark, until `visit` returns false.
  ///
  /// - Parameter hasReached: false for values before the mark, true for all after it.
  package func visit(from hasReached: (Value) -> Bool, _ visit: (Value) -> Bool) {
    // The mark lies in the run before the first that begins beyond it.
    var run = max(0, Self.firstIndex(in: runs) { hasReached($0[0]) } - 1)
    guard run < runs.count else { return }
    var index = Self.firstIndex(in: runs[run], hasReached)
    while run < runs.count {
      while index < runs[run].count {
        guard visit(runs[run][index]) else { return }
        index += 1
      }
      run += 1
      index = 0
    }
  }

  /// The first index at which a condition holds that stays true once it is; the count when it never does.
  private static func firstIndex<Element>(in elements: [Element], _ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
