extension JSONTree {
  /// The text of a string or key.
  func text(of node: Index) -> String {
    let bytes = bytes(of: node)
    guard bytes.contains(0x5c) else { return String(decoding: bytes, as: UTF8.self) }
    let quoted = UnsafeRawBufferPointer(start: start + offset(of: node), count: bytes.count + 2)
    // The document is valid, so there is a text.
    return JSONReader.read(quoted) { $0.string() }.value ?? ""
  }

  /// The number, correctly rounded; infinite when no double can hold it.
  func number(of node: Index) -> Double { JSONNumber(bytes(of: node)).double }

  /// The digits of a number that is written without sign, fraction and exponent.
  func digits(of node: Index) -> String? {
    let bytes = bytes(of: node)
    return bytes.allSatisfy { $0 &- 0x30 < 10 } ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value at fault as a message repeats it.
  func description(of node: Index) -> String {
    switch kind(of: node) {
    case .string: JSONMessage.quoted(text(of: node))
    case .number: JSONMessage.cut(bytes(of: node))
    case let kind: JSONMessage.kind(kind, byte(of: node))
    }
  }
}

/// Makes values of nodes, and records what a reader of all of a value refuses: keys that come twice, numbers that no double
/// can hold.
struct ItemValueReading {
  let tree: JSONTree
  var defects: [(node: JSONTree.Index, message: String)] = []
  /// What the texts take, in values of 24 bytes or so; the caller bounds it.
  var textCost = 0

  init(_ tree: JSONTree) { self.tree = tree }

  /// The value as a field has it. It recurses as deep as the document, which is at most ``JSONReader/deepest``.
  mutating func value(of node: JSONTree.Index) -> ItemValue {
    switch tree.kind(of: node) {
    case .null, .invalid: return .null
    case .bool: return .bool(tree.byte(of: node) == 0x74)
    case .number: return longID(of: node) ?? number(of: node).map(ItemValue.number) ?? .null
    case .string: return .text(text(of: node))
    case .array:
      var elements: [ItemValue] = []
      forEachElement(of: node) { reading, element in elements.append(reading.value(of: element)) }
      return .list(elements)
    case .object: return .object(jsonValue(of: node))
    }
  }

  /// A whole number that no double has exactly counts as the text of its digits: it is an id, and two ids must not become one.
  private func longID(of node: JSONTree.Index) -> ItemValue? {
    let bytes = tree.bytes(of: node)
    guard bytes.count > 15 else { return nil }
    let number = JSONNumber(bytes)
    guard number.isPlain, let digits = number.wholeDigits else { return nil }
    if case .value(let value) = number.whole, Int(exactly: number.double) == value { return nil }
    return .text(digits)
  }

  private mutating func jsonValue(of node: JSONTree.Index) -> JSONValue {
    switch tree.kind(of: node) {
    case .null, .invalid: return .null
    case .bool: return .bool(tree.byte(of: node) == 0x74)
    case .number:
      let number = JSONNumber(tree.bytes(of: node))
      if number.isPlain { return number.plainValue }
      return self.number(of: node).map(JSONValue.number) ?? .null
    case .string: return .string(text(of: node))
    case .array:
      var elements: [JSONValue] = []
      forEachElement(of: node) { reading, element in elements.append(reading.jsonValue(of: element)) }
      return .array(elements)
    case .object:
      var members: TextMap<JSONValue> = [:]
      var key = node + 1
      let end = tree.after(node)
      while key < end {
        let name = text(of: key)
        let value = jsonValue(of: key + 1)
        if members.updateValue(value, forKey: name) != nil {
          defects.append((key + 1, "duplicate key \(JSONMessage.quoted(name))"))
        }
        key = tree.after(key + 1)
      }
      return .object(members)
    }
  }

  private mutating func forEachElement(
    of array: JSONTree.Index, _ body: (inout ItemValueReading, JSONTree.Index) -> Void
  ) {
    var element = array + 1
    let end = tree.after(array)
    while element < end {
      body(&self, element)
      element = tree.after(element)
    }
  }

  private mutating func text(of node: JSONTree.Index) -> String {
    let text = tree.text(of: node)
    textCost += text.utf8.count / 24
    return text
  }

  private mutating func number(of node: JSONTree.Index) -> Double? {
    let value = tree.number(of: node)
    if value.isFinite { return value }
    defects.append((node, "number too large"))
    return nil
  }
}
