/// Finds the places in a sample where items may be.
///
/// A sample may be any file, so everything is bounded: how deep it looks, at how many positions, and at how many values
/// of each.
struct SampleWalk {
  static let mostNodes = 200
  static let mostKeys = 100
  private static let deepest = 14
  private static let mostPositions = 600

  let document: SampleDocument
  let now: Instant
  private(set) var places: [SampleItems] = []

  init(_ document: SampleDocument, now: Instant) {
    self.document = document
    self.now = now
    var waiting = [SamplePosition(root: JSONTree.root)]
    var next = 0
    while next < waiting.count, next < Self.mostPositions {
      let position = waiting[next]
      next += 1
      waiting += visit(position).prefix(Self.mostPositions)
    }
  }

  /// Adds the places at a position, and returns the positions inside it.
  private mutating func visit(_ position: SamplePosition) -> [SamplePosition] {
    let nodes = position.nodes.filter { !document.tree.isNull($0.value) }
    guard !nodes.isEmpty else { return [] }
    let objects = nodes.count { document.tree.kind(of: $0.value) == .object }
    let arrays = nodes.count { document.tree.kind(of: $0.value) == .array }
    if arrays == nodes.count {
      if position.isEvery, let rows = SampleItems(tuples: position, document, now: now) {
        places.append(rows)
        return []
      }
      return position.depth < Self.deepest ? [every(of: position)].compactMap(\.self) : []
    }
    // A list of objects may have a few other elements, such as null.
    guard Double(objects) >= 0.8 * Double(nodes.count) else {
      if position.isEvery, objects == 0, arrays == 0 {
        places.append(SampleItems(scalars: position, document, now: now))
      }
      return []
    }
    return visit(objects: position)
  }

  private mutating func visit(objects position: SamplePosition) -> [SamplePosition] {
    let hasKeysOfData = SampleKeys(position, document, now: now).areData
    if !hasKeysOfData, let columns = SampleItems(columns: position, document, now: now) { places.append(columns) }
    if position.isEvery {
      places.append(SampleItems(objects: position, document, now: now))
    } else if !hasKeysOfData, !position.isRepeated, position.count == 1 {
      if let times = SampleItems(timesOf: position, document, now: now) { places.append(times) }
      places.append(SampleItems(document: position, document, now: now))
    }
    guard position.depth < Self.deepest else { return [] }
    return hasKeysOfData ? [every(of: position)].compactMap(\.self) : members(of: position)
  }

  /// The elements of the arrays at a position, or the members of its objects.
  private func every(of position: SamplePosition) -> SamplePosition? {
    var nodes: [SamplePosition.Node] = []
    var count = 0
    for (place, node) in position.nodes.enumerated() {
      count += document.count(of: node.value)
      for child in document.children(of: node.value, atMost: Self.mostNodes - nodes.count) {
        nodes.append(SamplePosition.Node(value: child.value, key: child.key, outer: place))
      }
    }
    // Of 200 lists, the first values may be those of the first list alone. That is enough to see their members.
    return nodes.isEmpty ? nil : SamplePosition(position.path + "[*]", .every, in: position, nodes, count: count)
  }

  /// A position for each member of the objects at a position, in the order of their first appearance.
  private func members(of position: SamplePosition) -> [SamplePosition] {
    var keys: [String] = []
    var nodes: [ExactText: [SamplePosition.Node]] = [:]
    for (place, node) in position.nodes.enumerated() {
      for child in document.children(of: node.value, atMost: Self.mostKeys) where !document.isScalar(child.value) {
        guard let key = child.key else { continue }
        let name = document.tree.text(of: key)
        if nodes[ExactText(name)] == nil { keys.append(name) }
        nodes[ExactText(name), default: []].append(SamplePosition.Node(value: child.value, key: key, outer: place))
      }
    }
    return keys.prefix(Self.mostKeys).map { key in
      let found = nodes[ExactText(key)] ?? []
      return SamplePosition(
        position.path + SampleItems.selector(key), .member(key), in: position, found, count: found.count)
    }
  }
}
