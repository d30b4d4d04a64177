/// A member by which items are left out: a flag, a time at which an item was done or deleted, or a status.
struct GuessedSign {
  /// The field's name, where it is, and the values of items that are left out; nil for any time.
  let (name, column, values): (String, SampleColumn, [JSONValue]?)

  private static let flags = JSONValue(
    Array(#"[[false,true],[0,1],["false","true"],["no","yes"],["No","Yes"],["0","1"],["N","Y"]]"#.utf8))

  /// - Parameters:
  ///   - isTask: whether an item may be done. A payment that is completed counts.
  ///   - isLog: whether the items tell what happened. A job that is completed counts, too.
  init?(_ column: SampleColumn, isTask: Bool, isLog: Bool) {
    let all = column.different
    let words = column.ownWords.filter { ![$0].hasAny(of: [.time, .helping]) }
    let word = words.count == 1 ? words[0] : words.first(where: SampleWords.cancelled.contains) ?? ""
    let isDone = isTask && column.isOwn && column.hasAny(of: .done)
    let isOff = isDone || SampleWords.off.contains(word)
    let isFlag = isDone || (isOff || SampleWords.on.contains(word)) && !column.hasAny(of: .others)
    let pair = Self.flags?.array?.first { all.allSatisfy(($0.array ?? []).contains) }?.array
    (name, self.column) = (isDone ? "done" : isFlag ? word : "status", column)
    if isFlag, isOff, column.shape == .moment, !column.hasAny(of: .end) {
      values = nil
    } else if isFlag, let pair {
      values = [pair[isOff ? 1 : 0]]
    } else {
      // "Cancelled", and of a status also "STATUS_CANCELED" and "https://schema.org/EventCancelled".
      let (isStatus, isDone) = (column.hasAny(of: .status), isTask && !isLog && column.isOwn)
      let found = all.filter { value in
        let words = SampleWords.of(value.string ?? "")
        let says = words.hasAny(of: [.off]) || isStatus && isDone && words.hasAny(of: [.finished])
        return words.count <= (isStatus ? 5 : 1) && !words.contains("not") && says
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
