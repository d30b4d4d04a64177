/// A list in a sample, as a table: a row for each item, with a cell for each scalar in it and around it.
struct SampleTable {
  /// A list or an object whose keys are data, an object of equally long lists, or an object as the only item.
  enum Kind { case list, columns, document }

  struct Cell {
    /// From the item `@`, from the object around it `^`.
    var path = "@"
    var names: [String] = []
    var level = 0
    var isKey = false
    var value = JSONValue.null

    /// The cell as one of what is inside its value.
    var lifted: Cell {
      var cell = self
      (cell.level, cell.path) = (level + 1, path == "#key" ? "^key" : "^" + path)
      return cell
    }
  }

  let kind: Kind
  /// The path, as a definition's `each` writes it, and the names of the members on the way to the items.
  let each: String
  let names: [String]
  let isKeyed: Bool
  fileprivate(set) var count = 0
  fileprivate(set) var rows: [[Cell]] = []
  private(set) var columns: [SampleColumn] = []
  var isScalars: Bool { columns.contains { $0.path == "@" } }

  fileprivate mutating func makeColumns(_ now: Instant) {
    var places: [ExactText: Int] = [:]
    var found: [(cell: Cell, values: [JSONValue?])] = []
    for (row, cells) in rows.enumerated() {
      for cell in cells {
        let place = places[ExactText(cell.path)] ?? found.count
        if place == SampleTables.mostColumns { continue }
        if place == found.count { found.append((cell, Array(repeating: nil, count: rows.count))) }
        places[ExactText(cell.path)] = place
        found[place].values[row] = cell.value
      }
    }
    columns = found.map { SampleColumn($0.cell, $0.values, now) }
  }
}

/// The tables of a sample. A sample may be any file, so everything is bounded.
struct SampleTables {
  private typealias Cell = SampleTable.Cell
  private typealias Members = [(key: String?, node: JSONTree.Index)]

  static let mostColumns = 150
  private static let (mostRows, mostTables, deepest) = (200, 200, 14)
  private let tree: JSONTree
  private let now: Instant
  /// How much is still to be looked at. An object costs as much as a hundred values, because its keys may be times.
  private var rest = 700_000
  private(set) var all: [SampleTable] = []
  /// The scalars of the document outside of lists, for what is said once for all items.
  private(set) var root: [SampleColumn] = []

  init(_ tree: JSONTree, now: Instant) {
    (self.tree, self.now) = (tree, now)
    root = cells(in: JSONTree.root, at: Cell(path: "$")).map { SampleColumn($0, [$0.value], now) }
    visit(JSONTree.root, "$", [], around: [], keys: [])
    for place in all.indices { all[place].makeColumns(now) }
    let (kind, each) = isArray(JSONTree.root) ? (SampleTable.Kind.list, "$[*]") : (.document, "$")
    if !all.contains(where: { $0.each == each }) {
      all.append(SampleTable(kind: kind, each: each, names: [], isKeyed: false))
    }
  }

  private func isArray(_ node: JSONTree.Index) -> Bool { tree.kind(of: node) == .array }
  private func isScalar(_ node: JSONTree.Index) -> Bool { !isArray(node) && tree.kind(of: node) != .object }
  private func areScalars(_ members: Members) -> Bool { members.allSatisfy { isScalar($0.node) } }
  private func count(of node: JSONTree.Index) -> Int { tree.children(of: node).reduce(0) { count, _ in count + 1 } }
  private func children(of node: JSONTree.Index, atMost most: Int = mostRows) -> Members {
    let isList = isArray(node)
    return isScalar(node)
      ? [] : tree.children(of: node).lazy.prefix(most).map { isList ? (nil, $0) : (tree.text(of: $0), $0 + 1) }
  }

  private func value(of node: JSONTree.Index) -> JSONValue {
    var reading = JSONValueReading(tree)
    return reading.value(of: node)
  }

  /// The scalars at a value, in the row that it is, and in objects up to five levels down.
  private mutating func cells(in node: JSONTree.Index, at cell: Cell) -> [Cell] {
    var cell = cell
    if isScalar(node) {
      cell.value = value(of: node)
      return cell.value == .null || cell.value.source?.isBlank ?? false ? [] : [cell]
    }
    let members = children(of: node, atMost: Self.mostColumns)
    let isRow = cell.names.isEmpty && areScalars(members) && members.count <= 12
    if isArray(node) ? !isRow : cell.names.count > 4 { return [] }
    var found: [Cell] = []
    for (place, child) in members.enumerated() {
      if found.count >= Self.mostColumns || rest <= 0 { break }
      rest -= 1
      var inner = cell
      inner.path += child.key.map { ItemPath.selector($0) } ?? "[\(place)]"
      // The name of a list says nothing about its elements.
      inner.names = child.key.map { cell.names + [$0] } ?? []
      found += cells(in: child.node, at: inner)
    }
    return Array(found.prefix(Self.mostColumns))
  }

  private mutating func add(
    _ row: [Cell], _ kind: SampleTable.Kind, _ each: String, _ names: [String], isKeyed: Bool = false
  ) {
    let place = all.lastIndex { $0.kind == kind && $0.each == each } ?? all.count
    if place == Self.mostTables || kind == .document && (row.isEmpty || place >= Self.mostTables / 4) { return }
    if place == all.count { all.append(SampleTable(kind: kind, each: each, names: names, isKeyed: isKeyed)) }
    all[place].count += 1
    guard all[place].rows.count < Self.mostRows, rest > 0 else { return }
    all[place].rows.append(row)
    rest -= row.count + 1
  }

