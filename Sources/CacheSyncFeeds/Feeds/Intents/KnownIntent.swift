/// A type of intent that this version of the library knows: an action of a person in a reader.
///
///     for intent in KnownIntent.all where intent.feed == "tasks" { print(intent.type, intent.fields.map(\.name)) }
public struct KnownIntent: Sendable, Equatable {
  /// The type of a field's value.
  public enum Value: Sendable {
    case text, number
    /// A day or a moment.
    case day
    /// The id of a record in the app's own files.
    case record
  }

  /// A field of the type, besides `id`, `type` and `at`.
  public struct Field: Sendable, Equatable {
    /// Such as `title`.
    public let name: String
    /// The type of its value.
    public let value: Value
    /// Whether every intent of the type must have it.
    public let isRequired: Bool
  }

  /// The word in the file, such as `add-task`.
  public let type: String
  /// The feed on which it acts, such as `tasks`.
  public let feed: String
  /// Its fields in the order of the documentation.
  public let fields: [Field]

  /// What it does, for a button.
  public func title(in language: Language) -> String { Self.title(of: type, in: language) }

  /// What an intent of a type does, for a button.
  public static func title(of type: String, in language: Language) -> String {
    FeedRegistry.builtIn.intents[type]?.title.text(in: language) ?? type.asHeading
  }

  /// Whether it names a record, so that a reader can offer it only next to that record.
  public var namesRecord: Bool { fields.contains { $0.value == .record } }

  /// Every type, feed by feed in the order of the documentation.
  public static let all: [KnownIntent] = FeedRegistry.builtIn.intents.all.map { type in
    KnownIntent(
      type: type.name, feed: type.feed.description,
      fields: type.fields.map { Field(name: $0.name, value: Value($0.value), isRequired: $0.isRequired) })
  }
}

extension KnownIntent.Value {
  fileprivate init(_ value: IntentField.Value) {
    switch value {
    case .text, .path: self = .text
    case .number: self = .number
    case .day: self = .day
    case .record: self = .record
    }
  }
}
