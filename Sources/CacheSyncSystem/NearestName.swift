/// Finds the name that a mistyped word most likely means.
public enum NearestName {
  /// The most slips between a word and a name. A slip is a character that is added, missing or replaced, or two
  /// neighbours in the wrong order.
  private static let mostSlips = 2

  /// Returns the name that is nearest to a word, at most two slips away. Of several equally near names, returns the
  /// first; nil when there is none. A name in another case has no slips.
  public static func of(_ word: String, among names: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().unicodeScalars)
    var nearest: (name: String, slips: Int)?
    for name in names {
      let slips = slips(from: typed, to: Array(name.lowercased().unicodeScalars))
      // With as many slips as characters, a name has nothing in common with the word.
      guard slips <= mostSlips, slips < name.unicodeScalars.count, slips < nearest?.slips ?? .max else { continue }
      nearest = (name, slips)
    }
    return nearest?.name
  }

  /// Returns advice about an unknown name: "did you mean show?", or "use one of …" when none is near.
  public static func advice(for word: String, among names: some Collection<String>) -> String {
    of(word, among: names).map { "did you mean \($0)?" } ?? "use one of \(names.joined(separator: ", "))"
  }

  /// The distance of Damerau and Levenshtein, where no part changes twice (optimal string alignment).
  private static func slips(from word: [Unicode.Scalar], to name: [Unicode.Scalar]) -> Int {
    if abs(word.count - name.count) > mostSlips { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...name.count)
    for row in word.indices {
      var current = [row + 1]
      for column in name.indices {
        let isSame = word[row] == name[column]
        var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, word[row] == name[column - 1], word[row - 1] == name[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[name.count]
  }
}
