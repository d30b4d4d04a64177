/// What names a sample's items, what they measure, and what tells them apart.
struct GuessedLabels {
  struct Label {
    let path: String
    /// The member's own name; empty for a key.
    var name = ""
    /// The `as` of the field: `number` for numbers in texts, `plain` for texts with entities or tags.
    var conversion: String?
    /// The names of the values, if they are ids of another list's items.
    var names: [(id: String, name: String)] = []
  }

  private(set) var title: Label?
  /// Whether the title's name is surely that of one.
  private(set) var titleIsClear = false
  /// Whether the title is missing in some items.
  private(set) var titleHasGaps = false
  /// Whether the title is one of the item itself, or its key, and not the same in all.
  private(set) var titleDiffers = false
  private(set) var detail: Label?
  private(set) var value: Label?
  /// Whether the value's name says that it is one.
  private(set) var valueIsClear = false
  /// The numbers of a single item, in its order.
  private(set) var all: [Label] = []
  private(set) var id: String?

  init(_ place: SampleItems) {
    let fields = place.fields
    let isSingle = place.count == 1
    let texts = fields.compactMap { field in Self.score(field, isSingle: isSingle).map { (field, $0) } }
    var best: (field: SampleField, score: Double)?
    for (field, score) in texts where field.level == 0 && !field.isKey && score > 0 {
      if best.map({ score > $0.score }) ?? true { best = (field, score) }
    }
    let key =
      fields.first { field in
        if field.isKey, field.path == "#key", case .text = field.shape { field.hasShortTexts } else { false }
      } ?? fields.first { $0.path == "#key" && $0.isCodes }
    if let key, (best?.score ?? 0) < Self.clear {
      title = Label(path: key.path)
      titleDiffers = true
      titleIsClear = true
    } else if let best {
      set(title: best.field, isSingle: isSingle)
      titleIsClear = best.score >= Self.clear
    } else if let (field, _) = texts.filter({ $0.0.level > 0 && $0.1 > 0 && $0.0.differs }).max(by: { $0.1 < $1.1 }) {
      set(title: field, isSingle: isSingle)
      titleDiffers = false
    }
    setNumbers(place, isSingle: isSingle)
    // A text that repeats the title tells nothing more.
    let named = fields.first { $0.path == title?.path }
    setDetail(texts.filter { field, _ in named.map { !field.repeats($0) } ?? true }, place)
    id = Self.id(of: place)
  }

  private mutating func set(title field: SampleField, isSingle: Bool) {
    title = Label(path: field.path, name: field.name, conversion: field.hasMarkup ? "plain" : nil)
    titleHasGaps = field.coverage < 1
    titleDiffers = isSingle || field.differs
  }

  /// Takes the names that a list has for the ids in the items, if no title tells the items apart. A file may hold as many
  /// names as a map.
  mutating func take(namesFrom table: SampleItems, titled name: Label?, of place: SampleItems) {
    guard let name, let names = table.fields.first(where: { $0.path == name.path }),
      let ids = table.fields.first(where: {
        $0.level == 0 && $0.depth == 0 && NameWords.id.contains($0.name.lowercased())
      }),
      let words = table.position.names.last.map({ NameWords.words(of: $0) }),
      let reference = place.references(to: table).first(where: { $0.isNamed(like: words) })
    else { return }
    if id == reference.path { id = nil }
    guard title == nil || !titleDiffers else { return }
    detail = detail ?? title
    title = Label(path: reference.path, name: reference.name)
    title?.names = zip(ids.values, names.values).compactMap { id, name in
      id.flatMap { id in name?.text.map { (id.identity.wrappedValue, $0) } }
    }
    titleIsClear = true
    titleHasGaps = reference.coverage < 1
    titleDiffers = reference.differs
  }

  /// Takes the value for what the items show, and the title for a description of it.
  mutating func preferValue() {
    title = nil
    titleHasGaps = false
    detail = nil
  }

  // MARK: Texts

  /// From this score on, a name is surely a title's.
  private static let clear = 70.0

  /// How well a field serves as a title; nil if it is not a text to read.
  private static func score(_ field: SampleField, isSingle: Bool) -> Double? {
    switch field.shape {
    case .text: break
    // Lines are named "19" and "U6".
    case .numberText:
      guard field.ownWords.contains(where: ["line", "route", "title", "name"].contains) else { return nil }
    default: return nil
    }
    guard field.coverage >= 0.5, !field.isKey else { return nil }
    // Addresses, and ids that no two items share, are not for reading.
    if field.ownWords.contains(where: NameWords.unreadable.contains) || field.hasAddresses { return nil }
    let isID = field.ownWords.contains(where: NameWords.id.contains)
    if isID, isSingle || field.distinctCount == field.values.count { return nil }
    var score = isID ? 3 : 10.0
    if let place = place(of: field) {
      score = 100 - Double(place)
      if field.ownWords.count > 1 { score -= field.ownWords.last == NameWords.titles[place] ? 0.4 : 0.8 }
    } else if field.hasAny(of: NameWords.describing) {
      score = 5
    } else if field.averageLength < 2, !isID {
      // Marks such as "d" and "n", unless a name says more.
      return nil
    }
    if field.words.contains(where: NameWords.others.contains) { score -= 40 }
    score -= Double(field.depth)
    if field.averageLength > 150 { score -= 60 }
    if case .numberText = field.shape { score -= 20 }
    // The same in all items tells nothing about one.
    if !isSingle, !field.differs { score -= 90 }
    return score
  }

