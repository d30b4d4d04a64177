extension DefinedFileReading {
  /// Finds the value of a path without `*`, beginning at an item.
  mutating func find(_ path: ItemPath, from place: ItemPlace) throws(Lack) -> Found {
    tree.steps += 1
    var selectors = path.selectors[...]
    var node: JSONTree.Index
    switch path.root {
    case .document: node = JSONTree.root
    case .item:
      node = place.node
      // A row is not a value in the document: its members are in the columns.
      if let row = place.row {
        guard case .name(let column)? = selectors.popFirst() else { throw .holder(node) }
        guard let values = member(column.wrappedValue, of: node), tree.kind(of: values) == .array else {
          throw .member(column.wrappedValue, of: node)
        }
        guard let value = tree.element(row, of: values) else { throw .holder(values) }
        node = value
      }
    case .around(let level):
      guard place.around.indices.contains(level - 1) else { throw .holder(place.node) }
      node = place.around[level - 1]
    case .aroundKey(let level):
      guard place.aroundKeys.indices.contains(level - 1), let key = place.aroundKeys[level - 1] else {
        throw .holder(place.node)
      }
      node = key
    case .key:
      guard let key = place.key else { throw .holder(place.node) }
      node = key
    case .index: return .number(place.index)
    case .count: return .number(place.count)
    }
    for selector in selectors { node = try step(selector, from: node) }
    return .node(node)
  }

  /// Finds the first value other than null. If there is none, the lack is the first null, or else where the first path
  /// failed.
  mutating func find(_ paths: some Sequence<ItemPath>, from place: ItemPlace) throws(Lack) -> Found {
    var lack: Lack?
    for path in paths {
      do throws(Lack) {
        let found = try find(path, from: place)
        guard case .node(let node) = found, tree.isNull(node) else { return found }
        lack.add(.null(node))
      } catch {
        lack.add(error)
      }
    }
    throw lack ?? .holder(place.node)
  }

  /// The node of a member or an element.
  private mutating func step(_ selector: ItemPath.Selector, from node: JSONTree.Index) throws(Lack) -> JSONTree.Index {
    switch selector {
    case .name(let name):
      guard tree.kind(of: node) == .object else { throw .step(selector, in: node) }
      guard let value = member(name.wrappedValue, of: node) else { throw .member(name.wrappedValue, of: node) }
      return value
    case .index(let index):
      guard tree.kind(of: node) == .array, let element = tree.element(index, of: node) else {
        throw .step(selector, in: node)
      }
      return element
    case .every: throw .holder(node)
    }
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
    guard selector == .every else {
      do throws(Lack) {
        inner.node = try step(selector, from: node)
        inner.key = kind == .object ? inner.node - 1 : nil
        forEach(rest, from: inner, &search, visit)
      } catch {
        search.fail(error)
      }
      return
    }
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

  /// Whether a search found the array or object of its last `*`, and if not, where it failed first.
  struct Search {
    let hasStar: Bool
    var hasFound = false
    private(set) var lack: Lack?

    init(_ selectors: ArraySlice<ItemPath.Selector>) { hasStar = selectors.contains(.every) }

    mutating func fail(_ lack: Lack) { self.lack = self.lack ?? lack }
  }
}
