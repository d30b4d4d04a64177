/// What readers have set by intents and is in force: for the id of an item or of an occurrence, its marks (definitions.md section 4).
package struct MarksInForce: Sendable, Equatable {
  private var marks: [RecordID: TextMap<Bool>] = [:]

  package init() {}

  package init(_ marks: [String: [String: Bool]]) {
    for (id, values) in marks { self.marks[RecordID(id)] = TextMap(values) }
  }

  package var isEmpty: Bool { marks.isEmpty }

  /// Nil: no intent sets it.
  package subscript(id: String, mark: String) -> Bool? {
    get { marks[RecordID(id)]?[mark] }
    set { marks[RecordID(id), default: [:]][mark] = newValue }
  }
}
