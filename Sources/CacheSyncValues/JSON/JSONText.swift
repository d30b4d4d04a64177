// JSON made of texts that are JSON already.

extension String {
  /// As a JSON string.
  package var quoted: String { String(decoding: JSONValue.string(self).bytes, as: UTF8.self) }

  /// A JSON object; members without a value are left out.
  package static func object(_ members: [(String, String?)]) -> String {
    "{" + members.compactMap { name, value in value.map { "\(name.quoted):\($0)" } }.joined(separator: ",") + "}"
  }
}

extension [String] {
  /// As a definition has paths: one text, or a list of them.
  package var json: String { count == 1 ? self[0].quoted : "[" + map(\.quoted).joined(separator: ",") + "]" }
}

extension JSONValue {
  /// The number, also if it is in a text.
  package var number: Double? {
    double ?? string.flatMap { $0.utf8.allSatisfy { $0 < 0x3a && $0 > 0x2a } ? Double($0) : nil }
  }
  /// The value as a definition's id would be, for comparing two of them.
  package var identity: ExactText { ExactText(string ?? String(decoding: bytes, as: UTF8.self)) }
}
