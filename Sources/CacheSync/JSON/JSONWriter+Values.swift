extension JSONWriter {
  /// An id as its producer wrote it: a number or a text.
  package mutating func member(_ key: StaticString, _ id: RecordID) {
    if let integer = id.integer { member(key, integer) } else { member(key, id.text) }
  }

  /// The six keys of CONTRACT section 3.
  package mutating func problem(_ problem: Problem) {
    object { json in
      json.problemMembers(problem)
    }
  }

  package mutating func problemMembers(_ problem: Problem) {
    member("column", problem.column)
    member("line", problem.line)
    member("message", problem.message)
    member("path", problem.path?.description)
    member("pointer", problem.pointer)
    member("severity", problem.severity.rawValue)
  }
}
