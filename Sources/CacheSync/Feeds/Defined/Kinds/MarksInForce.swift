/// The marks in force that intents set, by the id of an item or of an occurrence (definitions.md section 4).
package struct MarksInForce: Sendable, Equatable {
  private var marks: [RecordID: TextMap<Bool>] = [:]

  package init() {}

  package init(_ marks: [String: [String: Bool]]) {
    for (id, values) in marks { self.marks[RecordID(id)] = TextMap(values) }
  }

  package var isEmpty: Bool { marks.isEmpty }

  /// Nil if no intent sets the mark.
  package subscript(id: String, mark: String) -> Bool? {
    get { marks[RecordID(id)]?[mark] }
    set { marks[RecordID(id), default: [:]][mark] = newValue }
  }
}
