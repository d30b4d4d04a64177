extension SessionRecord {
  /// Reads `[ record ]` or the object that such a list is a member of: apps' real files are bare arrays.
  ///
  /// - Parameter key: the list's.
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
}
