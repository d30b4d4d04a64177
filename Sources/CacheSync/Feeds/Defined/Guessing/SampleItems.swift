/// A place in a sample where the items may be, with their members.
struct SampleItems {
  enum Kind: Equatable {
    /// A list of objects, or an object whose members are alike.
    case objects
    /// A list of lists of the same length, such as pairs.
    case tuples
    case columns
    /// A list of texts or numbers, or an object whose members are.
    case scalars
    /// An object whose members are times, such as sunrise and sunset.
    case times
    /// An object as the only item.
    case document
  }

  let kind: Kind
  /// As a definition's `each` writes it, a path or several.
  let each: [String]
  let position: SamplePosition
  /// How many items there are, as far as they were counted.
  let count: Int
  let fields: [SampleField]
  /// The names of lists of texts in every item, with the texts of all.
  private(set) var lists: [(name: String, texts: [SampleScalar?])] = []

  /// Whether items are members of an object whose keys are data.
  var isKeyed: Bool { kind == .times || position.isEvery && position.nodes.contains { $0.key != nil } }

  // MARK: Kinds of places

  init(objects position: SamplePosition, _ document: SampleDocument, now: Instant) {
    kind = .objects
    self.position = position
    each = [position.path]
    count = position.count
    var collecting = FieldCollecting(document, now: now)
    collecting.add(position.nodes.map(\.value), under: "@", level: 0)
    lists = collecting.lists
    collecting.addSurroundings(of: position)
    fields = collecting.fields
  }

  init?(tuples position: SamplePosition, _ document: SampleDocument, now: Instant) {
    let rows = position.nodes.map(\.value).filter { !document.tree.isNull($0) }
    var collecting = FieldCollecting(document, now: now)
    guard rows.count == position.nodes.count, collecting.addElements(of: rows, under: "@", names: [], level: 0) else {
      return nil
    }
    // Lists of texts are no rows of a table: each text may be an item.
    guard collecting.fields.contains(where: { if case .text = $0.shape { false } else { true } }) else { return nil }
    collecting.addSurroundings(of: position)
    kind = .tuples
    self.position = position
    each = [position.path]
    count = position.count
    fields = collecting.fields
  }

  init(scalars position: SamplePosition, _ document: SampleDocument, now: Instant) {
    kind = .scalars
    self.position = position
    each = [position.path]
    count = position.count
    var collecting = FieldCollecting(document, now: now)
    let values = position.nodes.map { document.scalar(of: $0.value) }
    collecting.fields.append(SampleField("@", holder: "@", names: [], values, now: now))
    collecting.addSurroundings(of: position)
    fields = collecting.fields
  }

  /// An object whose lists are columns: at least two, equally long, of scalars.
  init?(columns position: SamplePosition, _ document: SampleDocument, now: Instant) {
    var columns: [(name: String, values: [SampleScalar?])] = []
    var count = 0
    for (place, node) in position.nodes.prefix(3).enumerated() {
      let members = document.children(of: node.value, atMost: SampleWalk.mostKeys)
      let lists = members.filter { document.tree.kind(of: $0.value) == .array }
      let lengths = Set(lists.map { document.count(of: $0.value) })
      guard lists.count > 1, lengths.count == 1, let length = lengths.first, length > 1 else { return nil }
      count += length
      for list in lists {
        let elements = document.children(of: list.value, atMost: SampleWalk.mostNodes).map(\.value)
        guard let key = list.key, elements.allSatisfy({ document.isScalar($0) }) else { return nil }
        if place == 0 { columns.append((document.tree.text(of: key), elements.map { document.scalar(of: $0) })) }
      }
    }
    guard !columns.isEmpty else { return nil }
    kind = .columns
    self.position = position
    each = [position.path]
    self.count = count
    fields = columns.map { column in
      SampleField(
        "@" + SampleItems.selector(column.name), holder: "@", names: [column.name], column.values, now: now)
    }
  }

