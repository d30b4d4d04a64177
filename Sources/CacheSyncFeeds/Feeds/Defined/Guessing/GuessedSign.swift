/// A member by which items are left out: a flag, a time at which an item was done or deleted, or a status.
struct GuessedSign {
  /// The field's name, where it is, and the values of items that are left out; nil for any time.
  let (name, column, values): (String, SampleColumn, [JSONValue]?)

  private static let flags = JSONValue(
    Array(#"[[false,true],[0,1],["false","true"],["no","yes"],["No","Yes"],["0","1"],["N","Y"]]"#.utf8))

  /// - Parameter isTask: whether an item may be done. A payment that is completed counts.
  init?(_ column: SampleColumn, isTask: Bool) {
    var known: Set<ExactText> = []
    let all = column.values.compactMap(\.self).filter { known.insert($0.identity).inserted }
    let words = column.ownWords.filter { !SampleWords.time.union(["is", "was", "has", "been"]).contains($0) }
    let word = words.count == 1 ? words[0] : words.first { ["cancelled", "canceled"].contains($0) } ?? ""
    let isDone = isTask && column.isOwn && column.hasAny(of: SampleWords.done)
    let isOff = isDone || SampleWords.off.contains(word)
    let isFlag = isDone || (isOff || SampleWords.on.contains(word)) && !column.hasAny(of: SampleWords.others)
    (name, self.column) = (isDone ? "done" : isFlag ? word : "status", column)
    if isFlag, isOff, column.shape == .moment, !column.hasAny(of: SampleWords.end) {
      values = nil
    } else if isFlag, let pair = Self.flags?.array?.first(where: { all.allSatisfy(($0.array ?? []).contains) })?.array {
      values = [pair[isOff ? 1 : 0]]
    } else {
      // "Cancelled", and of a status also "STATUS_CANCELED" and "https://schema.org/EventCancelled".
      let most = column.hasAny(of: ["status", "state", "relationship"]) ? 5 : 1
      let found = all.filter { value in
        let words = SampleWords.of(value.string ?? "")
        return words.count <= most && !words.contains("not") && !SampleWords.off.isDisjoint(with: words)
      }
      if found.isEmpty { return nil }
      values = found
    }
  }

  func leavesOut(_ row: Int) -> Bool {
    values?.contains { $0.identity == column.values[row]?.identity } ?? (column.times[row] != nil)
  }

  var condition: String {
    let field = #"{"field":\#(name.quoted),"#
    guard let values else { return #"{"any":[\#(field)"is":null},\#(field)"is":""}]}"# }
    return values.map { #"\#(field)"isNot":\#(String(decoding: $0.bytes, as: UTF8.self))}"# }.joined(separator: ",")
  }
}
