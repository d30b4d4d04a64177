// Where items are, and which fields and times each has (definitions.md section 2).

extension Shape where Value == ItemRules {
  /// - Parameters:
  ///   - marks: each is a field, which is false unless the file or an intent sets it.
  ///   - idKnowsStart: whether `id` may use `start`.
  static func items(marks: [String], idKnowsStart: Bool) -> Shape {
    object(
      #"{ "dependentRequired": { "end": ["start"], "lasts": ["start"], "repeats": ["start"], "except": ["start"] } }"#
    ) { member in
      var items = ItemRules(each: [])
      member(
        "each", &items.each, .paths(.each),
        "Where the items are, such as $.bins[*]; several paths give the items of all.", is: .required)
      member(
        "columns", &items.hasColumns, .flag, "Whether each is an object whose arrays are columns, an item a row.")
      member("fields", &items.fields, .fields, "What is known of an item, by name.")
      let fieldNames = items.fields.map(\.name)
      let markNames = marks.filter { mark in !fieldNames.contains { isSameText($0, mark) } }
      if let first = markNames.first, items.fields.count + markNames.count > DefinitionReader.most {
        member.fail("more than \(DefinitionReader.most) fields, with the mark \(quotedName(first))")
      }
      var elsewhere = TextMap(markNames.map { ($0, "marks are known in kinds only") })
      let fields = KnownNames("field", fieldNames, elsewhere: elsewhere)
      member("where", &items.condition, .conditions(fields), "Which items count.")
      let textNames = fieldNames + ["key", "index", "count"]
      let known = KnownNames("field", textNames, elsewhere: elsewhere)
      if !idKnowsStart {
        elsewhere["start"] = "with several files 'id' decides which item counts before it has times"
      }
      let ofID = KnownNames("field", textNames + (idKnowsStart ? ["start"] : []), elsewhere: elsewhere)
      member("id", &items.id, .template(ofID), "What tells an item from others.")
      // An invalid start still counts as one, so that kinds do not report it as missing.
      let start = member("start", .time(known, .item, fields: fields))
      items.start = member["start"].map { _ in start ?? .at([], nil) }
      member("end", &items.end, .end(known, fields), "A time, or next: the next start in the file.")
      member("lasts", &items.lasts, .duration(known, hasTime: true), "ISO 8601, such as PT45M or P1W.")
      member("repeats", &items.repeats, .repetition(known), "A rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.")
      member("except", &items.except, .path(.except), "Where days or dates are that are left out.")
      for key in ["end", "lasts", "repeats", "except"] where items.start == nil && member[key] != nil {
        member.fail("'\(key)' needs 'start'", at: key)
      }
      // A field without paths finds nothing, so it is false.
      items.fields += markNames.map { name in
        var field = FieldRule(name, from: [])
        field.otherwise = .bool(false)
        return field
      }
      return items
    }
  }
}

extension Shape where Value == [FieldRule] {
  fileprivate static var fields: Shape {
    Shape<[(key: String, value: FieldRule)]>.members(
      of: { .field($0) }, most: DefinitionReader.most, "fields", names: KnownNames.schema,
      accepts: { $1.value.isNull || $0.isGoodName($1, "field") }
    )
    .map { $0.map(\.value) }
  }
}

extension Shape where Value == FieldRule {
  fileprivate static func field(_ name: String) -> Shape {
    let paths = Shape<[ItemPath]>.paths(.item).map { FieldRule(name, from: $0) }
    let rule = object(nullable: ["else"]) { member in
      var field = FieldRule(name, from: [])
      member("from", &field.from, .paths(.item), is: .required)
      member("as", &field.conversion, .word, "plain: without tags and entities.")
      member("map", &field.map, .values, "Values by the text that is found; * is every other.")
      member("less", &field.less, .paths(.item), "A number to subtract.")
      member("per", &field.per, .paths(.item), "A number to divide by.")
      member("scale", &field.scale, .number, "A factor.")
      member("plus", &field.plus, .number, "A number to add.")
      member("round", &field.round, .whole(in: 0...6), "Decimals.")
      member("else", &field.otherwise, .fieldValue, "For what is missing.")
      return field
    }
    return paths.or(rule) { $0.kind == .object }.named("field")
  }
}

extension Shape where Value == TextMap<ItemValue> {
  fileprivate static var values: Shape {
    let value = Shape<ItemValue>.fieldValue
    return Shape<[(key: String, value: ItemValue)]>.members(
      of: { _ in value }, most: DefinitionReader.mostInMap, "members of a map", nulls: false
    )
    .map { values in TextMap(values.map { ($0.key, $0.value) }) }
  }
}
