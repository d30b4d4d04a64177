/// What a widget of a kind may set (widgets.md: options). The kind declares its options, and its rule and its views read
/// their values.
package struct KindOption: Sendable {
  /// The values that a widget file may give.
  package enum Values: Sendable {
    /// True or false, and the value of a plain kind.
    case flag(Bool)
    /// One of some words, and the word of a plain kind; nil: a plain kind has none.
    case words([String], standard: String?)
    /// Any text that is not empty.
    case text
    /// A record's id.
    case id
    /// Ids of records, each once, and how many at most.
    case ids(atMost: Int)
  }

  package let name: String
  package let values: Values

  package init(_ name: String, _ values: Values) {
    self.name = name
    self.values = values
  }

  /// The value that counts where none is given; null: none.
  package var standard: JSONValue {
    switch values {
    case .flag(let value): .bool(value)
    case .words(_, let word): word.map(JSONValue.string) ?? .null
    case .text, .id, .ids: .null
    }
  }

  /// What a widget file may give, for messages.
  package var expectation: String {
    switch values {
    case .flag: "true or false"
    case .words(let words, _): JSONNames(words).choice
    case .text: "a text"
    case .id: "an id"
    case .ids(let count): "a list of 1 to \(count) ids, each once"
    }
  }

  /// The value as a snapshot has it; nil if it is not one of the option's values.
  package func value(of value: JSONValue) -> JSONValue? {
    switch values {
    case .flag: return value.bool.map(JSONValue.bool)
    case .words(let words, _):
      guard let word = value.string, words.contains(where: { isSameText($0, word) }) else { return nil }
      return value
    case .text: return value.string.flatMap { $0.isEmpty ? nil : .string($0) }
    case .id: return value.recordID.map(JSONValue.string)
    case .ids(let count):
      let ids = value.array?.compactMap(\.recordID) ?? []
      guard (1...count).contains(ids.count), ids.count == value.array?.count,
        Set(ids.map { RecordID($0) }).count == ids.count
      else { return nil }
      return .array(ids.map(JSONValue.string))
    }
  }

  /// What ``value(of:)`` accepts, for editors.
  package var schema: JSONSchema {
    switch values {
    case .flag: return .flag
    case .words(let words, _): return .word(words)
    case .text: return .text.notEmpty
    case .id: return .id.notEmpty
    case .ids(let count):
      var ids = JSONSchema.list(of: .id.notEmpty)
      ids.keywords["minItems"] = .integer(1)
      ids.keywords["maxItems"] = .integer(count)
      ids.keywords["uniqueItems"] = .bool(true)
      return ids
    }
  }

  /// The value that a person typed; nil if it is not one of the option's values.
  package func value(typed text: String) -> JSONValue? {
    switch values {
    case .flag: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .words, .text, .id: value(of: .string(text))
    case .ids: value(of: .array(text.split(separator: ",").map { .string(String($0)) }))
    }
  }
}

extension JSONValue {
  /// The text of a record's id, which may be written as a text or as a whole number.
  fileprivate var recordID: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .digits(let digits): digits
    default: nil
    }
  }
}

extension KindOption {
  /// Whether views leave out every secondary line; the content is the same.
  package static let compactMode = KindOption("compactMode", .flag(false))
}

/// The options of one widget. An option that is not set has its standard value.
package struct OptionValues: Sendable, Equatable {
  private var values: TextMap<JSONValue>

  package init(_ values: TextMap<JSONValue> = [:]) { self.values = values }

  /// The options in a snapshot.
  package init(_ widget: JSONValue?) { self.init(widget?.object ?? [:]) }

  package subscript(option: KindOption) -> JSONValue { values[option.name] ?? option.standard }

  /// Whether a flag is set.
  package func isOn(_ option: KindOption) -> Bool { self[option].bool ?? false }
}

extension JSONWriter {
  /// Writes an option as `kinds --json` lists it.
  package mutating func option(_ option: KindOption) {
    object { json in
      json.key("default")
      json.value(option.standard)
      json.member("name", option.name)
      switch option.values {
      case .flag:
        json.key("values")
        json.value(.array([.bool(true), .bool(false)]))
      case .words(let words, _): json.member("values", words)
      case .text: json.member("type", "text")
      case .id: json.member("type", "id")
      case .ids: json.member("type", "ids")
      }
    }
  }
}

extension KindOption {
  /// A value for an example: the standard one, or else any.
  package var example: JSONValue {
    if standard != .null { return standard }
    return switch values {
    case .flag(let value): .bool(value)
    case .words(let words, _): .string(words[0])
    case .text: .string("Home")
    case .id: .string("1")
    case .ids: .array([.string("1"), .string("2")])
    }
  }
}
