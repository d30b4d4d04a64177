/// What one file of the shoes app says; the agent needs all of it (FEEDS: shoes).
package struct StoredShoes: Sendable {
  package struct Shoe: Identifiable, Sendable {
    package var id: RecordID
    package var name: String
    package var brand: String?
    package var model: String?
    package var icon: String?
    package var isArchived = false
  }

  /// One wearing of a shoe.
  package struct Session: Identifiable, Sendable {
    package var id: RecordID
    package var shoeID: RecordID
    package var start: Instant
    /// Nil while the shoe is worn.
    package var end: Instant?
    package var steps: Int
    /// Kilometres.
    package var distance: Double
  }

  /// A shoe that the app itself proposes.
  package struct Suggestion: Sendable {
    package var shoeID: RecordID
    package var reason: String
    /// 0...1.
    package var confidence: Double
  }

  package var shoes: [Shoe] = []
  package var sessions: [Session] = []
  package var suggestions: [Suggestion] = []
  package var lastUpdated: Instant?
}

extension StoredShoes {
  private enum Key: String, JSONKey {
    case shoes, sessions, suggestions, lastUpdated
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredShoes? {
    var file = StoredShoes()
    let isObject = json.object(Key.self) { json, key in
      switch key {
      case .shoes: file.shoes = json.list { Shoe.decode(&$0) }
      case .sessions: file.sessions = json.list { Session.decode(&$0) }
      case .suggestions: file.suggestions = json.list { Suggestion.decode(&$0) }
      case .lastUpdated: file.lastUpdated = json.date()
      }
    }
    return isObject ? file : nil
  }
}

extension StoredShoes.Shoe {
  private enum Key: String, JSONKey {
    case id, name, brand, model, icon, archived
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredShoes.Shoe? {
    var shoe = StoredShoes.Shoe(id: RecordID(""), name: "")
    let isObject = json.object(Key.self, required: [.id, .name]) { json, key in
      switch key {
      case .id: shoe.id = json.recordID() ?? shoe.id
      case .name: shoe.name = json.string() ?? ""
      case .brand: shoe.brand = json.string()
      case .model: shoe.model = json.string()
      case .icon: shoe.icon = json.string()
      case .archived: shoe.isArchived = json.bool() ?? false
      }
    }
    return isObject ? shoe : nil
  }
}

extension StoredShoes.Session {
  private enum Key: String, JSONKey {
    case id, shoeId, start, end, steps, distance
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredShoes.Session? {
    var session = StoredShoes.Session(
      id: RecordID(""), shoeID: RecordID(""), start: .referenceDate, steps: 0, distance: 0)
    var start: Instant?
    var endOffset = 0
    let isObject = json.object(Key.self, required: [.id, .shoeId, .start, .steps, .distance]) { json, key in
      switch key {
      case .id: session.id = json.recordID() ?? session.id
      case .shoeId: session.shoeID = json.recordID() ?? session.shoeID
      case .start: start = json.date()
      case .end:
        endOffset = json.valueOffset
        session.end = json.date()
      case .steps: session.steps = json.integer() ?? 0
      case .distance: session.distance = json.number() ?? 0
      }
    }
    if let start {
      session.start = start
      if let end = session.end, end < start { json.fail("the session ends before it starts", at: endOffset) }
    }
    return isObject ? session : nil
  }
}

extension StoredShoes.Suggestion {
  private enum Key: String, JSONKey {
    case shoeId, reason, confidence
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredShoes.Suggestion? {
    var suggestion = StoredShoes.Suggestion(shoeID: RecordID(""), reason: "", confidence: 0)
    let isObject = json.object(Key.self, required: [.shoeId, .reason, .confidence]) { json, key in
      switch key {
      case .shoeId: suggestion.shoeID = json.recordID() ?? suggestion.shoeID
      case .reason: suggestion.reason = json.string() ?? ""
      case .confidence: suggestion.confidence = json.number(in: 0...1) ?? 0
      }
    }
    return isObject ? suggestion : nil
  }
}
