/// A place in a sample that one path with `*` reaches, with the values there.
final class SamplePosition {
  enum Step {
    case root, every
    case member(String)
  }

  struct Node {
    let value: JSONTree.Index
    /// The value's key, if it is a member of an object.
    let key: JSONTree.Index?
    /// Its place among the nodes of the position around it.
    let outer: Int
  }

  /// As a definition's `each` writes it.
  let path: String
  let step: Step
  let outer: SamplePosition?
  /// The first values; the others are like these.
  let nodes: [Node]
  /// How many values there are, as far as they were counted.
  let count: Int
  let depth: Int

  init(root: JSONTree.Index) {
    path = "$"
    step = .root
    outer = nil
    nodes = [Node(value: root, key: nil, outer: 0)]
    count = 1
    depth = 0
  }

  init(_ path: String, _ step: Step, in outer: SamplePosition, _ nodes: [Node], count: Int) {
    self.path = path
    self.step = step
    self.outer = outer
    self.nodes = nodes
    self.count = count
    depth = outer.depth + 1
  }

  var isEvery: Bool { if case .every = step { true } else { false } }

  /// The names of the members on the way to here, the outermost first.
  var names: [String] {
    var names: [String] = []
    var position: SamplePosition? = self
    while let current = position {
      if case .member(let name) = current.step { names.append(name) }
      position = current.outer
    }
    return names.reversed()
  }

  /// Whether a `*` is on the way to here.
  var isRepeated: Bool { isEvery || outer?.isRepeated ?? false }

  /// The path before the first `*`; nil without one.
  var list: String? { outer?.list ?? (isEvery ? outer?.path : nil) }

  /// The names of members here as a person would write them: "Solar noon" for `solar_noon`.
  func shownNames(of paths: [String]) -> [(name: String, shown: String)] {
    paths.compactMap { path in
      guard path.hasPrefix(self.path + ".") else { return nil }
      let name = String(path.dropFirst(self.path.count + 1))
      let words = NameWords.words(of: name).joined(separator: " ")
      return words.isEmpty ? nil : (name, words.prefix(1).uppercased() + words.dropFirst())
    }
  }

  func isInside(_ other: SamplePosition) -> Bool {
    var position = outer
    while let current = position {
      if current === other { return true }
      position = current.outer
    }
    return false
  }
}

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

/// The keys of the objects at a position: names that a program chose, or data such as days and codes.
struct SampleKeys {
  private(set) var areData = false

  init(_ position: SamplePosition, _ document: SampleDocument, now: Instant) {
    var keys: [String] = []
    var values: [JSONTree.Index] = []
    for node in position.nodes.prefix(20) {
      for child in document.children(of: node.value, atMost: SampleWalk.mostNodes - keys.count) {
        guard let key = child.key else { continue }
        keys.append(document.tree.text(of: key))
        values.append(child.value)
      }
    }
    if keys.isEmpty { return }
    if Self.areTimes(keys, now) {
      areData = true
    } else if Set(keys.map { ExactText($0) }).count > 1 {
      areData = Self.areAlike(values, keys, document) || Self.areCodes(keys, values, document, of: position)
    }
  }

  private static func areTimes(_ keys: [String], _ now: Instant) -> Bool {
    // Most keys of records are words.
    switch SampleShape(keys.map { .text($0) }, named: [], isKey: true, now: now) {
    case .moment: true
    case .clock, .weekday: keys.count > 1
    default: false
    }
  }

  /// Whether the values are objects, or lists of objects, with the same members.
  private static func areAlike(_ values: [JSONTree.Index], _ keys: [String], _ document: SampleDocument) -> Bool {
    guard values.count > 1 else { return false }
    // An event's start and end are alike.
    let words = Set(keys.flatMap { NameWords.words(of: $0) })
    if !words.isDisjoint(with: NameWords.start.union(NameWords.end)) { return false }
    let kinds = values.map { document.tree.kind(of: $0) }
    var objects = values
    var least = 0.5
    if kinds.allSatisfy({ $0 == .array }) {
      objects = values.flatMap { document.children(of: $0, atMost: 1).map(\.value) }
      least = 0.8
    }
    guard objects.count > 1, objects.allSatisfy({ document.tree.kind(of: $0) == .object }) else { return false }
    var common: Set<ExactText>?
    var all: Set<ExactText> = []
    for object in objects {
      let keys = document.children(of: object, atMost: SampleWalk.mostKeys).compactMap(\.key)
      let names = Set(keys.map { ExactText(document.tree.text(of: $0)) })
      common = common?.intersection(names) ?? names
      all.formUnion(names)
    }
    guard let common, !common.isEmpty else { return false }
    return Double(common.count) >= least * Double(all.count)
  }

  /// Whether all values are numbers and the keys are codes, such as those of currencies.
  private static func areCodes(
    _ keys: [String], _ values: [JSONTree.Index], _ document: SampleDocument, of position: SamplePosition
  ) -> Bool {
    guard values.allSatisfy({ document.tree.kind(of: $0) == .number }) else { return false }
    func isUpper(_ key: String) -> Bool {
      (2...6).contains(key.utf8.count) && key.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x41 < 26 }
    }
    func isShort(_ key: String) -> Bool {
      key.utf8.count == 3 && key.utf8.allSatisfy { $0 &- 0x61 < 26 } && !NameWords.statistics.contains(key)
    }
    if keys.allSatisfy(isUpper) || keys.count > 2 && keys.allSatisfy(isShort) { return true }
    guard case .member(let name) = position.step else { return false }
    return NameWords.words(of: name).contains(where: NameWords.collections.contains)
  }
}
