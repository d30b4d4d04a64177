// `Codable` without Foundation's coders, which the library does not bring. One generic function stands for those of the
// protocols that each take a type of numbers.

extension JSONValue {
  /// Writes a value as `JSONEncoder` does by default: without the members that are nil.
  package init(encoding value: some Encodable) throws {
    let place = EncodedPlace(codingPath: [])
    try place.encode(value)
    self = place.value
  }

  /// Reads a value as `JSONDecoder` does by default: members that the type does not have are ignored.
  package func decoded<Content: Decodable>(as type: Content.Type) throws -> Content {
    try ValueDecoder(value: self, codingPath: []).decode(type)
  }
}

/// A place in what is being encoded: a scalar, or the places in it.
private final class EncodedPlace: Encoder, SingleValueEncodingContainer {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private var scalar = JSONValue.null
  private var members: TextMap<EncodedPlace>?
  private(set) var elements: [EncodedPlace]?

  init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

  var value: JSONValue {
    if let members { return .object(members.mapValues(\.value)) }
    if let elements { return .array(elements.map(\.value)) }
    return scalar
  }

  func member(_ key: any CodingKey) -> EncodedPlace {
    let place = EncodedPlace(codingPath: codingPath + [key])
    members?[key.stringValue] = place
    return place
  }

  func element() -> EncodedPlace {
    let place = EncodedPlace(codingPath: codingPath)
    elements?.append(place)
    return place
  }

  func encodeNil() { scalar = .null }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as Bool: scalar = .bool(value)
    case let value as String: scalar = .string(value)
    case let value as any BinaryInteger: scalar = Int(exactly: value).map(JSONValue.integer) ?? .digits("\(value)")
    case let number as any BinaryFloatingPoint:
      guard number.isFinite else {
        throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: "not a finite number"))
      }
      scalar = .number(Double(number))
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    members = members ?? [:]
    return KeyedEncodingContainer(EncodedMembers(place: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    elements = elements ?? []
    return EncodedElements(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

private struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: EncodedPlace
  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) { place.member(key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try place.member(key).encode(value) }

  func nestedContainer<Other: CodingKey>(keyedBy keys: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
    place.member(key).container(keyedBy: keys)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { place.member(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { place.member(SuperKey()) }

  func superEncoder(forKey key: Key) -> any Encoder { place.member(key) }
}

private struct EncodedElements: UnkeyedEncodingContainer {
  let place: EncodedPlace
  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { place.elements?.count ?? 0 }

  func encodeNil() { place.element().encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws { try place.element().encode(value) }

  func nestedContainer<Other: CodingKey>(keyedBy keys: Other.Type) -> KeyedEncodingContainer<Other> {
    place.element().container(keyedBy: keys)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.element().unkeyedContainer() }

  func superEncoder() -> any Encoder { place.element() }
}

private struct SuperKey: CodingKey {
  let stringValue = "super"
  var intValue: Int? { nil }

  init() {}
  init?(stringValue _: String) {}
  init?(intValue _: Int) { nil }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(DecodedMembers(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw mismatch([Any].self) }
    return DecodedElements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found: Any?
    switch type {
    case is Bool.Type: found = value.bool
    case is String.Type: found = value.string ?? digits
    case let type as any FixedWidthInteger.Type: found = whole(type)
    case let type as any BinaryFloatingPoint.Type: found = value.double.map { type.init($0) }
    default: return try Value(from: self)
    }
    guard let found = found as? Value else { throw mismatch(type) }
    return found
  }

  /// A whole number that does not fit, which is an id.
  private var digits: String? { if case .digits(let digits) = value { digits } else { nil } }

  private func whole<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    value.int.flatMap { Number(exactly: $0) } ?? digits.flatMap { Number($0) }
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "expected \(type)"))
  }
}

private struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: TextMap<JSONValue>
  let codingPath: [any CodingKey]
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try place(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try place(key).decode(type) }

  func nestedContainer<Other: CodingKey>(
    keyedBy keys: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> { try place(key).container(keyedBy: keys) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try place(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try place(SuperKey()) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try place(key) }

  private func place(_ key: any CodingKey) throws -> ValueDecoder {
    guard let value = members[key.stringValue] else {
      let description = "there is no \(JSONMessage.quoted(key.stringValue))"
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: description))
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key])
  }
}

private struct DecodedElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try place().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Other: CodingKey>(keyedBy keys: Other.Type) throws -> KeyedDecodingContainer<Other> {
    defer { currentIndex += 1 }
    return try place().container(keyedBy: keys)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    defer { currentIndex += 1 }
    return try place().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try place()
  }

  private func place() throws -> ValueDecoder {
    guard !isAtEnd else {
      let description = "the list has \(elements.count) elements"
      throw DecodingError.valueNotFound(JSONValue.self, .init(codingPath: codingPath, debugDescription: description))
    }
    return ValueDecoder(value: elements[currentIndex], codingPath: codingPath)
  }
}
