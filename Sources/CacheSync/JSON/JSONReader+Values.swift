// The values that every feed's files share: dates, days and lists.

extension JSONReader {
  /// A date: RFC 3339 with an offset, or a number of seconds since 2001-01-01T00:00:00Z, as Swift's `JSONEncoder` writes it
  /// (CONTRACT section 2).
  package mutating func date() -> Instant? {
    guard next == .number else {
      return stringBytes("a date with an offset, such as 2026-11-21T09:30:00Z") { Instant(rfc3339: $0) }
    }
    return number().flatMap { Instant(secondsSince2001: $0) }
  }

  /// A day: `YYYY-MM-DD`, or a date.
  package mutating func dayReference() -> DayReference? {
    if next == .number { return date().map(DayReference.instant) }
    return stringBytes("a day such as 2026-11-21, or a date") { DayReference($0) }
  }

  /// An array's elements, without those that are defective.
  package mutating func list<Element>(_ element: (inout JSONReader) -> Element?) -> [Element] {
    var elements: [Element] = []
    _ = array { json in
      if let value = element(&json) { elements.append(value) }
    }
    return elements
  }
}

extension JSONReader {
  /// An array's records, without those that are defective and those with an unknown word.
  ///
  /// - Parameter noun: what the message calls a record, such as "entry".
  package mutating func records<Record>(
    _ noun: StaticString, _ record: (inout JSONReader) -> Record?
  ) -> [Record] {
    list { $0.record(noun, record) }
  }

  /// Reads a record. An unknown word leaves it out: that is a warning, and nothing else in it is a defect of the file.
  package mutating func record<Record>(_ noun: StaticString, _ read: (inout JSONReader) -> Record?) -> Record? {
    let offset = valueOffset
    let mark = warnings.mark
    let (value, unknown) = findingUnknownWord(read)
    guard var unknown, !isStopped else { return value }
    list.removeValues(from: offset)
    warnings.removeAll(since: mark)
    unknown.message += ": this \(noun) is left out"
    warnings.append(unknown)
    return nil
  }

  /// An id: a whole number or a text.
  package mutating func recordID() -> RecordID? {
    next == .number ? integer().map { RecordID($0) } : string().map { RecordID($0) }
  }
}
