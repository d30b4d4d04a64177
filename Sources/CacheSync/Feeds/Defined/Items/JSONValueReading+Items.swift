extension JSONValueReading {
  /// The value for a field. Recurses as deep as the document, which is at most ``JSONReader/deepest``.
  mutating func itemValue(of node: JSONTree.Index) -> ItemValue {
    switch tree.kind(of: node) {
    case .null, .invalid: return .null
    case .bool: return .bool(tree.byte(of: node) == 0x74)
    case .number: return longID(of: node) ?? number(of: node).map(ItemValue.number) ?? .null
    case .string: return .text(text(of: node))
    case .array:
      var elements: [ItemValue] = []
      for element in tree.children(of: node) { elements.append(itemValue(of: element)) }
      return .list(elements)
    case .object: return .object(value(of: node))
    }
  }

  /// A whole number as the text of its digits, if a double cannot hold it exactly. Such a number is an id, and two ids
  /// must not become one.
  private func longID(of node: JSONTree.Index) -> ItemValue? {
    let bytes = tree.bytes(of: node)
    guard bytes.count > 15 else { return nil }
    let number = JSONNumber(bytes)
    guard number.isPlain, let digits = number.wholeDigits else { return nil }
    if case .value(let value) = number.whole, Int(exactly: number.double) == value { return nil }
    return .text(digits)
  }
}
