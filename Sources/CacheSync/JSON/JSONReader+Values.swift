import CacheSyncSystem

// The values that the files of all feeds share: paths, lists and ids.

extension JSONReader {
  /// Reads a relative path in the cache.
  package mutating func relativePath() -> String? {
    stringBytes("a relative path in the cache such as tasks/anna, without . and ..") { text in
      CachePath(relative: text).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }

  /// Reads an array.
  package mutating func list<Element>(_ element: (inout JSONReader) -> Element?) -> [Element] {
    var elements: [Element] = []
    _ = array { json in
      if let value = element(&json) { elements.append(value) }
    }
    return elements
  }

  /// Reads an id: a whole number or a text.
  package mutating func recordID() -> RecordID? {
    next == .number ? integerDigits().map { RecordID(digits: $0) } : string().map { RecordID($0) }
  }
}