  /// - Parameters:
  ///   - around: the scalars of the objects around the value; those of the nearest have level 1.
  ///   - keys: the keys of the value and of what is around it, where they are data.
  private mutating func visit(
    _ node: JSONTree.Index, _ path: String, _ names: [String], around: [Cell], keys: [Cell], depth: Int = 0
  ) {
    if depth == Self.deepest || isScalar(node) || rest <= 0 { return }
    rest -= 100
    let (keys, lifted) = (keys.map(\.lifted), around.map(\.lifted))
    if isArray(node) || hasKeysOfData(node) {
      let around = isArray(node) ? around : lifted
      return visitItems(of: node, path + "[*]", names, around: around, keys: keys, depth: depth)
    }
    if !path.contains("[*]") { add(cells(in: node, at: Cell()), .document, path, names) }
    let members = children(of: node, atMost: 1_000).map { (key: $0.key ?? "", node: $0.node) }
    visitColumns(members.filter { isArray($0.node) }, path, names)
    let own = members.map {
      cells(in: $0.node, at: Cell(path: "^" + ItemPath.selector($0.key), names: [$0.key], level: 1))
    }
    for (place, (key, member)) in members.enumerated() where !isScalar(member) {
      var around: [Cell] = []
      for other in own.indices where other != place && around.count < Self.mostColumns { around += own[other] }
      around = Array((around + lifted).prefix(Self.mostColumns))
      visit(member, path + ItemPath.selector(key), names + [key], around: around, keys: keys, depth: depth + 1)
    }
  }

  private mutating func visitItems(
    of list: JSONTree.Index, _ path: String, _ names: [String], around: [Cell], keys: [Cell], depth: Int
  ) {
    let items = children(of: list).filter { !tree.isNull($0.node) }
    let areLists = !items.isEmpty && items.allSatisfy { isArray($0.node) }
    // Equally long lists are rows of a table.
    let lengths = Set(items.map { count(of: $0.node) })
    let areRows = areLists && isArray(list) && lengths.count == 1 && lengths.isSubset(of: 2...12)
    for (key, item) in items {
      let keys = keys + (key.map { [Cell(path: "#key", isKey: true, value: .string($0))] } ?? [])
      let row = areLists && !areRows ? [] : cells(in: item, at: Cell()) + around + keys
      if !row.isEmpty { add(row, .list, path, names, isKeyed: key != nil) }
      if !areRows { visit(item, path, names, around: around, keys: keys, depth: depth + 1) }
    }
    if let place = all.lastIndex(where: { $0.each == path }), items.count == Self.mostRows {
      all[place].count += count(of: list) - items.count
    }
  }

  private mutating func visitColumns(
    _ lists: [(key: String, node: JSONTree.Index)], _ path: String, _ names: [String]
  ) {
    let length = lists.first.map { count(of: $0.node) } ?? 0
    let columns = lists.map { (key: $0.key, values: children(of: $0.node)) }
    guard lists.count > 1, length > 1, lists.allSatisfy({ count(of: $0.node) == length }),
      columns.allSatisfy({ areScalars($0.values) })
    else { return }
    for place in columns[0].values.indices {
      var row: [Cell] = []
      for (key, values) in columns {
        row += cells(in: values[place].node, at: Cell(path: "@" + ItemPath.selector(key), names: [key]))
      }
      add(row, .columns, path, names)
    }
  }

  /// Whether the keys of an object are data, such as days and codes, and not names that a program chose.
  private func hasKeysOfData(_ node: JSONTree.Index) -> Bool {
    let members = children(of: node)
    let keys = members.compactMap(\.key)
    let shape = SampleColumn(Cell(), keys.map { .string($0) }, now).shape
    if shape == .moment || keys.count > 1 && [.clock, .weekday].contains(shape) { return true }
    // An event's start and end are alike.
    guard keys.count > 1, !keys.flatMap({ SampleWords.of($0) }).hasAny(of: [.start, .end]) else { return false }
    if members.allSatisfy({ tree.kind(of: $0.node) == .number }) {
      return keys.allSatisfy { (2...6).contains($0.utf8.count) && $0 == $0.uppercased() }
    }
    let areLists = members.allSatisfy { isArray($0.node) }
    // Lists of days by what happens on them.
    let first = areLists ? members.flatMap { children(of: $0.node, atMost: 3) } : []
    if areScalars(first), !keys.flatMap({ SampleWords.of($0) }).hasAny(of: [.time]),
      SampleColumn(Cell(), first.map { value(of: $0.node) }, now).shape == .moment
    {
      return true
    }
    let objects = areLists ? members.flatMap { children(of: $0.node, atMost: 1) } : members
    let names = objects.map { Set(children(of: $0.node, atMost: 100).map { ExactText($0.key ?? "") }) }
    return names.count > 1
      && names.allSatisfy { !$0.isEmpty && $0.intersection(names[0]).count * 2 >= $0.union(names[0]).count }
  }
}
