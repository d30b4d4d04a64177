import CacheSyncSystem

extension JSONWriter {
  /// Writes an id as its producer wrote it: a number or a text.
  package mutating func member(_ key: StaticString, _ id: RecordID) {
    self.key(key)
    value(id)
  }

  /// Writes an id as its producer wrote it: a number or a text.
  package mutating func value(_ id: RecordID) {
    if id.isInteger { encoded(id.text.utf8) } else { string(id.text) }
  }

  /// Writes the six keys of a problem (contract.md section 3).
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