  private static func place(of field: SampleField) -> Int? {
    NameWords.titles.firstIndex { field.ownWords.last == $0 } ?? NameWords.titles.firstIndex {
      field.ownWords.contains($0)
    }
      ?? (field.ownWords.isEmpty && field.holder == "@" && field.path == "@" ? 0 : nil)
  }

  private mutating func setDetail(_ texts: [(SampleField, Double)], _ place: SampleItems) {
    // What is named by its key alone is shown with its value.
    guard let title, !(title.path == "#key" && value != nil) else { return }
    let others = texts.filter { field, _ in
      field.path != title.path && field.averageLength <= 80 && (field.differs || place.count == 1) && !field.hasMarkup
    }
    // What an item says of itself comes before what is around it.
    let own = others.filter { $0.0.level == 0 }
    let best = own.max { $0.1 < $1.1 } ?? others.max { $0.1 < $1.1 }
    if let field = best?.0 { detail = Label(path: field.path, name: field.name) }
    // A key further out names the group.
    if detail == nil,
      let key = place.fields.first(where: { field in
        if field.isKey, field.level > 0, field.differs, case .text = field.shape { true } else { false }
      })
    {
      detail = Label(path: key.path)
    }
  }

  // MARK: Numbers

  private mutating func setNumbers(_ place: SampleItems, isSingle: Bool) {
    var numbers = place.fields.filter { field in
      guard field.level == 0, !field.isKey, field.coverage >= 0.5 else { return false }
      if field.words.contains(where: NameWords.id.contains) { return false }
      switch field.shape {
      case .number: return true
      case .numberText: return field.path != title?.path && Self.place(of: field) == nil || field.path == "@"
      // Of what is keyed, a text may be the value: "1-2" is how much pollen there is.
      case .text: return title?.path == "#key" && place.kind == .objects && field.averageLength <= 20
      default: return false
      }
    }
    let clear = numbers.filter { !$0.ownWords.contains(where: NameWords.counters.contains) }
    if !clear.isEmpty { numbers = clear }
    if !isSingle, numbers.contains(where: \.differs) { numbers = numbers.filter(\.differs) }
    func rank(_ field: SampleField) -> Int {
      NameWords.values.firstIndex { field.ownWords.contains($0) } ?? NameWords.values.firstIndex {
        field.words.contains($0)
      }
        ?? NameWords.values.count
    }
    let ranks = numbers.map(rank)
    guard let least = ranks.min(), let clearest = ranks.firstIndex(of: least) else { return }
    func label(_ field: SampleField) -> Label {
      if case .numberText = field.shape { return Label(path: field.path, name: field.name, conversion: "number") }
      return Label(path: field.path, name: field.name)
    }
    value = label(numbers[clearest])
    valueIsClear = least < NameWords.values.count
    if isSingle { all = numbers.prefix(8).map(label) }
  }

  // MARK: Ids

  /// A member of the item itself that is different in each.
  private static func id(of place: SampleItems) -> String? {
    guard place.kind == .objects else { return nil }
    let unique = place.fields.filter { field in
      guard field.level == 0, field.depth == 0, !field.isKey, field.coverage == 1,
        let last = field.ownWords.last, let first = field.ownWords.first,
        NameWords.id.contains(last) || NameWords.id.contains(first),
        field.values.allSatisfy({ $0?.isID ?? false })
      else { return false }
      return field.distinctCount == field.values.count
    }
    if let own = unique.first(where: { $0.ownWords.count == 1 }) { return own.path }
    // Another thing's id may differ by chance, and in a list of one item it always does.
    guard place.count > 1 else { return nil }
    return unique.first { !$0.ownWords.contains(where: NameWords.foreign.contains) }?.path
  }
}

extension SampleScalar {
  /// Whether it can be an id: a text or a whole number.
  fileprivate var isID: Bool {
    switch self {
    case .text: true
    case .number(_, let digits): digits != nil
    case .flag: false
    }
  }
}

extension SampleField {
  fileprivate var averageLength: Double {
    let texts = values.compactMap { $0?.text }
    return texts.isEmpty ? 0 : Double(texts.reduce(0) { $0 + min($1.utf8.count, 1_000) }) / Double(texts.count)
  }

  /// Whether most values are those of another field, in upper or lower case.
  fileprivate func repeats(_ other: SampleField) -> Bool {
    let pairs = zip(values, other.values).compactMap { a, b in a?.text.flatMap { a in b?.text.map { (a, $0) } } }
    return pairs.count { $0.0.lowercased() == $0.1.lowercased() } * 2 > pairs.count
  }

  fileprivate var hasShortTexts: Bool { averageLength <= 40 }

  /// Whether the values are codes of digits, which name an item if nothing else does.
  fileprivate var isCodes: Bool { if case .numberText = shape { true } else { false } }

  fileprivate var hasAddresses: Bool {
    values.contains { value in value?.text.map { $0.contains("://") || $0.hasPrefix("data:") } ?? false }
  }

  /// Whether texts have entities or tags, as those of web feeds do.
  fileprivate var hasMarkup: Bool {
    values.contains { value in
      guard let text = value?.text else { return false }
      if text.contains("</") || text.contains("/>") { return true }
      guard let start = text.utf8.firstIndex(of: UInt8(ascii: "&")) else { return false }
      let rest = text.utf8[start...].dropFirst()
      guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")), end > rest.startIndex else { return false }
      return rest[..<end].allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "#") }
    }
  }
}
