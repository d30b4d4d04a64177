/// A place in a sample where the items may be.
struct SampleItems {
  /// As a definition's `each` writes it: `$.bins[*]`.
  let each: String
  let kind: Kind
  let rows: [JSONValue]
  /// The nearest object around each row, if the rows are in lists inside the objects of a list.
  let parents: [JSONValue]
  let fields: [SampleField]

  enum Kind {
    case objects
    /// The members of an object are the items.
    case members
    case columns
    case texts
    /// The document is the only item.
    case document
  }

  init(_ each: String, _ kind: Kind, _ rows: [JSONValue], parents: [JSONValue] = []) {
    self.each = each
    self.kind = kind
    self.rows = rows
    self.parents = parents
    if kind == .texts {
      fields = [SampleField("@", "each text", words: ["text"], rows, isEverywhere: true)]
      return
    }
    fields =
      SampleItems.fields(of: Array(rows.prefix(Self.mostRows)), under: "@")
      + (parents.isEmpty ? [] : SampleItems.fields(of: Array(parents.prefix(Self.mostRows)), under: "^"))
  }

  /// A description of the place for a person.
  var words: String {
    let count = counted(rows.count, "item")
    switch kind {
    case .objects: return "the largest list of objects, \(count)"
    case .members: return "an object whose members are alike, \(count)"
    case .columns: return "an object of columns that are equally long, \(count)"
    case .texts: return "the largest list of texts, \(count)"
    case .document:
      let items = each == "$" ? "the document is one item" : "each element of the document is an item"
      return "no list of objects was found, so \(items)"
    }
  }

  // MARK: Finding

  /// How many levels to search for lists. Envelopes are two or three objects deep, and a sample may be any file.
  private static let deepest = 5

  // How much to look at. The first items show what the others are like, and a sample may be any file.
  private static let mostRows = 500
  private static let mostKeys = 100

  /// The keys of the first items, sorted.
  private static func keys(of rows: [JSONValue]) -> [String] {
    let keys = Set(rows.prefix(mostRows).flatMap { ($0.object ?? [:]).keys.map { ExactText($0) } })
    return Array(keys.sorted().prefix(mostKeys).map(\.wrappedValue))
  }

  /// Every place where items may be, those nearest to the top first.
  static func all(in document: JSONValue) -> [SampleItems] {
    var found: [SampleItems] = []
    var waiting = [(path: "$", value: document, depth: 0)]
    while !waiting.isEmpty {
      let (path, value, depth) = waiting.removeFirst()
      if let rows = objects(in: value) {
        let items = SampleItems(path + "[*]", .objects, rows)
        found.append(items)
        // Objects with a text of their own are items. The lists inside them, such as an event's guests, are not.
        if !items.fields.contains(where: { $0.shape == .text }) { found += nested(in: rows, below: path + "[*]") }
      }
      if let texts = value.array, !texts.isEmpty, texts.allSatisfy({ $0.string != nil }) {
        found.append(SampleItems(path + "[*]", .texts, texts))
      }
      guard let members = value.object, depth < deepest else { continue }
      if let rows = rows(ofColumns: members) { found.append(SampleItems(path, .columns, rows)) }
      let values = members.sorted { isOrdered($0.key, before: $1.key) }.map(\.value)
      if values.count > 1, areAlike(values) { found.append(SampleItems(path + "[*]", .members, values)) }
      for (key, value) in members.sorted(by: { isOrdered($0.key, before: $1.key) }).prefix(mostKeys) {
        waiting.append((path + selector(key), value, depth + 1))
      }
    }
    if document.object != nil { found.append(SampleItems("$", .document, [document])) }
    return found
  }

  /// Lists of objects inside the objects of a list, such as each day's events.
  private static func nested(in rows: [JSONValue], below path: String) -> [SampleItems] {
    keys(of: rows).compactMap { key in
      var found: [(row: JSONValue, parent: JSONValue)] = []
      for parent in rows {
        guard let inner = parent[key], inner != .null else { continue }
        if inner.array?.isEmpty == true { continue }
        guard let objects = objects(in: inner) else { return nil }
        found += objects.map { ($0, parent) }
      }
      if found.isEmpty { return nil }
      return SampleItems(path + selector(key) + "[*]", .objects, found.map(\.row), parents: found.map(\.parent))
    }
  }

  private static func objects(in value: JSONValue) -> [JSONValue]? {
    guard let elements = value.array, !elements.isEmpty, elements.allSatisfy({ $0.object != nil }) else { return nil }
    return elements
  }

  /// Whether values are objects that have a key in common.
  private static func areAlike(_ values: [JSONValue]) -> Bool {
    guard var common = values.first?.object.map({ Set($0.keys.map { ExactText($0) }) }) else { return false }
    for value in values { common.formIntersection((value.object ?? [:]).keys.map { ExactText($0) }) }
    return !common.isEmpty
  }

  private static func rows(ofColumns members: TextMap<JSONValue>) -> [JSONValue]? {
    let columns = members.compactMapValues(\.array)
    guard columns.count > 1, let count = columns.values.first?.count, count > 1,
      columns.values.allSatisfy({ $0.count == count && $0.allSatisfy { $0.object == nil && $0.array == nil } })
    else { return nil }
    return (0..<count).map { row in .object(columns.mapValues { $0[row] }) }
  }

  // MARK: Fields

  /// The scalar members of rows, and those of objects directly in them, by name.
  static func fields(of rows: [JSONValue], under base: String) -> [SampleField] {
    var fields: [SampleField] = []
    func add(_ path: String, _ name: String, _ words: [String], _ values: [JSONValue], isNested: Bool) {
      let there = values.filter { $0 != .null }
      if there.isEmpty || there.contains(where: { $0.array != nil }) { return }
      if there.allSatisfy({ $0.object != nil }) {
        if isNested { return }
        for key in keys(of: there) {
          add(
            path + selector(key), key, words + SampleField.words(of: key), there.map { $0[key] ?? .null },
            isNested: true)
        }
      } else if !there.contains(where: { $0.object != nil }) {
        fields.append(SampleField(path, name, words: words, there, isEverywhere: there.count == rows.count))
      }
    }
    for key in keys(of: rows) {
      add(base + selector(key), key, SampleField.words(of: key), rows.map { $0[key] ?? .null }, isNested: false)
    }
    return fields
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
}
