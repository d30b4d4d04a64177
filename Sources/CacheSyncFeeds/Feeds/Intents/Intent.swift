/// An action of a person in a reader, as the reader writes it for the agent: `intents/<any name>.json` in a cache.
///
///     let intent = Intent(id: UUID().uuidString, at: .now, action: .logFood(id: "oats", quantity: 1.5))
///     let writer = SessionWriter(cache: "/home/me/.cache/cachesync")
///     try writer.write(intent, name: intent.id)
///
/// Readers see its effect at once. It stops counting when the app's own file, written later, includes it. The file may
/// be deleted 168 hours after ``at``. The same intent counts once, whatever the names of its files.
public struct Intent: FeedSession, Codable, Sendable, Hashable, Identifiable {
  /// The action with its fields; records are named by their ids in the app's own files. Every feed with intents has
  /// functions that make actions, such as `Intent.Action.addTask(title: "Buy milk")`.
  public struct Action: Sendable, Hashable {
    /// The action's type as the file names it, such as `add-task`.
    public let type: String
    /// The fields of that type.
    public let fields: [String: Value]

    init(_ type: IntentType, _ fields: [String: Value?] = [:]) {
      self.type = type.name
      self.fields = fields.compactMapValues(\.self)
    }

    /// An action whose fields are all texts or records' ids, as a person pressed or typed them. ``KnownIntent`` lists
    /// the types; ``SessionWriter`` rejects any other.
    public init(type: String, texts: [String: String]) {
      self.type = type
      fields = texts.mapValues { .text($0) }
    }
  }

  /// The feed `intents`.
  public static var feed: String { "\(IntentsFeed.name)" }

  /// The value of a field.
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

  /// An intent with these values.
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
          case .text, .path, .record: .text(try container.decode(String.self, forKey: key))
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