  /// An object of which at least two members are times of which none is a start or an end. Each time is an item.
  init?(timesOf position: SamplePosition, _ document: SampleDocument, now: Instant) {
    let nodes = position.nodes.map(\.value)
    guard nodes.count == 1 else { return nil }
    var times: [(name: String, field: SampleField)] = []
    for child in document.children(of: nodes[0], atMost: SampleWalk.mostKeys) {
      guard let key = child.key, document.isScalar(child.value) else { continue }
      let name = document.tree.text(of: key)
      let path = position.path + SampleItems.selector(name)
      let field = SampleField(path, holder: "$", names: [name], [document.scalar(of: child.value)], now: now)
      switch field.shape {
      case .moment(let moment) where moment.hasTime: times.append((name, field))
      case .clock: times.append((name, field))
      case .text where !field.hasAny(of: NameWords.unreadable.union(NameWords.meta)):
        // An object with a title is an item itself.
        if let word = field.ownWords.last, NameWords.titles.contains(word) { return nil }
      default: continue
      }
    }
    let known = NameWords.start.union(NameWords.end).union(NameWords.time).union(NameWords.update)
      .union(NameWords.past).union(NameWords.plan).union(NameWords.real)
    times = times.filter { !$0.field.hasAny(of: known) }
    // All are written as the first is.
    guard let first = times.first else { return nil }
    times = times.filter { $0.field.isWritten(as: first.field) }
    guard (2...Self.mostTimes).contains(times.count) else { return nil }
    kind = .times
    self.position = position
    each = times.map(\.field.path)
    count = times.count
    let values = times.map(\.field.values[0])
    let names = times.map { SampleScalar.text($0.name) }
    fields = [
      SampleField("@", holder: "@", names: [], values, now: now),
      SampleField("#key", holder: "", names: [], isKey: true, names, now: now),
    ]
  }

  private static let mostTimes = 16

  init(document position: SamplePosition, _ document: SampleDocument, now: Instant) {
    kind = .document
    self.position = position
    each = [position.path]
    count = 1
    var collecting = FieldCollecting(document, now: now)
    collecting.add(position.nodes.map(\.value), under: "@", level: 0)
    fields = collecting.fields
  }

  /// The document as a whole, if it is not an object.
  init(all document: SampleDocument, now: Instant) {
    let root = SamplePosition(root: JSONTree.root)
    kind = .document
    position = root
    each = [document.tree.kind(of: JSONTree.root) == .array ? "$[*]" : "$"]
    count = document.count(of: JSONTree.root)
    fields = []
  }

  /// The selector for a key: `.name`, or `['another name']`.
  static func selector(_ key: String) -> String {
    let isPlain =
      !key.isEmpty && key.utf8.first.map { $0 &- 0x30 > 9 } == true
      && key.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 < 26
      }
    if isPlain { return "." + key }
    var quoted = ""
    for character in key.unicodeScalars {
      switch character {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case _ where character.value < 0x20:
        quoted +=
          "\\u" + String(repeating: "0", count: character.value < 16 ? 3 : 2)
          + String(character.value, radix: 16)
      default: quoted.unicodeScalars.append(character)
      }
    }
    return "['\(quoted)']"
  }

  /// The scalars of the document outside of lists, for what is said once for all items.
  static func root(_ document: SampleDocument, now: Instant) -> [SampleField] {
    guard document.tree.kind(of: JSONTree.root) == .object else { return [] }
    var collecting = FieldCollecting(document, now: now)
    collecting.add([JSONTree.root], under: "$", level: 0)
    return collecting.fields
  }
}

extension SampleField {
  /// Whether both are times in the same notation.
  fileprivate func isWritten(as other: SampleField) -> Bool {
    switch (shape, other.shape) {
    case (.moment(let a), .moment(let b)): a.form == b.form
    case (.clock(let a), .clock(let b)): a.form == b.form
    default: false
    }
  }
}
