import CacheSync

extension OutputDocument {
  /// A document with one member, `value`.
  static func holding(_ value: (inout JSONWriter) -> Void) -> OutputDocument {
    var json = JSONWriter()
    var holes = Holes()
    json.object { json in
      json.hole(.generation, &holes)
      json.hole(.publishedAt, &holes)
      value(&json)
    }
    return OutputDocument(json.bytes, holes: holes)
  }
}
