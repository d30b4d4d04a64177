extension SessionRecord {
  /// Reads `[ record ]`, or the object with such a list as a member, because apps' real files are bare arrays.
  ///
  /// - Parameter key: the key of the list.
  static func decode<Record: SessionRecord>(
    _ json: inout JSONReader, list key: CodingKeys, _ session: ([Record]) -> Self
  ) -> Self? {
    switch json.next {
    case .array: return [Record].read(&json, (), named: key.rawValue).map(session)
    case .object: return decode(&json)
    default:
      json.mismatch("an array of \(key.rawValue) or an object")
      return nil
    }
  }

  /// What ``decode(_:list:_:)`` accepts.
  static func schema<Record: SessionRecord>(listOf record: Record.Type) -> JSONSchema {
    var schema = schema(()).or("array")
    schema.keywords["items"] = Record.element.value
    return schema
  }
}
