extension DefinedFileReading {
  /// The places of the items, in document order. Stops the reading at the first item beyond the limit.
  ///
  /// All paths of `each` count, in their order. If no path finds its array or object, even an empty one, that is a
  /// defect.
  mutating func itemPlaces() -> [ItemPlace] {
    var places: [ItemPlace] = []
    var lack: Lack?
    var hasFound = false
    for path in definition.items.each {
      if let node = misreadArray(at: path) {
        let advice = ItemPath.starAdvice(definition.items.each)
        fail(node, "expected an object, found an array; \(advice)")
        continue
      }
      var search = Search(path.selectors[...])
      forEach(path.selectors[...], from: .document, &search) { reading, place in
        if reading.definition.items.hasColumns {
          reading.appendRows(of: place, to: &places)
        } else {
          reading.append(place, to: &places)
        }
      }
      if isStopped { return places }
      // An empty outer array is not an error.
      if search.hasFound || search.lack == nil { hasFound = true }
      lack = lack ?? search.lack
    }
    if !hasFound { fail(defect(of: lack ?? .holder(JSONTree.root), expecting: "an array or object of items")) }
    return places
  }

  /// The array that a path of `each` finds although it has no `*`, unless the items' paths take its elements.
  fileprivate mutating func misreadArray(at path: ItemPath) -> JSONTree.Index? {
    guard !definition.items.hasColumns, !path.selectors.contains(.every), !definition.items.takeElements,
      case .node(let node)? = try? find(path, from: .document), tree.kind(of: node) == .array
    else { return nil }
    return node
  }

  private mutating func append(_ place: ItemPlace, to places: inout [ItemPlace]) {
    guard places.count < Self.mostItems else { return stop(at: place.node, "more than 10,000 items") }
    places.append(place)
  }

  /// Appends a row for each element of the columns, which are the array members of an object. Columns must be equally
  /// long.
  private mutating func appendRows(of place: ItemPlace, to places: inout [ItemPlace]) {
    let object = place.node
    guard tree.kind(of: object) == .object else {
      return fail(defect(of: .holder(object), expecting: "an object of columns"))
    }
    var columns: [(node: JSONTree.Index, count: Int)] = []
    for key in tree.children(of: object) where tree.kind(of: key + 1) == .array {
      columns.append((key + 1, tree.count(of: key + 1)))
    }
    let lengths = Dictionary(grouping: columns, by: \.count).mapValues(\.count)
    // The length that most columns have is right; in a tie, that of the first column. The others are at fault.
    let most = lengths.values.max()
    guard let first = columns.first(where: { lengths[$0.count] == most }) else { return }
    let length = first.count
    for column in columns where column.count != length {
      fail(column.node, "expected a column of \(counted(length, "element")) as the others, found \(column.count)")
    }
    var row = ItemPlace(
      node: object, count: length, around: [object] + place.around, aroundKeys: [place.key] + place.aroundKeys)
    for index in 0..<length where !isStopped {
      row.row = index
      row.index = index
      if places.count == Self.mostItems, let element = tree.element(index, of: first.node) {
        return stop(at: element, "more than 10,000 items")
      }
      append(row, to: &places)
    }
  }
}

extension ItemRules {
  /// Whether a field takes an element of an item that is an array.
  fileprivate var takeElements: Bool {
    fields.contains { field in
      field.from.contains { path in
        path.root == .item && path.selectors.first.map { if case .index = $0 { true } else { false } } ?? true
      }
    }
  }
}

extension ItemPath {
  /// What to write in place of paths without `*`.
  static func starAdvice(_ each: [ItemPath]) -> String {
    let paths = each.filter { !$0.selectors.contains(.every) }.map { "\"\($0.description)[*]\"" }
    return "for its elements write \(paths.joined(separator: ", ")) in 'each'"
  }

  /// The path as a definition writes it.
  var description: String {
    let root =
      switch self.root {
      case .document: "$"
      case .item: "@"
      case .around(let level): String(repeating: "^", count: level)
      case .aroundKey(let level): String(repeating: "^", count: level) + "key"
      case .key: "#key"
      case .index: "#index"
      case .count: "#count"
      }
    return selectors.reduce(into: root) { path, selector in
      switch selector {
      case .name(let name): path += Self.selector(name.wrappedValue)
      case .index(let index): path += "[\(index)]"
      case .every: path += "[*]"
      }
    }
  }

  /// The selector for a key: `.name`, or `['another name']`.
  package static func selector(_ key: String) -> String {
    func isPlain(_ byte: UInt8) -> Bool { byte == 0x5f || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }
    if let first = key.utf8.first, first &- 0x30 > 9, key.utf8.allSatisfy(isPlain) { return "." + key }
    return key.unicodeScalars.reduce(into: "['") { quoted, scalar in
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "']"
  }
}

extension FeedDefinition {
  /// What is wrong with `each` if it takes an array of this file as one item; nil if it does not.
  package func eachDefect(in bytes: UnsafeRawBufferPointer, zones: TimeZones) -> String? {
    guard let tree = JSONTree.read(bytes).tree else { return nil }
    var reading = DefinedFileReading(self, tree, byteCount: bytes.count, zones: zones)
    guard items.each.contains(where: { reading.misreadArray(at: $0) != nil }) else { return nil }
    return "the sample has an array there, which would be one item; \(ItemPath.starAdvice(items.each))"
  }
}
