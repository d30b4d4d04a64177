// Where items are, and which fields and times each has (definitions.md section 2).

extension DefinitionReader {
  enum ItemsKey: String, CaseIterable {
    case each, columns, fields, `where`, id, start, end, lasts, repeats, except
  }

  enum FieldKey: String, CaseIterable {
    case from, `as`, map, less, per, scale, plus, round, `else`
  }

  /// - Parameters:
  ///   - marks: each is a field, which is false unless the file or an intent sets it.
  ///   - idKnowsStart: whether `id` may use `start`.
  mutating func items(_ value: LocatedValue, marks: [String], idKnowsStart: Bool) -> ItemRules? {
    guard let members = object(value, ItemsKey.self) else { return nil }
    var items = ItemRules(each: [])
    if let each = members[.each] {
      items.each = paths(each, .each)
    } else {
      fail(missing: "each", in: value)
    }
    items.hasColumns = members[.columns].flatMap { bool($0) } ?? false
    items.fields = members[.fields].map { fields($0) } ?? []
    let fieldNames = items.fields.map(\.name)
    let markNames = marks.filter { mark in !fieldNames.contains { isSameText($0, mark) } }
    if let first = markNames.first, items.fields.count + markNames.count > Self.most {
      fail("more than \(Self.most) fields, with the mark \(quotedName(first))", at: value)
    }
    var elsewhere = TextMap(markNames.map { ($0, "marks are known in kinds only") })
    items.condition =
      members[.where].map { conditions($0, KnownNames("field", fieldNames, elsewhere: elsewhere)) } ?? []
    let known = KnownNames("field", fieldNames + ["key", "index", "count"], elsewhere: elsewhere)
    if idKnowsStart {
      items.id = members[.id].flatMap {
        template($0, KnownNames("field", known.names + ["start"], elsewhere: elsewhere))
      }
    } else {
      elsewhere["start"] = "with several files 'id' decides which item counts before it has times"
      items.id = members[.id].flatMap { template($0, KnownNames("field", known.names, elsewhere: elsewhere)) }
    }
    let conditionNames = KnownNames("field", fieldNames, elsewhere: elsewhere)
    readTimes(members, known, conditionNames, into: &items)
    // A field without paths finds nothing, so it is false.
    items.fields += markNames.map { name in
      var field = FieldRule(name, from: [])
      field.otherwise = .bool(false)
      return field
    }
    return items
  }

  private mutating func readTimes(
    _ members: [ItemsKey: LocatedValue], _ known: KnownNames, _ fields: KnownNames, into items: inout ItemRules
  ) {
    // An invalid start still counts as one, so that kinds do not report it as missing.
    items.start = members[.start].map { time($0, known, .item, fields: fields) ?? .at([], nil) }
    if let end = members[.end] {
      if end.text == "next" {
        items.end = .next
      } else {
        items.end = time(end, known, .item, fields: fields).map { .time($0) }
      }
    }
    items.lasts = members[.lasts].flatMap { duration($0, known, hasTime: true) }
    items.repeats = members[.repeats].flatMap { repetition($0, known) }
    items.except = members[.except].flatMap { path($0, .except) }
    guard members[.start] == nil else { return }
    for key in [ItemsKey.end, .lasts, .repeats, .except] {
      if let value = members[key] { fail("'\(key.rawValue)' needs 'start'", at: value) }
    }
  }

  // MARK: Fields

  private mutating func fields(_ value: LocatedValue) -> [FieldRule] {
    var fields: [FieldRule] = []
    for member in members(value, most: Self.most, "fields") ?? [] where !member.value.isNull {
      guard isGoodName(member, "field", taken: KnownNames.reserved) else { continue }
      fields.append(field(member))
    }
    return fields
  }

  private mutating func field(_ member: LocatedMember) -> FieldRule {
    var field = FieldRule(member.key, from: [])
    guard member.value.kind == .object else {
      field.from = paths(member.value, .item)
      return field
    }
    guard let members = object(member.value, FieldKey.self, nullable: [.else]) else { return field }
    if let from = members[.from] {
      field.from = paths(from, .item)
    } else {
      fail(missing: "from", in: member.value)
    }
    field.conversion = members[.as].flatMap { word($0, FieldRule.Conversion.self) }
    field.map = members[.map].flatMap { map($0) }
    field.less = members[.less].map { paths($0, .item) } ?? []
    field.per = members[.per].map { paths($0, .item) } ?? []
    field.scale = members[.scale].flatMap { number($0) }
    field.plus = members[.plus].flatMap { number($0) }
    field.round = members[.round].flatMap { whole($0, in: 0...6) }
    field.otherwise = members[.else].flatMap { itemValue($0) }
    return field
  }

  private mutating func map(_ value: LocatedValue) -> TextMap<ItemValue>? {
    members(value, most: Self.mostInMap, "members of a map").map { members in
      var map: TextMap<ItemValue> = [:]
      for member in members { map[member.key] = itemValue(member.value) }
      return map
    }
  }

  // MARK: Paths

  /// A path, or a list of them.
  mutating func paths(_ value: LocatedValue, _ allowance: ItemPath.Allowance) -> [ItemPath] {
    oneOrMore(value).compactMap { path($0, allowance) }
  }

  mutating func path(_ value: LocatedValue, _ allowance: ItemPath.Allowance) -> ItemPath? {
    guard let text = text(value, "a path") else { return nil }
    do {
      return try ItemPath.parse(text, allowing: allowance)
    } catch {
      fail(error, in: value)
      return nil
    }
  }
}
