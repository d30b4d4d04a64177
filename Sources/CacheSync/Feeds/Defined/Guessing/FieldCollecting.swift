/// Collects the scalar members of items and of what is around them.
struct FieldCollecting {
  let document: SampleDocument
  let now: Instant
  var fields: [SampleField] = []
  var lists: [(name: String, texts: [SampleScalar?])] = []

  /// How many objects inside one another to look into. Departures have their line's name four levels down.
  private static let deepest = 5
  private static let mostFields = 150

  init(_ document: SampleDocument, now: Instant) {
    self.document = document
    self.now = now
  }

  /// Adds the members of the rows, one row for each item.
  ///
  /// - Parameters:
  ///   - rows: nil where an item has no such object.
  ///   - skipped: the key that leads to the items.
  mutating func add(
    _ rows: [JSONTree.Index?], under path: String, names: [String] = [], level: Int, skipping skipped: String? = nil
  ) {
    var keys: [ExactText] = []
    var columns: [ExactText: [JSONTree.Index?]] = [:]
    for (place, row) in rows.enumerated() {
      guard let row, document.tree.kind(of: row) == .object else { continue }
      // Neighbours often share the object around them.
      for child in document.children(of: row, atMost: SampleWalk.mostKeys) {
        guard let key = child.key, !document.tree.isNull(child.value) else { continue }
        let name = ExactText(document.tree.text(of: key))
        if columns[name] == nil {
          guard keys.count < SampleWalk.mostKeys, name.wrappedValue != skipped else { continue }
          keys.append(name)
          columns[name] = Array(repeating: nil, count: rows.count)
        }
        columns[name]?[place] = child.value
      }
    }
    for key in keys where fields.count < Self.mostFields {
      add(columns[key] ?? [], key.wrappedValue, under: path, names: names, level: level)
    }
  }

  private mutating func add(
    _ column: [JSONTree.Index?], _ key: String, under holder: String, names: [String], level: Int
  ) {
    let path = holder + SampleItems.selector(key)
    let values = column.compactMap(\.self)
    let objects = values.count { document.tree.kind(of: $0) == .object }
    let arrays = values.count { document.tree.kind(of: $0) == .array }
    if objects * 2 > values.count {
      if names.count + 1 < Self.deepest { add(column, under: path, names: names + [key], level: level) }
    } else if arrays * 2 > values.count {
      if level == 0, names.isEmpty, values.count == column.count { addList(values, key) }
      if arrays == values.count { addPairs(column, under: path, names: names + [key], level: level) }
    } else {
      let scalars = column.map { $0.flatMap { document.scalar(of: $0) } }
      if scalars.allSatisfy({ $0 == nil }) { return }
      fields.append(SampleField(path, holder: holder, names: names + [key], level: level, scalars, now: now))
    }
  }

  /// Adds the elements of lists that are equally long, such as pairs of a time and a value.
  mutating func addElements(of rows: [JSONTree.Index?], under path: String, names: [String], level: Int) -> Bool {
    let lists = rows.compactMap(\.self)
    let lengths = Set(lists.map { document.count(of: $0) })
    guard lengths.count == 1, let length = lengths.first, (2...12).contains(length) else { return false }
    var columns = Array(repeating: [SampleScalar?](repeating: nil, count: rows.count), count: length)
    for (place, row) in rows.enumerated() {
      guard let row else { continue }
      for (column, child) in document.children(of: row, atMost: length).enumerated() {
        guard document.isScalar(child.value) else { return false }
        columns[column][place] = document.scalar(of: child.value)
      }
    }
    for (column, values) in columns.enumerated() where !values.allSatisfy({ $0 == nil }) {
      fields.append(
        SampleField(
          "\(path)[\(column)]", holder: path, names: names, level: level, isElement: true, values, now: now))
    }
    return true
  }

  /// Adds the elements of lists such as a time and its value. Other lists are not rows.
  private mutating func addPairs(_ rows: [JSONTree.Index?], under path: String, names: [String], level: Int) {
    var pairs = FieldCollecting(document, now: now)
    guard pairs.addElements(of: rows, under: path, names: names, level: level),
      pairs.fields.contains(where: { $0.moment != nil })
    else { return }
    fields += pairs.fields
  }

  private mutating func addList(_ rows: [JSONTree.Index], _ key: String) {
    let elements = rows.flatMap { document.children(of: $0, atMost: 20).map(\.value) }
    guard !elements.isEmpty, elements.allSatisfy({ document.tree.kind(of: $0) == .string }) else { return }
    lists.append((key, elements.map { document.scalar(of: $0) }))
  }

  /// Adds the members of the objects around the items, and the keys of the items and of what is around them.
  mutating func addSurroundings(of position: SamplePosition) {
    var level = 0
    var keyLevel = 0
    var places = Array(position.nodes.indices)
    var current = position
    addKeys(current, places, keyLevel)
    while let outer = current.outer {
      places = places.map { current.nodes[$0].outer }
      keyLevel += 1
      addKeys(outer, places, keyLevel)
      let rows = places.map { outer.nodes[$0].value }
      if let first = rows.first, document.tree.kind(of: first) == .object {
        level += 1
        // The members of an object whose keys are data are the items, or lead to them.
        if case .member(let name) = current.step {
          add(rows, under: String(repeating: "^", count: level), level: level, skipping: name)
        }
      }
      current = outer
    }
  }

  private mutating func addKeys(_ position: SamplePosition, _ places: [Int], _ level: Int) {
    guard position.isEvery, position.nodes.contains(where: { $0.key != nil }) else { return }
    let keys = places.map { place in position.nodes[place].key.map { SampleScalar.text(document.tree.text(of: $0)) } }
    let path = level == 0 ? "#key" : String(repeating: "^", count: level) + "key"
    fields.append(SampleField(path, holder: "", names: [], level: level, isKey: true, keys, now: now))
  }
}
