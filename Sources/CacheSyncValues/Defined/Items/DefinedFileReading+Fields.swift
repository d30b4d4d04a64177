extension DefinedFileReading {
  /// An item being read: where it is, what is known of it so far, and where its fields are.
  struct OpenItem {
    let place: ItemPlace
    var item = DefinedItem()
    /// The nodes of the fields, in the order of their values.
    var nodes: [JSONTree.Index?] = []

    /// The value that a condition of the items tests. The items have no times yet.
    func value(of field: Condition.Field) -> ItemValue {
      guard case .field(let index) = field, item.values.indices.contains(index) else { return .null }
      return item.values[index]
    }
  }

  mutating func open(_ place: ItemPlace) -> OpenItem {
    var open = OpenItem(place: place)
    (open.item.index, open.item.siblingCount) = (Int32(clamping: place.index), Int32(clamping: place.count))
    open.item.key = place.key.map { tree.text(of: $0) }
    open.item.values.reserveCapacity(definition.items.fields.count)
    open.nodes.reserveCapacity(definition.items.fields.count)
    for (index, rule) in definition.items.fields.enumerated() {
      if isStopped { break }
      var node: JSONTree.Index?
      let converted: ItemValue?
      switch try? find(rule.from, from: place) {
      case .node(let found)?:
        node = found
        converted = self.value(of: found, for: index)
      case .number(let number)?: converted = rule.converted(.number(Double(number)))
      case nil: converted = nil
      }
      var value = rule.otherwise ?? .null
      if let converted {
        value = rule.computed(converted, less: operand(rule.less, of: place), per: operand(rule.per, of: place))
      }
      // A mark is false if neither the file nor an intent sets it.
      if value == .null, definition.marks.contains(ExactText(rule.name)) { value = .bool(false) }
      open.item.values.append(value)
      open.nodes.append(node)
    }
    return open
  }

  /// The value to subtract or to divide by; nil without paths.
  private mutating func operand(_ paths: [ItemPath], of place: ItemPlace) -> ItemValue? {
    if paths.isEmpty { return nil }
    switch try? find(paths, from: place) {
    case .number(let number)?: return .number(Double(number))
    case .node(let node)?:
      guard tree.kind(of: node) == .number || tree.kind(of: node) == .string, mayMakeValues(2, of: node) else {
        return .null
      }
      var making = JSONValueReading(tree)
      return making.itemValue(of: node)
    case nil: return .null
    }
  }

  /// The value that a field makes of a node, before its arithmetic; nil if `else` counts.
  private mutating func value(of node: JSONTree.Index, for field: Int) -> ItemValue? {
    if let latest = latestValues[field], latest.node == node {
      // A repeated value takes no more memory, but conditions and orders look at it for each item.
      return mayMakeValues(latest.textCost, of: node) ? latest.value : .null
    }
    // Checked before the value is made, because it may be most of the file.
    guard mayMakeValues(tree.after(node) - node, of: node) else { return .null }
    var making = JSONValueReading(tree)
    let made = making.itemValue(of: node)
    for defect in making.defects { fail(defect.node, defect.message) }
    _ = mayMakeValues(making.textCost, of: node)
    let digits = tree.kind(of: node) == .number ? tree.digits(of: node) : nil
    let value = definition.items.fields[field].converted(made, digits: digits)
    latestValues[field] = (node, value, making.textCost)
    return value
  }
}

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

extension DefinedItem {
  /// The value of a name in the item's own texts.
  ///
  /// - Parameter places: the indices of fields, by name.
  func value(named name: String, _ places: TextMap<Int>) -> ItemValue {
    if let place = places[name] { return values.indices.contains(place) ? values[place] : .null }
    return switch name {
    case "key": key.map(ItemValue.text) ?? .null
    case "index": .number(Double(index))
    case "count": .number(Double(siblingCount))
    default: .null
    }
  }
}
