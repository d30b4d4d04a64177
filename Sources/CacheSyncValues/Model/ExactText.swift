/// A text that is compared and ordered by its bytes.
///
/// Swift compares by canonical equivalence, which makes a composed and a decomposed "é" equal; in files they differ. As
/// a property wrapper, this makes the comparison that Swift synthesises for a type one by bytes.
@propertyWrapper
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text.
  public var wrappedValue: String

  /// Wraps a property's text.
  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// Wraps a text.
  public init(_ text: String) { wrappedValue = text }

  /// Wraps a literal.
  public init(stringLiteral text: String) { wrappedValue = text }

  /// The text.
  public var description: String { wrappedValue }

  /// Whether the bytes are the same.
  public static func == (a: ExactText, b: ExactText) -> Bool { isSameText(a.wrappedValue, b.wrappedValue) }

  /// By bytes.
  public static func < (a: ExactText, b: ExactText) -> Bool { isOrdered(a.wrappedValue, before: b.wrappedValue) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    wrappedValue.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

/// Values by texts, with keys compared as ``ExactText`` compares them. The map has no order.
public struct TextMap<Value>: Sequence, ExpressibleByDictionaryLiteral {
  private var members: [ExactText: Value] = [:]

  /// An empty map.
  public init() {}

  /// A map with these values; of duplicate keys the last counts.
  public init(_ pairs: some Sequence<(String, Value)>) {
    for (key, value) in pairs { members[ExactText(key)] = value }
  }

  /// A map with a dictionary's values.
  public init(_ dictionary: [String: Value]) { self.init(dictionary.lazy.map { ($0.key, $0.value) }) }

  /// A map with a literal's values; of duplicate keys the last counts.
  public init(dictionaryLiteral pairs: (String, Value)...) { self.init(pairs) }

  /// The value of a key; nil if there is none.
  public subscript(key: String) -> Value? {
    get { members[ExactText(key)] }
    set { members[ExactText(key)] = newValue }
  }

  /// The value of a key, or a default that is stored when it is changed.
  public subscript(key: String, default other: @autoclosure () -> Value) -> Value {
    get { members[ExactText(key)] ?? other() }
    set { members[ExactText(key)] = newValue }
  }

  /// How many keys there are.
  public var count: Int { members.count }

  /// Whether the map is empty.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys, in no order. Each occurs once.
  public var keys: [String] { members.keys.map(\.wrappedValue) }

  /// The values, in no order.
  public var values: Dictionary<ExactText, Value>.Values { members.values }

  /// Stores a value, and returns the previous one.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
    members.updateValue(value, forKey: ExactText(key))
  }

  /// The same keys with other values.
  public func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> TextMap<Other> {
    var map = TextMap<Other>()
    for (key, value) in members { map.members[key] = try transform(value) }
    return map
  }

  /// The same keys with other values, without the keys whose new value is nil.
  public func compactMapValues<Other>(_ transform: (Value) throws -> Other?) rethrows -> TextMap<Other> {
    var map = TextMap<Other>()
    for (key, value) in members { map.members[key] = try transform(value) }
    return map
  }

  /// The members of both; for a key of both maps, the value that `choice` makes of the two.
  public func merging(
    _ other: TextMap, uniquingKeysWith choice: (Value, Value) throws -> Value
  ) rethrows -> TextMap {
    var map = self
    try map.members.merge(other.members, uniquingKeysWith: choice)
    return map
  }

  /// Iterates over the keys and values, in no order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    members.lazy.map { (key: $0.key.wrappedValue, value: $0.value) }.makeIterator()
  }
}

extension TextMap: Equatable where Value: Equatable {}
extension TextMap: Hashable where Value: Hashable {}
extension TextMap: Sendable where Value: Sendable {}
