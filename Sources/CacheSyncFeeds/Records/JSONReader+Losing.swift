// What a defect costs (contract.md section 2): the smallest part around it that the document can do without. That is an
// optional member, a record of a list, or else the document. It is decided here, for every format.

extension JSONReader {
  /// Reads a member that may be missing. If it cannot be read, it counts as absent, with a warning.
  ///
  /// - Parameter consequence: what an unreadable value means; nil: it counts as absent.
  @inline(__always)
  package mutating func optionalMember<Value>(
    _ name: String, meaning consequence: StaticString? = nil, _ read: (inout JSONReader) -> Value?
  ) -> Value? {
    let (offset, count, mark) = (valueOffset, list.count, warnings.count)
    var value = read(&self)
    if list.count != count, !isStrict {
      lose(from: offset, since: mark, consequence.map { "\($0)" } ?? "\(name) counts as absent")
      value = nil
    }
    return value
  }

  /// Reads an element of a list. One that cannot be read is left out with a warning, at its first unknown word or else
  /// at its first defect.
  ///
  /// - Parameters:
  ///   - noun: what an element is, such as "task", for the warning.
  ///   - warnsOfWords: whether a record with an unknown word is worth a warning.
  ///   - title: its title for the warnings, as far as it was read.
  ///   - read: returns the element as far as it can be read.
  package mutating func element<Value>(
    _ noun: StaticString, warnsOfWords: Bool = true, title: (Value) -> String? = { _ in nil },
    _ read: (inout JSONReader) -> (record: Value, isWhole: Bool)
  ) -> Value? {
    let (offset, count, mark, none) = (valueOffset, list.count, warnings.count, noDates.count)
    let outer = beginRecord()
    let isInner = outer >= 0
    let (value, isWhole) = read(&self)
    let isExcluded = endRecord(outer)
    if list.count == count, !isExcluded {
      if !isInner {
        wholeRecords += 1
        if warnings.count != mark { warnings.name(title(value), since: mark) }
      }
      return isWhole ? value : nil
    }
    let unknown = isExcluded ? exclusions.removeLast() : nil
    if isStopped { return nil }
    let defect = list.takeValues(from: offset)
    warnings.removeAll(since: mark)
    noDates.removeAll(since: none)
    if !isInner {
      if unknown != nil { wholeRecords += 1 } else if let defect { lostRecords.append(defect) }
    }
    guard var warning = unknown ?? defect, warnsOfWords || unknown == nil else { return nil }
    warning.message += ": this \(noun) is left out"
    warnings.insert(warning)
    if !isInner { warnings.name(title(value), since: mark) }
    return nil
  }
}
