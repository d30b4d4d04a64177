/// What one file of tasks or events says.
package struct RecordList<Record: Sendable>: Sendable {
  package var records: [Record]
  /// When the app wrote the file, if it says so; the app's real file is a bare array and does not.
  package var lastUpdate: Instant?
}

extension RecordList {
  /// Reads `[ record ]` or `{ <records>: [ record ], lastUpdate?: date }`.
  ///
  /// - Parameter records: the key of the records; the only other key is that of the date.
  static func decode<Key: JSONKey>(
    _ json: inout JSONReader, under records: Key, _ record: (inout JSONReader) -> Record?
  ) -> RecordList? {
    var list = RecordList(records: [])
    switch json.next {
    case .array:
      list.records = json.list(record)
      return list
    case .object:
      let isObject = json.object(Key.self, required: [records]) { json, key in
        if key == records { list.records = json.list(record) } else { list.lastUpdate = json.date() }
      }
      return isObject ? list : nil
    default:
      json.mismatch("an array of \(records.rawValue) or an object")
      return nil
    }
  }
}
