extension DefinedFileReading {
  /// Finds the value of a path without `*`, beginning at an item.
  mutating func find(_ path: ItemPath, from place: ItemPlace) -> (found: Found?, lack: Lack) {
    tree.steps += 1
    var selectors = path.selectors[...]
    let start: JSONTree.Index
    switch path.root {
    case .document: start = JSONTree.root
    case .item:
      guard let row = place.row else {
        start = place.node
        break
      }
      // A row is not a value in the document: its members are in the columns.
      guard case .name(let column)? = selectors.popFirst() else { return (nil, .holder(place.node)) }
      guard let values = member(column.wrappedValue, of: place.node), tree.kind(of: values) == .array else {
        return (nil, .member(column.wrappedValue, of: place.node))
      }
      guard let value = tree.element(row, of: values) else { return (nil, .holder(values)) }
      start = value
    case .around(let level):
      guard place.around.indices.contains(level - 1) else { return (nil, .holder(place.node)) }
      start = place.around[level - 1]
    case .aroundKey(let level):
      guard place.aroundKeys.indices.contains(level - 1), let key = place.aroundKeys[level - 1] else {
        return (nil, .holder(place.node))
      }
      return (.node(key), .holder(key))
    case .key:
      guard let key = place.key else { return (nil, .holder(place.node)) }
      return (.node(key), .holder(key))
    case .index: return (.number(place.index), .holder(place.node))
    case .count: return (.number(place.count), .holder(place.node))
    }
    return walk(selectors, from: start)
  }

  /// Finds the first value other than null. If there is none, the lack is the first null, or else where the first path
  /// failed.
  mutating func find(_ paths: [ItemPath], from place: ItemPlace) -> (found: Found?, lack: Lack) {
    var lack: Lack?
    for path in paths {
      let result = find(path, from: place)
      switch result.found {
      case .node(let node)? where tree.isNull(node): lack.add(.null(node))
      case .some: return result
      case nil: lack.add(result.lack)
      }
    }
    return (nil, lack ?? .holder(place.node))
  }

  private mutating func walk(
    _ selectors: ArraySlice<ItemPath.Selector>, from start: JSONTree.Index
  ) -> (found: Found?, lack: Lack) {
    var node = start
    for selector in selectors {
      let holder = node
      switch selector {
      case .name(let name):
        guard tree.kind(of: holder) == .object else { return (nil, .step(selector, in: holder)) }
        guard let value = member(name.wrappedValue, of: holder) else {
          return (nil, .member(name.wrappedValue, of: holder))
        }
        node = value
      case .index(let index):
        guard tree.kind(of: holder) == .array, let element = tree.element(index, of: holder) else {
          return (nil, .step(selector, in: holder))
        }
        node = element
      case .every: return (nil, .holder(holder))
      }
    }
    return (.node(node), .holder(node))
  }

  /// A member's value. A duplicate key is a defect at its second value.
  mutating func member(_ name: String, of object: JSONTree.Index) -> JSONTree.Index? {
    guard let (value, again) = tree.member(name, of: object) else { return nil }
    if let again { fail(again, "duplicate key \(JSONMessage.quoted(name))") }
    return value
  }

  /// Visits everything that a path finds below a node, in document order. Only a path with `*` can find several values,
  /// or a null.
  ///
  /// - Parameter place: the node to begin at; its surroundings grow on the way.
  mutating func forEach(
    _ selectors: ArraySlice<ItemPath.Selector>, from place: ItemPlace, _ search: inout Search,
    _ visit: (inout DefinedFileReading, ItemPlace) -> Void
  ) {
    countSteps(1, at: place.node)
    if isStopped { return }
    let node = place.node
    let kind = tree.kind(of: node)
    guard let selector = selectors.first else {
      if !search.hasStar {
        if kind == .null { return search.fail(.null(node)) }
        search.hasFound = true
      }
      return visit(&self, place)
    }
    let rest = selectors.dropFirst()
    var inner = place
    if kind == .object || kind == .array {
      countSteps(place.aroundKeys.count, at: node)
      if kind == .object { inner.around.insert(node, at: 0) }
      inner.aroundKeys.insert(place.key, at: 0)
    }
    switch selector {
    case .name(let name):
      guard kind == .object else { return search.fail(.step(selector, in: node)) }
      guard let value = member(name.wrappedValue, of: node) else {
        return search.fail(.member(name.wrappedValue, of: node))
      }
      inner.node = value
      inner.key = value - 1
      forEach(rest, from: inner, &search, visit)
    case .index(let index):
      guard kind == .array, let element = tree.element(index, of: node) else {
        return search.fail(.step(selector, in: node))
      }
      inner.node = element
      inner.key = nil
      forEach(rest, from: inner, &search, visit)
    case .every:
      guard kind == .object || kind == .array else { return search.fail(.holder(node)) }
      if !rest.contains(.every) { search.hasFound = true }
      inner.count = tree.count(of: node)
      inner.index = 0
      var child = node + 1
      let end = tree.after(node)
      while child < end, !isStopped {
        inner.key = kind == .object ? child : nil
        inner.node = kind == .object ? child + 1 : child
        forEach(rest, from: inner, &search, visit)
        child = tree.after(inner.node)
        inner.index += 1
      }
    }
  }

  /// Whether a search found the array or object of its last `*`, and if not, where it failed first.
  struct Search {
    let hasStar: Bool
    var hasFound = false
    private(set) var lack: Lack?

    init(_ selectors: ArraySlice<ItemPath.Selector>) { hasStar = selectors.contains(.every) }

    mutating func fail(_ lack: Lack) {
      if self.lack == nil { self.lack = lack }
    }
  }
}
