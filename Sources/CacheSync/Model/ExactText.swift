/// A text that is the same as another only when its bytes are, and that comes before another by bytes. Swift's own comparison
/// goes by canonical equivalence, for which a composed and a decomposed "é" are one; in files they are two.
///
/// As a property wrapper it makes the comparison that Swift synthesises for a type one by bytes.
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

  /// Of the bytes.
  public func hash(into hasher: inout Hasher) {
    wrappedValue.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

/// Values by texts, which are compared as ``ExactText`` compares them. Their order is not kept.
public struct TextMap<Value>: Sequence, ExpressibleByDictionaryLiteral {
  private var members: [ExactText: Value] = [:]

  /// An empty map.
  public init() {}

  /// A map with these values; of a key that comes twice the last counts.
  public init(_ pairs: some Sequence<(String, Value)>) {
    for (key, value) in pairs { members[ExactText(key)] = value }
  }

  /// A map with a dictionary's values.
  public init(_ dictionary: [String: Value]) { self.init(dictionary.lazy.map { ($0.key, $0.value) }) }

  /// A map with a literal's values; of a key that comes twice the last counts.
  public init(dictionaryLiteral pairs: (String, Value)...) { self.init(pairs) }

  /// The value of a key; nil: there is none.
  public subscript(key: String) -> Value? {
    get { members[ExactText(key)] }
    set { members[ExactText(key)] = newValue }
  }

  /// The value of a key, or another that is put there when it is changed.
  public subscript(key: String, default other: @autoclosure () -> Value) -> Value {
    get { members[ExactText(key)] ?? other() }
    set { members[ExactText(key)] = newValue }
  }

  /// How many there are.
  public var count: Int { members.count }

  /// Whether there is none.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys, in no order. Each comes once.
  public var keys: [String] { members.keys.map(\.wrappedValue) }

  /// The values, in no order.
  public var values: Dictionary<ExactText, Value>.Values { members.values }

  /// Puts a value, and gives the one that was there before.
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

  /// The same keys with other values, without those that have none.
  public func compactMapValues<Other>(_ transform: (Value) throws -> Other?) rethrows -> TextMap<Other> {
    var map = TextMap<Other>()
    for (key, value) in members { map.members[key] = try transform(value) }
    return map
  }

  /// The members of both; of a key that both have the value that `choice` makes of the two.
  public func merging(
    _ other: TextMap, uniquingKeysWith choice: (Value, Value) throws -> Value
  ) rethrows -> TextMap {
    var map = self
    try map.members.merge(other.members, uniquingKeysWith: choice)
    return map
  }

  /// Goes over the keys and values, in no order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    members.lazy.map { (key: $0.key.wrappedValue, value: $0.value) }.makeIterator()
  }
}

extension TextMap: Equatable where Value: Equatable {}
extension TextMap: Hashable where Value: Hashable {}
extension TextMap: Sendable where Value: Sendable {}
