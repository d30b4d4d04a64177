extension JSONTree {
  /// The text of a string or key.
  package func text(of node: Index) -> String {
    let bytes = bytes(of: node)
    guard bytes.contains(0x5c) else { return String(decoding: bytes, as: UTF8.self) }
    let quoted = UnsafeRawBufferPointer(start: start + offset(of: node), count: bytes.count + 2)
    // The document is valid, so the string has a text.
    return JSONReader.read(quoted) { $0.string() }.value ?? ""
  }

  /// The number, correctly rounded; infinite if it is beyond every double.
  func number(of node: Index) -> Double { JSONNumber(bytes(of: node)).double }

  /// The digits of a number that is written without sign, fraction and exponent.
  func digits(of node: Index) -> String? {
    let bytes = bytes(of: node)
    return bytes.allSatisfy { $0 &- 0x30 < 10 } ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The faulty value, as a message repeats it.
  package func description(of node: Index) -> String {
    switch kind(of: node) {
    case .string: JSONMessage.quoted(text(of: node))
    case .number: JSONMessage.cut(bytes(of: node))
    case let kind: JSONMessage.kind(kind, byte(of: node))
    }
  }
}

/// Makes values of nodes, and records the defects that only a reading of the whole value finds: duplicate keys, and
/// numbers beyond every double.
package struct JSONValueReading {
  let tree: JSONTree
  var defects: [(node: JSONTree.Index, message: String)] = []
  /// The memory of the texts, in units of about one value (24 bytes); the caller limits it.
  var textCost = 0

  package init(_ tree: JSONTree) { self.tree = tree }

  /// It recurses as deep as the document, which is at most ``JSONReader/deepest`` levels.
  package mutating func value(of node: JSONTree.Index) -> JSONValue {
    switch tree.kind(of: node) {
    case .null, .invalid: return .null
    case .bool: return .bool(tree.byte(of: node) == 0x74)
    case .number:
      let number = JSONNumber(tree.bytes(of: node))
      return number.isPlain ? number.plainValue : self.number(of: node).map(JSONValue.number) ?? .null
    case .string: return .string(text(of: node))
    case .array:
      var elements: [JSONValue] = []
      for element in tree.children(of: node) { elements.append(value(of: element)) }
      return .array(elements)
    case .object:
      var members: TextMap<JSONValue> = [:]
      for key in tree.children(of: node) {
        let name = text(of: key)
        if members.updateValue(value(of: key + 1), forKey: name) != nil {
          defects.append((key + 1, "duplicate key \(JSONMessage.quoted(name))"))
        }
      }
      return .object(members)
    }
  }

  mutating func text(of node: JSONTree.Index) -> String {
    let text = tree.text(of: node)
    textCost += text.utf8.count / 24
    return text
  }

  mutating func number(of node: JSONTree.Index) -> Double? {
    let value = tree.number(of: node)
    if value.isFinite { return value }
    defects.append((node, "number too large"))
    return nil
  }
}
