/// What a person did in a reader, as the reader writes it for the agent: `intents/<any name>.json` in a cache.
///
///     let intent = Intent(id: UUID().uuidString, at: moment, action: .logFood(id: "oats", quantity: 1.5))
///     try JSONEncoder().encode(intent).write(to: folder.appending(path: intent.id + ".json"), options: .atomic)
///
/// It takes effect at once in what readers see, stops counting when the app's own file, written later, includes it, and may be
/// deleted 168 hours after ``at``. Writing the same intent twice, under any names, counts once.
public struct Intent: Codable, Sendable, Hashable, Identifiable {
  /// The act, with the records that it names by their ids in the app's own files. Each feed on which intents act has
  /// functions that make them, such as `Intent.Action.addTask(title: "Buy milk")`.
  public struct Action: Sendable, Hashable {
    /// What was done, as the file says it: `add-task`.
    public let type: String
    /// The fields of that type.
    public let fields: [String: Value]

    init(_ type: IntentType, _ fields: [String: Value?] = [:]) {
      self.type = type.name
      self.fields = fields.compactMapValues(\.self)
    }

    /// An act of a type whose fields are all texts or records' ids, as a person pressed or typed them. ``KnownIntent`` has the
    /// types; ``SessionWriter`` refuses what is none of them.
    public init(type: String, texts: [String: String]) {
      self.type = type
      fields = texts.mapValues { .text($0) }
    }
  }

  /// The feed that intents are files of, as ``SessionWriter`` takes it.
  public static var feed: String { "\(IntentsFeed.name)" }

  /// What a field of an intent holds.
  public enum Value: Sendable, Hashable {
    /// A text, or a record's id.
    case text(String)
    /// A number.
    case number(Double)
    /// A day or a moment.
    case day(DayReference)
  }

  /// Unique among all intents of a cache.
  public var id: String
  /// When the person did it.
  public var at: Instant
  /// What the person did.
  public var action: Action

  /// An intent of those values.
  public init(id: String, at: Instant, action: Action) {
    self.id = id
    self.at = at
    self.action = action
  }
}

extension Intent {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    static let id = Key(stringValue: "id")
    static let type = Key(stringValue: "type")
    static let at = Key(stringValue: "at")
  }

  /// Reads an intent's file.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    at = try container.decode(Instant.self, forKey: .at)
    let word = try container.decode(String.self, forKey: .type)
    guard let type = FeedRegistry.builtIn.intents[word] else {
      throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "unknown intent type")
    }
    var fields: [String: Value] = [:]
    for field in type.fields {
      let key = Key(stringValue: field.name)
      let isAbsent = try !field.isRequired && (!container.contains(key) || container.decodeNil(forKey: key))
      fields[field.name] =
        if isAbsent {
          field.defaultValue
        } else {
          switch field.value {
          case .text, .record: .text(try container.decode(String.self, forKey: key))
          case .number: .number(try container.decode(Double.self, forKey: key))
          case .day: .day(try container.decode(DayReference.self, forKey: key))
          }
        }
    }
    action = Action(type, fields)
  }

  /// Writes an intent's file: `id`, `type`, `at` and the fields of its type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(action.type, forKey: .type)
    try container.encode(at, forKey: .at)
    for (name, value) in action.fields {
      let key = Key(stringValue: name)
      switch value {
      case .text(let text): try container.encode(text, forKey: key)
      case .number(let number): try container.encode(number, forKey: key)
      case .day(let day): try container.encode(day, forKey: key)
      }
    }
  }
}
