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
      items.each =
        member(
          "each", .paths(.each), "Where the items are, such as $.bins[*]; several paths give the items of all.",
          is: .required) ?? []
      items.hasColumns =
        member("columns", .flag, "Whether each is an object whose arrays are columns, an item a row.") ?? false
      items.fields = member("fields", .fields, "What is known of an item, by name.") ?? []
      let fieldNames = items.fields.map(\.name)
      let markNames = marks.filter { mark in !fieldNames.contains { isSameText($0, mark) } }
      if let first = markNames.first, items.fields.count + markNames.count > DefinitionReader.most {
        member.fail("more than \(DefinitionReader.most) fields, with the mark \(quotedName(first))")
      }
      var elsewhere = TextMap(markNames.map { ($0, "marks are known in kinds only") })
      items.condition =
        member("where", .conditions(KnownNames("field", fieldNames, elsewhere: elsewhere)), "Which items count.") ?? []
      let textNames = fieldNames + ["key", "index", "count"]
      let known = KnownNames("field", textNames, elsewhere: elsewhere)
      if !idKnowsStart {
        elsewhere["start"] = "with several files 'id' decides which item counts before it has times"
      }
      items.id = member(
        "id", .template(KnownNames("field", textNames + (idKnowsStart ? ["start"] : []), elsewhere: elsewhere)),
        "What tells an item from others.")
      let fields = KnownNames("field", fieldNames, elsewhere: elsewhere)
      // An invalid start still counts as one, so that kinds do not report it as missing.
      let start = member("start", .time(known, .item, fields: fields))
      items.start = member["start"].map { _ in start ?? .at([], nil) }
      items.end = member("end", .end(known, fields), "A time, or next: the next start in the file.")
      items.lasts = member("lasts", .duration(known, hasTime: true), "ISO 8601, such as PT45M or P1W.")
      items.repeats = member(
        "repeats", .repetition(known), "A rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.")
      items.except = member("except", .path(.except), "Where days or dates are that are left out.")
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
      accepts: { $0.isGoodName($1, "field") }
    )
    .map { $0.map(\.value) }
  }
}

extension Shape where Value == FieldRule {
  fileprivate static func field(_ name: String) -> Shape {
    let paths = Shape<[ItemPath]>.paths(.item).map { FieldRule(name, from: $0) }
    let rule = object(nullable: ["else"]) { member in
      var field = FieldRule(name, from: [])
      field.from = member("from", .paths(.item), is: .required) ?? []
      field.conversion = member("as", .word, "plain: without tags and entities.")
      field.map = member("map", .values, "Values by the text that is found; * is every other.")
      field.less = member("less", .paths(.item), "A number to subtract.") ?? []
      field.per = member("per", .paths(.item), "A number to divide by.") ?? []
      field.scale = member("scale", .number, "A factor.")
      field.plus = member("plus", .number, "A number to add.")
      field.round = member("round", .whole(in: 0...6), "Decimals.")
      field.otherwise = member("else", .fieldValue, "For what is missing.")
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
